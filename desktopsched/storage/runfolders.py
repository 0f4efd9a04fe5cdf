"""A folder for each attempt that is under way: `<runs>/<run id>-<attempt>`. What is in them is for others to know.

A folder stays until what came of its attempt is in the history.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TEST = "test-"
_NAME = re.compile(r"([1-9][0-9]{0,18})-([1-9][0-9]{0,8})")

Key = tuple[int, int]
"""A run's number and which attempt of it."""


class RunFolders:
    """The folders of a home. Any thread may call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, run_id: int, attempt: int) -> Path:
        """Where an attempt's folder is, or would be."""
        return self.folder / f"{run_id}-{attempt}"

    def new(self, run_id: int, attempt: int) -> Path:
        """An empty folder for an attempt that is about to start, for its owner alone. Raises OSError."""
        self.remove(run_id, attempt)  # of a life before the history was lost
        path = self.path(run_id, attempt)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.mkdir(mode=0o700)
        return path

    def new_test(self) -> Path:
        """An empty folder for a test of a task, which is no run. Raises OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=_TEST, dir=self.folder))

    def tests(self) -> Iterator[Path]:
        """Those of tests: at launch, of a program that died."""
        with suppress(OSError):
            for path in sorted(self.folder.glob(f"{_TEST}*")):
                if path.is_dir() and not path.is_symlink():
                    yield path

    def all(self) -> Iterator[tuple[Key, Path]]:
        """Those that there are, with the attempts that they belong to; the oldest first."""
        found = []
        with suppress(OSError):
            for path in self.folder.iterdir():
                match = _NAME.fullmatch(path.name)
                if match and path.is_dir() and not path.is_symlink():
                    found.append(((int(match[1]), int(match[2])), path))
        yield from sorted(found)

    def remove(self, run_id: int, attempt: int) -> None:
        """Take an attempt's folder away, if there is one. What cannot be removed is tried again at the next launch."""
        remove(self.path(run_id, attempt))


def remove(folder: Path) -> None:
    """Take one away, with what is in it, as far as it can be."""
    shutil.rmtree(folder, ignore_errors=True)
