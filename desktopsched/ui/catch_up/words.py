"""What the window for missed runs says. Pure, no Qt; told the instant and the zone."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from desktopsched import phrases
from desktopsched.engine.absence import Absence, Why
from desktopsched.model import CatchUp
from desktopsched.ui.catch_up.choices import MOST, Choices, Line, Pick
from desktopsched.ui.summary import counted, named

_MINUTE, _HOUR, _WEEK = 60, 3_600, 7 * 86_400


_WHILE = {Why.CLOSED: "While Desktopsched was closed", Why.SLEPT: "While the computer slept"}


def headline(away: Absence | None, choices: Choices, zone: ZoneInfo) -> str:
    """What happened: "While Desktopsched was closed (Fri 18:02 – Mon 08:55), 5 tasks missed 23 runs"."""
    missed = [line.missed.count for line in choices.lines if not line.interrupted]
    cut = len(choices.lines) - len(missed)
    told = [f"{counted(len(missed), 'task')} missed {counted(sum(missed), 'run')}"] if missed else []
    if cut:
        told.append(f"{counted(cut, 'run')} {'was' if cut == 1 else 'were'} interrupted")
    what = " and ".join(told) or "nothing was missed"
    if away is None or away.why not in _WHILE:
        return what
    when = _WHILE[away.why]
    if away.ended - away.began >= _MINUTE:
        when += f" ({_span(away.began, away.ended, zone)})"
    firsts = [line.missed.first for line in choices.lines if line.missed.first is not None]
    if min(firsts, default=away.began) < away.began:  # what nobody has decided yet
        when += " and before"
    return f"{when}, {what}"


def _span(since: float, until: float, zone: ZoneInfo) -> str:
    same = _date(since, zone) == _date(until, zone)
    return " – ".join(dated(one, until, zone, plain=same) for one in (since, until))


def _date(instant: float, zone: ZoneInfo) -> object:
    return datetime.fromtimestamp(instant, zone).date()


def dated(instant: float, now: float, zone: ZoneInfo, *, plain: bool) -> str:
    """A clock time with its day, today's too, unless `plain`."""
    if plain or abs(instant - now) >= _WEEK:
        return phrases.clock(instant, now, zone)
    return f"{datetime.fromtimestamp(instant, zone):%a %H:%M}"


def span_of(line: Line, now: float, zone: ZoneInfo) -> tuple[str, str]:
    """The first and the last instant; for an interrupted run when it was cut off."""
    missed = line.missed
    if line.interrupted:
        at = missed.interrupted_at
        return ("", "") if at is None else (phrases.clock(at, now, zone), "")
    found = [one for one in (missed.first, missed.last) if one is not None]
    today = all(_date(one, zone) == _date(now, zone) for one in found)
    said = [dated(one, now, zone, plain=today) for one in found]
    first, last = (said[0], said[-1]) if said else ("", "")
    return first, "" if missed.count == 1 else last


def below(line: Line, now: float, zone: ZoneInfo) -> str:
    """What stands below the name."""
    if not line.interrupted:
        return line.missed.schedule
    at = line.missed.interrupted_at
    return "was interrupted" if at is None else f"was interrupted at {phrases.clock(at, now, zone)}"


def pick_words(line: Line, pick: Pick) -> str:
    """What stands on a segment."""
    count = line.missed.count
    match pick:
        case Pick.ALL if count == 1:
            return "Run it"
        case Pick.ALL:
            return f"Run all {count:,}" if count <= MOST else f"Run last {MOST:,}"
        case Pick.LATEST:
            return "Run latest"
        case Pick.SKIP:
            return "Skip"
        case Pick.RERUN:
            return "Run again"
        case Pick.LEAVE:
            return "Leave"


def count_words(line: Line) -> str:
    """What stands in the pill."""
    return "cut off" if line.interrupted else f"{line.missed.count:,}"


def plan(choices: Choices, workers: int) -> str:
    """What will start, and about how long it takes."""
    runs = choices.runs
    if not runs:
        return "Your choices start nothing; what was missed is counted in the history."
    if many := choices.many:
        each = "more than 50 times" if len(many) == 1 else "more than 50 times each"
        return f"{named(many)} would run {each}, so the button asks once more."
    seconds, unknown = choices.seconds(workers)
    words = f"Your choices start {counted(runs, 'run')}"
    if runs > 1:
        words += f", at most {workers} at a time"
    if not seconds or (unknown and seconds < _MINUTE):
        return f"{words}."
    takes = "and take" if runs > 1 else "which takes"
    if seconds < _MINUTE:
        return f"{words}, {takes} less than a minute."
    return f"{words}, {takes} {'at least' if unknown else 'about'} {about(seconds)}."


def about(seconds: float) -> str:
    """A duration of a minute or more without false exactness: "40 min", "1 h 20 min"."""
    if seconds < _HOUR:
        minutes = round(seconds / _MINUTE)
        return f"{minutes if minutes < 20 else 5 * round(minutes / 5)} min"
    return phrases.span(round(seconds / _MINUTE) * _MINUTE)


def others(followed: Mapping[str, CatchUp]) -> str:
    """What happened to tasks, by name, that have a rule of their own; empty where there are none."""
    if not followed:
        return ""
    rules = list(followed.values())
    every, latest, skipped = (rules.count(one) for one in (CatchUp.ALL, CatchUp.LATEST, CatchUp.SKIP))
    parts = [
        f"{every} {'runs' if every == 1 else 'run'} all that was missed" if every else "",
        f"{latest} ran {'its' if latest == 1 else 'their'} latest run" if latest else "",
        f"{skipped} {'was' if skipped == 1 else 'were'} skipped" if skipped else "",
    ]
    told = ", ".join(part for part in parts if part)
    one = len(rules) == 1
    return f"{counted(len(rules), 'other task')} {'follows its' if one else 'follow their'} own rule: {told}."


def others_listed(followed: Mapping[str, CatchUp]) -> str:
    """Each of them."""
    said = {
        CatchUp.ALL: "runs all that was missed",
        CatchUp.LATEST: "ran its latest run",
        CatchUp.SKIP: "was skipped",
    }
    return "\n".join(f"{name}: {said[rule]}" for name, rule in followed.items() if rule in said)


def sentence(line: Line, pick: Pick, *, remembered: bool, now: float, zone: ZoneInfo) -> str:
    """A row as a sentence, for those who hear the table."""
    name, choice = line.missed.task.name, pick_words(line, pick)
    if line.interrupted:
        return f"{name}, {below(line, now, zone)}. Choice: {choice}."
    first, last = span_of(line, now, zone)
    when = f"from {first} to {last}" if last else f"at {first}"
    kept = " Remembered for next time." if remembered else ""
    return f"{name} missed {counted(line.missed.count, 'run')}, {when}. Choice: {choice}.{kept}"


def run_button(choices: Choices, *, asked: bool) -> str:
    """The button that starts; `asked`: it was pressed once, and asks again."""
    runs = choices.runs
    if asked:
        return f"Yes, start {counted(runs, 'run')}"
    return f"Run selected ({counted(runs, 'run')})" if runs else "Skip as chosen"


def skip_button(choices: Choices) -> str:
    """The button that skips everything."""
    return "Skip it" if choices.total == 1 else f"Skip all {choices.total:,}"
