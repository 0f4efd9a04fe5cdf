"""The models of the sidebar: views, groups, next fires. UI thread; they answer from facts that are ready."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktopsched import phrases
from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.choice import View
from desktopsched.ui.facts import FIRES, Facts, Fire
from desktopsched.ui.group_row import NO_GROUP
from desktopsched.ui.summary import counted

Index = QModelIndex | QPersistentModelIndex
ENTRY = Qt.ItemDataRole.UserRole + 1
"""The role of an `Entry`, or of a `Fire`."""

_ROOT = QModelIndex()
_VIEW_ICONS = {
    View.ALL: "list",
    View.RUNNING: "state-running",
    View.FAILED: "state-failed",
    View.TODAY: "calendar",
    View.DISABLED: "disabled",
}


DRAFT = "\0draft"
"""The key of a group that has no name yet."""


class Entry(Struct, frozen=True, kw_only=True):
    """A line: a view, or a group."""

    key: str  # a view's value, or a group's name
    text: str
    icon: str = ""
    hue: int = -1  # of a group: which of the group colours
    count: int = 0
    bad: bool = False  # the count is to be noticed
    running: int = 0
    failed: int = 0

    @property
    def is_group(self) -> bool:
        """Whether it is a group that has a name."""
        return self.hue >= 0 and bool(self.key) and self.key != DRAFT

    @property
    def sentence(self) -> str:
        """All of it, for those who hear the sidebar."""
        marks = [f"{self.running} running"] * bool(self.running) + [f"{self.failed} failed"] * bool(
            self.failed
        )
        return ", ".join((self.text, counted(self.count, "task"), *marks))


def view_entries(facts: Facts | None) -> list[Entry]:
    """The views with their counts."""
    counts = facts.views if facts is not None else dict.fromkeys(View, 0)
    return [
        Entry(
            key=view,
            text=view.value,
            icon=_VIEW_ICONS[view],
            count=counts[view],
            bad=view is View.FAILED and counts[view] > 0,
        )
        for view in View
    ]


class EntryModel(QAbstractListModel):
    """Lines of the sidebar. What stays where it is is changed in place: selection and editors stay with it."""

    def __init__(self, entries: Sequence[Entry] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries = list(entries)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """As many lines."""
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words, and the entry itself."""
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return entry.text
            case Qt.ItemDataRole.ToolTipRole:
                return plain.tip(entry.sentence)
            case Qt.ItemDataRole.AccessibleTextRole:
                return entry.sentence
            case _ if role == ENTRY:
                return entry
        return None

    def put(self, entries: Sequence[Entry]) -> None:
        """Show these. Lines keep their place as long as their keys do."""
        for place in range(len(self.entries) - 1, -1, -1):
            if place >= len(entries) or self.entries[place].key != entries[place].key:
                self.beginRemoveRows(QModelIndex(), place, place)
                del self.entries[place]
                self.endRemoveRows()
        for place, entry in enumerate(entries):
            if place >= len(self.entries) or self.entries[place].key != entry.key:
                self.beginInsertRows(QModelIndex(), place, place)
                self.entries.insert(place, entry)
                self.endInsertRows()
            elif self.entries[place] != entry:
                self.entries[place] = entry
                self.dataChanged.emit(self.index(place), self.index(place))

    def place_of(self, key: str) -> QModelIndex:
        """Where a key stands; no valid index if it does not."""
        found = next((place for place, entry in enumerate(self.entries) if entry.key == key), -1)
        return self.index(found) if found >= 0 else QModelIndex()


class GroupModel(EntryModel):
    """The groups: those that tasks are in, and those that the person has made for tasks to come."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent)
        self._facts: Facts | None = None
        self._hues: dict[str, int] = {}
        self.made: list[str] = []
        self.draft = False
        """Whether the last line is a group that has no name yet."""

    def tell(self, facts: Facts, hues: dict[str, int]) -> None:
        """Other facts; with them which colour each group has."""
        self._facts, self._hues = facts, hues
        self._put()

    def _put(self) -> None:
        entries = [self._entry(name) for name in (self._facts.groups if self._facts else ())]
        entries.sort(key=lambda one: one.hue)
        known = {entry.key for entry in entries}
        entries += [
            Entry(key=name, text=name, hue=len(known) + place)
            for place, name in enumerate(self.made)
            if name not in known
        ]
        if self.draft:
            entries.append(Entry(key=DRAFT, text="", hue=len(entries)))
        self.put(entries)

    def _entry(self, name: str) -> Entry:
        found = self._facts.groups[name] if self._facts else None
        return Entry(
            key=name,
            text=name or NO_GROUP,
            hue=self._hues.get(name, 0),
            count=found.tasks if found else 0,
            running=found.running if found else 0,
            failed=found.failed if found else 0,
        )

    def begin(self) -> QModelIndex:
        """A line for a new group, to be named."""
        self.draft = True
        self._put()
        return self.index(len(self.entries) - 1)

    def end_draft(self, name: str = "") -> bool:
        """The new group has a name; or it is none after all. Whether there is a new group."""
        self.draft = False
        name = name.strip()
        new = bool(name) and not self.place_of(name).isValid()
        if new:
            self.made.append(name)
        self._put()
        return new

    def rename(self, old: str, new: str) -> bool:
        """Another name for a group. Whether tasks are in it, and have to be changed for that."""
        has_tasks = self._facts is not None and old in self._facts.groups
        known = {entry.key for entry in self.entries}
        self.made = [new if name == old else name for name in self.made if name != old or new not in known]
        if has_tasks:  # they bring the new one along, and on the way back the old one
            self.made = [name for name in self.made if name not in {old, new}]
        self._put()
        return has_tasks

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The name of a group can be written, where it has one or is to get one."""
        found = super().flags(index)
        if not index.isValid():
            return found
        entry = self.entries[index.row()]
        writable = entry.is_group or entry.key == DRAFT
        return found | Qt.ItemFlag.ItemIsEditable if writable else found


class FireModel(QAbstractListModel):
    """The next fires."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.fires: tuple[Fire, ...] = ()
        self._now = 0.0

    def rowCount(self, parent: Index = _ROOT) -> int:
        """At most FIRES."""
        return 0 if parent.isValid() else len(self.fires)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words, and the fire itself."""
        if not index.isValid():
            return None
        fire = self.fires[index.row()]
        words = f"{fire.clock}  {fire.name}  {phrases.until(fire.due, self._now)}"
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return words
            case Qt.ItemDataRole.ToolTipRole:
                return plain.tip(words)
            case _ if role == ENTRY:
                return fire
        return None

    @property
    def now(self) -> float:
        """The instant that the words are of."""
        return self._now

    def tell(self, fires: Sequence[Fire], now: float) -> None:
        """Other fires, or a later moment."""
        self._now = now
        if tuple(fires) != self.fires:
            self.beginResetModel()
            self.fires = tuple(fires[:FIRES])
            self.endResetModel()
        elif self.fires:
            self.dataChanged.emit(self.index(0), self.index(len(self.fires) - 1))


MARKS = {State.RUNNING: "running", State.FAILED: "failed"}
"""The small marks of a group, and where their counts are."""
