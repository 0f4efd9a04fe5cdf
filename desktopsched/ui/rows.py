"""The rows of all tasks, as the engine's events leave them. Values by id, in no order; places are the model's affair.

No Qt. The UI thread owns it.
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec import structs

from desktopsched.engine.events import Event, RunElsewhere, RunFinished, RunSkipped, RunStarted, TaskStatus
from desktopsched.model import State, Task
from desktopsched.ui import row_runs
from desktopsched.ui.choice import Choice, haystack
from desktopsched.ui.row import Row
from desktopsched.ui.schedule_words import schedule_icon, schedule_words
from desktopsched.ui.strip import Bar
from desktopsched.ui.tally import Tally
from desktopsched.ui.turns import Turns


def id_of(event: Event) -> str:
    """The task that an event is about; empty if it is about none."""
    run, task = getattr(event, "run", None), getattr(event, "task", None)
    if run is not None:
        return str(run.task_id)
    return str(task.id) if task is not None else str(getattr(event, "task_id", ""))


class Rows:
    """What the window knows of the tasks."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self.tally = Tally()
        self.turns = Turns(self._children)
        self.edition = 0
        """Another number whenever a task came, went, or got another definition."""
        self._past: dict[str, tuple[Bar, ...]] = {}  # of tasks that are not here yet, or were removed
        self._haystacks: dict[str, str] = {}  # by task: what a search looks in
        self._naming: dict[str, dict[str, None]] = {}  # by parent, there or not: who names it, or once did

    def __contains__(self, task_id: str) -> bool:
        return task_id in self._rows

    def __getitem__(self, task_id: str) -> Row:
        return self._rows[task_id]

    def __len__(self) -> int:
        return len(self._rows)

    def ids(self) -> Iterable[str]:
        """Of all tasks."""
        return self._rows.keys()

    @property
    def by_id(self) -> Mapping[str, Row]:
        """Every row by its task, for those who go through all of them."""
        return self._rows

    def all(self) -> Iterable[Row]:
        """Every row."""
        return self._rows.values()

    def chosen(self, choice: Choice) -> set[str]:
        """The tasks that a choice shows; those of its view are known already, and words are looked for all at once."""
        found: Collection[str] = self.tally.views[choice.view]
        if choice.group is not None:
            found = [task_id for task_id in found if self._rows[task_id].task.group == choice.group]
        for word in choice.text.casefold().split():
            found = [task_id for task_id in found if word in self._haystacks[task_id]]
        return set(found)

    def end_day(self, midnight: float) -> None:
        """Today ends at this instant."""
        self.tally.end_day(midnight, self._rows.values())

    def _put(self, fresh: Row) -> None:
        """The one way in for what is known of a task."""
        self.tally.change(self._rows.get(fresh.task.id), fresh)
        self._rows[fresh.task.id] = fresh
        self.turns.turn(fresh.task.id, under_way=fresh.busy)

    def get(self, task_id: str) -> Row | None:
        """One row, if there is such a task."""
        return self._rows.get(task_id)

    def name_of(self, task_id: str) -> str:
        """The name of a task; its id, where there is none."""
        found = self._rows.get(task_id)
        return found.task.name if found is not None else task_id

    def state_of(self, task_id: str) -> State:
        """The state of a task; pending, where there is none."""
        found = self._rows.get(task_id)
        return found.status.state if found is not None else State.PENDING

    def add(self, task: Task, status: TaskStatus) -> list[str]:
        """A new task. The ids of those whose row says something else now: the tasks that waited for its name."""
        fresh = Row(
            task=task,
            status=status,
            schedule=schedule_words(task, self.name_of),
            schedule_icon=schedule_icon(task),
        )
        self.edition += 1
        self._put(row_runs.remembered(fresh, self._past.get(task.id, ())))
        self._haystacks[task.id] = haystack(task)
        self._note_names(task)
        changed = self._children(task.id)
        for child in changed:
            self.word(child)
        return changed

    def edit(self, task: Task, status: TaskStatus) -> list[str]:
        """Another definition. The ids of those whose row says something else now: the task, and who names it."""
        before = self._rows[task.id]
        self.edition += 1
        self._put(structs.replace(before, task=task, status=status))
        self._haystacks[task.id] = haystack(task)
        self._note_names(task)
        named = self._children(task.id) if before.task.name != task.name else []
        changed = [task.id, *named]
        for task_id in changed:
            self.word(task_id)
        return changed

    def remove(self, task_id: str) -> None:
        """A task that is no more."""
        self.edition += 1
        self.turns.relink()
        self.turns.turn(task_id, under_way=False)
        gone = self._rows.pop(task_id)
        self._past[task_id] = gone.bars  # its history is kept, and it may come back
        self.tally.change(gone, None)
        del self._haystacks[task_id]

    def haystack(self, task_id: str) -> str:
        """Everything that a search for a task looks in."""
        return self._haystacks[task_id]

    def word(self, task_id: str) -> None:
        """Put its schedule into words again: names may be known now that were not before."""
        found = self._rows[task_id]
        words = schedule_words(found.task, self.name_of)
        self._put(structs.replace(found, schedule=words, schedule_icon=schedule_icon(found.task)))

    def follow(self, event: Event) -> str | None:
        """Take over the status that an event carries; the id of the task that it is about."""
        status, task_id = getattr(event, "status", None), id_of(event)
        found = self._rows.get(task_id)
        if found is None or not isinstance(status, TaskStatus):
            return None
        found = structs.replace(found, status=status)
        match event:
            case RunStarted(run=run, at=at):
                found = row_runs.started(found, run.id, at)
            case RunElsewhere(run=run):
                found = row_runs.left(found, run.id)
            case RunFinished(run=run, at=at, outcome=outcome):
                found = row_runs.ended(found, run, at, outcome)
            case RunSkipped(run=run, at=at, outcome=outcome):
                found = row_runs.with_bar(found, row_runs.bar_of(run, outcome, at))
        self._put(found)
        return task_id

    def remember(self, past: Mapping[str, tuple[Bar, ...]]) -> None:
        """What the history says of the last runs of each task, newest first; below those that came since."""
        self._past = dict(past)
        for task_id, bars in past.items():
            found = self._rows.get(task_id)
            if found is not None:
                self._put(row_runs.remembered(found, bars))

    def _note_names(self, task: Task) -> None:
        """A task may stand in the file before those that it waits for, and they may go and come back."""
        self.turns.relink()
        for edge in task.waits_for:
            self._naming.setdefault(edge.task, {})[task.id] = None

    def _children(self, task_id: str) -> list[str]:
        """Who waits for a task now."""
        return [child for child in self._naming.get(task_id, ()) if self._waits(child, task_id)]

    def _waits(self, child: str, parent: str) -> bool:
        found = self._rows.get(child)
        return found is not None and any(edge.task == parent for edge in found.task.waits_for)
