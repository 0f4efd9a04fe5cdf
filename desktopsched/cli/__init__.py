"""The command line: a front without Qt. Each group of commands is a module; `main` is the program's entry."""

from desktopsched.cli.commands import main

__all__ = ["main"]
