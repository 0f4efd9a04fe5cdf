"""The workbench: what a form has done elsewhere, tests and the storing of secrets. UI thread; the work is not.

It lives as long as the session. A form may be gone when an answer comes: it says so by letting go of what it was given.
"""

import itertools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktopsched.model import Outcome, StopRequest

if TYPE_CHECKING:
    from desktopsched.drafts import Draft, Drafts


class Hearer(Protocol):
    """Hears a test, on the UI thread."""

    def heard(self, text: str) -> None:
        """Some output, as it came."""

    def ended(self, outcome: Outcome, seconds: float) -> None:
        """How it ended, and after how long."""


class Bench(Protocol):
    """What a form asks for."""

    def test(self, draft: "Draft", hearer: Hearer) -> "Job":
        """Perform a draft now."""

    def store(
        self, secrets: Mapping[str, str], done: Callable[[], None], failed: Callable[[str], None]
    ) -> "Job":
        """Put values into the keychain, by their names there; then `done`, or `failed` with words."""


class Job:
    """Something that was asked for."""

    def __init__(self, let_go: Callable[[], object], stop: Callable[[str], object]) -> None:
        self.let_go, self._stop = let_go, stop

    def stop(self, reason: str = "stopped by you") -> None:
        """Ask it to end; whoever asked for it hears how it did. What is stored is not stopped."""
        self._stop(reason)


class Workbench(QObject):
    """Brings the answers to the UI thread, by queued signals: a test's output comes at most 20 times a second."""

    _came = Signal(int, str)
    _over = Signal(int, object, float)
    _kept = Signal(int, str)

    def __init__(self, drafts: "Callable[[], Drafts]", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts = drafts
        self._numbers = itertools.count(1)
        self._hearers: dict[int, Hearer] = {}
        self._answers: dict[int, Callable[[str], None]] = {}
        queued = Qt.ConnectionType.QueuedConnection
        self._came.connect(self._hear, queued)
        self._over.connect(self._end, queued)
        self._kept.connect(self._answer, queued)

    def test(self, draft: "Draft", hearer: Hearer) -> Job:
        """Perform a draft now."""
        number = next(self._numbers)
        self._hearers[number] = hearer
        stop: StopRequest = self._drafts().test(
            draft,
            lambda text: self._came.emit(number, text),
            lambda outcome, seconds: self._over.emit(number, outcome, seconds),
        )
        return Job(lambda: self._hearers.pop(number, None), stop.request)

    def store(
        self, secrets: Mapping[str, str], done: Callable[[], None], failed: Callable[[str], None]
    ) -> Job:
        """Put values into the keychain; then `done`, or `failed` with words."""
        number = next(self._numbers)
        self._answers[number] = lambda words: failed(words) if words else done()
        self._drafts().store(
            secrets, lambda: self._kept.emit(number, ""), lambda words: self._kept.emit(number, words)
        )
        return Job(lambda: self._answers.pop(number, None), lambda _reason: None)

    @Slot(int, str)
    def _hear(self, number: int, text: str) -> None:
        if (hearer := self._hearers.get(number)) is not None:
            hearer.heard(text)

    @Slot(int, object, float)
    def _end(self, number: int, outcome: Outcome, seconds: float) -> None:
        if (hearer := self._hearers.pop(number, None)) is not None:
            hearer.ended(outcome, seconds)

    @Slot(int, str)
    def _answer(self, number: int, words: str) -> None:
        if (answer := self._answers.pop(number, None)) is not None:
            answer(words)
