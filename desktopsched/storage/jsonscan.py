"""Finds the place of what is refused in a JSON text: slowly, and only when the quick reader refused it.

Without recursion: 100,000 nested lists are found out at the sixty-fifth.
"""

import json
import re
from collections.abc import Iterator

DEEPEST = 64
"""Lists and objects within each other. A task needs five; what is deeper could not be walked safely."""

LONGEST_NUMBER = 400
"""Digits. Python refuses to read numbers of more than 4,300, and to print them."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]++', re.DOTALL)

_TOO_DEEP = f"lists and objects are nested more than {DEEPEST} deep."

Offence = tuple[int, str]


def offences(text: str) -> Iterator[Offence]:
    """Each offence: where it begins, and what it is in words."""
    scan = _Scan()
    for match in _TOKEN.finditer(text):
        words = scan.take(match.group())
        if words:
            yield match.start(), words


class _Scan:
    """Where the scan stands: for each open object the keys it has, for each open list None."""

    def __init__(self) -> None:
        self._open: list[set[str] | None] = []
        self._before = ""

    def take(self, piece: str) -> str:
        """What is wrong with the next piece; nothing, if nothing is."""
        words = self._look(piece)
        self._before = piece
        return words

    def _look(self, piece: str) -> str:
        if piece in "[{":
            self._open.append(set() if piece == "{" else None)
            return (
                f"lists and objects are nested more than {DEEPEST} deep." if len(self._open) > DEEPEST else ""
            )
        if piece in "]}":
            del self._open[-1:]
            return ""
        return self._look_at_string(piece) if piece.startswith('"') else wrong_number(piece)

    def _look_at_string(self, piece: str) -> str:
        try:
            value = json.loads(piece, strict=False)
            value.encode()
        except UnicodeEncodeError:
            return "there is half a character (a lone surrogate) in this text."
        except ValueError:
            return "this text has an escape that JSON has not."
        keys = self._open[-1] if self._open else None
        if keys is None or self._before not in ("{", ","):
            return ""
        if value in keys:
            return f"the key {value[:60]!r} is there twice. Keep one of the two."
        keys.add(value)
        return ""


def wrong_number(piece: str) -> str:
    """What is wrong with a piece that is neither text nor punctuation, of what the quick reader lets pass."""
    if piece in ("NaN", "Infinity", "-Infinity"):
        return f"{piece} is not a number that JSON has."
    if len(piece) > LONGEST_NUMBER:
        return "this number is too long."
    try:
        return f"the number {piece} is too large." if float(piece) in (float("inf"), float("-inf")) else ""
    except ValueError:
        return ""
