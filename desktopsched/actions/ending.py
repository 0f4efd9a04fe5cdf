"""How a process ended, in plain words. Pure: no processes, no clock."""

import re
import signal
from collections.abc import Collection

from desktopsched.model import Outcome, State, format_duration
from desktopsched.supervisor.ending import Ending

# What shells say by these codes; people meet them as bare numbers otherwise (R10).
_WORDS = {126: "exit code 126: a command is not executable", 127: "exit code 127: a command was not found"}
_UNITS = {"d": " d ", "h": " h ", "m": " min ", "s": " s "}


def outcome_of_ending(
    ending: Ending, *, success_codes: Collection[int], timeout: float | None, grace: float
) -> Outcome:
    """What came of a process that was started. Spans are seconds."""
    if ending.timed_out:
        outcome = Outcome(State.FAILED, f"timed out after {duration_in_words(timeout or 0.0)}")
    elif ending.stopped is not None:
        outcome = Outcome(State.CANCELLED, ending.stopped)
    else:
        outcome = outcome_of(ending.code or 0, success_codes)
    return with_note(with_note(outcome, descent_in_words(ending, grace)), ending.note)


def descent_in_words(ending: Ending, grace: float) -> str:
    """What people should know of how it was brought down; nothing if all ended when they were asked."""
    if ending.survivors:
        return "; ".join(f"process {pid} will not die" for pid in ending.survivors)
    return f"killed after {grace:g} s" if ending.killed else ""


def outcome_of(returncode: int, success_codes: Collection[int]) -> Outcome:
    """The outcome of a process that ended by itself.

    `returncode` is as `subprocess` gives it: negative for a signal. What a signal ended has no exit code.
    """
    if returncode < 0:
        return Outcome(State.FAILED, signal_in_words(-returncode))
    if returncode in success_codes:
        return Outcome(State.SUCCEEDED, exit_code=returncode)
    return Outcome(State.FAILED, _WORDS.get(returncode, f"exit code {returncode}"), returncode)


def signal_in_words(number: int) -> str:
    """`signal 9 (SIGKILL)`; a real-time signal has no name."""
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def duration_in_words(seconds: float) -> str:
    """`30 min`, `1 h 30 min`, `0.5 s`."""
    return re.sub(r"[dhms]", lambda unit: _UNITS[unit[0]], format_duration(seconds)).strip()


def with_note(outcome: Outcome, note: str) -> Outcome:
    """The same outcome, with something more to say about it."""
    if not note:
        return outcome
    return Outcome(outcome.state, f"{outcome.reason}; {note}" if outcome.reason else note, outcome.exit_code)
