"""Giving way: the menu line that leaves further starts to the other computers, and takes them back. UI thread."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktopsched.ui.session import Session

HAND_OVER, TAKE_BACK = "Hand over to the other computers", "Take back from the other computers"
_TIPS = {
    HAND_OVER: "This computer starts nothing more until you take back. What runs goes on.",
    TAKE_BACK: "This computer starts tasks again.",
}


class GivingWay(QObject):
    """Shown only where a list is shared."""

    def __init__(self, session: Session, action: QAction, menu: QMenu) -> None:
        super().__init__(menu)
        self._session, self._action = session, action
        menu.aboutToShow.connect(self.word)
        self.word()

    def word(self) -> None:
        """As things are now."""
        self._action.setVisible(self._session.shares)
        said = TAKE_BACK if self._session.handed_over else HAND_OVER
        self._action.setText(said)
        self._action.setToolTip(_TIPS[said])

    def toggle(self) -> None:
        """The other of the two."""
        if self._session.shares:
            self._session.commands.give_way(others=not self._session.handed_over)
