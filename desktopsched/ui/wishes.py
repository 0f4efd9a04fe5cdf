"""Wishes: what a person asks for with tasks of the table, by key, menu or quick button. Values, no Qt."""

import enum
from collections.abc import Sequence

from msgspec import Struct

from desktopsched.model import Command, State
from desktopsched.ui.row import Row, only_there


class Wish(enum.Enum):
    """One of them; who carries it out is not the table's affair."""

    RUN = "Run now"
    RUN_AFTER = "Run with everything after it"
    RETRY = "Retry the last failed run"
    ARGUMENTS = "With other arguments…"
    STOP = "Stop"
    EDIT = "Edit"
    DUPLICATE = "Duplicate"
    COPY = "Copy as JSON"
    ENABLE = "Enable"
    DISABLE = "Disable"
    REMOVE = "Remove"
    LOG = "Show log"
    WHY = "Why?"
    MORE = "More"


class Item(Struct, frozen=True, kw_only=True):
    """A line of the menu."""

    wish: Wish
    icon: str = ""
    keys: str = ""
    why_not: str = ""  # empty: it can be done
    rule_before: bool = False
    words: str = ""  # empty: the wish's own

    @property
    def text(self) -> str:
        """What the line says."""
        return self.words or self.wish.value


def items(rows: Sequence[Row]) -> list[Item]:
    """The menu for these tasks."""
    one = "" if len(rows) == 1 else "Choose one task for this"
    switch = Wish.DISABLE if any(row.status.enabled for row in rows) else Wish.ENABLE
    return [
        Item(wish=Wish.RUN, icon="run", keys="F5"),
        Item(wish=Wish.RUN_AFTER, icon="chain", keys="Shift+F5"),
        Item(
            wish=Wish.STOP,
            icon="stop",
            keys="Shift+Esc",
            why_not=no_stop(rows),
        ),
        Item(wish=Wish.LOG, keys="Space", why_not=one, rule_before=True),
        Item(wish=Wish.WHY, icon="info", why_not=one),
        Item(wish=Wish.EDIT, icon="pencil", keys="Return", why_not=one, rule_before=True),
        Item(wish=Wish.DUPLICATE, keys="Ctrl+D"),
        Item(wish=Wish.COPY, keys="Ctrl+C"),
        Item(wish=switch, icon="disabled"),
        Item(wish=Wish.REMOVE, keys="Del", rule_before=True),
    ]


def no_stop(rows: Sequence[Row]) -> str:
    """Why nothing of these can be stopped; empty: something can."""
    if any(row.can_stop for row in rows):
        return ""
    elsewhere = dict.fromkeys(row.owners for row in rows if row.owners)
    return only_there(", ".join(elsewhere)) if elsewhere else "Nothing of this is running"


def run_items(rows: Sequence[Row], after: int) -> list[Item]:
    """The menu of Run now for these tasks, which so many others follow."""
    failed = any(row.state is State.FAILED for row in rows)
    return [
        Item(wish=Wish.RUN, icon="run", keys="F5"),
        Item(
            wish=Wish.RUN_AFTER,
            words="With everything after it",
            icon="chain",
            keys="Shift+F5",
            why_not="" if after else "Nothing waits for this",
        ),
        Item(wish=Wish.RETRY, icon="repeat", why_not="" if failed else "The last run did not fail"),
        Item(wish=Wish.ARGUMENTS, icon="pencil", why_not=_no_arguments(rows), rule_before=True),
    ]


def _no_arguments(rows: Sequence[Row]) -> str:
    if len(rows) != 1:
        return "Choose one task for this"
    return "" if isinstance(rows[0].task.action, Command) else "Only a command has arguments"
