"""The last good copies of a file: `tasks.json.1` is the newest. Also where unreadable files are put aside."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

KEPT = 10


def backup_path(path: Path, number: int) -> Path:
    """The place of a backup; 1 is the newest."""
    return path.with_name(f"{path.name}.{number}")


def rotate(path: Path, kept: int = KEPT) -> None:
    """Make the file as it is now the newest backup; it stays where it is all the time. Raises OSError."""
    if not path.exists():
        return
    for number in range(kept - 1, 0, -1):
        with suppress(FileNotFoundError):
            backup_path(path, number).replace(backup_path(path, number + 1))
    _copy(path, backup_path(path, 1))


def backups(path: Path, kept: int = KEPT) -> Iterator[Path]:
    """The backups that are there, newest first."""
    for number in range(1, kept + 1):
        one = backup_path(path, number)
        if one.is_file() and not one.is_symlink():
            yield one


def aside_path(path: Path, word: str, now: float) -> Path:
    """A free name beside `path`, with a word and a date: `tasks.json.unreadable-20260330T080000Z`."""
    stamp = datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")
    name, number = f"{path.name}.{word}-{stamp}", 1
    aside = path.with_name(name)
    while os.path.lexists(aside):
        number += 1
        aside = path.with_name(f"{name}-{number}")
    return aside


def keep_aside(path: Path, word: str, now: float) -> Path:
    """Keep the file as it is now under another name too, and leave it where it is. Raises OSError."""
    aside = aside_path(path, word, now)
    _copy(path, aside)
    return aside


def _copy(path: Path, to: Path) -> None:
    """A second name for a content that we never write in place; a copy where the system has no such names."""
    try:
        os.link(path, to, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copyfile(path, to, follow_symlinks=False)
        to.chmod(0o600)
