"""The columns and roles of the task model, by name."""

import enum

from PySide6.QtCore import Qt


class Column(enum.IntEnum):
    """The columns, in the order in which they first stand."""

    STATE = 0
    NAME = 1
    SCHEDULE = 2
    NEXT = 3
    RESULT = 4
    STRIP = 5
    DURATION = 6


HEADS = {
    Column.STATE: "State",
    Column.NAME: "Name",
    Column.SCHEDULE: "Schedule",
    Column.NEXT: "Next run",
    Column.RESULT: "Last result",
    Column.STRIP: "Last 20 runs",
    Column.DURATION: "Duration",
}


class Role(enum.IntEnum):
    """What the model answers besides the words."""

    CELL = Qt.ItemDataRole.UserRole + 1  # a `row.Cell`; of a group's row, a `group_row.GroupCell`
    TASK_ID = Qt.ItemDataRole.UserRole + 2  # of a group's row: None
    ROW = Qt.ItemDataRole.UserRole + 3  # the whole `row.Row`; of a group's row: None
    TOLD = Qt.ItemDataRole.UserRole + 5  # what the tool tip says, as it is: str
    BAR_WORDS = Qt.ItemDataRole.UserRole + 4  # what to say of a bar of the strip: Callable[[strip.Bar], str]
