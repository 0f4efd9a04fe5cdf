"""Importing: reads the crontab where there is one, opens its review, and puts what is wanted on the list. UI thread."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktopsched.model import Task
from desktopsched.model.crontab import Crontab, read_crontab
from desktopsched.ui.background import words_of
from desktopsched.ui.editing import Editing
from desktopsched.ui.look import Look
from desktopsched.ui.session import Session
from desktopsched.ui.summary import counted

_NONE = "This user has no crontab with lines that run something. `crontab -e` in a terminal makes one."

if TYPE_CHECKING:
    from desktopsched.ui.importing.review import CrontabReview


class Importing(QObject):
    """Reads again each time it is asked: crontabs are edited elsewhere."""

    found = Signal(int)
    """So many lines of the crontab ask for something to be run."""

    refused = Signal(str)
    """Why there is nothing to review."""

    def __init__(self, session: Session, editing: Editing, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._editing = session, editing
        self._look, self._window = look, window
        self.review: CrontabReview | None = None

    def look(self) -> None:
        """See whether there is something to import; then `found`."""
        self._read(lambda crontab: self.found.emit(len(crontab.entries)))

    def show(self) -> None:
        """Open the review."""
        if self.review is not None:
            self.review.raise_()
            self.review.activateWindow()
        else:
            self._read(self._open)

    def _read(self, use: Callable[[Crontab], object]) -> None:
        crontab = self._session.crontab
        self._session.background.do(lambda: read_crontab(crontab.read()), use, self._say)

    def _say(self, error: Exception) -> None:
        self.refused.emit(words_of(error))

    def _open(self, crontab: Crontab) -> None:
        if not crontab.entries:
            self.found.emit(0)
            self.refused.emit(_NONE)
            return
        if self.review is not None:
            return  # it was asked for twice before it was there
        from desktopsched.ui.importing.review import CrontabReview  # when it is wanted

        self.review = CrontabReview(self._look, crontab, self._session.tasks, self._window)
        self.review.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.review.wanted.connect(self._add)
        self.review.finished.connect(self._closed)
        self.review.open()

    def _add(self, tasks: Sequence[Task]) -> None:
        self._editing.add(f"import {counted(len(tasks), 'task')}", tasks)

    def _closed(self) -> None:
        self.review = None
