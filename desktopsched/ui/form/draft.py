"""Between a task and the form: the task as the file has it, single places in it, and what is added when it is saved.

Pure, no Qt. `Raw` is an object of the task file.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import UNSET

from desktopsched.model import InvalidTaskError, Task
from desktopsched.model.document import read_task
from desktopsched.model.problem import Problem
from desktopsched.model.times import write_instant

Raw = dict[str, Any]


def at_place(raw: Raw, place: str) -> object:
    """What stands at a place such as `retry.delay`; UNSET where there is nothing."""
    here: object = raw
    for key in place.split("."):
        if not isinstance(here, dict) or key not in here:
            return UNSET
        here = here[key]
    return here


def put(raw: Raw, place: str, value: object) -> None:
    """Write `value` at a place; UNSET leaves it out."""
    if value is UNSET:
        return
    *above, last = place.split(".")
    here = raw
    for key in above:
        here = here.setdefault(key, {})
    here[last] = value


def read_draft(raw: Raw) -> tuple[Task | None, list[Problem]]:
    """The task, or all that is wrong with it, in words for a form: nobody types quotes here."""
    task, problems = read_task(raw)
    return task, [Problem(problem.place, form_words(problem.message)) for problem in problems]


def form_words(message: str) -> str:
    """What a reader of the file says, without what only concerns a file."""
    for words in (", without quotes", " in quotes"):
        message = message.replace(words, "")
    return message


def sentence(label: str, message: str) -> str:
    """The readers' words make sense after the name of the field, unless they are a sentence of their own."""
    return f"{label} {message}" if message[:1].islower() else message


def with_beginnings(raw: Raw, before: Raw | None, now: float, zone: ZoneInfo) -> Raw:
    """`start` of every and `from` of after, written when the task is saved.

    Left alone where nothing of the schedule was changed: whoever only renames a task does not move its starts. But a
    delay counts anew when its task is switched on again.
    """
    schedule = raw.get("schedule")
    key = (
        {"every": "start", "after": "from"}.get(schedule.get("type", ""))
        if isinstance(schedule, dict)
        else None
    )
    if key is None or not isinstance(schedule, dict):
        return raw
    unchanged = before is not None and before.get("schedule") == schedule
    if not (unchanged and key == "from" and _switched_on(raw, before)) and (unchanged or key in schedule):
        return raw
    moment = datetime.fromtimestamp(int(now), UTC).astimezone(zone)
    return raw | {"schedule": schedule | {key: write_instant(moment)}}


def _switched_on(raw: Raw, before: Raw | None) -> bool:
    return before is not None and before.get("enabled") is False and raw.get("enabled") is not False


def decode_all(pairs: Iterable[tuple[str, Any]], problems: list[Problem]) -> Raw:
    """A task of what each place gives; `pairs` are places and callables that may refuse."""
    raw: Raw = {}
    for place, give in pairs:
        try:
            put(raw, place, give())
        except InvalidTaskError as error:
            problems.append(Problem(place, str(error)))
    return raw
