"""The sidebar: views, groups, and what comes next. UI thread; it says what is chosen and what was dropped."""

import json

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktopsched.ui import plain
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.facts import FIRES, Facts
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed
from desktopsched.ui.sidebar_delegate import FIRE_ROW, ROW, EntryDelegate, FireDelegate
from desktopsched.ui.sidebar_lines import Lines
from desktopsched.ui.sidebar_model import ENTRY, EntryModel, FireModel, GroupModel, view_entries

WIDTH, FOLDED = 220, 46
"""Pixels, as drawn."""

_LEAST, _MOST = 150, 420

_NO_GROUPS = "Groups keep related tasks together. They appear here once you have made one."
_NO_FIRES = "Nothing is scheduled at present."


class Sidebar(QWidget):
    """Three lists; one line of the first two is chosen."""

    chosen = Signal(object)
    """A `Choice` without words: what the table is to show."""

    task_chosen = Signal(str)
    """A fire was clicked: its task."""

    moved = Signal(tuple, str)
    """Tasks are to belong to a group."""

    renamed = Signal(str, str)
    """The tasks of a group are to belong to one with another name."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.is_folded = False
        self._named = ""  # what was written for a group
        self._new_names: dict[str, str] = {}  # of groups that were renamed, until the list says so too
        self._parts_of_words: list[QWidget] = []
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._views, self._groups, self._fires = (
            EntryModel(view_entries(None), self),
            GroupModel(self),
            FireModel(self),
        )
        self.views, self.groups = Lines(self._views, "Views"), Lines(self._groups, "Groups", takes_drops=True)
        self.next_up = Lines(self._fires, "Next up")
        self.no_groups, self.no_fires = self._hint(_NO_GROUPS), self._hint(_NO_FIRES)
        self._delegates = [EntryDelegate(look, view) for view in (self.views, self.groups)]
        self.setFocusProxy(self.views)
        self._set_up()
        self._lay_out()
        look.changed.connect(self._dress)
        self._dress()
        self.views.setCurrentIndex(self._views.index(0))

    def _set_up(self) -> None:
        for view, delegate in zip((self.views, self.groups), self._delegates, strict=True):
            view.setItemDelegate(delegate)
        self._delegates[1].closeEditor.connect(self._end_name)
        self._delegates[1].commitData.connect(self._name_group)
        self.next_up.setItemDelegate(FireDelegate(self._look, self.next_up))
        self.next_up.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.views.selectionModel().selectionChanged.connect(lambda: self._choose(self.views, self.groups))
        self.groups.selectionModel().selectionChanged.connect(lambda: self._choose(self.groups, self.views))
        self.groups.dropped.connect(self.moved)
        self.next_up.clicked.connect(lambda index: self.task_chosen.emit(index.data(ENTRY).task_id))
        self.groups.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.groups.customContextMenuRequested.connect(
            lambda place: self.menu(place).popup(self._spot(place))
        )
        self._groups.rowsInserted.connect(self._size_groups)
        self._groups.rowsRemoved.connect(self._size_groups)
        self._fires.modelReset.connect(self._show_hints)

    def _lay_out(self) -> None:
        px = self._look.px
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, px(6), 0, px(8))
        layout.setSpacing(0)
        layout.addWidget(self._head("Views"))
        layout.addWidget(self.views)
        layout.addWidget(self._head("Groups", self._make_adder()))
        layout.addWidget(self.no_groups)
        layout.addWidget(self.groups, 1)
        layout.addStretch()
        rule = plain.named(QFrame(), "rule")
        rule.setFixedHeight(1)
        self._parts_of_words += [rule, self.next_up]
        layout.addWidget(rule)
        layout.addWidget(self._head("Next up"))
        layout.addWidget(self.no_fires)
        layout.addWidget(self.next_up)
        self.views.setFixedHeight(px(ROW) * len(View))
        self.next_up.setFixedHeight(px(FIRE_ROW) * FIRES)
        self.groups.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.groups.setMinimumHeight(px(ROW))
        self._size_groups()
        self._set_widths()

    def _hint(self, words: str) -> QLabel:
        """What stands where a list has no lines."""
        px, hint = self._look.px, plain.label(words, self._look.font(12), "hint")
        hint.setWordWrap(True)
        hint.setContentsMargins(px(16), px(2), px(16), px(6))
        return hint

    def _show_hints(self) -> None:
        """Lists without lines give their place to words; folded, there is no room for these."""
        for hint, view in ((self.no_groups, self.groups), (self.no_fires, self.next_up)):
            is_empty = not view.model().rowCount()
            hint.setVisible(is_empty and not self.is_folded)
            view.setVisible(not is_empty and (view is self.groups or not self.is_folded))

    def _head(self, words: str, *more: QWidget) -> QWidget:
        px, head = self._look.px, QWidget()
        layout = QHBoxLayout(head)
        layout.setContentsMargins(px(16), px(8), px(16), px(4))
        layout.addWidget(plain.label(words, self._look.font(11, QFont.Weight.DemiBold), "section"))
        layout.addStretch()
        for part in more:
            layout.addWidget(part)
        head.setFixedHeight(px(28))
        self._parts_of_words.append(head)
        return head

    def _make_adder(self) -> QToolButton:
        self.adder = QToolButton()
        self.adder.setObjectName("mini")
        self.adder.setAccessibleName("New group")
        self.adder.setToolTip("New group")
        self.adder.setIconSize(QSize(self._look.px(13), self._look.px(13)))
        self.adder.setFixedSize(self._look.px(22), self._look.px(18))
        self.adder.clicked.connect(self.begin_group)
        return self.adder

    def _dress(self) -> None:
        self.adder.setIcon(self._look.icon("plus", self._look.tokens.text3))
        for view in (self.views, self.groups, self.next_up):
            view.viewport().update()

    def _size_groups(self) -> None:
        self.groups.setMaximumHeight(self._look.px(ROW) * max(self._groups.rowCount(), 1))
        self._show_hints()

    # --- what it shows -------------------------------------------------------------------------------------

    def tell(self, facts: Facts, hues: dict[str, int], now: float) -> None:
        """Other counts, other fires; `hues` says which colour each group has."""
        chosen = self.choice()
        self._views.put(view_entries(facts))
        self._groups.tell(facts, hues)
        self._fires.tell(facts.fires, now)
        if chosen.group is not None and not self._groups.place_of(chosen.group).isValid():
            self.choose(
                Choice(group=self._new_names.pop(chosen.group, None))
            )  # it is gone, or has another name
        elif self.choice() != chosen or not self._has_choice():
            self.choose(chosen)  # Qt chose a neighbour of a line that is gone, because it had the frame

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._fires.tell(self._fires.fires, now)

    # --- what is chosen ------------------------------------------------------------------------------------

    def choice(self) -> Choice:
        """What the table is to show."""
        for index in self.groups.selectionModel().selectedIndexes():
            if not index.data(ENTRY).key.startswith("\0"):
                return Choice(group=index.data(ENTRY).key)
        for index in self.views.selectionModel().selectedIndexes():
            return Choice(view=View(index.data(ENTRY).key))
        return Choice()

    def _has_choice(self) -> bool:
        return any(view.selectionModel().hasSelection() for view in (self.views, self.groups))

    def choose(self, choice: Choice) -> None:
        """Make this line the chosen one."""
        if choice.group is not None and (index := self._groups.place_of(choice.group)).isValid():
            self.groups.setCurrentIndex(index)
        else:
            self.views.setCurrentIndex(self._views.place_of(choice.view))

    def _choose(self, here: Lines, there: Lines) -> None:
        if here.selectionModel().hasSelection():
            there.selectionModel().clear()  # the frame too: when its line goes, Qt would choose the next one
            self.chosen.emit(self.choice())

    # --- names of groups -----------------------------------------------------------------------------------

    def begin_group(self) -> None:
        """Ask for the name of a new group, where it will stand."""
        self.groups.edit(self._groups.begin())

    def begin_renaming(self, group: str) -> None:
        """Ask for another name of a group, where it stands."""
        if self.groups.can_rename(index := self._groups.place_of(group)):
            self.groups.edit(index)

    def menu(self, place: QPoint) -> QMenu:
        """What can be done with the group at this place of the list."""
        index = self.groups.indexAt(place)
        menu = dressed(QMenu(self), self._look)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = menu.addAction("Rename group")
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        rename.setEnabled(self.groups.can_rename(index))
        group = index.data(ENTRY).key if index.isValid() else ""
        rename.triggered.connect(lambda: self.begin_renaming(group))
        menu.addAction("New group", self.begin_group)
        return menu

    def _spot(self, place: QPoint) -> QPoint:
        return self.groups.viewport().mapToGlobal(place)

    def _name_group(self, editor: QWidget) -> None:
        if isinstance(name := editor.property("text"), str):
            self._named = name.strip()

    def _end_name(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Enter makes or renames the group; Esc, or an empty name, leaves all as it was."""
        name, self._named = self._named, ""
        old = str(editor.property("group") or "")
        if hint is QAbstractItemDelegate.EndEditHint.RevertModelCache:
            name = ""
        if self._groups.draft:
            self._groups.end_draft(name)
        elif name and old and name != old:
            self._rename(old, name)

    def _rename(self, old: str, new: str) -> None:
        chosen = self.choice()
        self._new_names = {old: new}
        if self._groups.rename(old, new):
            self.renamed.emit(old, new)
        elif chosen.group == old:
            self.choose(Choice(group=new))

    def made_groups(self) -> QByteArray:
        """The groups without tasks, to be remembered."""
        return QByteArray(json.dumps(self._groups.made).encode())

    def restore_groups(self, state: QByteArray) -> None:
        """As they were remembered; what cannot be read makes none."""
        try:
            found = json.loads(bytes(state.data()) or b"[]")
        except ValueError:
            return
        if isinstance(found, list):
            self._groups.made = [name for name in found if isinstance(name, str)]

    # --- folding -------------------------------------------------------------------------------------------

    def fold(self, *, folded: bool) -> None:
        """Show icons alone, or words again."""
        if folded == self.is_folded:
            return
        self.is_folded = folded
        for part in self._parts_of_words:
            part.setVisible(not folded)
        self._show_hints()
        for delegate in self._delegates:
            delegate.is_folded = folded
        self._set_widths()
        self._dress()

    def _set_widths(self) -> None:
        px = self._look.px
        self.setMinimumWidth(px(FOLDED if self.is_folded else _LEAST))
        self.setMaximumWidth(px(FOLDED if self.is_folded else _MOST))
