"""A form for the window: what it shows of the list, and how it follows it. UI thread.

The form itself is loaded when the first one is wanted: the window is painted sooner.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from PySide6.QtWidgets import QWidget

from desktopsched.model import Task
from desktopsched.ui.look import Look
from desktopsched.ui.session import Session
from desktopsched.ui.task_model import TaskModel

if TYPE_CHECKING:
    from desktopsched.ui.form.form import TaskForm


class NewForm:
    """Makes one for a task or for a draft; None: for nothing yet."""

    def __init__(
        self,
        session: Session,
        look: Look,
        model: TaskModel,
        window: QWidget,
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
    ) -> None:
        self._session, self._look, self._model, self._window = session, look, model, window
        self._now, self._zone = now, zone

    def __call__(self, task: Task | None) -> "TaskForm":
        """It is not shown yet, and made piece by piece."""
        from desktopsched.ui.form.following import Following
        from desktopsched.ui.form.form import TaskForm
        from desktopsched.ui.form.page import Around

        session = self._session
        form = TaskForm(
            self._look,
            session.tasks,
            task,
            self._now,
            self._zone,
            bench=session.bench,
            background=session.background,
            around=Around(
                state_of=self._model.rows.state_of,
                hues=self._model.hues(),
                shared=session.shares,
                cluster=bool(session.program.preferences.dask_address),
            ),
            parent=self._window,
        )
        Following(form, lambda: session.tasks, session.bridge.arrived)
        return form
