"""Colours and weights of terminal text: the SGR codes that are kept. Pure."""

import itertools
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

Colour = int | str | None
"""0–15: the named ones, 16–255: the cube and the greys, `#rrggbb`; None: as the window has it."""


class Style(Struct, frozen=True):
    """How a span is shown."""

    foreground: Colour = None
    background: Colour = None
    bold: bool = False
    faint: bool = False
    italic: bool = False
    underline: bool = False
    inverse: bool = False
    struck: bool = False


PLAIN = Style()

_SWITCHES: dict[int, dict[str, bool]] = {
    1: {"bold": True},
    2: {"faint": True},
    3: {"italic": True},
    4: {"underline": True},
    7: {"inverse": True},
    9: {"struck": True},
    22: {"bold": False, "faint": False},
    23: {"italic": False},
    24: {"underline": False},
    27: {"inverse": False},
    29: {"struck": False},
}
_PARAMETERS = re.compile(r"[0-9]{0,4}(?:[:;][0-9]{0,4})*")


def restyle(style: Style, parameters: str) -> Style:
    """The style after `ESC [ parameters m`. What is not known changes nothing."""
    if not _PARAMETERS.fullmatch(parameters):
        return style
    codes = iter([code for group in parameters.split(";") for code in _codes(group)])
    for code in codes:
        style = PLAIN if code == 0 else replace(style, **_change(code, codes))
    return style


def _codes(group: str) -> list[int]:
    """One code, or one with its details behind colons: `38:2::255:0:0`, `4:3` (a wavy underline)."""
    first, *details = group.split(":")
    code = int(first or 0)
    if code in {38, 48}:
        return [code, *(int(detail) for detail in details if detail)]
    return [24] if group == "4:0" else [code]


def _change(code: int, rest: Iterator[int]) -> dict[str, Colour | bool]:
    if code in _SWITCHES:
        return dict(_SWITCHES[code])
    if 30 <= code <= 49:
        ground = "foreground" if code < 40 else "background"
        return _colour(ground, code % 10, rest)
    if 90 <= code <= 97:
        return {"foreground": code - 90 + 8}
    return {"background": code - 100 + 8} if 100 <= code <= 107 else {}


def _colour(ground: str, digit: int, rest: Iterator[int]) -> dict[str, Colour | bool]:
    if digit == 9:
        return {ground: None}
    if digit < 8:
        return {ground: digit}
    wanted = {5: 1, 2: 3}.get(next(rest, 0), 0)
    numbers = list(itertools.islice(rest, wanted))
    if not numbers or len(numbers) < wanted or max(numbers) > 255:
        return {}
    return {ground: numbers[0] if wanted == 1 else "#{:02x}{:02x}{:02x}".format(*numbers)}
