"""One field of a cron expression: what may stand in it, and what to write instead of what may not.

The grammar is Debian's (crontab(5)): a list of `*`, a number or three-letter name, a range of two of these, and
a step after a star or a range. What other programs read beyond that, or what Debian's cron swallows in silence, is
refused with a sentence that names the field, the fault and the remedy: a schedule that means something else than
its author thinks is worse than one that is not accepted.
"""

import re
from collections.abc import Mapping
from typing import NoReturn

from msgspec import Struct

from desktopsched.model.errors import InvalidCronError

# fmt: off
_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}
# fmt: on
_WEEKDAYS = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}


class Field(Struct, frozen=True):
    """One of the five fields."""

    name: str  # as people say it
    plural: str
    least: int
    most: int
    period: int  # how many different values: the weekdays 0 and 7 are one
    names: Mapping[str, int] = {}


MINUTE = Field("minute", "Minutes", 0, 59, 60)
HOUR = Field("hour", "Hours", 0, 23, 24)
DAY = Field("day-of-month", "Days of the month", 1, 31, 31)
MONTH = Field("month", "Months", 1, 12, 12, _MONTHS)
WEEKDAY = Field("day-of-week", "Days of the week", 0, 7, 7, _WEEKDAYS)
FIELDS = (MINUTE, HOUR, DAY, MONTH, WEEKDAY)

# ASCII digits: `\d` would let through digits that `crontab` has never heard of.
_ITEM = re.compile(
    r"(?:(?P<star>\*)|(?P<low>[0-9A-Za-z]+)(?:-(?P<high>[0-9A-Za-z]+))?)(?:/(?P<step>[0-9]+))?"
)


def check_field(field: Field, text: str) -> str:
    """The field in plain numbers, each range rising and with a step, as croniter and cron read it alike.

    Raises InvalidCronError.
    """
    return ",".join(_check_item(field, item, text) for item in text.split(","))


def _check_item(field: Field, item: str, text: str) -> str:
    if not item:
        _refuse(
            field,
            text,
            "has an empty place in its list",
            ",".join(part for part in text.split(",") if part) or "*",
        )
    match = _ITEM.fullmatch(item)
    if match is None:
        _refuse_form(field, item)
    step = _step(field, item, match["step"])
    if match["star"]:
        return _plain(field, field.least, field.least + field.period - 1, step)
    low = _number(field, match["low"], item)
    if match["high"] is None:
        if match["step"] is not None:
            _refuse_step_after_number(field, item, low, step)
        return str(low % 7 if field is WEEKDAY else low)
    high = _number(field, match["high"], item)
    if low > high:
        _refuse_reversed(field, item, low, high, step)
    return _plain(field, low, high, step)


def _plain(field: Field, low: int, high: int, step: int) -> str:
    # croniter takes 5-5 for the whole field, and a weekday range that ends in 7 for one that wraps.
    if field is WEEKDAY and high == 7:
        sunday = ["0"] if (7 - low) % step == 0 else []
        return ",".join([*([_plain(field, low, 6, step)] if low < 7 else []), *sunday])
    if step == 1 and high - low == field.period - 1:
        return "*"
    return str(low) if high - low < step else f"{low}-{high}/{step}"


def _step(field: Field, item: str, digits: str | None) -> int:
    step = 1 if digits is None else int(digits)
    if step == 0:
        _refuse(field, item, "has a step of 0", "*")
    return step


def _number(field: Field, word: str, item: str) -> int:
    if not word.isdecimal():
        if (value := field.names.get(word.lower())) is None:
            _refuse_word(field, word, item)
        return value
    value = int(word)
    if not field.least <= value <= field.most:
        near = value % field.period if field.least == 0 else min(max(value, field.least), field.most)
        raise InvalidCronError(
            f"{field.plural} go from {field.least} to {field.most}. Change {_short(word)}, for example to '{near}'."
        )
    return value


def _refuse(field: Field, item: str, fault: str, remedy: str) -> NoReturn:
    raise InvalidCronError(
        f"{_short(item)} in the {field.name} field {fault}. Write {_short(remedy)} instead."
    )


def _refuse_step_after_number(field: Field, item: str, low: int, step: int) -> NoReturn:
    remedy = f"{low}-{field.most}/{step}" if low + step <= field.most else str(low)
    _refuse(field, item, "has a step after a single number, which cron refuses: a step needs a range", remedy)


def _refuse_reversed(field: Field, item: str, low: int, high: int, step: int) -> NoReturn:
    if step > 1:
        first, length = field.least, (high - low) % field.period
        remedy = ",".join(str((low + k - first) % field.period + first) for k in range(0, length + 1, step))
    elif field is WEEKDAY and high == 0:
        remedy = f"{low}-7"
    else:
        parts = ((low, field.most), (field.least + (field is WEEKDAY), high))
        remedy = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
    _refuse(field, item, "is a range that runs backwards, and cron would never start it", remedy)


def _refuse_word(field: Field, word: str, item: str) -> NoReturn:
    """Refuse letters that are no name of this field."""
    folded = word.lower()
    if folded[:3] in field.names and len(folded) > 3:
        _refuse(
            field, item, "has a longer name than cron reads: three letters", item.replace(word, folded[:3])
        )
    if folded in _MONTHS or folded in _WEEKDAYS:
        other = MONTH if folded in _MONTHS else WEEKDAY
        _refuse(field, item, f"belongs in the {other.name} field", "*")
    if field in (DAY, WEEKDAY) and re.fullmatch("[0-9]*(l|w|lw)[0-9]*", folded):
        _refuse_extension(field, item, folded)
    if folded in ("h", "r"):
        _refuse(field, item, _PICKED, _some_number(field))
    _refuse_form(field, item)


def _refuse_extension(field: Field, item: str, folded: str) -> NoReturn:
    digits = folded.strip("lw")
    if "w" in folded:
        fault, remedy = "asks for the nearest working day (W), which cron does not know", digits or "28"
    elif field is WEEKDAY:
        fault, remedy = "asks for the last such day of the month (L), which cron does not know", digits or "6"
    else:
        fault, remedy = "asks for the last day of the month (L), which cron does not know", "28"
    _refuse(field, item, fault, remedy)


def _refuse_form(field: Field, item: str) -> NoReturn:
    """Refuse what is not even shaped like an item, saying what it looks like."""
    for pattern, fault, remedy in _SHAPES:
        if match := re.fullmatch(pattern, item):
            _refuse(field, item, fault, match.expand(remedy) or _some_number(field))
    raise InvalidCronError(
        f"{_short(item)} cannot be read in the {field.name} field. Write '*', a number from {field.least} to "
        f"{field.most}{f', a name such as {min(field.names)!r}' if field.names else ''}, a range such as "
        f"'{field.least + 1}-{field.least + 4}', or a list of these with commas."
    )


_PICKED = "asks for a time picked by the program; cron wants a number of your own"

_SHAPES = (
    (r"(.+)#.*", "asks for one week of the month (#), which cron does not know", r"\1"),
    (r"\?.*", "is a question mark, which cron does not know", "*"),
    (r"[+-]([0-9]+)", "has a sign", r"\1"),
    (r"([0-9]+)\.[0-9]*", "is not a whole number", r"\1"),
    (r"\*-([0-9]+)", "mixes a star and a range", "*"),
    (r"[HhRr]\(?.*", _PICKED, ""),
    (r"[0-9]*~[0-9]*", _PICKED, ""),
    (r"([A-Za-z]{3})[_.:]+([A-Za-z]{3})", "is not a range", r"\1-\2"),
    (r"(.+/[0-9]+)/.*", "has two steps", r"\1"),
    (r"(.+)/", "ends in a slash without a step", r"\1"),
)
"""Shapes seen in expressions for other programs: pattern, what is wrong, what to write ("": some number)."""


def _some_number(field: Field) -> str:
    return str(17 if field.most > 17 else field.least + 1)


def _short(text: str) -> str:
    # What was typed is repeated so that it is found; forty characters are enough for that.
    return repr(text if len(text) <= 40 else text[:39] + "…")
