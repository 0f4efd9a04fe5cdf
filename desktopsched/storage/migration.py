"""Old formats brought up to date: one small step from each format to the next, on plain objects.

A step imports nothing of the living program: it must do in ten years what it does today.
"""

from collections.abc import Callable, Mapping

Raw = dict[str, object]
Step = Callable[[Raw], Raw]

STEPS: Mapping[int, Step] = {}
"""By the format that a step starts from. Format 1 is the first one, so there are none yet."""


def format_of(raw: object) -> int | None:
    """The number of the format, where there is one."""
    number = raw.get("format") if isinstance(raw, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def migrate(raw: Raw, steps: Mapping[int, Step], newest: int) -> Raw:
    """The same list in the newest format. `raw` itself stays as it is."""
    number = format_of(raw)
    while number is not None and number < newest:
        raw = {**steps[number](raw), "format": number + 1}
        number += 1
    return raw


def is_old(raw: object, steps: Mapping[int, Step], newest: int) -> bool:
    """Whether there is a way from this format to the newest one."""
    number = format_of(raw)
    return number is not None and all(step in steps for step in range(number, newest)) and number < newest
