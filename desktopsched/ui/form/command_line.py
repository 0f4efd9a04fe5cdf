"""A command as one line of text: words with quotes, as a POSIX shell splits them. Pure, no Qt, and no shell."""

import re
import shlex
import sys
from collections.abc import Sequence

from desktopsched.model import InvalidTaskError

_ESCAPE = "" if sys.platform == "win32" else "\\"  # where it separates folders, it escapes nothing
_SHELL = re.compile(r"[|<>;&`]|\$[\w({]|(?<!\S)~|(?<!\S)\w*\*")
_QUOTED = re.compile(r"[\s'\"\\]" if _ESCAPE else r"[\s'\"]")


def split_words(line: object) -> list[str]:
    """The program and its arguments. InvalidTaskError where a quote is open."""
    reader = shlex.shlex(str(line), posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters, reader.escape = True, "", _ESCAPE
    try:
        return list(reader)
    except ValueError as error:
        raise InvalidTaskError(
            "A quotation mark or backslash at the end has no partner. Close it."
        ) from error


def join_words(words: object) -> str:
    """The line that `split_words` splits into these words."""
    return " ".join(map(_quoted, words if isinstance(words, Sequence) else ()))


def _quoted(word: str) -> str:
    """In quotes, where it would be split, or taken for something that only a shell understands."""
    if word and not _QUOTED.search(word) and not shell_signs(word):
        return word
    return shlex.quote(word) if _ESCAPE or not word else f'"{word}"'


def shell_signs(line: str) -> str:
    """The first sign that means something to a shell alone, or nothing: `|`, `>`, `$HOME`, `*.txt`."""
    bare = re.sub(r"'[^']*'", "", line)
    found = _SHELL.search(bare)
    return found[0].strip() if found else ""
