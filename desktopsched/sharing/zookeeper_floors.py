"""The floors of tasks in ZooKeeper, and how old rows go.

Every claim is made under the condition that its task's floor is still the one that it has seen, so a floor that rises
is obeyed at once, by those too who remember an older one.
"""

from typing import Any

from kazoo.exceptions import BadVersionError, NoNodeError, NotEmptyError
from msgspec import Struct

from desktopsched.sharing.zookeeper_paths import tasks_of
from desktopsched.sharing.zookeeper_rows import found_in
from desktopsched.sharing.zookeeper_session import Session

_MICRO = 1_000_000


class Floor(Struct, frozen=True):
    """What was due at `below` or before is not claimed any more; None: everything is."""

    below: float | None
    version: int


class Floors:
    """As they were seen last. Any thread may ask."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Floor] = {}

    def of(self, task: str) -> Floor:
        """The floor of the task at this path, perhaps an old one: it is a condition of what is done with it."""
        known = self._known.get(task)
        if known is None:
            known = self._known[task] = read_floor(self._session, task)
        return known

    def forget(self, task: str) -> None:
        """It rose."""
        self._known.pop(task, None)


def read_floor(session: Session, task: str) -> Floor:
    """As it is now."""
    session.call("ensure_path", task)
    data, stat = session.call("get", task)
    return Floor(int(data) / _MICRO if data else None, stat.version)


def prune(session: Session, list_id: str, cut: float) -> int:
    """Delete what is over and was due before `cut`, after its task's floor is above it. How many."""
    try:
        tasks = session.call("get_children", tasks_of(list_id))
    except NoNodeError:
        return 0
    return sum(_prune_task(session, f"{tasks_of(list_id)}/{task}", cut) for task in tasks)


def _prune_task(session: Session, task: str, cut: float) -> int:
    old: dict[str, float] = {}
    for bucket in session.call("get_children", task):
        old |= _old_rows(session, f"{task}/{bucket}", cut)
    if not old:
        return 0
    _raise(session, task, max(old.values()))
    return sum(_delete(session, row) for row in old)


def _old_rows(session: Session, bucket: str, cut: float) -> dict[str, float]:
    """Rows that are over, and when they were due."""
    rows = [f"{bucket}/{name}" for name in session.call("get_children", bucket)]
    answers = session.call_all([("get", row) for row in rows])
    return {
        row: found.row.due
        for row, answer in zip(rows, answers, strict=True)
        if not isinstance(answer, Exception)
        and not (found := found_in(answer[0], answer[1], None)).row.state.open
        and found.row.due <= cut
    }


def _raise(session: Session, task: str, floor: float) -> None:
    while True:
        known = read_floor(session, task)
        if known.below is not None and known.below >= floor:
            return
        try:
            session.call("set", task, str(round(floor * _MICRO)).encode(), version=known.version)
        except BadVersionError:
            continue  # another one prunes as well
        return


def _delete(session: Session, row: str) -> bool:
    answer: Any = session.call_all([("delete", row)])[0]
    if isinstance(answer, Exception) and not isinstance(answer, (NoNodeError, NotEmptyError)):
        raise answer
    return not isinstance(answer, Exception)
