"""One program per home. The kernel's lock is the truth: it is free again the moment its holder dies, however.

The lock file says who has it; it is never removed, because between a removal and a new file two could hold "the" lock.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

from desktopsched.model import StorageError
from desktopsched.storage.errors import HomeTakenError

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FAR = 1 << 30  # Windows keeps others from reading what is locked: lock a byte that nobody reads


class HomeLock:
    """Held from the moment it is made until `release`, or the end of the process. Use it as a context manager."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path, self.kind = path, kind
        try:
            self._descriptor = os.open(path, _FLAGS, 0o600)
        except OSError as error:
            raise StorageError(
                f"Cannot open {path}: {error.strerror or error}. Desktopsched must be able to write into this folder."
                " Choose another one with --home if that cannot be."
            ) from error
        try:
            _lock(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            raise HomeTakenError(path.parent, *holder(path)) from None
        self._say(json.dumps({"pid": os.getpid(), "kind": kind}))

    def release(self) -> None:
        """Let the home go. Again: nothing."""
        if self._descriptor >= 0:
            self._say("")
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _say(self, words: str) -> None:
        with suppress(OSError):  # a full disk: who holds it is a courtesy, that it is held is not
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, words.encode())


def holder(path: Path) -> tuple[int, str]:
    """Process and kind of who holds the lock, as far as it said so yet; else 0 and nothing."""
    try:
        said = json.loads(path.read_bytes()[:1_000])
        return int(said["pid"]), str(said["kind"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, ""


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
