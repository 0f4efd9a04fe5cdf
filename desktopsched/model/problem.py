"""What is wrong in a task list, and where: `tasks[3].schedule.expression: …`."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET, Struct

from desktopsched.model.errors import InvalidTaskError

Reader = Callable[[object], Any]
"""Makes a value of what the file has, or raises InvalidTaskError: what is wrong and what to write instead."""

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}")


class Problem(Struct, frozen=True):
    """One mistake: its place in the file and, in plain words, what is wrong and what to write instead."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message

    def under(self, prefix: str) -> "Problem":
        """The same problem, its place seen from further out."""
        dot = "." if prefix and self.place and not self.place.startswith("[") else ""
        return Problem(f"{prefix}{dot}{self.place}", self.message)


class ProblemsError(InvalidTaskError):
    """Several problems of one value, with places as seen from that value."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def collect(read: Reader, raw: object, place: str, problems: list[Problem]) -> Any:
    """What `read` makes of `raw`. On a mistake UNSET, and `problems` gets it: reading goes on."""
    try:
        return read(raw)
    except ProblemsError as error:
        problems.extend(problem.under(place) for problem in error.problems)
    except InvalidTaskError as error:
        problems.append(Problem(place, str(error)))
    return UNSET


def key_place(key: str) -> str:
    """The place of a key that people chose themselves: `PGUSER`, or `['a b']`."""
    return key if _PLAIN_KEY.fullmatch(key) else f"[{shorten(key)!r}]"


def shorten(text: str, most: int = 60) -> str:
    """At most `most` characters of a text, for a message."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def shown(raw: object) -> str:
    """A value as a message shows it: short, on one line, and without characters that play tricks."""
    if isinstance(raw, int) and abs(raw) >= 10**18:
        return "so large a number"  # Python itself refuses to print one of more than 4,300 digits
    if isinstance(raw, str):
        return repr(shorten(raw))
    if isinstance(raw, list | dict):
        return "a list" if isinstance(raw, list) else "an object"
    return json.dumps(raw) if raw is None or isinstance(raw, bool) else shorten(repr(raw))
