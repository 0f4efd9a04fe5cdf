"""A view that zooms: by the wheel around the pointer, by steps, or so that all fits. UI thread; knows no graph."""

import enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

ZOOM_LEAST, ZOOM_MOST = 0.01, 3.0
_NOTCH = 120  # of the wheel's angle
_FACTOR = 1.2  # for each notch
_READABLE = (
    0.7  # a graph that is a little too large is shown smaller at first; a larger one from its beginning
)


_STILL_READABLE = 0.5  # one that fitted is fitted again as long as it is no smaller than that


class Keep(enum.Enum):
    """What zoom is kept when the room or the graph is another one."""

    BEGIN = "begin"  # nobody has zoomed yet: readable, from the beginning
    WHOLE = "whole"
    AS_IT_IS = "as it is"


class ZoomView(QGraphicsView):
    """Keeps what fits fitting until somebody zooms."""

    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keep = Keep.BEGIN
        self._has_fitted = False  # where somebody could see it
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)

    @property
    def zoom(self) -> float:
        """1: as drawn."""
        return self.transform().m11()

    def begin(self) -> None:
        """There is another scene: show its beginning, unless somebody has zoomed."""
        self._keep_zoom()
        if self._keep is Keep.BEGIN:
            for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
                bar.setValue(bar.minimum())

    def set_zoom(self, zoom: float) -> None:
        """So large, around what the anchor says."""
        self._keep = Keep.AS_IT_IS
        self._scale_to(zoom)

    def _scale_to(self, zoom: float) -> None:
        wanted = min(max(zoom, ZOOM_LEAST), ZOOM_MOST)
        self.setTransform(QTransform.fromScale(wanted, wanted))  # scaling what is there would add up rounding
        self.zoomed.emit(self.zoom)

    def step_zoom(self, steps: float) -> None:
        """Larger or smaller, around the middle."""
        anchor = self.transformationAnchor()
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.set_zoom(self.zoom * _FACTOR**steps)
        self.setTransformationAnchor(anchor)

    def fit(self) -> None:
        """All of it, but not larger than drawn."""
        self._keep = Keep.WHOLE
        self._keep_zoom()

    def _fitting(self) -> float:
        rect, room = (
            self.sceneRect(),
            self.maximumViewportSize(),
        )  # without scroll bars: they would come and go
        return min(room.width() / max(rect.width(), 1), room.height() / max(rect.height(), 1))

    def _keep_zoom(self) -> None:
        if self.scene() is None or self._keep is Keep.AS_IT_IS:
            return
        fitting = min(self._fitting(), 1.0)
        least = _STILL_READABLE if self._has_fitted else _READABLE
        if fitting >= least or self._keep is Keep.WHOLE:
            self._has_fitted = self.isVisible()
            self._scale_to(fitting)
        elif not self._has_fitted:
            self._scale_to(1.0)
        # else it stays as large as it is: a link more, or a little less room, makes nothing jump

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer; sideways, or with Shift, scroll."""
        turned = event.angleDelta().y()
        if not turned or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().wheelEvent(event)
            return
        self.set_zoom(self.zoom * _FACTOR ** (turned / _NOTCH))
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As long as nobody has zoomed, what fitted fits."""
        super().resizeEvent(event)
        self._keep_zoom()
