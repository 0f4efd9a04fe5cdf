"""Clearing: the folder of an attempt goes once the history has what came of it. Free of Qt.

Not before: a program that dies in between finds in the folder how the attempt ended.
"""

from collections import deque
from collections.abc import Callable

from desktopsched.model import Run, StorageError
from desktopsched.storage.history import History
from desktopsched.storage.runfolders import Key, RunFolders


class Clearing:
    """`ended` and `remembered` are called in the order of the events; `aside` hands work to a thread, if it can."""

    def __init__(
        self, folders: RunFolders, history: History, aside: Callable[[Callable[[], None]], None]
    ) -> None:
        self._folders = folders
        self._history = history
        self._aside = aside
        self._told: list[Key] = []  # in a change that the history has not got whole
        self._ended: deque[Key] = deque()
        self._handed_off = False  # one call clears all that ended until it begins

    def ended(self, run: Run) -> None:
        """This attempt is over."""
        self._told.append((run.id, run.attempt))

    def remembered(self) -> None:
        """The change is at its end: the history was told all of it, and not before."""
        self._ended += self._told
        self._told.clear()
        if self._ended and not self._handed_off:
            self._handed_off = True
            self._aside(self._clear)

    def finish(self) -> None:
        """Clear what is left. The history is closed: it has everything."""
        while self._ended:
            self._folders.remove(*self._ended.popleft())

    def _clear(self) -> None:
        self._handed_off = False
        ended = [self._ended.popleft() for _ in range(len(self._ended))]
        try:
            self._history.flush()
        except StorageError:  # it says so itself; the next launch finds the folders
            return
        for key in ended:
            self._folders.remove(*key)
