"""The parents of a task: chips, a way to add one, and what is wrong with them. UI thread."""

from collections.abc import Callable, Sequence

from msgspec import UNSET
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktopsched.model import On, State, Task
from desktopsched.ui.form import paint
from desktopsched.ui.form.chips import AddChip, Chip
from desktopsched.ui.form.error_box import ErrorBox
from desktopsched.ui.form.flow import Flow
from desktopsched.ui.form.loops import Loop, find_loops
from desktopsched.ui.form.picker import Picker
from desktopsched.ui.look import Look


class Parents(QWidget):
    """`waits_for` as chips. Loops are found here, as they need all tasks."""

    edited = Signal()

    def __init__(
        self, look: Look, tasks: Sequence[Task], state_of: Callable[[str], State], own: Task | None
    ) -> None:
        super().__init__()
        self._look, self._state_of = look, state_of
        self._tasks = {task.id: task for task in tasks}
        self.task_id = own.id if own is not None else ""
        self.name = own.name if own is not None else ""
        self.chips: list[Chip] = []
        self.add = AddChip(look, "Add a task")
        self.add.clicked.connect(self.pick)
        self.picker = Picker(look, self)
        self.picker.picked.connect(self.add_parent)
        self.error = ErrorBox(look)
        self.error.mended.connect(self._mend)
        self._bad = ""
        self._flow = Flow(look.px(8) - 2 * paint.HALO, look.px(6) - 2 * paint.HALO)
        self._flow.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.px(8) - 2 * paint.HALO)
        column.addLayout(self._flow)
        column.addWidget(self.error)
        self.setAccessibleName("Waits for")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    # --- a control -----------------------------------------------------------------------------------------

    def raw(self) -> object:
        """The edges as the file has them."""
        return [{"task": chip.task_id, "on": str(chip.on)} for chip in self.chips] or UNSET

    def set_raw(self, raw: object) -> None:
        """Show these edges."""
        for chip in tuple(self.chips):
            self._take_out(chip)
        for edge in raw if isinstance(raw, list) else []:
            self._put(str(edge["task"]), On(edge.get("on", "success")))

    def mark(self, *, wrong: bool) -> None:
        """Each chip is marked by itself, in `problem`."""

    def take_focus(self) -> None:
        """To what mends it, else to the first chip."""
        if not self.error.isHidden() and not self.error.link.isHidden():
            self.error.link.setFocus()
        else:
            (self.chips[0].condition if self.chips else self.add).setFocus()

    # --- what is wrong -------------------------------------------------------------------------------------

    def problem(self) -> str:
        """What is wrong, in one sentence; it is said in the box too, with what mends it."""
        found = self._loops()
        gone = [
            chip for chip in self.chips if chip.task_id not in self._tasks and chip.task_id != self.task_id
        ]
        bad = {loop.parent for loop in found} | {chip.task_id for chip in gone}
        for chip in self.chips:
            chip.mark(wrong=chip.task_id in bad)
        if found:
            self._bad = found[0].parent
            self.error.show_error(found[0].headline, found[0].advice, "Take it out")
        elif gone:
            self._bad = gone[0].task_id
            words = f"There is no task “{gone[0].name}” any more."
            self.error.show_error(words, "What waits for it would never run.", "Take it out")
        else:
            self._bad = ""
            self.error.show_error("", "", "")
        return self.error.headline.text()

    def _loops(self) -> tuple[Loop, ...]:
        if not self.task_id:
            return ()  # nothing can wait yet for what is new
        parents = [chip.task_id for chip in self.chips]
        others = {one: [edge.task for edge in task.waits_for] for one, task in self._tasks.items()}
        names = {one: task.name for one, task in self._tasks.items()}
        return find_loops(self.task_id, self.name or "This task", parents, others, names)

    def _mend(self) -> None:
        self.take_out(self._bad)
        self.add.setFocus()

    # --- adding and taking out -----------------------------------------------------------------------------

    def pick(self) -> None:
        """Offer the tasks that are not here yet."""
        here = {chip.task_id for chip in self.chips} | {self.task_id}
        offered = [task for task in self._tasks.values() if task.id not in here]
        self.picker.open_below(self.add, [(task, self._state_of(task.id)) for task in offered])

    def add_parent(self, task_id: str) -> None:
        """Wait for this one too."""
        self._put(task_id, On.SUCCESS)
        self.add.setFocus()
        self.edited.emit()

    def take_out(self, task_id: str) -> None:
        """Wait for it no longer."""
        for chip in tuple(self.chips):
            if chip.task_id == task_id:
                self._take_out(chip)
                self.add.setFocus()
                self.edited.emit()

    def _put(self, task_id: str, on: On) -> None:
        known = self._tasks.get(task_id)
        chip = Chip(self._look, task_id, known.name if known else task_id, on, self._state_of(task_id))
        chip.changed.connect(self.edited)
        chip.removed.connect(self.take_out)
        self.chips.append(chip)
        self._flow.insert(len(self.chips) - 1, chip)

    def _take_out(self, chip: Chip) -> None:
        self.chips.remove(chip)
        self._flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()

    # --- the list ------------------------------------------------------------------------------------------

    def follow(self, tasks: Sequence[Task]) -> None:
        """Other tasks are on the list; some may have other names. Those that are gone keep theirs."""
        self._tasks = {task.id: task for task in tasks}
        for chip in self.chips:
            if (known := self._tasks.get(chip.task_id)) is not None:
                chip.set_name(known.name)

    def show_states(self) -> None:
        """The states of the parents, as they are now."""
        for chip in self.chips:
            chip.set_state(self._state_of(chip.task_id))
