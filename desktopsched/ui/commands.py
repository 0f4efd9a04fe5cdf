"""Commands: what the person asks for, handed to the program on the background thread. UI thread.

None of them waits; what comes of it is told by the engine's events, and what went wrong by `failed`.
"""

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs
from PySide6.QtCore import QObject, Signal

from desktopsched.model import CatchUp, Command, UnknownTaskError
from desktopsched.model.change import Change
from desktopsched.ui.background import Background, words_of
from desktopsched.ui.deed import Deed

if TYPE_CHECKING:
    from desktopsched.ledger import Answer as Why
    from desktopsched.program import Program

_T = TypeVar("_T")
Answer = tuple[str, CatchUp, bool, bool]


class Commands(QObject):
    """Wishes for one open program."""

    failed = Signal(str, object)
    """What could not be done, in words for the person; and the `Deed` that it was."""

    done = Signal(object)
    """A `Deed` was done."""

    def __init__(
        self,
        program: Callable[[], "Program"],
        background: Background,
        patient: Background,
        parent: QObject | None = None,
    ) -> None:
        """`patient` does what may ask another computer: one that does not answer holds up nothing else."""
        super().__init__(parent)
        self._program, self._background, self._patient = program, background, patient

    def run_now(self, tasks: Sequence[str], *, downstream: bool = False) -> None:
        """Start these tasks by hand; with `downstream` all that waits for them too, as their schedules would."""
        run = partial(self._program().dispatcher.run_now, downstream=downstream)
        self._do(Deed.RUN, lambda: self._each(run, tasks))

    def run_instead(self, task_id: str, command: Command) -> None:
        """Start a task by hand, but with this command: once."""
        self._do(Deed.RUN, lambda: self._program().dispatcher.run_now(task_id, instead=command))

    def stop(self, tasks: Sequence[str]) -> None:
        """End the runs of these tasks that are under way."""
        self._do(Deed.STOP, lambda: self._each(self._program().dispatcher.cancel, tasks))

    def pause(self, *, paused: bool) -> None:
        """Let nothing new start; or let tasks start again."""
        dispatcher = self._program().dispatcher
        self._do(Deed.PAUSE, dispatcher.pause if paused else dispatcher.resume)

    def why(self, task_id: str, told: Callable[["Why"], object]) -> None:
        """Find out what became of the last start that a task was due for; then `told`, on the UI thread."""
        place = self._background if self._program().membership is None else self._patient
        self._do(Deed.WHY, lambda: self._program().why(task_id), place, told)

    def give_way(self, *, others: bool) -> None:
        """Leave all further starts to the other computers that share the list; or take them back."""
        self._do(Deed.GIVE_WAY, lambda: self._program().give_way(others), self._patient)

    def trust_clock(self) -> None:
        """Believe the computer's clock, though it is long before the last run."""
        self._do(Deed.TRUST_CLOCK, self._program().dispatcher.trust_clock)

    def decide(self, choice: CatchUp) -> None:
        """One answer for all missed runs that wait for one."""
        self._do(Deed.ANSWER, lambda: self._program().decide_all(choice))

    def answer(self, decisions: Sequence[Answer]) -> None:
        """An answer for each task with missed or interrupted runs: (task_id, choice, rerun, remember)."""
        self._do(Deed.ANSWER, lambda: self._answer(decisions))

    def _answer(self, decisions: Sequence[Answer]) -> None:
        program, kept = self._program(), []
        for task_id, choice, rerun, remember in decisions:
            with contextlib.suppress(UnknownTaskError):  # removed meanwhile: there is nothing to decide
                program.dispatcher.decide(task_id, choice, rerun=rerun)
                if remember:
                    task = program.task_list.find(task_id)
                    kept.append(Change(before=task, after=structs.replace(task, catch_up=choice)))
        if kept:  # in one step: with each save of the file the oldest of its copies goes
            program.task_list.apply(kept)

    @staticmethod
    def _each(act: Callable[[str], object], tasks: Sequence[str]) -> None:
        for task_id in tasks:
            act(task_id)

    def _do(
        self,
        deed: Deed,
        work: Callable[[], _T],
        place: Background | None = None,
        told: Callable[[_T], object] = lambda _: None,
    ) -> None:
        """Work in the background, or in another place; then `told` of what came of it, on the UI thread."""

        def tell(found: _T) -> None:
            self.done.emit(deed)
            told(found)

        (place or self._background).do(work, tell, partial(self._say, deed))

    def _say(self, deed: Deed, error: Exception) -> None:
        self.failed.emit(words_of(error), deed)
