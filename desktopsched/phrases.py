"""Phrases: instants, spans and outcomes in the words that people read, in the window and on the command line.

Pure: told the instant and the zone. A relative time comes first, the clock time second.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from desktopsched.model import Outcome, State

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_WEEK = 7 * _DAY
_NO_TIME = 0.1  # seconds; less is not worth a figure


def span(seconds: float) -> str:
    """How long something takes: "46 s", "1 min 06 s", "2 h 10 min", "3 d 4 h"."""
    whole = max(round(seconds), 0)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return _two(whole, _MINUTE, "min", 1, "s")
    if whole < _DAY:
        return _two(whole, _HOUR, "h", _MINUTE, "min")
    return _two(whole, _DAY, "d", _HOUR, "h")


def took(seconds: float) -> str:
    """How long something took; under a second by its tenths, so that what is quick does not look like nothing."""
    if seconds < _NO_TIME:
        return "under 0.1 s"
    return f"{seconds:.1f} s" if seconds < 1 else span(seconds)


def until(due: float, now: float) -> str:
    """How far away a due instant is: "now", "in 46 s", "in 4 min", "in 11 h 58 min"."""
    seconds = due - now
    if seconds < 1:
        return "now"
    if seconds < _MINUTE:
        return f"in {int(seconds)} s"
    if seconds < _HOUR:
        return f"in {int(seconds / _MINUTE)} min"
    return f"in {span(seconds - seconds % _MINUTE)}"


def clock(instant: float, now: float, zone: ZoneInfo) -> str:
    """A clock time, with as much of the date as it needs: "14:36", "Sat 02:30", "30 Oct 10:00", "3 Jan 2028 10:00"."""
    there, here = datetime.fromtimestamp(instant, zone), datetime.fromtimestamp(now, zone)
    if there.date() == here.date():
        return f"{there:%H:%M}"
    if abs(instant - now) < _WEEK:
        return f"{there:%a %H:%M}"
    if there.year == here.year:
        return f"{there.day} {there:%b %H:%M}"
    return f"{there.day} {there:%b %Y %H:%M}"


def full(instant: float, zone: ZoneInfo) -> str:
    """An instant with nothing left out: "Saturday 24 October 2026, 02:30 CEST"; seconds where there are some."""
    there = datetime.fromtimestamp(instant, zone)
    clock_ = f"{there:%H:%M:%S}" if there.second else f"{there:%H:%M}"
    return f"{there:%A} {there.day} {there:%B %Y}, {clock_} {there:%Z}"


def iso(instant: float, zone: ZoneInfo) -> str:
    """An instant for machines and logs: ISO 8601 with its offset, to the second."""
    return datetime.fromtimestamp(instant, zone).isoformat(timespec="seconds")


def result(outcome: Outcome | None) -> str:
    """What came of a run: "exit code 1", "succeeded"."""
    if outcome is None:
        return "has not run yet"
    if outcome.state is State.SUCCEEDED:
        return outcome.reason or "succeeded"
    return f"{outcome.state.value}: {outcome.reason}" if outcome.reason else outcome.state.value


def _two(whole: int, big: int, big_word: str, small: int, small_word: str) -> str:
    first, rest = divmod(whole, big)
    second = rest // small
    wide = 1 if small_word == "h" else 2  # minutes and seconds stand below each other, as on a clock
    return f"{first} {big_word} {second:0{wide}} {small_word}" if second else f"{first} {big_word}"
