"""A line of what is imported: of a crontab, or a task of a task list. A value; no Qt."""

from msgspec import Struct

from desktopsched.model import Task


class Line(Struct, kw_only=True):
    """A row. Without a task it is only shown."""

    number: int
    text: str  # the line as it stands
    place: str  # what it is called where it stands
    command: str = ""
    task: Task | None = None
    twin: Task | None = None  # the one on the list that it would be taken for
    replaces: bool = False  # the twin; else both are kept
    ticked: bool = False
    problem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """What is to be known of it, in one sentence after the other."""
        return self.problem or " ".join(self.notes)
