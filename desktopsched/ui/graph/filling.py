"""Filling: making the items of a large scene in slices, so that the window stays live. UI thread."""

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from desktopsched.ui.graph.graph_scene import GraphScene
from desktopsched.ui.graph.node import Node

_WORTH = 0.012
"""Seconds of the UI thread that one slice may take."""


class Filling(QObject):
    """Fills one scene at a time. A new one takes the place of one that is not full yet."""

    filled = Signal(object)
    """The scene has all its items."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._under_way: tuple[GraphScene, Iterator[None]] | None = None
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._fill_some)

    @property
    def busy(self) -> bool:
        """Whether a scene is being filled."""
        return self._under_way is not None

    def fill(self, scene: GraphScene, node_of: Callable[[str], Node], *, at_once: bool) -> None:
        """Make its items: now, or bit by bit."""
        if self._under_way is not None:
            self._under_way[0].deleteLater()
        items = scene.fill(node_of)
        self._under_way = scene, items
        if at_once:
            for _ in items:
                pass
            self._finish()
        else:
            self._slices.start()

    def _fill_some(self) -> None:
        end, is_full = time.monotonic() + _WORTH, True
        for _ in self._under_way[1] if self._under_way is not None else ():
            is_full = False
            if time.monotonic() > end:
                break
        if is_full:  # in a slice of its own: to show 20,000 items takes Qt as long as two of these
            self._finish()

    def _finish(self) -> None:
        self._slices.stop()
        under_way, self._under_way = self._under_way, None
        if under_way is not None:
            self.filled.emit(under_way[0])
