"""Tables on a terminal: columns as wide as what they hold, nothing that a terminal could take for a command."""

import unicodedata
from collections.abc import Sequence

import click

_LONGEST = 60  # columns; a name may have 200 characters


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print the rows under their head; nothing for no rows."""
    if not rows:
        return
    cells = [[_plain(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(padded).rstrip())


def _plain(text: str) -> str:
    """Task text, which anybody may have written, without control and bidi characters, and not too long."""
    shown = text
    if not text.isprintable():  # most is, and is not looked at character by character
        shown = "".join([char if unicodedata.category(char)[0] != "C" else "�" for char in text])
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _width(text: str) -> int:
    """Columns that a text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
