"""Durations as people write them: `45s`, `15m`, `1h30m`, `2d`. Inside they are seconds (float)."""

import re

from desktopsched.model.errors import InvalidTaskError

_UNITS = (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_FORM = re.compile(r"(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,6})?)s)?")

LONGEST = 3_660 * 86_400.0
"""Ten years, in seconds: what is longer is a slip of the pen."""


def parse_duration(text: str) -> float:
    """Seconds for a duration such as `1h30m`.

    Raises InvalidTaskError with what to write instead.
    """
    match = _FORM.fullmatch(text.strip())
    if not text.strip() or match is None:
        raise InvalidTaskError(
            f"{text!r} is not a duration. Write a number with d, h, m or s, for example '45s', '15m' or '1h30m'."
        )
    parts = zip(match.groups("0"), _UNITS, strict=True)
    seconds = round(sum(float(part) * size for part, (_, size) in parts), 6)
    if seconds > LONGEST:
        raise InvalidTaskError(f"{text!r} is longer than ten years. Write a shorter duration.")
    return seconds


def format_duration(seconds: float) -> str:
    """The shortest text that `parse_duration` reads back as the same number of seconds."""
    whole, fraction = divmod(round(seconds, 6), 1)
    rest, parts = int(whole), []
    for unit, size in _UNITS[:-1]:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    if rest or fraction or not parts:
        parts.append(f"{rest + fraction:.6f}".rstrip("0").rstrip(".") + "s")
    return "".join(parts)
