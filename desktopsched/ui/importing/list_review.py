"""The review of a task list of somebody else: each task in full, and a choice where one like it is there. UI thread."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktopsched.model import Task
from desktopsched.model.change import Change
from desktopsched.model.document import Document
from desktopsched.ui import plain
from desktopsched.ui.form.segments import Segment, Segments
from desktopsched.ui.importing.guests import guest_lines, joining, whole
from desktopsched.ui.importing.line import Line, visible
from desktopsched.ui.importing.lines import LinesModel
from desktopsched.ui.importing.review import Review
from desktopsched.ui.look import Look
from desktopsched.ui.summary import counted

_HINT = (
    "Look at what each task runs before you import it: a task may do all that you may do yourself. "
    "They arrive switched off."
)
_LINES = 9  # of a task that are seen at once
_BOTH, _REPLACE = "both", "replace"


class ListReview(Review):
    """`wanted` says `Change`s of the list."""

    def __init__(
        self, look: Look, name: str, document: Document, known: Sequence[Task], parent: QWidget | None = None
    ) -> None:
        """`name`: of the file. `known`: the tasks that there are."""
        self._name, self._known = name, known
        self._line: Line | None = None
        self.told = plain.label("", look.font(12.5), "second")
        self.answer = Segments(
            look, "A task like it is there", [Segment(_BOTH, "Keep both"), Segment(_REPLACE, "Replace mine")]
        )
        self.text = QPlainTextEdit()
        names = {task.id: task.name for task in (*known, *document.tasks)}
        super().__init__(
            look,
            LinesModel(guest_lines(document, known), lambda task_id: names.get(task_id, task_id)),
            title="Import tasks",
            hint=_HINT,
            parent=parent,
        )
        self.answer.edited.connect(self._choose)

    def headline(self, lines: Sequence[Line]) -> str:
        """How many tasks there are, and with how many there is something."""
        parts = [f"{visible(self._name)} has {counted(len(lines), 'task')}"]
        if twins := sum(line.twin is not None for line in lines):
            parts.append(f"{twins:,} of them {'is' if twins == 1 else 'are'} on your list already")
        if wrong := sum(bool(line.problem) for line in lines):
            parts.append(f"{wrong:,} {'has a mistake' if wrong == 1 else 'have mistakes'}")
        return ", ".join(parts)

    def detail(self) -> QWidget:
        """What is said of the task, the choice where there is one, and the task in full."""
        px, found = self._look.px, QWidget()
        self.told.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(px(12))
        row.addWidget(self.told, 1)
        row.addWidget(self.answer)
        view = self.text
        view.setObjectName("output")
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        view.setFont(self._look.mono(12))
        view.setAccessibleName("The task in full")
        view.setTextInteractionFlags(plain.SELECTABLE)
        view.setFixedHeight(_LINES * view.fontMetrics().lineSpacing() + px(12))
        column = QVBoxLayout(found)
        column.setContentsMargins(px(20), px(8), px(20), px(10))
        column.setSpacing(px(6))
        column.addLayout(row)
        column.addWidget(view)
        return found

    def show_line(self, line: Line) -> None:
        """All of the task; of one with a mistake what the file has."""
        self._line = None  # the choice is shown, not made
        self.answer.setVisible(line.twin is not None)
        self.answer.set_raw(_REPLACE if line.replaces else _BOTH)
        self._line = line
        self.told.setText(visible(f"{line.place}. {line.told}".strip()))
        self.text.setPlainText(whole(line.task) if line.task is not None else visible(line.text))

    def _choose(self) -> None:
        """What happens to the task that is there; who says so wants the other one."""
        if self._line is not None:
            self._line.replaces = self.answer.value == _REPLACE
            self.model.tick(self._line)

    def chosen(self) -> Sequence[Change]:
        """How the ticked ones join the list."""
        return joining(self.model.lines, self._known)
