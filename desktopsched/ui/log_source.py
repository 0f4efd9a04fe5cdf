"""What the log shows: all that happens, one task, or one past run. Values, no Qt."""

from collections.abc import Sequence

from msgspec import Struct

from desktopsched.engine import words
from desktopsched.model import State
from desktopsched.ui.row import Row
from desktopsched.ui.rows import Rows
from desktopsched.ui.transcript import Entry

_MOST = 12  # tasks, and past runs, that are offered


class Source(Struct, frozen=True, kw_only=True):
    """Without a task: everything."""

    task_id: str = ""
    run: int = 0  # a past run, read from its log
    name: str = ""
    computer: str = ""  # another one, that performed it and has its output

    @property
    def words(self) -> str:
        """What the picker says."""
        if self.run:
            return f"{self.name}, run {self.run}"
        return self.name or "All running tasks"

    def shows(self, entry: Entry) -> bool:
        """Whether a line that just came belongs to it."""
        return not self.run and (not self.task_id or entry.task_id == self.task_id)

    def nothing(self, *, goes_on: bool, is_read: bool) -> str:
        """What is said where it has no line. `goes_on`: its run is not finished; `is_read`: its log was looked at."""
        if not self.task_id:
            return "Nothing has been printed yet. Output of running tasks appears here."
        if not self.run:
            return (
                f"{self.name} has printed nothing since Desktopsched was opened."
                " Its output appears here when it runs."
            )
        if self.computer:
            return f"Run {self.run} of {self.name} ran on {self.computer}. Its output is there."
        if not is_read:
            return ""
        if goes_on:
            return f"Run {self.run} of {self.name} has printed nothing so far."
        return f"Run {self.run} of {self.name} printed nothing, or its output is no longer kept."


ALL = Source()


def past_source(row: Row, run: int) -> Source:
    """A past run of a task."""
    reason = next((bar.reason for bar in row.bars if bar.run == run), "")
    return Source(task_id=row.task.id, run=run, name=row.task.name, computer=words.computer_of(reason))


def last_run(row: Row) -> int:
    """The newest run of a task that began, so that it has a log; 0: there is none."""
    return next((bar.run for bar in row.bars if bar.run > 0 and bar.state is not State.SKIPPED), 0)


def sources(rows: Rows, chosen: Sequence[str]) -> list[list[Source]]:
    """What the log can show: tasks that are selected or run, and past runs of the first selected one."""
    running = [row.task.id for row in rows.all() if row.busy]
    tasks = list(dict.fromkeys((*chosen, *running)))[:_MOST]
    past = [(task_id, bar.run) for task_id in chosen[:1] for bar in rows[task_id].bars if bar.run > 0]
    return [
        [Source(task_id=task_id, name=rows.name_of(task_id)) for task_id in tasks],
        [past_source(rows[one], run) for one, run in past[:_MOST]],
    ]
