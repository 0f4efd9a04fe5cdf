"""The lower pane: graph and log side by side, or one behind the other where there is no room for both. UI thread."""

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QSplitter, QTabBar, QVBoxLayout, QWidget

from desktopsched.ui.graph.graph_panel import GraphPanel
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.look import Look

_SIZES = (668, 512)  # pixels, as drawn
_LOG = 1  # the tab that is shown first


class LowerPane(QWidget):
    """Two panes, and tabs for them when they are stacked."""

    def __init__(self, graph: GraphPanel, log: LogPanel, look: Look) -> None:
        super().__init__()
        self._panes: tuple[QWidget, QWidget] = (graph, log)
        self.tabs = QTabBar()
        self.tabs.setObjectName("pane-tabs")
        self.tabs.setFont(look.font(weight=QFont.Weight.Medium))
        self.tabs.setAccessibleName("Graph or log")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for words in ("Dependencies", "Live log"):
            self.tabs.addTab(words)
        self.tabs.setCurrentIndex(_LOG)
        self.tabs.hide()
        self.tabs.currentChanged.connect(self._show)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for pane in self._panes:
            self.splitter.addWidget(pane)
        self.splitter.setSizes([look.px(size) for size in _SIZES])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.splitter, 1)

    @property
    def is_stacked(self) -> bool:
        """Whether one pane is behind the other."""
        return not self.tabs.isHidden()

    def stack(self, *, stacked: bool) -> None:
        """One behind the other, or side by side."""
        self.tabs.setVisible(stacked)
        self._show()

    def show_log(self) -> None:
        """To the front, if it is behind the graph."""
        self.tabs.setCurrentIndex(_LOG)

    def state(self) -> QByteArray:
        """The widths, to be remembered."""
        return self.splitter.saveState()

    def restore(self, state: QByteArray) -> None:
        """The widths as they were remembered."""
        self.splitter.restoreState(state)

    def _show(self) -> None:
        for place, pane in enumerate(self._panes):
            pane.setVisible(not self.is_stacked or place == self.tabs.currentIndex())
