"""Acts: what a person wants the selected tasks to do, asked about where it is much, and handed to the commands.

UI thread. What changes the list is `editing`'s.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from desktopsched.model import Command, State
from desktopsched.ui import plain
from desktopsched.ui.arguments import ArgumentsDialog
from desktopsched.ui.following import following
from desktopsched.ui.look import Look
from desktopsched.ui.row import Row
from desktopsched.ui.rows import Rows
from desktopsched.ui.session import Session
from desktopsched.ui.summary import counted, named
from desktopsched.ui.wishes import Item, Wish, run_items

UNASKED = 3
"""So many tasks after the first are started without asking."""


class Acts(QObject):
    """`chosen` are the ids of the selected tasks."""

    def __init__(
        self,
        session: Session,
        rows: Callable[[], Rows],
        chosen: Callable[[], Sequence[str]],
        look: Look,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._rows, self._chosen = session, rows, chosen
        self._look, self._window = look, window
        self.question: QMessageBox | None = None
        self._several: dict[Wish, Callable[[Sequence[str]], None]] = {
            Wish.RUN: session.commands.run_now,
            Wish.RUN_AFTER: self._run_after,
            Wish.RETRY: self._retry,
            Wish.ARGUMENTS: self._ask_arguments,
            Wish.STOP: self._stop,
        }

    def carry_out(self, wish: Wish, tasks: Sequence[str] | None = None) -> bool:
        """What was asked for with these tasks, or with those that are selected. Whether it is one of these acts."""
        act = self._several.get(wish)
        if act is None:
            return False
        if tasks := self._chosen() if tasks is None else tasks:
            act(tasks)
        return True

    def toggle_pause(self) -> None:
        """Pause everything, or resume."""
        self._session.commands.pause(paused=not self._session.paused)

    def run_items(self) -> list[Item]:
        """The menu of Run now, for what is selected."""
        chosen = self._found(self._chosen())
        return run_items(chosen, len(self._following([row.task.id for row in chosen])))

    # --- running -------------------------------------------------------------------------------------------

    def _run_after(self, tasks: Sequence[str]) -> None:
        after = self._following(tasks)
        if len(after) > UNASKED:
            self._ask(tasks, after)
        else:
            self._session.commands.run_now(tasks, downstream=True)

    def _following(self, tasks: Sequence[str]) -> list[str]:
        return following(tasks, self._rows().all())

    def _ask(self, tasks: Sequence[str], after: Sequence[str]) -> None:
        if self.question is not None:
            return
        name = self._rows().name_of
        box = self.question = plain.box(
            self._window,
            QMessageBox.Icon.Question,
            f"Run {named([name(one) for one in tasks])}, and then everything after it?",
            f"{counted(len(after), 'task')} would follow: {named([name(one) for one in after])}.",
            "\n".join(name(one) for one in after),
        )
        run = box.addButton(f"Run {len(tasks) + len(after):,} tasks", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(run)
        run.clicked.connect(lambda: self._session.commands.run_now(tasks, downstream=True))
        box.finished.connect(self._answered)
        box.open()

    def _answered(self) -> None:
        self.question = None

    def _retry(self, tasks: Sequence[str]) -> None:
        failed = [row.task.id for row in self._found(tasks) if row.state is State.FAILED]
        self._session.commands.run_now(failed)

    def _ask_arguments(self, tasks: Sequence[str]) -> None:
        row = self._rows().get(tasks[0])
        if row is None or not isinstance(row.task.action, Command):
            return
        task_id = row.task.id
        dialog = ArgumentsDialog(self._look, row.task.name, row.task.action, self._window)
        dialog.wanted.connect(lambda command: self._session.commands.run_instead(task_id, command))
        dialog.open()

    def _stop(self, tasks: Sequence[str]) -> None:
        self._session.commands.stop([row.task.id for row in self._found(tasks) if row.can_stop])

    def _found(self, tasks: Sequence[str]) -> list[Row]:
        rows = self._rows()
        return [row for task_id in tasks if (row := rows.get(task_id)) is not None]
