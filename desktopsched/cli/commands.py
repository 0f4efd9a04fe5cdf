"""The commands and what they share: where the home is, how errors are said, which exit code they end in."""

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from desktopsched import __version__
from desktopsched.cli.ending import end_with
from desktopsched.cli.window import open_window
from desktopsched.model import DesktopschedError
from desktopsched.storage.home import find_home

_COMMANDS = {
    "serve": ("serve", "serve"),
    "list": ("look", "list_tasks"),
    "next": ("coming", "next_runs"),
    "run": ("act", "run"),
    "stop": ("act", "stop"),
    "pause": ("act", "pause"),
    "resume": ("act", "resume"),
    "history": ("past", "history"),
    "log": ("past", "log"),
    "why": ("why", "why"),
    "claims": ("claims", "claims"),
    "hand-over": ("claims", "hand_over"),
    "take-back": ("claims", "take_back"),
    "check": ("look", "check"),
    "doctor": ("doctor", "doctor"),
    "trust-clock": ("act", "trust_clock"),
    "import": ("bring", "import_"),
    "init-examples": ("act", "init_examples"),
}


class _Commands(click.Group):
    """Commands whose module is imported when they are asked for: those that only look need little of the program."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return _opening(Path(cmd_name)) if _is_file(cmd_name) else None
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(f"desktopsched.cli.{module}"), name)
        return command


def _is_file(name: str) -> bool:
    """Whether this is no command that was misspelt, but a task list; one that is not there is told of in the window."""
    return name.endswith((".json", ".desktopsched")) or Path(name).is_file()


def _opening(file: Path) -> click.Command:
    """The command that a file is."""

    @click.command(str(file))
    @click.pass_context
    def open_file(context: click.Context) -> None:
        """Look at the tasks of this file in the window, and choose which of them are wanted."""
        minimized = bool(context.find_root().params.get("minimized"))
        sys.exit(open_window(context.obj, minimized=minimized, file=str(file.absolute())))

    return open_file


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), help="Keep everything in this folder."
)
@click.option("--minimized", is_flag=True, help="Start in the tray.")
@click.version_option(__version__, prog_name="desktopsched", message="%(prog)s %(version)s")
@click.pass_context
def desktopsched(context: click.Context, home: Path | None, *, minimized: bool) -> None:
    """Run tasks when they are due. Without a command: the window; with a FILE, also what is in that task list."""
    context.obj = find_home(home)
    if context.invoked_subcommand is None:
        sys.exit(open_window(context.obj, minimized=minimized))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The program's entry: errors that people can act on become one line on stderr and an exit code."""
    try:
        desktopsched.main(args=arguments, prog_name="desktopsched", standalone_mode=False)
    except click.exceptions.Exit as wanted:
        sys.exit(wanted.exit_code)
    except click.ClickException as mistake:
        mistake.show()
        sys.exit(mistake.exit_code)
    except click.Abort:
        sys.exit(130)
    except DesktopschedError as error:
        end_with(error)
    except BrokenPipeError:  # the reader of our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(0)
