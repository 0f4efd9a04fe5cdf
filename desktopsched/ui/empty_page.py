"""What stands in place of the table while there are no tasks. UI thread."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look


class EmptyPage(QWidget):
    """A sentence, and the way to a first list."""

    wanted = Signal()
    """The example list is asked for."""

    new_wanted = Signal()
    """A first task is to be made."""

    def __init__(self, look: Look, tasks_file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        picture = QLabel()
        picture.setPixmap(icons.pixmap("mark", "", look.px(48), self.devicePixelRatioF()))
        self.button = plain.button("Load example list", look.font(weight=QFont.Weight.DemiBold), "primary")
        self.button.setToolTip("14 harmless tasks in 4 groups, to look around")
        self.button.clicked.connect(self._load)
        self.new = plain.button("New task", look.font(weight=QFont.Weight.DemiBold))
        self.new.setToolTip("Make a first task (Ctrl+N)")
        self.new.clicked.connect(self.new_wanted)
        words = plain.label(
            "Make a task of your own, or look around first:\n"
            "fourteen harmless examples in four groups show what there is.\n"
            f"All of it is kept in {tasks_file}.",
            look.font(),
        )
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        title = plain.label("Nothing is scheduled yet", look.font(22, QFont.Weight.DemiBold), "title")
        layout = QVBoxLayout(self)
        layout.setSpacing(look.px(16))
        layout.addStretch(2)
        for part in (picture, title, words, self.button, self.new):
            layout.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def _load(self) -> None:
        self.button.setEnabled(False)
        self.wanted.emit()

    def again(self) -> None:
        """It could not be loaded: the button may be tried once more."""
        self.button.setEnabled(True)
