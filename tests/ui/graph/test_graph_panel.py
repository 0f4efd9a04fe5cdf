import gc
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktopsched.model import Edge, On, State
from desktopsched.storage.preferences import Theme
from desktopsched.ui.application import SWITCH_INTERVAL
from desktopsched.ui.background import Background
from desktopsched.ui.graph import graph_panel
from desktopsched.ui.graph.graph_panel import GraphPanel
from desktopsched.ui.graph.graph_scene import GraphScene
from desktopsched.ui.graph.link_item import LinkItem, Weight
from desktopsched.ui.graph.node_item import Emphasis, NodeItem
from desktopsched.ui.graph.plan import EVERYTHING, SELECTED, Choice, Draft, draft
from desktopsched.ui.look import Look
from desktopsched.ui.row import Row
from desktopsched.ui.tokens import DARK, LIGHT
from tests.ui.graph.scenes import design, row
from tests.ui.scenery import BERLIN, MARKUP, NOON

LEFT = Qt.MouseButton.LeftButton


class Clock:
    """The moment that the panel is told."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def background() -> Iterator[Background]:
    background = Background()
    yield background
    background.close()


@pytest.fixture
def panel(qtbot: QtBot, look: Look, clock: Clock, background: Background) -> GraphPanel:
    panel = GraphPanel(look, now=clock, zone=lambda: BERLIN, background=background)
    qtbot.addWidget(panel)
    panel.setStyleSheet(look.sheet())
    panel.resize(760, 320)
    panel.show_rows(design())
    panel.show()
    return panel


def scene(panel: GraphPanel) -> GraphScene:
    found = panel.view.graph
    assert found is not None
    return found


def spot(panel: GraphPanel, task_id: str, x: float = 0.5) -> QPoint:
    """A point of the viewport on a node: 0 is its left side, 1 its right."""
    item = scene(panel).nodes[task_id]
    inside = min(max(x * item.box.width, 3), item.box.width - 3)
    return panel.view.mapFromScene(item.pos() + QPointF(inside, item.box.height / 2))


def emphases(panel: GraphPanel) -> dict[str, Emphasis]:
    return {one: item.emphasis for one, item in scene(panel).nodes.items()}


def press_key(panel: GraphPanel, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(panel.view, key)


# --- what is shown -----------------------------------------------------------------------------------------


def test_linked_tasks_are_shown_and_others_left_out(panel: GraphPanel) -> None:
    assert list(scene(panel).nodes) == ["db", "ve", "up", "rm", "no", "ph", "ce"]
    assert len(scene(panel).curves) == 8
    assert panel.foot.accessibleName() == "7 tasks are shown. Choose one to see what it waits for."


def test_only_what_concerns_the_selected_task_can_be_shown(panel: GraphPanel) -> None:
    panel.select("ph")
    panel.head.pick(SELECTED)
    assert list(scene(panel).nodes) == ["no", "ph"]
    panel.select("rm")
    assert list(scene(panel).nodes) == ["db", "ve", "up", "rm"]
    panel.select("alone")
    assert list(scene(panel).nodes) == ["alone"]


def test_a_group_is_shown_with_what_it_is_linked_to(panel: GraphPanel) -> None:
    panel.head.pick(Choice(group="Files"))
    assert list(scene(panel).nodes) == ["no", "ph"]


def test_the_picker_names_groups_as_they_are_and_forgets_those_that_are_gone(panel: GraphPanel) -> None:
    assert panel.head.choice == EVERYTHING
    panel.apply([row("ph", "Photo sync", group="A & B")])
    panel.lay_out()
    actions = [one for one in panel.head.picker.menu().actions() if not one.isSeparator()]
    assert [one.text() for one in actions][2:] == ["Database", "A && B", "System"]
    actions[3].trigger()
    assert panel.head.picker.text() == "A && B"
    panel.apply([row("ph", "Photo sync", group="Files")])
    panel.lay_out()
    assert panel.head.choice == EVERYTHING
    assert [one.text() for one in panel.head.picker.menu().actions() if one.isChecked()] == [
        "All linked tasks"
    ]


def test_a_change_of_state_is_shown_without_laying_out(panel: GraphPanel, clock: Clock) -> None:
    before, item = scene(panel), scene(panel).nodes["up"]
    panel.apply([row("up", "Upload dump", after=("ve",), state=State.RUNNING, begun=NOON, took=(100,))])
    assert item.node.state is State.RUNNING
    clock.now += 50
    panel.tick()
    assert (item.node.line, item.node.share) == ("0:50 of ~1:40", 0.5)
    panel.lay_out()
    assert scene(panel) is before


def test_another_link_lays_out_anew_and_keeps_the_choice(qtbot: QtBot, panel: GraphPanel) -> None:
    panel.select("ve")
    before = scene(panel)
    panel.apply([row("alone", "VAT return", after=("ve",))])
    qtbot.waitUntil(lambda: panel.view.graph is not before)
    assert "alone" in scene(panel).nodes
    assert emphases(panel)["ve"] is Emphasis.CHOSEN


def test_a_task_that_is_no_more_goes_with_its_links(qtbot: QtBot, panel: GraphPanel) -> None:
    panel.select("ce")
    panel.apply([], removed=["ce", "unknown"])
    qtbot.waitUntil(lambda: "ce" not in scene(panel).nodes)
    assert ("ce", "no") not in scene(panel).curves
    assert panel.foot.accessibleName().startswith("6 tasks are shown.")


@pytest.fixture
def quick() -> Iterator[None]:
    """As in the application: threads take turns quickly, and collections leave alone what was there before."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()
    yield
    gc.unfreeze()
    sys.setswitchinterval(before)


def test_a_large_list_is_laid_out_elsewhere_while_the_window_lives(
    qtbot: QtBot, panel: GraphPanel, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats, planners = list[int](), list[threading.Thread]()

    def draft_elsewhere(*arguments: Any) -> Draft:
        planners.append(threading.current_thread())
        return draft(*arguments)

    monkeypatch.setattr(graph_panel, "draft", draft_elsewhere)
    heart = QTimer(panel, interval=5, timerType=Qt.TimerType.PreciseTimer)
    heart.timeout.connect(lambda: beats.append(1))
    rows = [row("t0"), *(row(f"t{at}", after=(f"t{max(at - 1 - at % 9, 0)}",)) for at in range(1, 3_000))]
    heart.start()
    panel.show_rows(rows)
    qtbot.waitUntil(lambda: len(scene(panel).nodes) == 3_000, timeout=60_000)
    heart.stop()
    assert threading.main_thread() not in planners
    assert len(planners) == 1
    assert len(beats) > 5  # its scene was filled in slices, and the window had its turns between them


def test_the_last_of_two_large_lists_is_the_one_that_is_shown(qtbot: QtBot, panel: GraphPanel) -> None:
    def rows(name: str) -> list[Row]:
        return [row(f"{name}0"), *(row(f"{name}{at}", after=(f"{name}{at - 1}",)) for at in range(1, 400))]

    panel.show_rows(rows("a"))
    panel.show_rows(rows("b"))
    qtbot.waitUntil(lambda: "b0" in scene(panel).nodes, timeout=60_000)
    assert "a0" not in scene(panel).nodes


def test_a_task_may_go_while_a_plan_with_it_is_made(qtbot: QtBot, panel: GraphPanel) -> None:
    panel.show_rows([row("t0"), *(row(f"t{at}", after=(f"t{at - 1}",)) for at in range(1, 600))])
    panel.apply([row("t1", after=("t0",), state=State.RUNNING, begun=NOON)], removed=["t599"])
    qtbot.waitUntil(lambda: len(scene(panel).nodes) == 599, timeout=60_000)
    assert scene(panel).nodes["t1"].node.state is State.RUNNING


# --- choosing ----------------------------------------------------------------------------------------------


def test_relatives_are_shown_in_full_and_others_faded(panel: GraphPanel) -> None:
    panel.select("ve")
    assert emphases(panel) == {
        "db": Emphasis.FULL,
        "ve": Emphasis.CHOSEN,
        "up": Emphasis.FULL,
        "rm": Emphasis.FULL,
        "no": Emphasis.FULL,
        "ph": Emphasis.FADED,
        "ce": Emphasis.FADED,
    }
    related = {pair for pair, curve in scene(panel).curves.items() if curve.weight is Weight.RELATED}
    assert related == {("db", "ve"), ("ve", "up"), ("up", "rm"), ("ve", "no"), ("up", "no")}
    panel.select("")
    assert set(emphases(panel).values()) == {Emphasis.FULL}


def test_kinds_of_links_differ_without_colour(panel: GraphPanel) -> None:
    panel.select("ve")
    curves = scene(panel).curves
    solid, dashed, dotted = (curves[pair].pen() for pair in (("ve", "up"), ("ve", "no"), ("up", "rm")))
    assert solid.style() is Qt.PenStyle.SolidLine
    assert solid.color().name().upper() == LIGHT.accent
    assert dashed.style() is Qt.PenStyle.CustomDashLine
    assert dashed.color().name().upper() == LIGHT.states[State.FAILED].ink
    assert dotted.dashPattern() != dashed.dashPattern()


def test_a_click_chooses_and_says_so(qtbot: QtBot, panel: GraphPanel) -> None:
    with qtbot.waitSignal(panel.chosen) as said:
        QTest.mouseClick(panel.view.viewport(), LEFT, pos=spot(panel, "up"))
    assert said.args == ["up"]
    assert panel.foot.accessibleName().startswith("Upload dump waits for 2 tasks")
    assert panel.view.accessibleDescription().startswith("Upload dump, pending")


def test_a_selection_from_elsewhere_says_nothing(qtbot: QtBot, panel: GraphPanel) -> None:
    with qtbot.assertNotEmitted(panel.chosen):
        panel.select("up")


def test_a_double_click_and_enter_edit(qtbot: QtBot, panel: GraphPanel) -> None:
    with qtbot.waitSignal(panel.edit_wanted) as said:
        QTest.mouseDClick(panel.view.viewport(), LEFT, pos=spot(panel, "up"))
    assert said.args == ["up"]
    panel.select("rm")
    with qtbot.waitSignal(panel.edit_wanted) as said:
        press_key(panel, Qt.Key.Key_Return)
    assert said.args == ["rm"]


def test_arrows_walk_along_links_and_columns(qtbot: QtBot, panel: GraphPanel) -> None:
    walked: list[str] = []
    panel.chosen.connect(walked.append)
    right, left, up, down = (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down)
    press_key(panel, right, right, right, right, right, down, up, left, left, left, down, down, down)
    assert walked == ["db", "ve", "up", "rm", "rm", "no", "rm", "up", "ve", "db", "ph", "ce", "ce"]


# --- menus and tool tips -----------------------------------------------------------------------------------


def menu_at(panel: GraphPanel, point: QPoint, reason: QContextMenuEvent.Reason) -> None:
    event = QContextMenuEvent(reason, point, panel.view.viewport().mapToGlobal(point))
    QApplication.sendEvent(panel.view.viewport(), event)


def test_a_menu_is_asked_for_by_mouse_and_by_keyboard(qtbot: QtBot, panel: GraphPanel) -> None:
    with qtbot.waitSignal(panel.menu_wanted) as said:
        menu_at(panel, spot(panel, "up"), QContextMenuEvent.Reason.Mouse)
    assert said.args is not None
    assert said.args[0] == "up"
    panel.select("rm")
    with qtbot.waitSignal(panel.menu_wanted) as said:
        menu_at(panel, QPoint(1, 1), QContextMenuEvent.Reason.Keyboard)
    assert said.args is not None
    assert said.args[0] == "rm"


def on_link(panel: GraphPanel, parent: str, child: str) -> QPoint:
    curve = scene(panel).curves[parent, child]
    return panel.view.mapFromScene(curve.path().pointAtPercent(0.5))


def test_a_link_can_be_clicked_and_taken_away(qtbot: QtBot, panel: GraphPanel) -> None:
    point = on_link(panel, "db", "ve")
    with qtbot.waitSignal(panel.link_menu_wanted) as said:
        menu_at(panel, point, QContextMenuEvent.Reason.Mouse)
    assert said.args is not None
    assert said.args[:2] == ["db", "ve"]
    QTest.mouseClick(panel.view.viewport(), LEFT, pos=point)
    assert scene(panel).curves["db", "ve"].weight is Weight.CHOSEN
    with qtbot.waitSignal(panel.unlink_wanted) as said:
        press_key(panel, Qt.Key.Key_Delete)
    assert said.args == ["db", "ve"]
    panel.select("rm")
    assert scene(panel).curves["db", "ve"].weight is Weight.RELATED
    with qtbot.assertNotEmitted(panel.unlink_wanted):
        press_key(panel, Qt.Key.Key_Delete)


def test_words_of_tasks_are_no_markup(qtbot: QtBot, panel: GraphPanel) -> None:
    panel.show_rows([row("a", MARKUP), row("b", "B & C", after=("a",))])
    panel.select("a")
    assert "<img" not in panel.foot.text()
    assert "&lt;b&gt;" in panel.foot.text()
    assert "<img" not in panel.foot.toolTip()
    assert panel.foot.accessibleName().startswith(f"{MARKUP} waits for no other task")


# --- drawing links -----------------------------------------------------------------------------------------


def drag(panel: GraphPanel, start: QPoint, end: QPoint) -> None:
    port = panel.view.viewport()
    QTest.mousePress(port, LEFT, pos=start)
    QTest.mouseMove(port, (start + end) / 2)
    QTest.mouseMove(port, end)


def drop(panel: GraphPanel, end: QPoint) -> None:
    QTest.mouseRelease(panel.view.viewport(), LEFT, pos=end)


@pytest.mark.parametrize(("side", "pair"), [(1.0, ["ph", "rm"]), (0.0, ["rm", "ph"])])
def test_a_link_is_drawn_from_either_side(
    qtbot: QtBot, panel: GraphPanel, side: float, pair: list[str]
) -> None:
    drag(panel, spot(panel, "ph", side), spot(panel, "rm"))
    assert scene(panel).nodes["rm"].emphasis is Emphasis.WELCOME
    with qtbot.waitSignal(panel.link_wanted) as said:
        drop(panel, spot(panel, "rm"))
    assert said.args == pair
    assert scene(panel).nodes["rm"].emphasis is Emphasis.FULL
    assert not [one for one in scene(panel).items() if not isinstance(one, NodeItem | LinkItem)]


def test_a_link_that_would_close_a_loop_is_refused_while_it_hovers(qtbot: QtBot, panel: GraphPanel) -> None:
    drag(panel, spot(panel, "up", 1.0), spot(panel, "db"))
    said = "These tasks would wait for each other: Database dump → Verify dump → Upload dump → Database dump."
    assert panel.foot.accessibleName() == said
    assert scene(panel).nodes["db"].emphasis is Emphasis.REFUSED
    with qtbot.assertNotEmitted(panel.link_wanted):
        drop(panel, spot(panel, "db"))
    assert panel.foot.accessibleName().startswith("7 tasks are shown.")
    QToolTip.hideText()


def test_escape_and_an_empty_place_give_a_link_up(qtbot: QtBot, panel: GraphPanel) -> None:
    with qtbot.assertNotEmitted(panel.link_wanted):
        drag(panel, spot(panel, "ph", 1.0), spot(panel, "rm"))
        press_key(panel, Qt.Key.Key_Escape)
        drop(panel, spot(panel, "rm"))
        drag(panel, spot(panel, "ph", 1.0), panel.view.viewport().rect().bottomRight())
        drop(panel, panel.view.viewport().rect().bottomRight())


def test_a_new_picture_ends_the_link_that_is_being_drawn(qtbot: QtBot, panel: GraphPanel) -> None:
    drag(panel, spot(panel, "ph", 1.0), spot(panel, "rm"))
    panel.show_rows(design()[:4])
    with qtbot.assertNotEmitted(panel.link_wanted):
        drop(panel, spot(panel, "rm"))


def test_a_press_on_a_side_that_draws_nothing_chooses(qtbot: QtBot, panel: GraphPanel) -> None:
    with qtbot.waitSignal(panel.chosen) as said:
        QTest.mouseClick(panel.view.viewport(), LEFT, pos=spot(panel, "up", 1.0))
    assert said.args == ["up"]


# --- zoom --------------------------------------------------------------------------------------------------


def wheel(panel: GraphPanel, turned: int) -> None:
    at = QPointF(panel.view.viewport().rect().center())
    event = QWheelEvent(
        at,
        panel.view.viewport().mapToGlobal(at),
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(panel.view.viewport(), event)


def test_the_wheel_and_the_buttons_zoom_within_bounds(panel: GraphPanel) -> None:
    assert panel.head.whole.text() == "100%"
    wheel(panel, 120)
    assert panel.head.whole.text() == "120%"
    panel.head.smaller.click()
    assert panel.head.whole.text() == "100%"
    panel.head.larger.click()
    wheel(panel, 12_000)
    assert panel.head.whole.text() == "300%"
    wheel(panel, -24_000)
    assert panel.head.whole.text() == "1%"
    panel.head.whole.click()
    assert panel.head.whole.text() == "100%"
    press_key(panel, Qt.Key.Key_Minus)
    assert panel.head.whole.text() == "83%"


def test_what_was_made_to_fit_goes_on_fitting(qtbot: QtBot, panel: GraphPanel) -> None:
    rows = [row("t0"), *(row(f"t{at}", after=(f"t{at - 1}",)) for at in range(1, 20))]
    panel.show_rows(rows)
    assert panel.view.zoom == pytest.approx(1)
    panel.head.fitting.click()
    first = panel.view.zoom
    assert first < 0.3
    assert panel.view.visible_tasks() == []  # nothing can be read
    panel.resize(1_200, 320)
    qtbot.waitUntil(lambda: panel.view.zoom > first)


def test_the_space_bar_pans(panel: GraphPanel) -> None:
    QTest.keyPress(panel.view, Qt.Key.Key_Space)
    assert panel.view.dragMode() is panel.view.DragMode.ScrollHandDrag
    QTest.keyRelease(panel.view, Qt.Key.Key_Space)
    assert panel.view.dragMode() is panel.view.DragMode.NoDrag


# --- painting ----------------------------------------------------------------------------------------------


def colours(panel: GraphPanel) -> set[str]:
    picture = panel.view.viewport().grab().toImage()
    return {
        picture.pixelColor(x, y).name().upper()
        for x in range(picture.width())
        for y in range(picture.height())
    }


def test_nodes_have_the_tints_and_bars_of_their_states_and_another_theme_paints_anew(
    panel: GraphPanel, look: Look
) -> None:
    found = colours(panel)
    for state in (State.SUCCEEDED, State.RUNNING, State.PENDING, State.FAILED):
        assert LIGHT.states[state].tint in found
    assert LIGHT.states[State.RUNNING].bar in found
    look.set_theme(Theme.DARK)
    found = colours(panel)
    assert DARK.log in found
    assert DARK.states[State.SUCCEEDED].tint in found
    assert LIGHT.log not in found


def test_from_afar_only_blocks_in_the_colours_of_states_are_painted(panel: GraphPanel) -> None:
    panel.view.set_zoom(0.15)
    assert LIGHT.states[State.RUNNING].bar in colours(panel)
    assert LIGHT.text not in colours(panel)


def test_long_right_to_left_and_coloured_names_stay_in_their_node(panel: GraphPanel) -> None:
    names = ["x" * 200, "שלום " * 40, "🚀" * 90, "two\nlines"]
    rows = [row("a", names[0]), *(row(f"c{at}", name, after=("a",)) for at, name in enumerate(names))]
    panel.show_rows(rows)
    panel.view.viewport().grab()
    for item in scene(panel).nodes.values():
        assert item.box.width <= 220
    assert scene(panel).nodes["a"]._shown[0].endswith("…")
    assert scene(panel).nodes["c3"]._shown[0] == "two lines"


def test_times_tick_only_while_somebody_can_look(panel: GraphPanel) -> None:
    assert panel._ticking.isActive()
    panel.hide()
    assert not panel._ticking.isActive()


def test_a_failure_link_leaves_below_and_others_at_the_right(panel: GraphPanel) -> None:
    box = scene(panel).plan.layout.boxes["ve"]
    routes = scene(panel).plan.routes
    assert routes["ve", "up"].start == (box.x + box.width, box.y + box.height / 2)
    assert routes["ve", "no"].start[1] == box.y + box.height
    ends = [routes[one, "no"].end[1] for one in ("db", "ve", "up", "ph", "ce")]
    assert len(set(ends)) == 5


def test_without_a_background_everything_is_laid_out_here(qtbot: QtBot, look: Look, clock: Clock) -> None:
    panel = GraphPanel(look, now=clock, zone=lambda: BERLIN)
    qtbot.addWidget(panel)
    panel.show_rows([row("a"), row("b", after=(Edge("a", On.FINISH),))])
    assert list(scene(panel).nodes) == ["a", "b"]
    panel.show_rows([structs.replace(one) for one in design()])
    assert len(scene(panel).nodes) == 7


def test_every_button_has_a_name(panel: GraphPanel) -> None:
    head = panel.head
    for button in (head.smaller, head.whole, head.larger, head.fitting, head.picker):
        assert button.accessibleName()
    assert all(isinstance(one, QAction) for one in head.picker.menu().actions())


def test_the_legend_goes_first_when_there_is_no_room(qtbot: QtBot, panel: GraphPanel) -> None:
    assert panel.head.legend.isVisible()
    panel.resize(420, 260)
    qtbot.waitUntil(lambda: not panel.head.legend.isVisible())
    assert panel.head.width() == 420
