"""What the log shows: all that happens, one task, or one past run. Values, no Qt."""

from msgspec import Struct

from desktopsched.ui.transcript import Entry


class Source(Struct, frozen=True, kw_only=True):
    """Without a task: everything."""

    task_id: str = ""
    run: int = 0  # a past run, read from its log
    name: str = ""

    @property
    def words(self) -> str:
        """What the picker says."""
        if self.run:
            return f"{self.name}, run {self.run}"
        return self.name or "All running tasks"

    def shows(self, entry: Entry) -> bool:
        """Whether a line that just came belongs to it."""
        return not self.run and (not self.task_id or entry.task_id == self.task_id)


ALL = Source()
