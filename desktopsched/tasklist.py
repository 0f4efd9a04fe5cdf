"""The list of tasks: the file it is in, its changes, and the dispatcher that follows it.

Whoever changes it changes the file first: a change that cannot be saved did not happen. Others write the file too; what
they wrote is taken in, task by task, and what both changed is refused in words.
"""

import importlib.resources
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence

from msgspec import structs

from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.memory import Memory
from desktopsched.model import (
    DesktopschedError,
    DuplicateTaskError,
    StorageError,
    Task,
    UnknownTaskError,
)
from desktopsched.model.change import Change, changed
from desktopsched.model.document import read_document
from desktopsched.model.problem import Problem
from desktopsched.storage.errors import ChangedOutsideError
from desktopsched.storage.taskfile import TaskFile

_PATIENCE = 5  # how often a change is made again because others wrote the file at the same moment


def example_tasks() -> tuple[Task, ...]:
    """The example list that comes with the program."""
    file = importlib.resources.files("desktopsched.resources") / "examples.json"
    return read_document(json.loads(file.read_bytes())).tasks


def _is_strange(task: Task, known: Mapping[str, Task]) -> bool:
    """Whether it would do something that the person has not seen here."""
    return task.id not in known or known[task.id].action != task.action


class TaskList:
    """One change at a time, from any thread but a window's: it waits for the disk."""

    def __init__(
        self,
        file: TaskFile,
        dispatcher: Dispatcher,
        *,
        tell: Callable[[str], object],
        take_back: Callable[[str], object],
        trusts: Callable[[], bool],
    ) -> None:
        """`file` has been read. `tell` hears what the person should know, `take_back` what of that holds no more.

        `trusts`: whether others' edits may run.
        """
        self._file, self._dispatcher, self._tell, self._trusts = file, dispatcher, tell, trusts
        self._take_back = take_back
        self._standing: list[str] = []  # what was told of the file and holds as long as that is so
        self._edits = threading.Lock()
        self._gone: dict[str, Memory] = {}  # of tasks that were removed: they may come back
        self._say_what_is_wrong()

    # --- what is on it -------------------------------------------------------------------------------------

    @property
    def tasks(self) -> Sequence[Task]:
        """The definitions, in the order of the file, without those that have mistakes. From any thread."""
        return self._file.document.tasks

    @property
    def stand_ins(self) -> Sequence[Task]:
        """In place of tasks that have mistakes: disabled."""
        return self._file.document.stand_ins

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong in the task file, as it was read last."""
        return self._file.document.problems

    def find(self, name: str) -> Task:
        """The task with this id, or else the only one with this name. UnknownTaskError."""
        tasks = [task for task, _ in self._dispatcher.tasks()]
        found = [task for task in tasks if task.id == name] or [task for task in tasks if task.name == name]
        if len(found) != 1:
            raise UnknownTaskError(name)
        return found[0]

    # --- what people change --------------------------------------------------------------------------------

    def apply(self, changes: Sequence[Change]) -> None:
        """Change the list and the file, all or nothing. Any DesktopschedError; then nothing was changed.

        A task that was removed in this life of the program and comes back goes on from where it was.
        """
        with self._edits:
            for _ in range(_PATIENCE):
                try:
                    self._apply(changes)
                except ChangedOutsideError:
                    self._take_in(changes)
                else:
                    return
            self._apply(changes)

    def add(self, *tasks: Task) -> None:
        """Put tasks on the list, all or none."""
        self.apply([Change(after=task) for task in tasks])

    def replace(self, task: Task) -> None:
        """Change a task."""
        self.apply([Change(before=self.find(task.id), after=task)])

    def remove(self, task_id: str) -> None:
        """Take a task off the list."""
        self.apply([Change(before=self.find(task_id))])

    def enable(self, task_id: str, *, enabled: bool) -> None:
        """Switch a task on or off."""
        self.replace(structs.replace(self.find(task_id), enabled=enabled))

    def load_examples(self) -> int:
        """Fill an empty list with the examples; how many. StorageError where there are tasks."""
        with self._edits:
            if self._file.document.entries or self._file.document.head:
                raise StorageError(f"{self._file.path} has tasks already. Nothing was changed.")
            self._file.save(example_tasks())
            self._follow()
            return len(self.tasks)

    def _apply(self, changes: Sequence[Change]) -> None:
        """Under `_edits`."""
        self._check(changes)
        tasks = changed(self.tasks, changes)
        self._dispatcher.check([*tasks, *self.stand_ins])
        gone = [change.before.id for change in changes if change.before and not change.after]
        self._file.save(tasks, drop=gone)
        self._follow()

    def _check(self, changes: Sequence[Change]) -> None:
        """Each task that is to change is there, each new one is not, and so for the parents of both."""
        known = {task.id for task, _ in self._dispatcher.tasks()}
        for change in changes:
            if change.before is None and change.after is not None and change.after.id in known:
                raise DuplicateTaskError(change.after.id)
            if change.before is not None and change.before.id not in known:
                raise UnknownTaskError(change.before.id)
        known |= {change.after.id for change in changes if change.after}
        for change in changes:
            old = {edge.task for edge in change.before.waits_for} if change.before else set()
            for edge in change.after.waits_for if change.after else ():
                if edge.task not in known | old:
                    raise UnknownTaskError(edge.task, wanted_by=change.after.id if change.after else "")

    def _follow(self) -> None:
        """Let the dispatcher have the list that the file has. Under `_edits`."""
        self._gone |= self._dispatcher.follow([*self.tasks, *self.stand_ins], memory=self._gone)

    # --- what others write ---------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read the task file again and follow what changed in it. StorageError; then the list is as it was."""
        with self._edits:
            self._load()
            self._follow()

    def follow_file(self) -> None:
        """Somebody else wrote the task file, perhaps: then the list becomes what the file says."""
        with self._edits:
            try:
                if not self._file.changed_outside():
                    return
                if not os.path.lexists(self._file.path):
                    self._file.may_write_anew()
                    self._stand_by(
                        f"{self._file.path} was removed. The list stays as it is, and its next change writes it anew."
                    )
                    return
                self._read_again()
                self._follow()
            except DesktopschedError as error:  # also where it is no file any more
                self._stand_by(f"The task file was changed, and the list stays as it was: {error}")

    def _take_in(self, changes: Sequence[Change]) -> None:
        """Read what somebody else wrote, just before `changes` are made. StorageError if it is about the same tasks."""
        before = {task.id: task for task in self.tasks}
        self._read_again()
        self._follow()
        after = {task.id: task for task in self.tasks}
        meant = [one for change in changes for one in (change.before, change.after) if one is not None]
        for task in meant:
            if before.get(task.id) != after.get(task.id):
                raise StorageError(
                    f"{task.name} was changed in {self._file.path} at the same time. Nothing was changed here: look at"
                    " it as it is now, and do it again."
                )

    def _read_again(self) -> None:
        """Under `_edits`: take what the file says now. What others put there is disabled, if it is not trusted."""
        before = {task.id: task for task in self.tasks}
        self._load()
        if self._trusts():
            return
        strange = [task for task in self.tasks if task.enabled and _is_strange(task, before)]
        if strange:
            for task in strange:
                self._save_with(structs.replace(task, enabled=False))
            names = ", ".join(task.name for task in strange)
            self._tell(
                f"Another program put this into the task file, so it is disabled until you look at it: {names}"
            )

    def _load(self) -> None:
        self._file.load(mend=False)
        self._say_what_is_wrong()

    def _say_what_is_wrong(self) -> None:
        for notice in self._file.notices:
            self._tell(notice)
        self._stand_by(*(f"{self._file.path}: {problem}" for problem in self.problems))

    def _stand_by(self, *said: str) -> None:
        """Tell this of the file as it is now; what was told of it as it was holds no more."""
        for words in self._standing:
            self._take_back(words)
        self._standing = list(said)
        for words in said:
            self._tell(words)

    # --- what a task does to itself ------------------------------------------------------------------------

    def keep_disabled(self, task: Task) -> None:
        """A task disabled itself, as it was told to do: in the file too."""
        try:
            with self._edits:
                try:
                    self._save_disabled(task)
                except ChangedOutsideError:
                    self._read_again()
                    self._save_disabled(task)
                    self._follow()
        except DesktopschedError as error:
            self._tell(f"{task.name} is disabled, but that could not be saved: {error}")

    def _save_disabled(self, task: Task) -> None:
        """Under `_edits`. What others made of the task meanwhile is kept."""
        kept = next((one for one in self.tasks if one.id == task.id), None)
        if kept is not None:
            self._save_with(structs.replace(kept, enabled=False))

    def _save_with(self, task: Task) -> None:
        """Under `_edits`."""
        tasks = {one.id: one for one in self.tasks} | {task.id: task}
        self._file.save(list(tasks.values()))
