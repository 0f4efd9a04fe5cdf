"""A line of what is imported: of a crontab, or a task of a task list. A value; no Qt."""

import unicodedata

from msgspec import Struct

from desktopsched.model import Task

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


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


def visible(text: str) -> str:
    """With codes for what cannot be seen: by it a name or a command could look like another one."""
    if text.isprintable():  # nearly always, and rows are painted again and again
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in _INVISIBLE else f"\\u{ord(char):04x}"
        for char in text
    )
