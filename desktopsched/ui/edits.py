"""Edits: every change of the list that a person makes, and the way back. UI thread; the work is done in the background.

An edit is one step of Undo, however many tasks it changes. It is on the stack once it has happened; one that was
refused leaves no trace but its reason.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from desktopsched.model import Task
from desktopsched.model.change import Change
from desktopsched.ui.background import Background, words_of

MOST = 200
"""Steps that can be taken back; each holds the tasks that it changed, and nothing else."""


class Edit(Struct, frozen=True):
    """One step: what it did, in words that follow "Undo", and the changes."""

    words: str  # "remove Photo sync"
    changes: tuple[Change, ...]

    def reversed(self) -> tuple[Change, ...]:
        """The changes that take this step back, the last one first."""
        return tuple(change.undone(change.place) for change in reversed(self.changes))


class Edits(QObject):
    """The steps that were done, and those that were taken back."""

    changed = Signal()
    """Another step would be undone or redone now."""

    happened = Signal(object)
    """An `Edit` was done for the first time."""

    came = Signal(tuple)
    """Tasks that want to be seen: the first that an edit put on the list; all that the way back, or on, has changed."""

    walked = Signal(str, str)
    """A step was taken back, or done again: "Undone", and what it did."""

    failed = Signal(str)
    """Why an edit, or the way back, was refused."""

    def __init__(
        self,
        apply: Callable[[Sequence[Change]], None],
        background: Background,
        parent: QObject | None = None,
    ) -> None:
        """`apply` changes list and file, all or nothing, and may wait for the disk."""
        super().__init__(parent)
        self._apply, self._background = apply, background
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._busy = False

    @property
    def undo_words(self) -> str:
        """What Undo would take back; empty: nothing."""
        return self._done[-1].words if self._done else ""

    @property
    def redo_words(self) -> str:
        """What Redo would do again; empty: nothing."""
        return self._undone[-1].words if self._undone else ""

    def do(
        self,
        words: str,
        changes: Sequence[Change],
        done: Callable[[], object] = lambda: None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Change the list; then `done`. `failed` says why not, in place of the signal."""
        edit = Edit(words, tuple(changes))

        def keep(_: None) -> None:
            done()
            self._keep(edit)

        if changes:
            self._background.do(lambda: self._apply(edit.changes), keep, failed or self._say)

    def add(self, task: Task) -> None:
        """Put a new task on the list."""
        self.do(f"add {task.name}", [Change(after=task)])

    def replace(self, before: Task, after: Task, words: str = "") -> None:
        """Change a task; not if nothing is different."""
        if before != after:
            self.do(words or f"edit {after.name}", [Change(before=before, after=after)])

    def remove(self, tasks: Sequence[tuple[int, Task]], children: Sequence[Change] = ()) -> None:
        """Take tasks off the list, each with its place there, so that it can come back to it.

        `children`: how those change that waited for them.
        """
        what = tasks[0][1].name if len(tasks) == 1 else f"{len(tasks)} tasks"
        last_first = sorted(tasks, key=_place, reverse=True)  # so that, on the way back, each finds its place
        gone = [Change(before=task, place=place) for place, task in last_first]
        self.do(f"remove {what}", [*children, *gone])

    def undo(self) -> None:
        """Take the last step back."""
        self._walk("Undone", self._done, self._undone, Edit.reversed)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._walk("Done again", self._undone, self._done, lambda edit: edit.changes)

    def _walk(
        self,
        said: str,
        source: list[Edit],
        target: list[Edit],
        changes: Callable[[Edit], Sequence[Change]],
    ) -> None:
        if not source or self._busy:
            return
        self._busy = True  # a second press before the first has happened is not a second step
        step = changes(source[-1])
        self._background.do(
            lambda: self._apply(step), lambda _: self._moved(said, source, target, step), self._stay
        )

    def _moved(self, said: str, source: list[Edit], target: list[Edit], step: Sequence[Change]) -> None:
        self._busy = False
        target.append(source.pop())
        self.changed.emit()
        self.walked.emit(said, target[-1].words)
        self._name(step)

    def _keep(self, edit: Edit) -> None:
        self._done.append(edit)
        del self._done[:-MOST]
        self._undone.clear()
        self.changed.emit()
        self.happened.emit(edit)
        self._name([change for change in edit.changes if change.before is None][:1])

    def _name(self, changes: Sequence[Change]) -> None:
        """Of tasks that came, in the order of the list; else of those that changed."""
        came = sorted((change for change in changes if change.before is None), key=_place_of)
        if found := [change.after.id for change in came or changes if change.after is not None]:
            self.came.emit(tuple(found))

    def _stay(self, error: Exception) -> None:
        self._busy = False
        self._say(error)

    def _say(self, error: Exception) -> None:
        self.failed.emit(words_of(error))


def _place_of(change: Change) -> int:
    return change.place


def _place(pair: tuple[int, Task]) -> int:
    return pair[0]
