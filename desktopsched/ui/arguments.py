"""Other arguments: one run of a command with another line than the task has. UI thread.

It says what is wanted, and knows no program.
"""

from msgspec import structs
from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from desktopsched.model import Command, InvalidTaskError
from desktopsched.ui import icons, plain
from desktopsched.ui.button_bar import ButtonBar, push_button
from desktopsched.ui.enter import press_focused
from desktopsched.ui.form.command_line import join_words, split_words
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.look import Look

_WIDE = 560  # pixels, as drawn


class ArgumentsDialog(QDialog):
    """The line of a command, to be changed for one run."""

    wanted = Signal(object)
    """Run this `Command` once."""

    def __init__(self, look: Look, name: str, command: Command, parent: QWidget | None = None) -> None:
        """`name`: of the task whose command it is."""
        super().__init__(parent)
        self._command = command
        self.setWindowTitle("Run with other arguments")
        self.setObjectName("form")
        self.setWindowIcon(icons.mark())
        self._look = look
        look.changed.connect(self._dress)
        self._dress()
        self.setMinimumWidth(look.px(_WIDE))
        self.line = FieldBox(look, f"Command for this run of {name}", icon="terminal", mono=12.5)
        self.line.set_raw(command.shell or join_words(command.argv))
        self.line.edited.connect(self._check)
        self.problem = plain.label("", look.font(12), "problem")
        help_ = plain.label("For this run alone. The task keeps its own command.", look.font(12), "help")
        self.run = push_button(look, "Run now", primary=True)
        self.run.clicked.connect(self._want)
        cancel = push_button(look, "Cancel")
        cancel.clicked.connect(self.reject)
        column = QVBoxLayout()
        column.setContentsMargins(*[look.px(20)] * 4)
        column.setSpacing(look.px(8))
        title = plain.label(f"Run {name} with", look.font(15, QFont.Weight.DemiBold))
        title.setWordWrap(True)
        for widget in (title, self.line, self.problem, help_):
            column.addWidget(widget)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(column)
        outer.addStretch(1)
        outer.addWidget(ButtonBar(look, [], [cancel, self.run]))
        self._check()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus, before the primary one."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    def command(self) -> Command:
        """What is written. InvalidTaskError where that is no command."""
        line = self.line.edit.text()
        if not line.strip():
            raise InvalidTaskError("Write what is to be run.")
        if self._command.shell:
            return structs.replace(self._command, shell=line)
        return structs.replace(self._command, argv=tuple(split_words(line)))

    def _check(self) -> None:
        words = ""
        try:
            self.command()
        except InvalidTaskError as error:
            words = str(error)
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.line.mark(wrong=bool(words))
        self.run.setEnabled(not words)

    def _want(self) -> None:
        self.wanted.emit(self.command())
        self.accept()
