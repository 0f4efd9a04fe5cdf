"""The JSON form of a task list: what is right is read, what is wrong is named with its place. Pure: no I/O.

All mistakes of a file are collected, and one bad task never costs the others: its entry keeps what the file
has, says what is wrong, and gives a stand-in to show, which is disabled and does nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import UNSET, Struct

from desktopsched.model.links import link_problems, missing_parents, own_id
from desktopsched.model.problem import Problem, collect, shown
from desktopsched.model.shape import unknown_key
from desktopsched.model.standin import Names, stand_in
from desktopsched.model.tables import TASK
from desktopsched.model.task import Task

FORMAT = 1
"""The version of the form that this program writes."""

TASKS_MOST = 100_000
_KEYS = ("format", "tasks")


class Entry(Struct, frozen=True, kw_only=True):
    """One task of the file."""

    place: str  # tasks[3]
    raw: object  # as the file has it
    task: Task | None = None  # None: there is a mistake in it
    problems: tuple[
        Problem, ...
    ] = ()  # of a task too whose parent is missing: it waits for what will not come
    stand_in: Task | None = None  # shown in place of a bad task: disabled, with an id that no other one has


class Document(Struct, frozen=True, kw_only=True, dict=True):
    """A task list as it was read. There may be tens of thousands: what is made of all of them is made once."""

    entries: tuple[Entry, ...] = ()
    head: tuple[Problem, ...] = ()  # what is wrong outside of the tasks; such a file cannot be written back

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks without mistakes, in the order of the file."""
        return tuple(entry.task for entry in self.entries if entry.task is not None)

    @cached_property
    def stand_ins(self) -> tuple[Task, ...]:
        """What to show of the tasks with mistakes."""
        return tuple(entry.stand_in for entry in self.entries if entry.stand_in is not None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong, in the order of the file."""
        return (*self.head, *(problem for entry in self.entries for problem in entry.problems))


def read_task(raw: object, place: str = "") -> tuple[Task | None, list[Problem]]:
    """The task, or None, and all that is wrong in it. Whether its parents exist, only the list says."""
    problems: list[Problem] = []
    task = collect(TASK.read, raw, place, problems)
    return (None if task is UNSET else task), problems


def write_task(task: Task) -> dict[str, object]:
    """The object in the file: keys in the order of `Task`, defaults left out."""
    return TASK.write(task)


def write_document(tasks: Iterable[object]) -> dict[str, object]:
    """The whole file, of what `write_task` gave or of what was read."""
    return {"format": FORMAT, "tasks": list(tasks)}


def read_document(raw: object) -> Document:
    """The list, with every mistake in it. Never raises."""
    if not isinstance(raw, dict):
        return Document(head=(Problem("", f"The file must be an object in {{ }}, not {shown(raw)}."),))
    head = list(_head_problems(raw))
    listed = raw.get("tasks")
    if not isinstance(listed, list) or len(listed) > TASKS_MOST:
        return Document(head=tuple(head))
    return Document(entries=_entries(listed), head=tuple(head))


def _head_problems(raw: Mapping[str, object]) -> Iterator[Problem]:
    form, listed = raw.get("format"), raw.get("tasks")
    if form is None:
        yield Problem("format", f"is missing. Write {FORMAT}.")
    elif isinstance(form, bool) or form != FORMAT or not isinstance(form, int):
        yield Problem("format", f"must be {FORMAT}, not {shown(form)}.")
    if listed is None:
        yield Problem("tasks", "is missing. Write a list in [ ].")
    elif not isinstance(listed, list):
        yield Problem("tasks", f"must be a list in [ ], not {shown(listed)}.")
    elif len(listed) > TASKS_MOST:
        yield Problem("tasks", f"has {len(listed):,} tasks. At most {TASKS_MOST:,} are taken.")
    yield from (unknown_key(key, _KEYS) for key in raw if key not in _KEYS)


def _entries(listed: list[object]) -> tuple[Entry, ...]:
    """Each task by itself, then what only the whole list can say."""
    read = [read_task(raw, f"tasks[{index}]") for index, raw in enumerate(listed)]
    problems = [found for _, found in read]
    for index, problem in link_problems(listed):
        problems[index].append(problem.under(f"tasks[{index}]"))
    tasks = [None if problems[index] else task for index, (task, _) in enumerate(read)]
    for index, problem in missing_parents(listed):
        problems[index].append(problem.under(f"tasks[{index}]"))
    names = Names(own_id(raw) for raw in listed)
    return tuple(
        _entry(index, raw, task, found, names)
        for index, (raw, task, found) in enumerate(zip(listed, tasks, problems, strict=True))
    )


def _entry(index: int, raw: object, task: Task | None, found: list[Problem], names: Names) -> Entry:
    place = f"tasks[{index}]"
    own = names.give(own_id(raw))
    if task:
        return Entry(place=place, raw=raw, task=task, problems=tuple(found))
    return Entry(place=place, raw=raw, problems=tuple(found), stand_in=stand_in(raw, own, index))
