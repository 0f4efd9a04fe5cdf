"""The review of a crontab: its lines, and whether the tasks are switched on at once. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktopsched.model import Task
from desktopsched.model.crontab import Crontab
from desktopsched.ui import plain
from desktopsched.ui.form.switch import Switch
from desktopsched.ui.importing.line import Line, visible
from desktopsched.ui.importing.lines import LinesModel, lines_of
from desktopsched.ui.importing.review import Review
from desktopsched.ui.look import Look
from desktopsched.ui.summary import counted

_HINT = (
    "Your crontab is only read: cron goes on running these lines until you take them out of it. "
    "So that nothing runs twice, the tasks arrive switched off."
)


class CrontabReview(Review):
    """`wanted` says `Task`s."""

    def __init__(
        self, look: Look, crontab: Crontab, known: Sequence[Task], parent: QWidget | None = None
    ) -> None:
        """`known`: the tasks that there are."""
        self._taken = frozenset(task.id for task in known)
        self.on = Switch(look, "Switch them on at once", default=False)
        self.told = plain.label("", look.font(12.5), "second")
        super().__init__(
            look,
            LinesModel(lines_of(crontab, known)),
            title="Import crontab",
            hint=_HINT,
            left=[self.on],
            parent=parent,
        )

    def headline(self, lines: Sequence[Line]) -> str:
        """How many lines run something, and how many of those cannot be tasks."""
        unread = sum(bool(line.problem) for line in lines)
        runs = sum(line.task is not None for line in lines) + unread
        words = f"{counted(runs, 'line')} of your crontab run{'s' if runs == 1 else ''} something"
        if unread:
            words += f", {unread:,} of them cannot become {'a task' if unread == 1 else 'tasks'}"
        return words

    def detail(self) -> QWidget:
        """Two lines of words."""
        px, found = self._look.px, QWidget()
        row = QVBoxLayout(found)
        row.setContentsMargins(px(20), px(8), px(20), px(8))
        self.told.setWordWrap(True)
        self.told.setTextInteractionFlags(plain.SELECTABLE)
        self.told.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.told.setMinimumHeight(2 * self.told.fontMetrics().lineSpacing())
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.told)
        return found

    def show_line(self, line: Line) -> None:
        """The line as it stands, and what is said of it."""
        self.told.setText(visible(f"{line.place}: {line.text.strip()[:400]}\n{line.told}".strip()))

    def chosen(self) -> Sequence[Task]:
        """The ticked ones, with ids that nobody has."""
        return self.model.chosen(self._taken, enabled=self.on.isChecked())
