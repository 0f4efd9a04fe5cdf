"""JSON, read strictly: what Python's reader lets pass, and what could not be written back, is refused.

The quick way is the standard reader. Only when something is refused does a slow one look for the place.
"""

import json
import re
from pathlib import Path
from typing import NoReturn

from desktopsched.model import StorageError
from desktopsched.storage.errors import UnreadableFileError
from desktopsched.storage.jsonscan import DEEPEST, offences

_SUSPECT = re.compile(r"\\u[dD][89a-fA-F]")
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


class _RefusedError(Exception):
    """The quick reader met something that is refused; it does not know where."""


def parse(data: bytes, path: Path) -> object:
    """The value. Raises UnreadableFileError with line and column; `path` is for the message alone."""
    text = _decode(data, path)
    try:
        value = _quick(text)
    except json.JSONDecodeError as error:
        _refuse(path, text, *_offence(text, error))
    except (_RefusedError, RecursionError):
        _refuse(path, text, *next(offences(text), (0, "cannot be read.")))
    return value


def dump(value: object) -> bytes:
    """The file's bytes, indented; complete before a file is touched. StorageError for what JSON has not."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
        return f"{text}\n".encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise StorageError(f"This cannot be written as JSON, so nothing was written: {error}") from error


def _decode(data: bytes, path: Path) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        _refuse(path, before, len(before), "is not UTF-8 text. Save it as UTF-8.")
    text = text.removeprefix(_BOM)  # some editors of Windows put one there
    if not text.strip():
        raise UnreadableFileError(path, "is empty.")
    if (nul := text.find("\0")) >= 0:
        _refuse(path, text, nul, "has a NUL character: the end of the file was lost, or it is not text.")
    return text


def _quick(text: str) -> object:
    value: object = json.loads(
        text, object_pairs_hook=_object, parse_constant=_never, parse_float=_float, parse_int=_int
    )
    if _too_deep(value) or (_SUSPECT.search(text) and any(offences(text))):
        raise _RefusedError
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _RefusedError
    return made


def _never(_constant: str) -> NoReturn:
    raise _RefusedError


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _RefusedError
    return value


def _int(digits: str) -> int:
    if len(digits) > 400:  # Python refuses to read those of more than 4,300 digits, and to print them
        raise _RefusedError
    return int(digits)


def _too_deep(value: object) -> bool:
    """Whether anything lies deeper than DEEPEST. Level by level, without recursion."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level if isinstance(outer, list | dict) for inner in _inner(outer)]
        if not level:
            return False
    return any(isinstance(one, list | dict) for one in level)


def _inner(outer: list[object] | dict[str, object]) -> list[object]:
    return outer if isinstance(outer, list) else list(outer.values())


def _refuse(path: Path, text: str, place: int, words: str) -> NoReturn:
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    raise UnreadableFileError(path, words, line, column)


def _offence(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """Where the mistake is, and what it is, whichever Python found it: newer ones point at the comma itself."""
    before, rest = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if rest[:1] in ("]", "}") and before.endswith(","):
        return len(before) - 1, f"there is a comma too many before the {rest[0]!r}."
    if rest[:1] == "," and rest[1:].lstrip()[:1] in ("]", "}"):
        return error.pos, f"there is a comma too many before the {rest[1:].lstrip()[0]!r}."
    if not rest:
        return error.pos, "the file ends too early."
    return error.pos, f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}."
