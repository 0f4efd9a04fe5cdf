"""The task file: read whole, with what is wrong in it; written so that nothing of the person's is lost.

A TaskFile belongs to one thread at a time, never the window's. With `mend` it may move and restore files:
that is for the program that holds the home's lock; a mere reader passes `mend=False`.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from desktopsched.model import StorageError, Task
from desktopsched.model.document import FORMAT, Document, read_document, write_document
from desktopsched.model.problem import Problem
from desktopsched.storage import atomic, backups, jsontext
from desktopsched.storage.errors import NewerFormatError, UnreadableFileError
from desktopsched.storage.migration import STEPS, Step, format_of, is_old, migrate
from desktopsched.storage.writeback import merged

Stamp = tuple[int, int, int]
"""What changes when a file is written: its size, its time, and which file it is."""

_NO_FILE: Stamp = (-1, -1, -1)


class TaskFile:
    """The file with the tasks.

    After `load`: `notices` are what the person should be told, `read_only` says why nothing can be saved
    (empty: it can), `restored_from` is the backup that stands in for an unreadable file.
    """

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], float] = time.time,
        steps: Mapping[int, Step] = STEPS,
        newest: int = FORMAT,
    ) -> None:
        self.path = path
        self.document = Document()
        self.notices: tuple[str, ...] = ()
        self.read_only = ""
        self.restored_from: Path | None = None
        self._now, self._steps, self._newest = now, steps, newest
        self._ours = {atomic.MISSING}  # digests of what was read here or written from here
        self._stamp: Stamp | None = None  # None: what was written from here was not looked at yet

    def remove_leftovers(self) -> None:
        """Remove what saves that were killed left behind. Only for the holder of the home's lock."""
        atomic.remove_leftovers(self.path)

    def load(self, *, mend: bool = True) -> Document:
        """The list as it is now; a missing file is an empty one.

        Without `mend` an unreadable file raises UnreadableFileError and stays, also when the list is saved; with it, it
        is put aside and the newest good backup takes its place. Raises StorageError where the file cannot be opened.
        """
        self.notices, self.read_only, self.restored_from = (), "", None
        data, stamp = None, self._stamp_now()
        try:
            data = atomic.read_file(self.path)
            self._remember(data, stamp)
            raw = None if data is None else jsontext.parse(data, self.path)
        except UnreadableFileError as error:
            if not mend:
                self.read_only = f"Nothing was saved: {error} Mend it, or remove it to write it anew."
                raise
            return self._rescue(error, data)
        self.document = Document() if data is None else self._read(raw, mend=mend)
        if data is None and (left := next(backups.backups(self.path), None)):
            self._tell(f"{self.path} is missing. An earlier copy of it is {left}.")
        return self.document

    def changed_outside(self) -> bool:
        """Whether the file is another than was last read or written here. Cheap when nothing happened."""
        stamp = self._stamp_now()
        if stamp != self._stamp and atomic.current_digest(self.path) in self._ours:
            self._stamp = stamp  # taken before the content was looked at: what comes after shows
        return stamp != self._stamp

    def may_write_anew(self) -> None:
        """The file was removed by somebody, and the list is still wanted."""
        self.read_only = ""
        self._ours.add(atomic.MISSING)
        self._stamp = None

    def save(self, tasks: Sequence[Task], *, drop: Collection[str] = ()) -> Document:
        """Write the list, and return it as it reads now.

        Tasks that did not change are written as the person wrote them. So are bad tasks, unless `tasks` has a
        task with the id of their stand-in, or `drop` names it. Raises ChangedOutsideError, InvalidTaskError and
        StorageError: then nothing was written.
        """
        if self.read_only:
            raise StorageError(self.read_only)
        raw = write_document(merged(self.document, tasks, drop))
        data = jsontext.dump(raw)
        digest = atomic.digest_of(data)
        if atomic.current_digest(self.path) != digest or digest not in self._ours:
            # Added before the write: should the folder's fsync fail after the move, the file is still ours.
            self._ours.add(digest)
            keep = partial(backups.rotate, self.path)
            atomic.replace_file(self.path, data, expected=self._ours, before=keep)
        self._remember(data)
        self.document = read_document(raw)
        return self.document

    def _read(self, raw: object, *, mend: bool) -> Document:
        found = format_of(raw)
        if found is not None and found > self._newest:
            self.read_only = str(NewerFormatError(self.path, found, self._newest))
            return Document(head=(Problem("format", self.read_only),))
        if isinstance(raw, dict) and is_old(raw, self._steps, self._newest):
            raw = self._migrate(raw, mend=mend)
        document = read_document(raw)
        if document.head:
            self.read_only = (
                f"Nothing is written to {self.path} until this is mended in it: {document.head[0]}"
            )
        return document

    def _migrate(self, raw: dict[str, object], *, mend: bool) -> dict[str, object]:
        migrated = migrate(raw, self._steps, self._newest)
        if mend:
            try:
                aside = backups.keep_aside(self.path, f"format{format_of(raw)}", self._now())
                data = jsontext.dump(migrated)
                atomic.replace_file(self.path, data, expected=self._ours)
            except (OSError, StorageError) as error:
                self.read_only = f"{self.path} could not be brought to the new format: {error}"
            else:
                self._remember(data)
                self._tell(f"{self.path} was brought to the new format. The old file is {aside}.")
        return migrated

    def _rescue(self, error: UnreadableFileError, data: bytes | None) -> Document:
        """Put the unreadable file aside, and the newest good backup in its place."""
        self._tell(str(error))
        good = self._newest_good()
        try:
            aside = backups.keep_aside(self.path, "unreadable", self._now())
            self._put_back(good, data)
            self._tell(f"It was kept as {aside}.")
        except (OSError, StorageError) as failure:
            self.read_only = f"{self.path} is unreadable and could not be put aside: {failure}"
        if good is None:
            self.document = Document()
            self._tell("There is no earlier copy of it: the list begins empty.")
        else:
            self.restored_from = good[0]
            self.document = self._read(jsontext.parse(good[1], good[0]), mend=False)
            self._tell(f"The list is that of {good[0]}, the newest good copy.")
        return self.document

    def _put_back(self, good: tuple[Path, bytes] | None, bad: bytes | None) -> None:
        """There is no moment without a file, if there is a backup: a crash here is met by the next start."""
        if good is None:
            self.path.unlink()
            self._remember(None)
            return
        expected = None if bad is None else {atomic.digest_of(bad)}
        atomic.replace_file(self.path, good[1], expected=expected)
        self._remember(good[1])

    def _newest_good(self) -> tuple[Path, bytes] | None:
        for backup in backups.backups(self.path):
            try:
                data = atomic.read_file(backup)
                raw = None if data is None else jsontext.parse(data, backup)
            except StorageError:
                continue
            if data is not None and self._is_list(raw):
                return backup, data
        return None

    def _is_list(self, raw: object) -> bool:
        return is_old(raw, self._steps, self._newest) or not read_document(raw).head

    def _tell(self, notice: str) -> None:
        self.notices = (*self.notices, notice)

    def _remember(self, data: bytes | None, stamp: Stamp | None = None) -> None:
        self._ours = {atomic.MISSING if data is None else atomic.digest_of(data)}
        self._stamp = stamp

    def _stamp_now(self) -> Stamp:
        try:
            status = self.path.stat()
        except OSError:
            return _NO_FILE
        return status.st_size, status.st_mtime_ns, status.st_ino
