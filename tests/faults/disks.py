"""Disks of the tests' own: small ones that are full soon, and ones whose power can be cut. Linux, as root."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_root = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="disks are mounted, which only root may do on Linux"
)


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """A disk in memory with so much room."""
    place.mkdir()
    _do("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(place))
    try:
        yield place
    finally:
        _do("umount", "--lazy", str(place))


def make_read_only(place: Path) -> None:
    """As a system does by itself with a disk that has errors."""
    _do("mount", "-o", "remount,ro", str(place))


class Ext4:
    """An ext4 in a file, mounted at `folder`. A copy of the file is what a cut of the power would leave."""

    def __init__(self, folder: Path, megabytes: int = 48) -> None:
        self._image = folder / "disk.img"
        self.folder = folder / "disk"
        self.folder.mkdir()
        with self._image.open("wb") as file:
            file.truncate(megabytes * 1_048_576)
        _do("mkfs.ext4", "-q", "-F", str(self._image))
        _do("mount", "-o", "loop", str(self._image), str(self.folder))

    def close(self) -> None:
        """Unmount it."""
        _do("umount", "--lazy", str(self.folder))

    @contextmanager
    def after_a_cut(self, number: int) -> Iterator[Path]:
        """What the disk would hold if the power failed now, mounted elsewhere: the file system mends itself first."""
        image, folder = self._image.with_name(f"cut{number}.img"), self._image.with_name(f"cut{number}")
        shutil.copyfile(self._image, image)
        folder.mkdir()
        _do("mount", "-o", "loop", str(image), str(folder))
        try:
            yield folder
        finally:
            _do("umount", "--lazy", str(folder))
            image.unlink()


def _do(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        pytest.skip(f"{command[0]} does not work here: {done.stderr.strip()}")
