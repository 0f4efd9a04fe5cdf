"""Adopting: what went on, or ended, while the program was away is found and taken over at the next launch. Free of Qt.

A run whose supervisor lives is followed; one that ended is read; of anything else, what is left is stopped. It ties the
engine's memory, the folders of the runs and the supervisors together, which do not know each other.
"""

import logging
from collections.abc import Iterable, Mapping

from desktopsched.actions.lost import stop_remains
from desktopsched.actions.runfolder import has_result, read_about, read_ending
from desktopsched.actions.supervised import UnderWay, dismiss, find_under_way, outcome_of_supervised
from desktopsched.engine import words
from desktopsched.engine.fates import Ended, Fate, Lost, StillRunning
from desktopsched.engine.memory import Memory
from desktopsched.model import Outcome, Run
from desktopsched.storage.runfolders import Key, RunFolders, remove

_log = logging.getLogger(__name__)

_GRACE = 2.0
"""Seconds: who lost its supervisor has lost its output too, and the program's start waits for this."""


class Adoption:
    """What was found at launch. `take` gives a living run to whoever follows it; once."""

    def __init__(self, folders: RunFolders) -> None:
        self.notices: list[str] = []
        self._folders = folders
        self._under_way: dict[Key, UnderWay] = {}
        for key, path in folders.all():
            found = find_under_way(path)
            if found is not None:
                self._under_way[key] = found

    @property
    def living(self) -> set[int]:
        """The numbers of the runs that go on."""
        return {run_id for run_id, _ in self._under_way}

    def fates(self, memories: Iterable[Memory]) -> dict[int, Fate]:
        """What became of the runs that were under way, as far as it is known."""
        cut = [run for memory in memories for run in memory.live if run.id not in memory.retry_at]
        found = {run.id: self._fate(run) for run in cut}
        return {run_id: fate for run_id, fate in found.items() if fate is not None}

    def end_of(self, run: Run) -> tuple[Outcome, float] | None:
        """How a run ended that no task knows of, and when. None: it goes on, or was cut off and swept away."""
        fate = self._fate(run)
        return (fate.outcome, fate.at) if isinstance(fate, Ended) else None

    def take(self, run: Run) -> UnderWay | None:
        """The supervisor of this attempt, if it began under an earlier program."""
        return self._under_way.pop((run.id, run.attempt), None)

    def strays(self, known: Mapping[int, Fate]) -> list[UnderWay]:
        """Living runs that belong to no task of the list any more, to be stopped.

        Folders of none are removed, and so are tests that a program left that died.
        """
        strays = [self._under_way.pop(key) for key in list(self._under_way) if key[0] not in known]
        spared = {(stray.about.run_id, stray.about.attempt) for stray in strays} | self._under_way.keys()
        for key, path in self._folders.all():
            if key not in spared and key[0] not in known:
                dismiss(path)
                self._folders.remove(*key)
        for path in self._folders.tests():
            dismiss(path)
            stop_remains(path, _GRACE)
            remove(path)
        return strays

    def _fate(self, run: Run) -> Fate | None:
        key = (run.id, run.attempt)
        if key in self._under_way:
            return StillRunning(self._under_way[key].about.started)
        folder = self._folders.path(*key)
        ending, about = read_ending(folder), read_about(folder)
        if ending is not None and about is not None:
            return (
                Lost(words.INTERRUPTED)
                if ending.left
                else Ended(outcome_of_supervised(ending, about), ending.at)
            )
        unreadable = has_result(folder)
        self._sweep(run)
        return Lost(words.UNREADABLE) if unreadable else None

    def _sweep(self, run: Run) -> None:
        """The supervisor died: what it ran has no owner, nobody reads its output, and nobody would stop it."""
        count = stop_remains(self._folders.path(run.id, run.attempt), _GRACE)
        if count:
            _log.info("remains stopped", extra={"action": "run.remains", "run": run.id, "count": count})
            self.notices.append(
                f"Run {run.id} of {run.task_id!r} had lost its supervisor. What was left of it was stopped:"
                f" {count} {'process' if count == 1 else 'processes'}."
            )
