"""The offer to start at login: made once, when there is something that will be due. UI thread."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktopsched.model import State
from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.background import words_of
from desktopsched.ui.banner import Answer, Notice
from desktopsched.ui.session import Session
from desktopsched.ui.summary import Summary


class LoginOffer(QObject):
    """Whether the banner is up, and what its answers do."""

    failed = Signal(str)
    """Why it could not be done."""

    answered = Signal()
    """The banner can go."""

    def __init__(self, session: Session, kept: KeptFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._kept = session, kept
        self._is_off = False  # not known before the session is open
        session.opened.connect(self._look)

    def notices(self, summary: Summary) -> list[Notice]:
        """The banner, for a list like this; else nothing."""
        if not self._is_off or self._kept.kept.offered_login or summary.next_due is None:
            return []
        return [login(partial(self._answer, on=True), partial(self._answer, on=False))]

    def _look(self, _took: object) -> None:
        at_login = self._session.login
        if at_login.possible and not self._kept.kept.offered_login:
            self._session.background.do(at_login.is_on, self._heard, self._say)

    def _heard(self, on: bool) -> None:
        self._is_off = not on
        self.answered.emit()

    def _answer(self, *, on: bool) -> None:
        self._kept.change(offered_login=True)
        if on:
            self._session.background.do(partial(self._session.login.switch, on=True), failed=self._say)
        self.answered.emit()

    def _say(self, error: Exception) -> None:
        self.failed.emit(words_of(error))


def login(accept: Callable[[], object], decline: Callable[[], object]) -> Notice:
    """What the banner says."""
    return Notice(
        icon="power",
        tone=State.PENDING,
        headline="Start Desktopsched when you log in?",
        more="Tasks run only while it is open. You find this in the preferences too.",
        answers=(Answer("Start at login", accept), Answer("No", decline)),
    )
