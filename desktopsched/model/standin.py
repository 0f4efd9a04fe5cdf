"""Stand-ins: what is shown, and what others can wait for, in place of a task with a mistake."""

from collections import Counter
from collections.abc import Iterable, Mapping

from desktopsched.model.action import Reminder
from desktopsched.model.errors import InvalidTaskError
from desktopsched.model.tables import TASK
from desktopsched.model.task import Task

_NOTHING = Reminder(message="This task has a mistake in the task file.")


def is_stand_in(task: Task) -> bool:
    """Whether it stands in for one with a mistake: then there is nothing to perform."""
    return task.action is _NOTHING  # not one that a person wrote alike


def stand_in(raw: object, own_id: str, index: int) -> Task:
    """A disabled task that does nothing, with as much of the bad one as can be read."""
    given = raw if isinstance(raw, dict) else {}
    return Task(
        id=own_id,
        name=_readable(given, "name") or f"Task {index + 1} of the file",
        group=_readable(given, "group"),
        notes=_readable(given, "notes"),
        enabled=False,
        action=_NOTHING,
    )


def _readable(given: Mapping[str, object], name: str) -> str:
    """A text of a bad task, if at least that is right."""
    try:
        value: str = TASK.field(name).read(given.get(name))
    except InvalidTaskError:
        return ""
    return value


class Names:
    """Gives each task of the file, in order, an id of its own: what it has, unless an earlier one has it."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = set(wanted)
        self._given: set[str] = set()
        self._next: Counter[str] = Counter()  # by base: where to go on counting

    def give(self, wanted: str) -> str:
        """`wanted`, or one like it."""
        own = wanted if wanted and wanted not in self._given else self._like(wanted[:50] or "broken")
        self._given.add(own)
        return own

    def _like(self, base: str) -> str:
        while True:
            self._next[base] += 1
            own = f"{base}-{self._next[base] + 1}"
            if own not in self._wanted and own not in self._given:
                return own
