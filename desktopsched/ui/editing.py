"""Editing: from what a person wants to do with tasks to edits of the list, by a form where there is something to say.

UI thread. It knows the tasks as the file has them; those that have mistakes there are refused: they are mended where
they were made.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from msgspec import structs
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from desktopsched.model import Edge, On, Open, Task
from desktopsched.model.change import Change
from desktopsched.model.document import write_document, write_task
from desktopsched.ui.background import words_of
from desktopsched.ui.dropping import is_runnable
from desktopsched.ui.edits import Edits
from desktopsched.ui.wishes import Wish

if TYPE_CHECKING:  # the form is loaded when it is wanted: the window is painted sooner
    from desktopsched.ui.form.form import TaskForm


class Editing(QObject):
    """What the table, the graph, the sidebar and the tool bar ask for when the list is to change."""

    refused = Signal(str)
    """Why something was not done."""

    def __init__(
        self,
        edits: Edits,
        tasks: Callable[[], Sequence[Task]],
        make_form: Callable[[Task | None], "TaskForm"],
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        parent: QObject | None = None,
    ) -> None:
        """`tasks`: those that have no mistakes, in the order of the file. `make_form` is given what the form shows."""
        super().__init__(parent)
        self._edits, self._tasks, self._make_form = edits, tasks, make_form
        self._now, self._zone = now, zone
        self._forms: dict[str, TaskForm] = {}  # open ones, by the task that they edit
        self._several: dict[Wish, Callable[[Sequence[str]], None]] = {
            Wish.EDIT: lambda ids: self.edit(ids[0]),
            Wish.DUPLICATE: self.duplicate,
            Wish.COPY: self.copy,
            Wish.ENABLE: partial(self.enable, enabled=True),
            Wish.DISABLE: partial(self.enable, enabled=False),
            Wish.REMOVE: self.remove,
        }

    def carry_out(self, wish: Wish, ids: Sequence[str]) -> None:
        """What was asked for with these tasks, if it is about the list."""
        if wish in self._several and ids:
            self._several[wish](ids)

    # --- forms ---------------------------------------------------------------------------------------------

    def new(self) -> None:
        """Open an empty form."""
        self._make(None).appear()

    def new_from(self, path: str) -> None:
        """Open the form with a draft of a task that runs this file; or that opens it, where it is nothing to run."""
        from desktopsched.ui.form.form import TaskForm

        draft = TaskForm.of_script(path)
        if not is_runnable(path, draft):
            draft = structs.replace(draft, action=Open(target=path))
        # Its id is made anew, from among those that are free.
        self._make(structs.replace(draft, id="")).appear()

    def edit(self, task_id: str) -> None:
        """Open the form of a task, or bring the one that is open to the front."""
        form = self._forms.get(task_id)
        if form is None:
            if (task := self._find(task_id)) is None:
                return
            form = self._forms[task_id] = self._make(task)
            form.finished.connect(lambda _result: self._forms.pop(task_id, None))
        form.appear()

    def removed(self, task_id: str) -> None:
        """A task is no more: its form says so."""
        if (form := self._forms.pop(task_id, None)) is not None:
            form.task_removed()

    def _make(self, task: Task | None) -> "TaskForm":
        form = self._make_form(task)
        form.saved.connect(partial(self._save, form))
        form.rejected.connect(form.deleteLater)
        return form

    def _save(self, form: "TaskForm", task: Task) -> None:
        """The form is closed by now. It comes back if its task cannot be kept: nothing that was written is lost."""
        before = form.base
        words = f"edit {task.name}" if before else f"add {task.name}"
        change = Change(before=before, after=task)
        if before == task:
            form.deleteLater()
        else:
            self._edits.do(
                words,
                [change],
                done=form.deleteLater,
                failed=partial(self._bring_back, form),
            )

    def _bring_back(self, form: "TaskForm", error: Exception) -> None:
        """It says why, since it stands before the window."""
        QTimer.singleShot(0, form, form.show)  # once it is closed
        form.refuse(words_of(error))

    def add(self, words: str, tasks: Sequence[Task]) -> None:
        """Put tasks on the list as they are, all or none; `words` follow "Undo"."""
        self._edits.do(words, [Change(after=task) for task in tasks])

    def join(self, words: str, changes: Sequence[Change]) -> None:
        """The same where some of them take the place of others."""
        self._edits.do(words, changes)

    def add_examples(self) -> None:
        """Put the example list on the list: one step, so that one Undo takes it away again."""
        from desktopsched.tasklist import example_tasks

        self.add("load the example list", example_tasks())

    # --- edits ---------------------------------------------------------------------------------------------

    def duplicate(self, ids: Sequence[str]) -> None:
        """A second task like each: one in a form, several as they are, but disabled until they were looked at."""
        from desktopsched.model.identity import new_id
        from desktopsched.ui.form.form import TaskForm

        found = self._all(ids)
        if len(found) == 1:
            self._make(TaskForm.copy_of(found[0])).appear()
            return
        taken, changes = set(self._by_id()), []
        for task in found:
            copy = TaskForm.copy_of(task)
            copy = structs.replace(copy, id=new_id(copy.name, taken), enabled=False)
            taken.add(copy.id)
            changes.append(Change(after=copy))
        self._edits.do(f"duplicate {_named(found)}", changes)

    def copy(self, ids: Sequence[str]) -> None:
        """As a task file, to the clipboard."""
        if found := self._all(ids):
            document = write_document([write_task(task) for task in found])
            QGuiApplication.clipboard().setText(json.dumps(document, indent=2, ensure_ascii=False))

    def paste(self) -> None:
        """The tasks of the clipboard join the list, switched off: one step."""
        from desktopsched.ui.pasting import read_tasks

        found = read_tasks(QGuiApplication.clipboard().text(), self._tasks())
        if found.tasks:
            self.add(f"paste {_named(found.tasks)}", found.tasks)
        if found.words:
            self.refused.emit(found.words)

    def enable(self, ids: Sequence[str], *, enabled: bool) -> None:
        """Switch tasks on or off."""
        self._alter(
            "enable" if enabled else "disable", ids, lambda task: self._switched(task, enabled=enabled)
        )

    def move(self, ids: Sequence[str], group: str) -> None:
        """To another group; empty: to none."""
        self._alter("move", ids, lambda task: structs.replace(task, group=group))

    def rename_group(self, old: str, new: str) -> None:
        """Another name for a group: all its tasks belong to one with this name. One step, however many they are."""
        tasks = [task for task in self._tasks() if task.group == old]
        changes = [Change(before=task, after=structs.replace(task, group=new)) for task in tasks]
        if changes:
            self._edits.do(f"rename group {old}", changes)
        else:
            self.refused.emit(f"{old}: mend the mistakes of its tasks in the task file first.")

    def remove(self, ids: Sequence[str]) -> None:
        """Take tasks off the list. Those that waited for them wait for them no more; Undo brings all of it back."""
        gone = {task.id for task in self._all(ids)}
        places = [(place, task) for place, task in enumerate(self._tasks()) if task.id in gone]
        children = [
            Change(before=task, after=_without(task, gone))
            for task in self._tasks()
            if task.id not in gone and any(edge.task in gone for edge in task.waits_for)
        ]
        if places:
            self._edits.remove(places, children)

    def link(self, parent: str, child: str, on: On = On.SUCCESS) -> None:
        """Let a task wait for another one, or wait for another outcome of it."""
        self._alter("link", [child], partial(_linked, parent, on))

    def link_all(self, parent: str, children: Sequence[str]) -> None:
        """Let tasks wait for another one: one step, however many they are."""
        self._alter("link", children, partial(_linked, parent, On.SUCCESS))

    def unlink(self, parent: str, child: str) -> None:
        """Let a task wait for another one no more."""
        if (task := self._find(child)) is not None:
            self._edits.replace(task, _without(task, {parent}), f"unlink {task.name}")

    # --- tasks ---------------------------------------------------------------------------------------------

    def _alter(self, verb: str, ids: Sequence[str], alter: Callable[[Task], Task]) -> None:
        changes = [Change(before=task, after=alter(task)) for task in self._all(ids)]
        changes = [change for change in changes if change.before != change.after]
        self._edits.do(f"{verb} {_named([change.before for change in changes if change.before])}", changes)

    def _switched(self, task: Task, *, enabled: bool) -> Task:
        """A delay counts anew from the moment at which its task is switched on."""
        from desktopsched.ui.form.draft import read_draft, with_beginnings

        after = structs.replace(task, enabled=enabled)
        raw = with_beginnings(write_task(after), write_task(task), self._now(), self._zone())
        return read_draft(raw)[0] or after

    def _by_id(self) -> Mapping[str, Task]:
        return {task.id: task for task in self._tasks()}

    def _find(self, task_id: str) -> Task | None:
        found = self._all([task_id])
        return found[0] if found else None

    def _all(self, ids: Sequence[str]) -> list[Task]:
        """These tasks; of those that have mistakes none."""
        known = self._by_id()
        if missing := [task_id for task_id in ids if task_id not in known]:
            self.refused.emit(f"{', '.join(missing[:3])}: mend the mistake in the task file first.")
        return [known[task_id] for task_id in ids if task_id in known]


def _linked(parent: str, on: On, task: Task) -> Task:
    others = tuple(edge for edge in task.waits_for if edge.task != parent)
    known = next((i for i, edge in enumerate(task.waits_for) if edge.task == parent), len(others))
    return structs.replace(task, waits_for=(*others[:known], Edge(parent, on), *others[known:]))


def _without(task: Task, gone: set[str]) -> Task:
    edges = tuple(edge for edge in task.waits_for if edge.task not in gone)
    return structs.replace(task, waits_for=edges)


def _named(tasks: Sequence[Task]) -> str:
    return tasks[0].name if len(tasks) == 1 else f"{len(tasks)} tasks"
