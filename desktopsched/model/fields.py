"""Readers of single fields, as the task file has them and as people type them: texts, numbers, choices.

A reader takes what the file has and gives the value, or raises InvalidTaskError with words that make sense
after the name of the field: "must be text in quotes, not 5". Those about time are in `times`.
"""

import difflib
import enum
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from desktopsched.model.cron import parse_cron
from desktopsched.model.errors import InvalidTaskError
from desktopsched.model.problem import Problem, ProblemsError, Reader, collect, shown

EnumT = TypeVar("EnumT", bound=enum.StrEnum)

ID_PATTERN = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
EXPRESSION_MOST = 1_000

_SURROGATE = re.compile("[\ud800-\udfff]")


def closest(word: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or nothing."""
    found = difflib.get_close_matches(word[:80], list(known), n=1)
    return f" Did you mean {found[0]!r}?" if found else ""


def string(raw: object) -> str:
    """Any text that a file, a process and a window can all hold."""
    if not isinstance(raw, str):
        raise InvalidTaskError(f"must be text in quotes, not {shown(raw)}.")
    if "\0" in raw:
        raise InvalidTaskError("has a NUL character in it. Take it out.")
    if not raw.isascii() and _SURROGATE.search(raw):
        raise InvalidTaskError("has half a character (a lone surrogate) in it. Type the text anew.")
    return raw


def text(most: int, *, least: int = 0) -> Callable[[object], str]:
    """Text of `least` to `most` characters."""

    def read(raw: object) -> str:
        value = string(raw)
        if len(value) < least:
            raise InvalidTaskError("must not be empty.")
        if len(value) > most:
            raise InvalidTaskError(f"is {len(value):,} characters long. Write at most {most:,}.")
        return value

    return read


def size_limited(most: int) -> Callable[[object], str]:
    """Text that is not blank, of at most `most` bytes: what the system passes to a program."""

    def read(raw: object) -> str:
        value = string(raw)
        if not value.strip():
            raise InvalidTaskError("must not be empty.")
        if (size := len(value.encode())) > most:
            raise InvalidTaskError(f"is {size:,} bytes long. The system takes at most {most:,}.")
        return value

    return read


def whole(least: int, most: int) -> Callable[[object], int]:
    """A whole number. true is not 1, "3" is not 3, 2.0 is not 2."""

    def read(raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise InvalidTaskError(
                f"must be a whole number from {least:,} to {most:,}, without quotes, not {shown(raw)}."
            )
        if not least <= raw <= most:
            raise InvalidTaskError(f"must be from {least:,} to {most:,}, not {shown(raw)}.")
        return raw

    return read


def number(least: float, most: float) -> Callable[[object], float]:
    """A finite number, whole or not."""

    def read(raw: object) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise InvalidTaskError(
                f"must be a number from {least:g} to {most:g}, without quotes, not {shown(raw)}."
            )
        if not least <= raw <= most:  # NaN is in no range
            raise InvalidTaskError(f"must be from {least:g} to {most:g}, not {shown(raw)}.")
        return float(raw)

    return read


def write_number(value: float) -> float:
    """2, not 2.0."""
    return int(value) if value.is_integer() else value


def switch(raw: object) -> bool:
    """True or false."""
    if not isinstance(raw, bool):
        raise InvalidTaskError(f"must be true or false, without quotes, not {shown(raw)}.")
    return raw


def choice(kind: type[EnumT]) -> Callable[[object], EnumT]:
    """One of the words of `kind`."""
    words = {str(member): member for member in kind}
    listed_words = ", ".join(map(repr, words))

    def read(raw: object) -> EnumT:
        if not isinstance(raw, str) or raw not in words:
            raise InvalidTaskError(f"must be one of {listed_words}, not {shown(raw)}.")
        return words[raw]

    return read


def task_id(raw: object) -> str:
    """The id of a task; safe as the name of a folder."""
    if not isinstance(raw, str):
        raise InvalidTaskError(f"must be text in quotes, such as 'db-dump', not {shown(raw)}.")
    if not ID_PATTERN.fullmatch(raw):
        raise InvalidTaskError(
            f"{shown(raw)} is not an id. Write 1 to 64 of a-z 0-9 . _ - that begin with a letter or digit,"
            " such as 'db-dump'."
        )
    return raw


def expression(raw: object) -> str:
    """A cron expression, read strictly."""
    value = text(EXPRESSION_MOST, least=1)(raw)
    parse_cron(value)
    return value


def listed(item: Reader) -> Callable[[object], tuple[Any, ...]]:
    """A list, each item read by `item`; all its mistakes at once."""

    def read(raw: object) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise InvalidTaskError(f"must be a list in [ ], not {shown(raw)}.")
        problems: list[Problem] = []
        values = tuple(collect(item, one, f"[{index}]", problems) for index, one in enumerate(raw))
        if problems:
            raise ProblemsError(problems)
        return values

    return read


def mapped(raw: object) -> Mapping[str, object]:
    """An object in { }."""
    if not isinstance(raw, dict):
        raise InvalidTaskError(f"must be an object in {{ }}, not {shown(raw)}.")
    return raw
