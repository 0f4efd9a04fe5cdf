"""Why a process cannot be started, in plain words (X07, X08, Z08, Z12). Looks at files, starts nothing."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from desktopsched.model.errors import DesktopschedError

_LONGEST = 131_071  # bytes of one argument: 32 pages less the NUL, MAX_ARG_STRLEN of Linux


class CannotStartError(DesktopschedError):
    """A run that cannot begin. Never leaves this room: it becomes a FAILED outcome with the same words."""


@contextlib.contextmanager
def before_start() -> Iterator[None]:
    """What the system refuses within it, room on the disk or descriptors, it refuses before there is a process."""
    try:
        yield
    except OSError as error:
        raise CannotStartError(f"not started: {_strerror(error)}") from error


def why_not(  # noqa: PLR0911  one sentence per error
    error: OSError | ValueError, argv: Sequence[str], cwd: Path, env: Mapping[str, str]
) -> str:
    """One sentence for what `subprocess.Popen` raised."""
    if isinstance(error, ValueError):
        return _bad_value(error, argv)
    if error.filename is not None and os.fspath(error.filename) == os.fspath(cwd):
        return f"The working folder '{cwd}' cannot be used: {_strerror(error)}."
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return _missing(argv[0], cwd, env)
        case errno.EACCES:
            return _forbidden(argv[0], cwd, env)
        case errno.ENOEXEC:
            return (
                f"'{argv[0]}' is not a program that this computer can run. "
                "If it is a script, its first line must say what runs it, for example '#!/bin/sh'."
            )
        case errno.E2BIG:
            return _too_long(argv, env)
        case _:
            return f"'{argv[0]}' could not be started: {_strerror(error)}."


def _bad_value(error: ValueError, argv: Sequence[str]) -> str:
    if any("\0" in argument for argument in argv):
        return "The command has a NUL character in it, which no program can be given. Remove it."
    if isinstance(error, UnicodeError):
        return "The command or its environment has a character that this computer cannot pass to a program."
    return f"The command cannot be started: {error}."


def _missing(program: str, cwd: Path, env: Mapping[str, str]) -> str:
    if not os.path.dirname(program):  # noqa: PTH120  Path would lose the './' that makes the difference
        if path := shutil.which(program, path=env.get("PATH")):
            return _bad_first_line(path, Path(path))
        return f"There is no program '{program}' on this computer's PATH."
    file = cwd / program
    return _bad_first_line(program, file) if file.exists() else f"There is no file '{program}'."


def _bad_first_line(program: str, file: Path) -> str:
    """The file is there and the system says that it is not: what its first line names is missing."""
    line = _first_line(file)
    if line.endswith(b"\r"):
        return (
            f"'{program}' has Windows line ends (CRLF), so its first line names no program. "
            "Save it with LF line ends."
        )
    if line.startswith(b"#!"):
        return f"The first line of '{program}' names a program that is not there: {_readable(line[2:])}."
    return f"'{program}' is there, but something that it needs to start is not (an interpreter or a library)."


def _first_line(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.readline(256).removesuffix(b"\n")
    except OSError:
        return b""


def _forbidden(program: str, cwd: Path, env: Mapping[str, str]) -> str:
    found = program if os.path.dirname(program) else _on_path(program, env)  # noqa: PTH120  as above
    if (cwd / found).is_dir():
        return f"'{program}' is a folder, not a program."
    return f"'{program}' is not executable. Give it the right to run (chmod +x), or an interpreter."


def _on_path(program: str, env: Mapping[str, str]) -> str:
    return shutil.which(program, mode=os.F_OK, path=env.get("PATH")) or program


def _too_long(argv: Sequence[str], env: Mapping[str, str]) -> str:
    longest = max(len(os.fsencode(argument)) for argument in argv)
    if longest > _LONGEST:
        return (
            f"One argument of the command has {longest:,} bytes, and {_LONGEST:,} is the most. Use a script."
        )
    size = sum(len(os.fsencode(name)) + len(os.fsencode(value)) + 2 for name, value in env.items())
    return (
        "The command and its environment are too long to be started "
        f"(the environment: {len(env):,} variables of {size:,} bytes)."
    )


def _readable(line: bytes) -> str:
    return line.decode(errors="replace").strip()


def _strerror(error: OSError) -> str:
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
