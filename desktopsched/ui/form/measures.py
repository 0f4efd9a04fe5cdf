"""Measures: how an amount is read from what people type, and said with its unit. Pure, no Qt.

What cannot be read goes on as it is, for the readers of the task file to refuse with their words.
"""

import re
from collections.abc import Callable

from msgspec import UNSET, Struct

from desktopsched.model import InvalidTaskError, parse_duration
from desktopsched.model.duration import format_duration
from desktopsched.model.fields import write_number

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
_STEPS = ((60, 5), (600, 60), (3_600, 300), (86_400, 1_800), (float("inf"), 86_400))
_NUMBER = re.compile(r"[-−]?\d{1,15}(?:[.,]\d{1,15})?")


class Measure(Struct, frozen=True):
    """A kind of amount."""

    read: Callable[[str], object]  # what the file has for what was typed
    say: Callable[[object], str]
    step: Callable[[object, int], object]  # one up (1) or down (-1)


def _read_duration(text: str) -> object:
    bare = re.sub(r"\s+", "", text.lower())
    bare = re.sub(r"(?<=\d)(seconds?|secs?)", "s", bare)
    bare = re.sub(r"(?<=\d)(minutes?|mins?)", "m", bare)
    bare = re.sub(r"(?<=\d)(hours?|hrs?)", "h", bare)
    bare = re.sub(r"(?<=\d)days?", "d", bare)
    try:
        parse_duration(bare)
    except InvalidTaskError:
        return text
    return bare


def say_duration(raw: object) -> str:
    """As "1 h 30 min", exactly."""
    seconds = _seconds(raw)
    if seconds is None:
        return str(raw)
    parts, rest = [], seconds
    for unit, size in _UNITS[:-1]:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{int(count)} {unit}")
    if rest or not parts:
        parts.append(f"{rest:.6f}".rstrip("0").rstrip(".") + " s")
    return " ".join(parts)


def _seconds(raw: object) -> float | None:
    try:
        return round(parse_duration(str(raw)), 6)
    except InvalidTaskError:
        return None


def _step_duration(raw: object, way: int) -> object:
    """To the next round value: 5 s steps below a minute, then minutes, and so on."""
    seconds = _seconds(raw) or 0.0
    size = next(step for most, step in _STEPS if seconds < most or (way < 0 and seconds == most))
    steps = seconds / size
    found = (int(steps) + 1 if way > 0 else -int(-steps // 1) - 1) * size
    return format_duration(max(found, 0))


DURATION = Measure(_read_duration, say_duration, _step_duration)


def count(one: str, many: str, *, least: int) -> Measure:
    """A whole number with its noun: "3 times"."""

    def read(text: str) -> object:
        found = re.fullmatch(r"\s*([-−]?[\d,]{1,15})\s*\w*\s*", text)
        digits = found[1].replace(",", "").replace("−", "-") if found else ""
        return int(digits) if re.fullmatch(r"-?\d+", digits) else text

    def say(raw: object) -> str:
        return f"{raw:,} {one if raw == 1 else many}".strip() if isinstance(raw, int) else str(raw)

    def step(raw: object, way: int) -> object:
        return max(raw + way, least) if isinstance(raw, int) else least

    return Measure(read, say, step)


def _read_number(text: str) -> float | None:
    found = _NUMBER.search(text)
    return float(found[0].replace(",", ".").replace("−", "-")) if found else None


def _read_percent(text: str) -> object:
    found = _read_number(text)
    return text if found is None else write_number(round(found / 100, 8))


def _say_percent(raw: object) -> str:
    return f"{raw * 100:g} %" if isinstance(raw, int | float) else str(raw)


def _step_percent(raw: object, way: int) -> object:
    now = raw if isinstance(raw, int | float) else 0
    return write_number(float(min(max(round(now + way * 0.05, 2), 0), 1)))


PERCENT = Measure(_read_percent, _say_percent, _step_percent)


def _read_factor(text: str) -> object:
    found = _read_number(text)
    return text if found is None else write_number(found)


def _say_factor(raw: object) -> str:
    return f"× {raw:g}" if isinstance(raw, int | float) else str(raw)


def _step_factor(raw: object, way: int) -> object:
    now = raw if isinstance(raw, int | float) else 1
    return write_number(float(min(max(round(now + way * 0.5, 2), 1), 100)))


FACTOR = Measure(_read_factor, _say_factor, _step_factor)


def _read_codes(text: str) -> object:
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    return [int(part) if re.fullmatch(r"\d{1,12}", part) else part for part in parts]


def read_codes(raw: object) -> object:
    """Exit codes, as people list them: "0, 3"."""
    return raw if raw is UNSET else _read_codes(str(raw))


def say_codes(raw: object) -> object:
    """As "0, 3"."""
    return ", ".join(map(str, raw)) if isinstance(raw, list | tuple) else raw
