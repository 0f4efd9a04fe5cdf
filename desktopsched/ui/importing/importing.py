"""Importing: reads a crontab or a task list, opens its review, and puts what is wanted on the list. UI thread."""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktopsched.model import Task
from desktopsched.model.change import Change
from desktopsched.model.crontab import Crontab, read_crontab
from desktopsched.model.document import Document
from desktopsched.storage.tasklist import read_list
from desktopsched.ui.background import words_of
from desktopsched.ui.editing import Editing
from desktopsched.ui.look import Look
from desktopsched.ui.session import Session
from desktopsched.ui.summary import counted

_NONE = "This user has no crontab with lines that run something. `crontab -e` in a terminal makes one."

if TYPE_CHECKING:
    from desktopsched.ui.importing.review import Review


class Importing(QObject):
    """Reads again each time it is asked: crontabs and lists are edited elsewhere. One review is open at a time."""

    found = Signal(int)
    """So many lines of the crontab ask for something to be run."""

    refused = Signal(str)
    """Why there is nothing to review."""

    asked = Signal()
    """The person wants to import something: what could not be before is news no more."""

    def __init__(self, session: Session, editing: Editing, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._editing = session, editing
        self._look, self._window = look, window
        self._lists: deque[Path] = deque()  # that wait for the list to be open, or for another review
        self.review: Review | None = None
        session.opened.connect(self._show_next)

    def look(self) -> None:
        """See whether there is something to import; then `found`."""
        self._read_crontab(lambda crontab: self.found.emit(len(crontab.entries)))

    def show(self) -> None:
        """Open the review of the crontab."""
        self.asked.emit()
        if self.review is not None:
            self._raise()
        else:
            self._read_crontab(self._open_crontab)

    def show_list(self, path: str) -> None:
        """Open the review of a task list, once the own list is open."""
        self.asked.emit()
        self._lists.append(Path(path))
        self._show_next()

    def _show_next(self) -> None:
        if self.review is not None:
            self._raise()
        elif self._lists and self._session.is_open:
            path = self._lists.popleft()
            self._session.background.do(partial(read_list, path), partial(self._open_list, path), self._say)

    def _raise(self) -> None:
        if self.review is not None:
            self.review.raise_()
            self.review.activateWindow()

    def _read_crontab(self, use: Callable[[Crontab], object]) -> None:
        crontab = self._session.crontab
        self._session.background.do(lambda: read_crontab(crontab.read()), use, self._say)

    def _say(self, error: Exception) -> None:
        self.refused.emit(words_of(error))
        self._show_next()

    def _open_crontab(self, crontab: Crontab) -> None:
        if not crontab.entries:
            self.found.emit(0)
            self.refused.emit(_NONE)
            return
        if self.review is not None:
            return  # it was asked for twice before it was there
        from desktopsched.ui.importing.crontab_review import CrontabReview  # when it is wanted

        review = CrontabReview(self._look, crontab, self._session.tasks, self._window)
        review.wanted.connect(self._add)
        self._open(review)

    def _open_list(self, path: Path, document: Document) -> None:
        if self.review is not None:
            self._lists.appendleft(path)  # another one was quicker; this is read again after it
            return
        from desktopsched.ui.importing.list_review import ListReview

        review = ListReview(self._look, path.name, document, self._session.tasks, self._window)
        review.wanted.connect(self._join)
        self._open(review)

    def _open(self, review: "Review") -> None:
        self.review = review
        review.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        review.finished.connect(self._closed)
        review.open()

    def _add(self, tasks: Sequence[Task]) -> None:
        self._editing.add(f"import {counted(len(tasks), 'task')}", tasks)

    def _join(self, changes: Sequence[Change]) -> None:
        self._editing.join(f"import {counted(len(changes), 'task')}", changes)

    def _closed(self) -> None:
        self.review = None
        self._show_next()
