"""What the tool bar offers at a moment, and why not what it does not. Pure, no Qt."""

from collections.abc import Sequence

from msgspec import Struct

from desktopsched.ui.row import Row, only_there


class Offer(Struct, frozen=True):
    """A button: enabled, or off for a reason that its tool tip says."""

    tip: str
    enabled: bool = True


class Offers(Struct, frozen=True, kw_only=True):
    """All buttons. `paused` says whether the last one resumes."""

    new: Offer
    edit: Offer
    run: Offer
    stop: Offer
    pause: Offer
    paused: bool = False


_OPENING = Offer("The task list is being opened", enabled=False)
_CLOSING = Offer("Desktopsched is closing", enabled=False)

OPENING = Offers(new=_OPENING, edit=_OPENING, run=_OPENING, stop=_OPENING, pause=_OPENING)
CLOSING = Offers(new=_CLOSING, edit=_CLOSING, run=_CLOSING, stop=_CLOSING, pause=_CLOSING)
_NEW = Offer("Make a new task (Ctrl+N)")


def offers(chosen: Sequence[Row], *, tasks: int, paused: bool) -> Offers:
    """For the selected rows of a list of so many tasks."""
    return Offers(
        new=_NEW,
        edit=_edit(chosen),
        run=_run(chosen),
        stop=_stop(chosen),
        pause=_pause(tasks, paused=paused),
        paused=paused,
    )


def _edit(chosen: Sequence[Row]) -> Offer:
    if len(chosen) != 1:
        return Offer("Choose one task to edit it", enabled=False)
    return Offer(f"Edit {_named(chosen)} (Ctrl+E)")


def _run(chosen: Sequence[Row]) -> Offer:
    if not chosen:
        return Offer("Choose a task to run it", enabled=False)
    return Offer(f"Run {_named(chosen)} now (F5)")


def _stop(chosen: Sequence[Row]) -> Offer:
    busy = [row for row in chosen if row.can_stop]
    if not busy:
        elsewhere = dict.fromkeys(row.owners for row in chosen if row.owners)
        why = only_there(", ".join(elsewhere)) if elsewhere else "Choose a running task to stop it"
        return Offer(why, enabled=False)
    return Offer(f"Stop {_named(busy)} (Shift+Esc)")


def _pause(tasks: int, *, paused: bool) -> Offer:
    if paused:
        return Offer("Let tasks start again (Ctrl+P)")
    if not tasks:
        return Offer("There are no tasks to pause", enabled=False)
    return Offer("Start nothing new until you resume; what runs goes on (Ctrl+P)")


def _named(rows: Sequence[Row]) -> str:
    return rows[0].task.name if len(rows) == 1 else f"{len(rows)} tasks"
