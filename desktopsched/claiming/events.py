"""What a shared list makes happen here, beside what the engine tells of it. Instants as everywhere in events."""

from desktopsched.engine.events import Event
from desktopsched.model import Outcome, Run


class ClaimSettled(Event, frozen=True, kw_only=True, gc=False):
    """The store has the outcome of this run, or will not take it: nothing of its claim need be remembered any more."""

    run_id: int


class FinishRefused(Event, frozen=True, kw_only=True, gc=False):
    """A run ended here, and the store does not take its outcome: the start was given up, or is another computer's."""

    run: Run
    outcome: Outcome
    why: str

    @property
    def words(self) -> str:
        """For people."""
        run = self.run
        return (
            f"Run {run.id} of {run.task_id!r} ended here, but does not count on the shared list: {self.why}."
        )


class HoldLost(Event, frozen=True, kw_only=True, gc=False):
    """A run goes on here whose claim is not this computer's any more."""

    run: Run
    why: str

    @property
    def words(self) -> str:
        """For people."""
        run = self.run
        return (
            f"Run {run.id} of {run.task_id!r} goes on here, but the shared list has given it up: {self.why}."
        )


class HandedOver(Event, frozen=True, kw_only=True, gc=False):
    """This computer claims nothing more, until `TakenBack`; what it performs goes on."""


class TakenBack(Event, frozen=True, kw_only=True, gc=False):
    """It claims starts again."""
