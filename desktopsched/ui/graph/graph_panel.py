"""The pane of the graph: its head, the view, and the sentence below. UI thread.

It is given rows and says what is wanted. A plan for many tasks is made in the background, and its scene is filled in
slices; what is shown stays until that is done.
"""

import html
import time
from collections.abc import Callable, Collection, Iterable
from zoneinfo import ZoneInfo

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QHideEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.background import Background
from desktopsched.ui.expected import Expectations
from desktopsched.ui.graph.filling import Filling
from desktopsched.ui.graph.graph_head import GraphHead
from desktopsched.ui.graph.graph_scene import GraphScene
from desktopsched.ui.graph.graph_view import GraphView
from desktopsched.ui.graph.link_item import GAP, HEAD
from desktopsched.ui.graph.links import Links
from desktopsched.ui.graph.node import Node, node, spoken
from desktopsched.ui.graph.node_item import fonts, width_for
from desktopsched.ui.graph.places import Sizes
from desktopsched.ui.graph.plan import Draft, Plan, Wanted, draft
from desktopsched.ui.graph.sentence import sentence, short
from desktopsched.ui.look import Look
from desktopsched.ui.row import Row

_AT_ONCE = 150
"""Nodes that are laid out and made at once: it takes less than 20 ms."""

_WORTH = 0.008  # seconds of the UI thread that one handful of nodes may take
_SETTLE = 30  # milliseconds in which changes of the list gather before it is laid out anew
_SECOND = 1_000


class GraphPanel(QWidget):
    """Which task waits for which. Without a background, everything is laid out here."""

    chosen = Signal(str)
    edit_wanted = Signal(str)
    link_wanted = Signal(str, str)
    """Parent and child."""

    unlink_wanted = Signal(str, str)
    menu_wanted = Signal(str, QPoint)
    link_menu_wanted = Signal(str, str, QPoint)

    def __init__(
        self,
        look: Look,
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        background: Background | None = None,
        soon: Callable[[], Collection[str]] = tuple,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look, self._now, self._zone, self._background = look, now, zone, background
        self._soon = soon
        self._rows: dict[str, Row] = {}
        self._known_links, self._are_links_old = Links(()), False
        self._selected = ""
        self._running: set[str] = set()  # their bars are seen from afar too
        self._late: set[str] = set()  # what has changed while a scene was filled
        self._shown: tuple[object, ...] = ()  # what the plan was made for
        self._asked = 0  # the number of the last plan that was asked for
        self._filling = Filling(self)
        self._filling.filled.connect(self._finish)
        self._unsaid: dict[str, None] = {}  # nodes that are to say something else
        self._saying = QTimer(self, interval=0)
        self._saying.timeout.connect(self._say_some)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE)
        self._settle.timeout.connect(self.lay_out)
        self._ticking = QTimer(self, interval=_SECOND, timerType=Qt.TimerType.VeryCoarseTimer)
        self._ticking.timeout.connect(self.tick)
        self.head = GraphHead(look)
        self.view = GraphView(look, self.describe, self._refusal)
        self.foot = plain.label(font=look.font(12), name="graph-foot")
        self._arrange()
        self._connect()
        self._dress()

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.foot)
        self.foot.setWordWrap(True)
        self.foot.setTextFormat(Qt.TextFormat.RichText)  # for the name in bold; all words in it are escaped
        self.foot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        px = self._look.px
        self.foot.setContentsMargins(px(14), px(4), px(14), px(8))

    def _connect(self) -> None:
        head, view = self.head, self.view
        head.picked.connect(self.lay_out)
        head.zoom_in.connect(lambda: view.step_zoom(1))
        head.zoom_out.connect(lambda: view.step_zoom(-1))
        head.zoom_whole.connect(lambda: view.set_zoom(1.0))
        head.fit.connect(view.fit)
        view.zoomed.connect(head.tell_zoom)
        view.chosen.connect(self._choose)
        view.edit_wanted.connect(self.edit_wanted)
        view.link_wanted.connect(self.link_wanted)
        view.unlink_wanted.connect(self.unlink_wanted)
        view.menu_wanted.connect(self.menu_wanted)
        view.link_menu_wanted.connect(self.link_menu_wanted)
        view.hinted.connect(self._hint)
        self._look.changed.connect(self._dress)

    def sizeHint(self) -> QSize:
        """As in the design."""
        return QSize(self._look.px(668), self._look.px(288))

    # --- what it is told -----------------------------------------------------------------------------------

    def show_rows(self, rows: Iterable[Row]) -> None:
        """These are all tasks, in the order of the list."""
        self._rows = {row.task.id: row for row in rows}
        self._running = {row.task.id for row in self._rows.values() if row.since}
        self._are_links_old = True
        self.lay_out()

    def apply(self, changed: Iterable[Row], removed: Iterable[str] = ()) -> None:
        """These rows say something else now, or are new; those tasks are no more. Places change only with links."""
        rows, moved = list(changed), False
        for task_id in removed:
            moved |= self._rows.pop(task_id, None) is not None
        for row in rows:
            moved |= _placed(self._rows.get(row.task.id)) != _placed(row)
            self._rows[row.task.id] = row
            (self._running.add if row.since else self._running.discard)(row.task.id)
        self._late.update(row.task.id for row in rows)
        if moved:
            self._are_links_old = True
            self._settle.start()
        elif rows:
            self._say([row.task.id for row in rows])

    def select(self, task_id: str) -> None:
        """This task is selected elsewhere; an empty id: none."""
        if task_id == self._selected:
            return
        self._selected = task_id
        if self.head.choice.only_selected:
            self.lay_out()
        else:
            self.view.choose(task_id)
        self._tell()

    def tick(self) -> None:
        """Let the times in sight be written anew."""
        self._say({*self.view.visible_tasks(), *self._running})

    def describe(self, task_id: str) -> str:
        """A task as one sentence."""
        row = self._rows.get(task_id)
        return spoken(row, self._links, self._now(), self._zone()) if row is not None else ""

    def _choose(self, task_id: str) -> None:
        self._selected = task_id
        self._tell()
        self.chosen.emit(task_id)

    @property
    def _links(self) -> Links:
        """Made anew when somebody needs them: a list of many tasks comes in many batches."""
        if self._are_links_old:
            self._are_links_old = False
            self._known_links = Links(row.task for row in self._rows.values())
        return self._known_links

    def _name_of(self, task_id: str) -> str:
        row = self._rows.get(task_id)
        return short(row.task.name) if row is not None else task_id

    def _refusal(self, parent: str, child: str) -> str:
        return self._links.refusal(parent, child, self._name_of)

    # --- the plan ------------------------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Make a plan, if another one is needed, and show it. Of a long list all of it is done in the background."""
        self._settle.stop()
        self._asked += 1
        asked, look = self._asked, self._look
        wanted = Wanted(
            rows=dict(self._rows),
            links=None if self._are_links_old else self._known_links,
            choice=self.head.choice,
            selected=self._selected,
            sizes=self._sizes(),
            head=look.px(HEAD + GAP),
            before=self._shown if not self._filling.busy else (),
        )
        font = fonts(look)[0]

        def work() -> Draft:
            metrics = QFontMetricsF(font)
            return draft(wanted, lambda name: width_for(name, metrics, look))

        if self._background is None or len(self._rows) <= _AT_ONCE:
            self._take(asked, work())
        else:
            self._background.do(work, lambda made: self._take(asked, made))

    def _take(self, asked: int, made: Draft) -> None:
        """What was planned; if another plan was asked for meanwhile, that one is shown."""
        if asked != self._asked:
            return
        if not self._settle.isActive():  # else they are old again already
            self._known_links, self._are_links_old = made.links, False
        self.head.offer(made.groups)
        self._shown = made.shown
        if made.plan is not None:
            self._show(made.links, made.plan)
            return
        self._say(made.ids)
        self.view.choose(self._selected)
        self._tell()

    def _sizes(self) -> Sizes:
        plain_sizes = Sizes()
        scaled = {
            name: float(self._look.px(getattr(plain_sizes, name))) for name in plain_sizes.__struct_fields__
        }
        return Sizes(**scaled)

    def _show(self, links: Links, made: Plan) -> None:
        if not made.layout.boxes.keys() <= self._rows.keys():
            return  # tasks have gone meanwhile, and another plan will be asked for
        self._late.clear()
        self._unsaid.clear()
        scene = GraphScene(self._look, made, links, self)
        self._filling.fill(scene, self._nodes(), at_once=len(made.layout.boxes) <= _AT_ONCE)

    def _finish(self, scene: GraphScene) -> None:
        """The scene is full: show it, with what has changed since its nodes were made."""
        self.view.show_graph(scene)
        self._say(self._late)
        if self._selected:
            self.view.choose(self._selected)
        self._tell()

    # --- what it shows -------------------------------------------------------------------------------------

    def _nodes(self) -> Callable[[str], Node]:
        """What a node says now. It knows tasks that go while a scene is filled."""
        now, zone, rows, links = self._now(), self._zone(), dict(self._rows), self._links
        expected = Expectations(rows.get, now)
        soon = self._soon()
        return lambda task_id: node(rows[task_id], links, expected, now, zone, soon=task_id in soon)

    def _say(self, ids: Iterable[str]) -> None:
        """Let these nodes say what is so now: what is in sight soon, the others when there is time."""
        scene = self.view.graph
        if scene is None or self._are_links_old:
            return  # another plan is on its way, and all of its nodes say what is so then
        self._unsaid.update(dict.fromkeys(one for one in ids if one in scene.nodes))
        if len(self._unsaid) <= _AT_ONCE:
            self._say_some()
        elif not self._saying.isActive():
            self._saying.start()

    def _say_some(self) -> None:
        scene, end = self.view.graph, time.monotonic() + _WORTH
        node_of = self._nodes() if self._unsaid else None
        while self._unsaid and time.monotonic() < end:
            one, _ = self._unsaid.popitem()
            if scene is not None and node_of is not None and one in self._rows:
                scene.say([node_of(one)])
        if not self._unsaid:
            self._saying.stop()

    def _tell(self) -> None:
        scene = self.view.graph
        said = sentence(self._rows, self._links, self._selected, len(scene.nodes) if scene is not None else 0)
        self.foot.setText(
            # From left to right, though the name that it begins with be written the other way.
            f"<div dir='ltr'><span style='font-weight:600; color:{self._look.tokens.text}'>"
            f"{html.escape(said.name)}</span>{html.escape(said.rest)}</div>"
        )
        self.foot.setAccessibleName(said.words)
        self.foot.setToolTip(plain.tip(said.words))

    def _hint(self, refused: str) -> None:
        if refused:
            self.foot.setText(f"<span style='color:{self._failed()}'>{html.escape(refused)}</span>")
            self.foot.setAccessibleName(refused)
        else:
            self._tell()

    def _failed(self) -> str:
        return self._look.tokens.states[State.FAILED].ink

    def _dress(self) -> None:
        tokens = self._look.tokens
        self.foot.setStyleSheet(f"#graph-foot {{ background: {tokens.log}; color: {tokens.text2}; }}")
        if self.view.graph is not None:
            self.view.graph.dress()
        self.view.viewport().update()
        self._tell()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to tick."""
        super().showEvent(event)
        self.tick()
        self._ticking.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop ticking: nobody looks."""
        super().hideEvent(event)
        self._ticking.stop()


def _placed(row: Row | None) -> tuple[object, ...]:
    """What of a task decides places: a change of anything else leaves them alone."""
    return (row.task.name, row.task.group, row.task.waits_for) if row is not None else ()
