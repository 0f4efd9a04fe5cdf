"""The frame of the main window: the sidebar beside the banners, the table over graph and log. UI thread.

It knows where things stand, how wide they are, and what gives way where there is little room; not what is in them.
"""

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktopsched.ui import plain
from desktopsched.ui.keepsake import Keepsake
from desktopsched.ui.look import Look
from desktopsched.ui.lower_pane import LowerPane
from desktopsched.ui.sidebar import WIDTH, Sidebar

_NARROW = 1_100  # pixels, as drawn: below it the sidebar folds to icons
_STACKED = 1_000  # and below this graph and log are one behind the other
_TABLE, _BELOW = 380, 300  # heights, as drawn


class Frame(QSplitter):
    """All of the window between its tool bar and its status bar."""

    def __init__(
        self,
        look: Look,
        sidebar: Sidebar,
        *,
        banners: QWidget,
        table: QWidget,
        below: LowerPane,
        empty: QWidget,
    ) -> None:
        """`empty` stands in the place of table and lower pane while there are no tasks."""
        super().__init__(Qt.Orientation.Horizontal)
        self._look, self._sidebar, self._below, self._empty = look, sidebar, below, empty
        self._unfolded = QByteArray()  # the widths beside the sidebar, while it is folded
        self._panes = QSplitter(Qt.Orientation.Vertical)
        self._panes.setChildrenCollapsible(False)
        self._panes.setFocusProxy(table)
        for place, (pane, stretch) in enumerate(((table, 3), (below, 2))):
            self._panes.addWidget(pane)
            self._panes.setStretchFactor(place, stretch)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._panes)
        self._pages.addWidget(empty)
        page = plain.named(QWidget(), "page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(banners)
        layout.addWidget(self._pages, 1)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.addWidget(sidebar)
        self.addWidget(page)
        self.setStretchFactor(1, 1)

    def show_empty(self, *, empty: bool) -> None:
        """There are no tasks, or there are some."""
        page = self._empty if empty else self._panes
        if page is not self._pages.currentWidget():
            self._pages.setCurrentWidget(page)
            page.setFocus()  # what had it is out of sight

    def fit(self, width: int) -> None:
        """For a window of so many pixels. Without much room the sidebar is icons alone; it gets its width back."""
        stacked = width < self._look.px(_STACKED)
        if stacked != self._below.is_stacked:
            self._below.stack(stacked=stacked)
        narrow = width < self._look.px(_NARROW)
        if narrow != self._sidebar.is_folded:
            if narrow:
                self._unfolded = self.saveState()
            self._sidebar.fold(folded=narrow)
            if narrow:
                self.setSizes([self._sidebar.maximumWidth(), width])
            else:
                self.restoreState(self._unfolded)

    # --- what it remembers ---------------------------------------------------------------------------------

    def restore(self, keepsake: Keepsake, width: int) -> None:
        """The sizes as they were remembered, in a window of so many pixels."""
        if not self.restoreState(keepsake.get("sides")):
            self.setSizes([self._look.px(WIDTH), width])
        self._unfolded = self.saveState()
        if not self._panes.restoreState(keepsake.get("panes")):
            self._panes.setSizes([self._look.px(_TABLE), self._look.px(_BELOW)])
        self._below.restore(keepsake.get("lower"))

    def keep(self, keepsake: Keepsake) -> None:
        """Remember the sizes."""
        keepsake.keep(
            panes=self._panes.saveState(),
            lower=self._below.state(),
            sides=self._unfolded if self._sidebar.is_folded else self.saveState(),
        )
