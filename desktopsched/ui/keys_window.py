"""The keys: what each of them does, as a list to be read. UI thread; the keys themselves are where they work."""

from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktopsched.ui.look import Look
from desktopsched.ui.text_window import TextWindow


class Key(Struct, frozen=True):
    """One line. `keys` in Qt's portable form: on macOS Ctrl is shown, and pressed, as Cmd."""

    keys: tuple[str, ...]
    words: str


EVERYWHERE = (
    Key(("Ctrl+N",), "New task"),
    Key(("Ctrl+E",), "Edit the selected task"),
    Key(("F5",), "Run it now"),
    Key(("Shift+F5",), "Run it with everything after it"),
    Key(("Shift+Esc",), "Stop it"),
    Key(("Ctrl+P",), "Pause or resume all tasks"),
    Key(("Ctrl+Z", "Ctrl+Shift+Z"), "Undo the last edit, and do it again"),
    Key(("Ctrl+V",), "Paste tasks"),
    Key(("Ctrl+F",), "Search the tasks"),
    Key(("Ctrl+L",), "Find in the log"),
    Key(("F3", "Shift+F3"), "The next hit in the log, and the one before"),
    Key(("F6", "Shift+F6"), "The next part of the window, and the one before"),
    Key(("F10",), "The menu, also by Alt alone"),
    Key(("Shift+F10",), "All that can be done with what has the focus"),
    Key(("Ctrl+,",), "Preferences"),
    Key(("F1",), "This list"),
    Key(("Ctrl+Q",), "Quit"),
)

LIST = (
    Key(("Return",), "Edit the task"),
    Key(("Space",), "Show its log"),
    Key(("Ctrl+D",), "Duplicate it"),
    Key(("Ctrl+C",), "Copy it as JSON"),
    Key(("Del",), "Remove it"),
    Key(("Left", "Right"), "Fold its group, and open it"),
)

_SECTIONS = (
    ("Anywhere in the window", EVERYWHERE),
    ("In the list of tasks; typing a name goes to it", LIST),
    (
        "In the dependency graph",
        (
            Key(("Left", "Right", "Up", "Down"), "Walk along the links"),
            Key(("Return",), "Edit the task"),
            Key(("+", "-"), "Larger, smaller"),
        ),
    ),
    (
        "In the sidebar",
        (Key(("F2",), "Rename the group"), Key(("Return",), "Go to the task that comes next")),
    ),
    (
        "In the form of a task",
        (
            Key(("Ctrl+Return",), "Save it"),
            Key(("Esc",), "Close it, and ask first where something would be lost"),
            Key(("Down",), "Show what can be chosen for a field"),
        ),
    ),
    (
        "In a reminder",
        (Key(("Return",), "Done"), Key(("1", "4"), "Remind me again: the first to the fourth button")),
    ),
)


class KeysWindow(TextWindow):
    """All keys, section by section."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(
            look,
            "Keys",
            "What the keys do",
            "Tab goes to everything, in the order in which it is read.",
            parent,
        )
        self.show_text(as_text())


def as_text() -> str:
    """Keys in a column, as this system writes them, and beside them what they do."""
    return "\n\n".join("\n".join((title, *_lines(keys))) for title, keys in _SECTIONS)


def _lines(keys: tuple[Key, ...]) -> Iterator[str]:
    written = [_written(key) for key in keys]
    wide = max(len(found) for one in _SECTIONS for found in map(_written, one[1]))
    return (f"  {found:<{wide}}  {key.words}" for found, key in zip(written, keys, strict=True))


def _written(key: Key) -> str:
    return ", ".join(
        QKeySequence(one).toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")
        for one in key.keys
    )
