"""A file that does nothing but take space, to be given back when the disk is full: even deleting needs some."""

import os
from contextlib import suppress
from pathlib import Path

SIZE = 1024 * 1024
"""Bytes. Some thousand results fit into it, which is time enough to be told."""


class Reserve:
    """The reserve of a home. Belongs to the thread that writes the history."""

    def __init__(self, path: Path, size: int = SIZE) -> None:
        self.path, self.size = path, size

    def keep(self) -> None:
        """Take the space, if it is not taken and there is some."""
        with suppress(OSError):
            if not self.path.is_symlink() and not self._is_whole():
                self._fill()

    def give_back(self) -> bool:
        """Free the space. Whether there was any."""
        try:
            self.path.unlink()
        except OSError:
            return False
        return True

    def _is_whole(self) -> bool:
        return self.path.exists() and self.path.stat().st_size == self.size

    def _fill(self) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            # Written, not just made long: a file with holes takes no space.
            if os.write(descriptor, bytes(self.size)) < self.size:
                self.path.unlink()
        except OSError:
            self.path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)
