"""Following: an open form hears what happens to the list. UI thread."""

from collections.abc import Callable, Sequence

from msgspec import structs
from PySide6.QtCore import QObject, SignalInstance

from desktopsched.engine.events import Event, RunOutput, TaskAdded, TaskDisabled, TaskEdited, TaskRemoved
from desktopsched.model import Task
from desktopsched.ui.form.form import TaskForm

_OF_THE_LIST = (TaskAdded, TaskEdited, TaskRemoved, TaskDisabled)


class Following(QObject):
    """Lives as long as its form."""

    def __init__(self, form: TaskForm, tasks: Callable[[], Sequence[Task]], arrived: SignalInstance) -> None:
        """`tasks`: those that have no mistakes; `arrived`: batches of events."""
        super().__init__(form)
        self._form, self._tasks = form, tasks
        self._disabled: set[str] = set()  # by themselves; the file may say so a little later
        arrived.connect(self._hear)

    def _hear(self, events: Sequence[Event]) -> None:
        of_list = [event for event in events if isinstance(event, _OF_THE_LIST)]
        for event in of_list:
            if isinstance(event, TaskDisabled):
                self._disabled.add(event.task.id)
            elif isinstance(event, TaskAdded | TaskEdited):
                self._disabled.discard(event.task.id)
        if of_list:
            self._form.follow([self._as_it_is(task) for task in self._tasks()])
        elif any(not isinstance(event, RunOutput) for event in events):
            self._form.page.parents.show_states()

    def _as_it_is(self, task: Task) -> Task:
        return structs.replace(task, enabled=False) if task.id in self._disabled else task
