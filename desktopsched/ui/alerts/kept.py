"""What alerts must remember over a restart: snoozed reminders, a pause that ends by itself, what was said once.

A small file of the home. Read once, before the window; written on a thread that is not the window's. No Qt.
"""

import logging
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from desktopsched.model import StorageError
from desktopsched.storage import atomic

FILE = "alerts.json"
_log = logging.getLogger(__name__)


class Snoozed(Struct, frozen=True, kw_only=True):
    """A reminder that comes again. Instants are seconds since 1970, UTC."""

    task_id: str
    title: str
    message: str
    due: float  # when it was to be shown at first
    until: float  # when it comes again


class Kept(Struct, frozen=True, kw_only=True):
    """All of it."""

    snoozed: tuple[Snoozed, ...] = ()
    unanswered: tuple[Snoozed, ...] = ()  # shown; they come again even if the program is killed
    paused_until: float | None = None
    told_of_tray: bool = False
    offered_login: bool = False  # to start there


class KeptFile:
    """The file. `write` does a piece of work elsewhere, in order; without one it is done at once."""

    def __init__(self, folder: Path, write: Callable[[Callable[[], None]], object] | None = None) -> None:
        self._path = folder / FILE
        self._write = write
        self.kept = self._load()

    def _load(self) -> Kept:
        """A damaged file is as good as none: it holds nothing that cannot be asked again."""
        try:
            data = atomic.read_file(self._path)
            return Kept() if data is None else msgspec.json.decode(data, type=Kept)
        except (StorageError, msgspec.DecodeError) as error:
            _log.info("%s cannot be read: %s", self._path, error, extra={"action": "alerts.unreadable"})
            return Kept()

    def change(self, **fields: object) -> None:
        """Keep something else."""
        self.kept = structs.replace(self.kept, **fields)
        data = msgspec.json.format(msgspec.json.encode(self.kept))
        if self._write is None:
            self._save(data)
        else:
            self._write(lambda: self._save(data))

    def _save(self, data: bytes) -> None:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            atomic.replace_file(self._path, data)
        except (StorageError, OSError) as error:
            _log.error("%s cannot be written: %s", self._path, error, extra={"action": "alerts.unkept"})
