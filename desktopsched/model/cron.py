"""Cron expressions, read strictly as Debian's cron reads them. Values only; the walk in time is `engine.cron`."""

import calendar
import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from desktopsched.model.cron_field import FIELDS, HOUR, MINUTE, Field, check_field
from desktopsched.model.errors import InvalidCronError

LONGEST = 1_000
"""Characters in an expression. The longest that says something new has some 300; a list of 20,000 would freeze
the form while it is typed."""

NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}

_EXAMPLE = "0 9 * * *"
_MOST_REPEATED = 60  # characters of what was written

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_NAMES = "minute, hour, day of the month, month, day of the week"


class CronFields(Struct, frozen=True):
    """A checked expression, as the values that match. Tuples rise, without doubles; weekday 0 is Sunday."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]  # of the month
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    both_days: bool  # a day field starts with `*`: a date must match both; else either is enough
    wildcard: bool  # minute or hour starts with `*`: follows the real clock through clock changes (cron(8))
    notes: tuple[
        str, ...
    ] = ()  # accepted, but probably not what was meant: sentences to show beside the field


@lru_cache(maxsize=16_384)
def parse_cron(expression: str) -> CronFields:
    """Read five fields, or a nickname such as `@daily`, as Debian's cron 3.0pl1 does (crontab(5)).

    Raises InvalidCronError, whose text says which field is wrong and what to write instead; also for what cron
    would accept and never start, such as 31 February. Equal expressions give the same object.
    """
    texts = _split(expression)
    plain = [check_field(field, text) for field, text in zip(FIELDS, texts, strict=True)]
    minutes, hours, days, months, weekdays = (_expand(index, text) for index, text in enumerate(plain))
    minute, hour, day, _, weekday = (text.startswith("*") for text in texts)
    fields = CronFields(
        minutes, hours, days, months, weekdays, day or weekday, minute or hour, _notes(texts[0], texts[1])
    )
    _check_it_happens(fields)
    return fields


def _split(expression: str) -> list[str]:
    if len(expression) > LONGEST:
        raise InvalidCronError(
            f"The expression has {len(expression):,} characters; at most {LONGEST:,} are read. "
            f"Write ranges and steps, such as '0-30/5', instead of long lists."
        )
    text = expression.strip(" \t\r\n")
    _check_characters(text)
    if text.startswith("@"):
        text = _nickname(text)
    texts = re.split("[ \t]+", text) if text else []
    if len(texts) != len(FIELDS):
        _refuse_count(texts)
    return texts


def _check_characters(text: str) -> None:
    for character in text:
        if not (" " <= character <= "~" or character == "\t"):
            name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
            near = {"Zs": "an ordinary blank", "Pd": "'-'", "Cc": "an ordinary blank"}.get(
                unicodedata.category(character),
                "digits, English three-letter names and '*', '-', ',' and '/'",
            )
            raise InvalidCronError(
                f"There is a character that cron does not read ({name}). Write {near} instead."
            )


def _nickname(text: str) -> str:
    if text in NICKNAMES:
        return NICKNAMES[text]
    if text.lower() in NICKNAMES:
        raise InvalidCronError(f"Nicknames are in small letters. Write {text.lower()!r} instead of {text!r}.")
    if text.lower().startswith("@every"):
        raise InvalidCronError("'@every' is not cron. Choose an interval instead, for example every '15m'.")
    if text.lower() == "@reboot":
        raise InvalidCronError(
            "'@reboot' is not a time: it has no next start. Write when it should run, for example '@daily'."
        )
    raise InvalidCronError(
        f"There is no nickname {text[:40]!r}. Write one of {', '.join(NICKNAMES)}, or five fields."
    )


def _refuse_count(texts: list[str]) -> None:
    if not texts:
        raise InvalidCronError(
            f"Write five fields ({_NAMES}), for example {_EXAMPLE!r} for each day at 9:00."
        )
    if len(texts) < len(FIELDS):
        raise InvalidCronError(
            f"There {'is 1 field' if len(texts) == 1 else f'are {len(texts)} fields'}, and cron reads five: {_NAMES}. "
            f"Write the missing ones, for example '{_completed(texts)}'."
        )
    extra = "seconds" if len(texts) == 6 else "seconds and the year"
    offers = []
    # Where seconds are written, so is the question mark.
    if inner := _stands(["*" if text == "?" else text for text in texts[1:6]]):
        offers.append(f"Leave out the {extra}: write '{inner}' if the seconds come first")
    if begin := _stands(texts[:5]):
        offers.append(f"write '{begin}' if what follows the day of the week is not a part of the time")
    advice = ", or ".join(offers) or f"write for example {_EXAMPLE!r}"
    advice = f"{advice[0].upper()}{advice[1:]}."
    raise InvalidCronError(f"There are {len(texts)} fields, and cron reads five: {_NAMES}. {advice}")


def _stands(texts: list[str]) -> str:
    """These five fields, if they can be shown as an example: short, and right. Else nothing."""
    example = " ".join(texts)
    try:
        parse_cron(example)
    except InvalidCronError:
        return ""
    return example if len(example) <= _MOST_REPEATED else ""


def _completed(texts: list[str]) -> str:
    """Five fields to show as an example: those that are there, as far as they can stand there, and what is missing."""
    missing = ["*"] * (len(FIELDS) - len(texts))
    fitting = [_fitting(field, text) for field, text in zip(FIELDS, texts, strict=False)]
    return _stands([*fitting, *missing]) or _EXAMPLE  # it might never happen


def _fitting(field: Field, text: str) -> str:
    try:
        check_field(field, text)
    except InvalidCronError:
        return "0" if field is MINUTE else "*"
    return text


@lru_cache(maxsize=4_096)
def _expand(index: int, text: str) -> tuple[int, ...]:
    """The values of one field. By field, since lists of thousands of expressions share a few hundred fields."""
    field = FIELDS[index]
    if text == "*":
        return tuple(range(field.least, field.least + field.period))
    if text.isdecimal():
        return (int(text),)
    # Here, not above: croniter costs some 30 ms to import, and lists that need nothing expanded should not pay for it.
    from croniter import croniter

    plain = ["*"] * len(FIELDS)
    plain[index] = text
    found = croniter.expand(" ".join(plain))[0][index]
    if "*" in found:
        return tuple(range(field.least, field.least + field.period))
    return tuple(sorted(int(value) for value in found))


def _check_it_happens(fields: CronFields) -> None:
    # Each date that exists falls on each weekday in some year, so only day and month can exclude each other, and
    # only where the weekday cannot help out. 2000 was a leap year.
    lengths = [calendar.monthrange(2000, month)[1] for month in fields.months]
    if fields.both_days and min(fields.days) > max(lengths):
        day, most = min(fields.days), max(lengths)
        only = _MONTHS[fields.months[0] - 1] if len(fields.months) == 1 else ""
        raise InvalidCronError(
            f"This never happens: {f'{only} has no' if only else 'none of the months has a'} day {day}. "
            f"Change the day of the month to {most} or less, for example '{min(28, most)}', "
            f"or choose {'another month' if only else 'other months'}."
        )


def _notes(minute: str, hour: str) -> tuple[str, ...]:
    found = ((field, re.search(r"\*/([0-9]+)", text)) for field, text in ((MINUTE, minute), (HOUR, hour)))
    return tuple(
        f"'{match[0]}' in the {field.name} field means {field.name} 0 only, not every {match[1]} {field.name}s. "
        f"For that choose an interval."
        for field, match in found
        if match and int(match[1]) > field.most
    )
