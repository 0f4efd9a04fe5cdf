"""The rows of all tasks, as the engine's events leave them. Values by id, in no order; places are the model's affair.

No Qt. The UI thread owns it.
"""

from collections.abc import Iterable, Mapping

from msgspec import structs

from desktopsched.engine.events import Event, RunFinished, RunStarted, TaskStatus
from desktopsched.model import Task
from desktopsched.ui import row
from desktopsched.ui.row import Row
from desktopsched.ui.schedule_words import schedule_icon, schedule_words


class Rows:
    """What the window knows of the tasks."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._took: Mapping[str, tuple[float, ...]] = {}
        self._nameless: dict[str, set[str]] = {}  # by parent that is not there yet: who waits for it

    def __contains__(self, task_id: str) -> bool:
        return task_id in self._rows

    def __getitem__(self, task_id: str) -> Row:
        return self._rows[task_id]

    def __len__(self) -> int:
        return len(self._rows)

    def ids(self) -> Iterable[str]:
        """Of all tasks."""
        return self._rows.keys()

    def all(self) -> Iterable[Row]:
        """Every row."""
        return self._rows.values()

    def get(self, task_id: str) -> Row | None:
        """One row, if there is such a task."""
        return self._rows.get(task_id)

    def name_of(self, task_id: str) -> str:
        """The name of a task; its id, where there is none."""
        found = self._rows.get(task_id)
        return found.task.name if found is not None else task_id

    def add(self, task: Task, status: TaskStatus) -> list[str]:
        """A new task. The ids of those whose row says something else now: the tasks that waited for its name."""
        took = self._took.get(task.id, ())
        self._rows[task.id] = Row(
            task=task,
            status=status,
            schedule=schedule_words(task, self.name_of),
            schedule_icon=schedule_icon(task),
            took=took,
            last=took[0] if took else None,
        )
        self._await_names(task)
        changed = [child for child in self._nameless.pop(task.id, ()) if child in self._rows]
        for child in changed:
            self.word(child)
        return changed

    def edit(self, task: Task, status: TaskStatus) -> list[str]:
        """Another definition. The ids of those whose row says something else now: the task, and who names it."""
        before = self._rows[task.id]
        self._rows[task.id] = structs.replace(before, task=task, status=status)
        named = self._children(task.id) if before.task.name != task.name else []
        changed = [task.id, *named]
        for task_id in changed:
            self.word(task_id)
        return changed

    def remove(self, task_id: str) -> None:
        """A task that is no more."""
        del self._rows[task_id]

    def word(self, task_id: str) -> None:
        """Put its schedule into words again: names may be known now that were not before."""
        found = self._rows[task_id]
        words = schedule_words(found.task, self.name_of)
        self._rows[task_id] = structs.replace(found, schedule=words, schedule_icon=schedule_icon(found.task))

    def follow(self, event: Event) -> str | None:
        """Take over the status that an event carries; the id of the task that it is about."""
        status, run = getattr(event, "status", None), getattr(event, "run", None)
        task_id = run.task_id if run is not None else getattr(event, "task_id", "")
        found = self._rows.get(task_id)
        if found is None or not isinstance(status, TaskStatus):
            return None
        found = structs.replace(found, status=status)
        match event:
            case RunStarted(run=run, at=at):
                found = row.started(found, run.id, at)
            case RunFinished(run=run, at=at, outcome=outcome):
                found = row.ended(found, run.id, at, outcome.state)
        self._rows[task_id] = found
        return task_id

    def remember(self, took: Mapping[str, tuple[float, ...]]) -> None:
        """What the history says of how long tasks took, newest first; for those that did not run since."""
        self._took = took
        for task_id, seconds in took.items():
            found = self._rows.get(task_id)
            if found is not None and found.last is None and seconds:
                self._rows[task_id] = structs.replace(found, took=seconds, last=seconds[0])

    def _await_names(self, task: Task) -> None:
        """A task may stand in the file before those that it waits for."""
        for edge in task.waits_for:
            if edge.task not in self._rows:
                self._nameless.setdefault(edge.task, set()).add(task.id)

    def _children(self, task_id: str) -> list[str]:
        return [
            found.task.id
            for found in self._rows.values()
            if any(edge.task == task_id for edge in found.task.waits_for)
        ]
