"""Which banners there are: from what the window knows to what it says of it. No widgets here."""

from collections.abc import Callable, Sequence

from desktopsched.model import CatchUp, State
from desktopsched.ui.banner import Answer, Notice
from desktopsched.ui.summary import Summary, counted, named


def paused(summary: Summary, until: str, resume: Callable[[], object]) -> Notice:
    """Nothing new starts; `until`: the time at which all goes on by itself, empty for none."""
    goes_on = f"{counted(summary.running, 'run')} {'goes' if summary.running == 1 else 'go'} on; nothing new starts."
    return Notice(
        icon="pause",
        tone=State.READY,
        headline=f"All tasks are paused until {until}." if until else "All tasks are paused.",
        more=goes_on if summary.running else "Nothing new starts.",
        answers=(Answer("Resume all", resume),),
    )


def missed(summary: Summary, show: Callable[[], object], decide: Callable[[CatchUp], object]) -> Notice:
    """Runs were missed or interrupted, and their tasks ask. One answer for all is beside the window for each."""
    answers = [Answer("Decide…", show)]
    if summary.missed and not summary.interrupted:
        one = summary.missed == 1
        answers.append(
            Answer("Skip it" if one else f"Skip all {summary.missed:,}", lambda: decide(CatchUp.SKIP))
        )
    return Notice(
        icon="catch-up",
        tone=State.SKIPPED,
        headline=f"{_missed(summary)}.",
        more=f"{named(summary.missing)}. Nothing is lost until you decide.",
        answers=tuple(answers),
    )


def _missed(summary: Summary) -> str:
    """As "3 runs were missed, 1 was interrupted"."""
    parts = []
    if summary.missed:
        parts.append(f"{counted(summary.missed, 'run')} {_were(summary.missed)} missed")
    if summary.interrupted:
        count = f"{summary.interrupted:,}" if parts else counted(summary.interrupted, "run")
        parts.append(f"{count} {_were(summary.interrupted)} interrupted")
    return ", ".join(parts)


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def problems(found: Sequence[str], details: Callable[[], object], dismiss: Callable[[], object]) -> Notice:
    """Something about the files."""
    first, others = found[0], len(found) - 1
    return Notice(
        icon="warning",
        tone=State.FAILED,
        headline=f"There {'are' if others else 'is'} {counted(len(found), 'thing')} to look at.",
        more=first if not others else f"{first} (and {others} more)",
        answers=(Answer("Show details", details), Answer("Dismiss", dismiss)),
    )


def failed(words: str, dismiss: Callable[[], object]) -> Notice:
    """Something that was asked for could not be done."""
    return Notice(
        icon="warning",
        tone=State.FAILED,
        headline="That could not be done.",
        more=words,
        answers=(Answer("Dismiss", dismiss),),
    )


def removed(edit: str, tasks: int, undo: Callable[[], object]) -> Notice:
    """So many tasks were taken off the list; `edit`: "remove Photo sync"."""
    return Notice(
        icon="info",
        tone=State.PENDING,
        headline=f"Removed {edit.removeprefix('remove ')}.",
        more=f"{'Its' if tasks == 1 else 'Their'} history and logs are kept.",
        answers=(Answer("Undo", undo),),
    )


def closing(running: int) -> Notice:
    """The program waits for so many runs to end."""
    runs = f"{counted(running, 'run')} must end first, which may take some seconds." if running else ""
    return Notice(icon="stop", tone=State.RUNNING, headline="Desktopsched is closing.", more=runs)


def doubted(when: str, trust: Callable[[], object]) -> Notice:
    """The clock is long before the last sign of life; `when` that was."""
    return Notice(
        icon="clock",
        tone=State.READY,
        headline="The computer's clock seems to be wrong.",
        more=f"It is before {when}, when Desktopsched was last open. What repeats waits until it is right.",
        answers=(Answer("The clock is right", trust),),
    )


def out_of_reach(since: str, why: str) -> Notice:
    """The shared list does not answer, since a clock time. The first sentence of `why` is what is wrong."""
    wrong, _, said = why.partition(". ")
    return Notice(
        icon="globe",
        tone=State.FAILED,
        headline=f"The shared list is out of reach since {since}.",
        more=f"{wrong.rstrip('.')}. Nothing new starts here until it answers; what runs goes on. {said}".rstrip(),
    )


def handed_over(take_back: Callable[[], object]) -> Notice:
    """All further starts are the other computers'."""
    return Notice(
        icon="globe",
        tone=State.READY,
        headline="This computer has handed over to the others.",
        more="It starts nothing by itself; what runs goes on.",
        answers=(Answer("Take back", take_back),),
    )


def clocks_differ(words: str) -> Notice:
    """The computer's clock is far from the shared list's; the first sentence says how far."""
    headline, _, more = words.partition(". ")
    return Notice(icon="clock", tone=State.READY, headline=f"{headline}.", more=more)


def another_list() -> Notice:
    """The preferences name another shared list than the one that is used."""
    return Notice(
        icon="info",
        tone=State.PENDING,
        headline="The shared list has been changed.",
        more="The change counts when Desktopsched is started again.",
    )


def trouble(words: str) -> Notice:
    """The history cannot be written."""
    return Notice(
        icon="warning",
        tone=State.FAILED,
        headline="The history cannot be written, so no task starts.",
        more=words,
    )
