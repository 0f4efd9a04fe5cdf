"""The view of the graph: zoom, pan, choose, walk, and draw links. UI thread; it says what is wanted and does nothing.

Clicks choose, the wheel zooms, the space bar with the mouse pans, arrows walk along links, Enter edits, Delete takes
the clicked link away, and a drag from the side of a node draws one.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QToolTip, QWidget

from desktopsched.ui import plain
from desktopsched.ui.graph import far, ground
from desktopsched.ui.graph.graph_scene import GraphScene
from desktopsched.ui.graph.link_drag import LinkDrag, Side, side_at
from desktopsched.ui.graph.link_item import LinkItem, Weight
from desktopsched.ui.graph.node_item import SHAPE_FROM, TEXT_FROM, NodeItem
from desktopsched.ui.graph.walk import Step, walk
from desktopsched.ui.graph.zoom_view import ZoomView
from desktopsched.ui.look import Look

_STEPS = {
    Qt.Key.Key_Left: Step.LEFT,
    Qt.Key.Key_Right: Step.RIGHT,
    Qt.Key.Key_Up: Step.UP,
    Qt.Key.Key_Down: Step.DOWN,
}


class GraphView(ZoomView):
    """Shows a scene. `describe` gives the sentence of a task, `refusal` why one cannot wait for another."""

    chosen = Signal(str)
    edit_wanted = Signal(str)
    menu_wanted = Signal(str, QPoint)
    """For the task, at this point of the screen."""

    link_menu_wanted = Signal(str, str, QPoint)
    link_wanted = Signal(str, str)
    """Parent and child."""

    unlink_wanted = Signal(str, str)
    hinted = Signal(str)
    """Why the link that is being drawn may not end here; empty: nothing stands against it."""

    def __init__(
        self,
        look: Look,
        describe: Callable[[str], str],
        refusal: Callable[[str, str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look, self._describe, self._refusal = look, describe, refusal
        self._drag: LinkDrag | None = None
        self._curve: LinkItem | None = None  # the link that was clicked
        self._graph: GraphScene | None = None
        self.setObjectName("graph")
        self.setAccessibleName("Dependencies")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)

    # --- what is shown -------------------------------------------------------------------------------------

    @property
    def graph(self) -> GraphScene | None:
        """What is shown now."""
        return self._graph

    def show_graph(self, scene: GraphScene) -> None:
        """Show this one instead of the one before, as large as that was."""
        self._end_drag()
        before, self._graph, self._curve = self._graph, scene, None
        self.setScene(scene)
        if before is not None:
            before.deleteLater()
        self.begin()

    def choose(self, task_id: str) -> None:
        """Stress this task and what is related to it, and bring it into sight."""
        self._let_curve_go()
        if self._graph is None:
            return
        self._graph.choose(task_id)
        self.setAccessibleDescription(self._describe(task_id) if self._graph.chosen else "")
        if item := self._graph.nodes.get(task_id):
            margin = self._look.px(16)
            self.ensureVisible(item, margin, margin)

    def visible_tasks(self) -> list[str]:
        """The tasks whose words are in sight: none from afar, where no words are."""
        readable = self._graph is not None and self.zoom >= TEXT_FROM
        items = self.items(self.viewport().rect()) if readable else []
        return [item.node.task_id for item in items if isinstance(item, NodeItem)]

    # --- the mouse -----------------------------------------------------------------------------------------

    def node_at(self, point: QPoint) -> NodeItem | None:
        """The node at a point of the viewport."""
        return next((item for item in self.items(point) if isinstance(item, NodeItem)), None)

    def _curve_at(self, point: QPoint) -> LinkItem | None:
        return next((item for item in self.items(point) if isinstance(item, LinkItem)), None)

    def _panning(self) -> bool:
        return self.dragMode() is QGraphicsView.DragMode.ScrollHandDrag

    def _side_at(self, point: QPoint) -> tuple[NodeItem, Side] | None:
        item = self.node_at(point) if self.zoom >= SHAPE_FROM else None
        side = side_at(item, self.mapToScene(point), self._look) if item is not None else None
        return (item, side) if item is not None and side is not None else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a link at the side of a node; else choose the node or the link that is there."""
        point = event.position().toPoint()
        if self._panning() or event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._let_curve_go()
        if taken := self._side_at(point):
            self._drag = LinkDrag(self._look, *taken, self._refusal)
        elif item := self.node_at(point):
            self._choose(item.node.task_id)
        elif curve := self._curve_at(point):
            self._curve = curve
            curve.stress(Weight.CHOSEN)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the link on; show where one can begin."""
        super().mouseMoveEvent(event)
        point = event.position().toPoint()
        if self._drag is not None:
            refused = self._drag.move(self.mapToScene(point), self.node_at(point))
            self.hinted.emit(refused)
            if refused:
                QToolTip.showText(event.globalPosition().toPoint(), plain.tip(refused), self.viewport())
            else:
                QToolTip.hideText()
        elif not self._panning():
            at_side = self._side_at(point) is not None
            self.viewport().setCursor(Qt.CursorShape.CrossCursor if at_side else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The link is drawn: say so. A press on a side that drew none chooses the node."""
        super().mouseReleaseEvent(event)
        if self._drag is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        pair, source = self._drag.pair, self._drag.source
        stayed = self.node_at(event.position().toPoint()) is source
        self._end_drag()
        if pair is not None:
            self.link_wanted.emit(*pair)
        elif stayed:
            self._choose(source.node.task_id)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit."""
        if item := self.node_at(event.position().toPoint()):
            self.edit_wanted.emit(item.node.task_id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the node or link at the pointer; by keyboard that of the chosen one."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            if self._graph is not None and (item := self._graph.nodes.get(self._graph.chosen)):
                corner = self.mapFromScene(item.pos() + QPointF(item.box.width / 2, item.box.height / 2))
                self.menu_wanted.emit(item.node.task_id, self.viewport().mapToGlobal(corner))
        elif item := self.node_at(event.pos()):
            self._choose(item.node.task_id)
            self.menu_wanted.emit(item.node.task_id, event.globalPos())
        elif curve := self._curve_at(event.pos()):
            self.link_menu_wanted.emit(curve.link.parent, curve.link.child, event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        """The tool tip of a node: the whole of what it says, as it is."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            item = self.node_at(event.pos())
            QToolTip.showText(
                event.globalPos(), plain.tip(self._describe(item.node.task_id)) if item is not None else ""
            )
            return True
        return super().viewportEvent(event)

    def _choose(self, task_id: str) -> None:
        self.choose(task_id)
        self.chosen.emit(task_id)

    def _let_curve_go(self) -> None:
        curve, self._curve = self._curve, None
        if curve is not None and self._graph is not None:
            self._graph.choose(self._graph.chosen)

    def _end_drag(self) -> None:
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.end()
            QToolTip.hideText()
            self.hinted.emit("")

    # --- the keyboard --------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk, edit, zoom, pan, or give up a link."""
        key = event.key()
        scene = self._graph
        if scene is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space:
            self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        elif key == Qt.Key.Key_Escape and self._drag is not None:
            self._end_drag()
        elif step := _STEPS.get(Qt.Key(key)):
            if there := walk(scene.plan, scene.links, scene.chosen, step):
                self._choose(there)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and scene.chosen:
            self.edit_wanted.emit(scene.chosen)
        elif key == Qt.Key.Key_Delete and self._curve is not None:
            self.unlink_wanted.emit(self._curve.link.parent, self._curve.link.child)
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
            self.step_zoom(1)
        elif key == Qt.Key.Key_Minus:
            self.step_zoom(-1)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The space bar is up: no panning any more."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.setDragMode(QGraphicsView.DragMode.NoDrag)
        super().keyReleaseEvent(event)

    # --- painting ------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Items, or what they are from afar."""
        if self._graph is None or self.zoom >= SHAPE_FROM:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        far.paint(painter, self.viewport().rect(), self.viewportTransform(), self._graph, self._look)
        painter.end()

    def drawBackground(self, painter: QPainter, rect: object) -> None:  # noqa: ARG002 - all of it: it is cheap
        """The dotted ground."""
        ground.paint(painter, self.viewport().rect(), self.viewportTransform(), self._look)
