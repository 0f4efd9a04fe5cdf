"""Merging two edits of one task, as the task file has it. Pure.

Both began from the same version. What only one of them changed is taken from that one, and where both changed the same
field, the first one's stands: whoever asks has seen the other.
"""

from collections.abc import Mapping

from msgspec import UNSET

from desktopsched.model.document import read_task, write_task
from desktopsched.model.errors import InvalidTaskError
from desktopsched.model.task import Task

_EITHER = ("argv", "shell")  # one thing said in two ways: a command has exactly one of them
_KIND = "type"  # what has another type has other fields: it is taken whole


def merge(
    base: Mapping[str, object], mine: Mapping[str, object], other: Mapping[str, object]
) -> dict[str, object]:
    """`mine` with what `other` changed since `base`, field by field; objects within too, if they are of one type."""
    keys = list(dict.fromkeys((*mine, *other)))
    found = {key: _one(*(raw.get(key, UNSET) for raw in (base, mine, other))) for key in keys}
    if all(found.get(key, UNSET) is not UNSET for key in _EITHER):
        found |= {key: mine.get(key, UNSET) for key in _EITHER}
    return {key: value for key, value in found.items() if value is not UNSET}


def _one(base: object, mine: object, other: object) -> object:
    if mine == base:
        return other
    if other in (base, mine):
        return mine
    if not (isinstance(mine, dict) and isinstance(other, dict)):
        return mine
    if mine.get(_KIND) != other.get(_KIND):
        return mine
    same = base if isinstance(base, dict) and base.get(_KIND) == mine.get(_KIND) else {}
    return merge(same, mine, other)


def merged(base: Task, mine: Task, other: Task) -> Task:
    """`mine` with what `other` changed since `base`. InvalidTaskError where the two do not go together."""
    if other == base:
        return mine
    task, problems = read_task(merge(write_task(base), write_task(mine), write_task(other)))
    if task is None:
        raise InvalidTaskError(
            f"{mine.name} was changed elsewhere meanwhile, and the two changes do not go together: "
            f"{problems[0].place} {problems[0].message} Look at it again."
        )
    return task
