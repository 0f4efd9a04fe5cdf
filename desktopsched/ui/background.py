"""The background: one thread for what could make the window wait, in order. Answers come back on the UI thread."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktopsched.model import DesktopschedError

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


def words_of(error: Exception) -> str:
    """What to tell the person. A mistake of ours is raised: to the program's own log, with its traceback."""
    if not isinstance(error, DesktopschedError):
        raise error
    return str(error)


class Background(QObject):
    """Does one thing after the other. Lives on the UI thread, as do the callables that it is given for the end.

    The engine's calls go here too: whoever changes something delivers the events that are waiting, and in a storm those
    of everybody else.
    """

    _answered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="window background")
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def do(
        self,
        work: Callable[[], _T],
        done: Callable[[_T], object] = lambda _: None,
        failed: Callable[[Exception], object] = lambda _: None,
    ) -> None:
        """Do `work` in the background, then `done` with its result, or `failed` with its error, here."""
        self._thread.submit(self._work, work, done, failed)

    def close(self) -> None:
        """Wait for what is under way, and end."""
        self._thread.shutdown(wait=True)

    def _work(
        self, work: Callable[[], _T], done: Callable[[_T], object], failed: Callable[[Exception], object]
    ) -> None:
        try:
            answer = partial(done, work())
        except Exception as error:  # noqa: BLE001 - handed to whoever asked
            _log.info("work failed", exc_info=error, extra={"action": "background.failed"})
            answer = partial(failed, error)
        self._answered.emit(answer)

    @Slot(object)
    def _answer(self, answer: Callable[[], object]) -> None:
        answer()
