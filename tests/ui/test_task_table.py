from collections.abc import Callable, Collection
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragLeaveEvent, QDragMoveEvent, QDropEvent, QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktopsched.model import Edge, State
from desktopsched.ui import task_mime
from desktopsched.ui.cell_delegates import NameDelegate
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.columns import WIDTHS
from desktopsched.ui.drag_picture import drag_picture
from desktopsched.ui.group_row import GroupCell
from desktopsched.ui.look import Look
from desktopsched.ui.roles import Column
from desktopsched.ui.row import Cell
from desktopsched.ui.row_delegate import GAP, RIGHT
from desktopsched.ui.row_delegate import LEFT as LEFT_PADDING
from desktopsched.ui.strip import Bar
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_table import TaskTable
from desktopsched.ui.wishes import Wish
from tests.ui.scenery import BERLIN, NOON, added, changed, past, removed, run, started, status, task

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def model() -> TaskModel:
    return TaskModel(lambda: NOON, lambda: BERLIN)


@pytest.fixture
def table(qtbot: QtBot, model: TaskModel, look: Look) -> TaskTable:
    table = TaskTable(model, look)
    qtbot.addWidget(table)
    table.resize(1_300, 400)
    with qtbot.waitExposed(table):
        table.show()
    return table


def spot(table: TaskTable, model: TaskModel, task_id: str, column: Column) -> QPoint:
    return table.visualRect(model.index_of(task_id).siblingAtColumn(column)).center()


def drop(table: TaskTable, place: QPoint, data: QMimeData) -> bool:
    event = QDropEvent(QPointF(place), Qt.DropAction.MoveAction, data, LEFT, NONE)
    table.dropEvent(event)
    return event.isAccepted()


def test_a_quick_button_is_about_its_own_row(qtbot: QtBot, table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task("a")), added(task("b"))])
    table.select("a")
    cell = table.visualRect(model.index_of("b").siblingAtColumn(Column.NAME))
    delegate = table.itemDelegateForColumn(Column.NAME)
    assert isinstance(delegate, NameDelegate)
    with qtbot.waitSignal(table.asked) as asked:
        QTest.mouseClick(table.viewport(), LEFT, pos=delegate.boxes(cell)[Wish.RUN].center())
    assert asked.args == [Wish.RUN, ("b",)]


def test_where_quick_buttons_would_be_the_head_of_a_group_only_folds(
    qtbot: QtBot, table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a", group="Files"))])
    delegate = table.itemDelegateForColumn(Column.NAME)
    assert isinstance(delegate, NameDelegate)
    with qtbot.assertNotEmitted(table.asked):
        head = table.visualRect(model.index(0, Column.NAME))
        QTest.mouseClick(table.viewport(), LEFT, pos=delegate.boxes(head)[Wish.RUN].center())
    assert model.places.folded == {"Files"}


def test_a_click_on_a_bar_chooses_its_run(
    qtbot: QtBot, table: TaskTable, model: TaskModel, look: Look
) -> None:
    model.apply([added(task("a"))])
    model.remember({"a": (Bar(run=7, state=State.FAILED, seconds=3.0), *past(1.0))})
    cell = table.visualRect(model.index_of("a").siblingAtColumn(Column.STRIP))
    newest = QPoint(cell.left() + look.px(10 + 6 * 19 + 2), cell.center().y())
    with qtbot.waitSignal(table.run_chosen) as chosen:
        QTest.mouseClick(table.viewport(), LEFT, pos=newest)
    assert chosen.args == ["a", 7]
    table.viewport().grab()


@pytest.mark.parametrize(
    ("keys", "wish"),
    [
        ((Qt.Key.Key_Return, NONE), Wish.EDIT),
        ((Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier), Wish.EDIT),
        ((Qt.Key.Key_Space, NONE), Wish.LOG),
        ((Qt.Key.Key_Delete, NONE), Wish.REMOVE),
        ((Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier), Wish.DUPLICATE),
        ((Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier), Wish.COPY),
    ],
)
def test_keys_say_what_is_wished_for(
    qtbot: QtBot, table: TaskTable, model: TaskModel, keys: tuple[Qt.Key, Qt.KeyboardModifier], wish: Wish
) -> None:
    model.apply([added(task("a"))])
    table.select("a")
    with qtbot.waitSignal(table.asked) as asked:
        QTest.keyClick(table, *keys)
    assert asked.args == [wish, ("a",)]


def test_the_menu_follows_what_is_selected(qtbot: QtBot, table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task("a")), added(task("b", enabled=False)), started(run("a"))])
    table.selectAll()
    menu = table.menu()
    off = [action.text() for action in menu.actions() if action.text() and not action.isEnabled()]
    assert off == ["Show log", "Why?", "Edit"]
    with qtbot.waitSignal(table.asked) as asked:
        next(action for action in menu.actions() if action.text() == "Disable").trigger()
    assert asked.args == [Wish.DISABLE, ("a", "b")]
    menu.close()


def test_tasks_dropped_onto_a_group_are_to_move_there(
    qtbot: QtBot, table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    head = table.visualRect(model.index(2, 0)).center()  # below the other group and its task
    with qtbot.waitSignal(table.moved) as moved:
        assert drop(table, head, task_mime.pack(["a"]))
    assert moved.args == [("a",), "Office"]


def test_a_task_dropped_onto_another_is_to_wait_for_it(
    qtbot: QtBot, table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a")), added(task("b"))])
    with qtbot.waitSignal(table.link_wanted) as wanted:
        assert drop(table, spot(table, model, "a", Column.NAME), task_mime.pack(["b"]))
    assert wanted.args == ["a", ("b",)]


def test_a_drop_that_would_close_a_loop_is_refused_with_the_loop_named(
    qtbot: QtBot, table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a")), added(task("b", waits_for=(Edge("a"),)))])
    with qtbot.waitSignal(table.refused) as refused:
        assert not drop(table, spot(table, model, "b", Column.NAME), task_mime.pack(["a"]))
    assert refused.args == ["These tasks would wait for each other: A → B → A."]


@pytest.mark.parametrize(("tasks", "wide"), [(["a"], "Photo sync"), (["a", "b", "c"], "3 tasks")])
def test_a_drag_carries_a_picture_of_what_is_dragged(
    table: TaskTable, model: TaskModel, look: Look, tasks: list[str], wide: str
) -> None:
    model.apply([added(task("a", "Photo sync")), added(task("b")), added(task("c"))])
    drag = table.drag_of(tasks)
    assert task_mime.unpack(drag.mimeData()) == tuple(tasks)
    picture, ratio = drag.pixmap(), table.devicePixelRatioF()
    assert picture.devicePixelRatio() == ratio
    words = QFontMetrics(look.font(weight=QFont.Weight.DemiBold)).horizontalAdvance(wide)
    assert 0 < picture.width() / ratio - words < look.px(60)  # its words, an icon, and room around
    drag.deleteLater()


def test_the_picture_of_a_drag_is_as_sharp_as_the_screen_and_a_long_name_is_cut(look: Look) -> None:
    small, large = (drag_picture(look, "terminal", "Photo sync", ratio) for ratio in (1.0, 2.0))
    assert (large.width(), large.height()) == (2 * small.width(), 2 * small.height())
    assert large.deviceIndependentSize() == small.deviceIndependentSize()
    assert drag_picture(look, "terminal", "W" * 200, 1.0).width() < look.px(300)


def test_why_something_cannot_fall_is_said_no_more_once_it_is_dragged_elsewhere(
    qtbot: QtBot, table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a")), added(task("b", waits_for=(Edge("a"),)))])
    data = task_mime.pack(["a"])  # an event does not hold it
    place = spot(table, model, "b", Column.NAME)
    table.dragMoveEvent(QDragMoveEvent(place, Qt.DropAction.MoveAction, data, LEFT, NONE))
    assert "wait for each other" in QToolTip.text()
    table.dragLeaveEvent(QDragLeaveEvent())
    assert table.drop_row == QPersistentModelIndex()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_what_others_drag_is_not_taken(table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task("a"))])
    foreign = QMimeData()
    foreign.setData(task_mime.KIND, b"{not json")
    assert not drop(table, spot(table, model, "a", Column.NAME), foreign)


def test_one_of_many_selected_rows_is_alone_only_when_it_is_let_go(
    table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a")), added(task("b"))])
    table.selectAll()
    place = spot(table, model, "a", Column.SCHEDULE)
    QTest.mousePress(table.viewport(), LEFT, pos=place)
    assert table.selected_tasks() == ["a", "b"]
    QTest.mouseRelease(table.viewport(), LEFT, pos=place)
    assert table.selected_tasks() == ["a"]


def test_selection_and_scroll_outlive_a_thousand_updates(table: TaskTable, model: TaskModel) -> None:
    """U15."""
    model.apply([added(task(f"t{n}")) for n in range(1_000)])
    table.select("t500")
    table.viewport().grab()
    before = table.verticalScrollBar().value()
    for n in range(10):
        model.apply([changed(f"t{m}", status(State.READY)) for m in range(n, 1_000, 7)])
        table.tick()
    model.apply([removed("t999"), added(task("new"))])
    table.viewport().grab()
    assert table.selected_tasks() == ["t500"]
    assert table.currentIndex() == model.index_of("t500")
    assert table.verticalScrollBar().value() == before > 0


def test_selection_and_place_outlive_another_choice(table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task(f"t{n}"), status(due=NOON + 9)) for n in range(200)])
    table.select("t100")
    table.viewport().grab()
    before = table.verticalScrollBar().value()
    model.choose(Choice(view=View.TODAY))
    table.viewport().grab()
    assert table.selected_tasks() == ["t100"]
    assert table.verticalScrollBar().value() == before > 0
    model.choose(Choice(text="t199"))
    assert table.selected_tasks() == []


def test_folded_groups_stay_folded_and_open_for_hits(table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task("a", group="Files"))])
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(model.index(0, 0)).center())
    kept = table.folded()
    assert model.rowCount() == 1
    model.choose(Choice(text="a"))
    assert model.rowCount() == 2
    model.choose(Choice())
    assert model.rowCount() == 1
    model.fold("Files", folded=False)
    assert model.rowCount() == 2
    table.restore_folded(kept)
    assert model.rowCount() == 1


def test_a_task_in_a_folded_group_is_unfolded_when_somebody_goes_to_it(
    table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    model.fold("Files", folded=True)
    assert not model.index_of("a").isValid()
    assert model.shows("a")
    table.select("a")
    assert table.selected_tasks() == ["a"]


def test_left_and_right_fold_as_in_a_tree_and_home_and_end_go_to_the_ends(
    table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    seen = []
    table.select("a")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(table, key)
        seen.append((table.currentIndex().row(), model.rowCount()))
    assert seen == [(0, 4), (0, 3), (0, 4), (3, 4), (0, 4)]


def test_a_letter_goes_to_the_next_task_with_such_a_name(table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task("a")), added(task("b")), added(task("c"))])
    table.select("a")
    QTest.keyClick(table, Qt.Key.Key_C)
    assert table.selected_tasks() == ["c"]


def test_heads_of_groups_are_lower_than_tasks_wherever_they_stand(
    table: TaskTable, model: TaskModel, look: Look
) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    model.apply([added(task("c", group="Files"))])
    model.sort(Column.NAME, Qt.SortOrder.DescendingOrder)
    heads = [table.rowHeight(place) == look.px(25) for place in range(model.rowCount())]
    assert heads == [True, False, False, True, False]
    model.apply([removed("a"), removed("c")])
    assert [table.rowHeight(place) == look.px(25) for place in (0, 1)] == [True, False]


def test_only_lines_in_sight_are_looked_at_however_many_there_are(table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task(f"t{n}")) for n in range(5_000)])
    asked, cell = set[int](), model.cell

    def asking(place: int, column: Column) -> Cell | GroupCell | None:
        asked.add(place)
        return cell(place, column)

    model.cell = asking  # type: ignore[method-assign]
    table.viewport().grab()
    assert 0 < len(asked) < 30


def test_what_changes_out_of_sight_paints_nothing(qtbot: QtBot, table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task(f"t{n}")) for n in range(5_000)])
    table.viewport().grab()
    updates: list[tuple[int, int]] = []
    table._update = lambda first, last, columns=(): updates.append((first, last))  # type: ignore[method-assign]
    table.select("t0")
    model.fold("", folded=False)
    table.verticalScrollBar().setValue(3_000)
    updates.clear()
    model.apply([changed("t7", status(State.READY))])
    model.apply([changed("t3002", status(State.READY))])
    assert updates == [(3_003, 3_003)]


def settled(painted: Collection[object]) -> bool:
    """Whether nothing is painted any more: a window that has just come up is painted more than once."""
    before = len(painted)
    QApplication.processEvents()
    return len(painted) == before > 0


def test_of_a_thousand_changes_at_once_only_the_lines_in_sight_that_changed_are_painted(
    qtbot: QtBot, table: TaskTable, model: TaskModel
) -> None:
    table._ticking.stop()
    model.apply([added(task(f"t{n}")) for n in range(3_000)])
    painted: list[int] = []
    table._rows.paint = lambda lines, region: painted.extend(lines)  # type: ignore[method-assign]
    qtbot.waitUntil(lambda: settled(painted))
    painted.clear()
    model.apply([changed(f"t{n}", status(State.READY)) for n in (1, 4, *range(1_000, 2_000))])
    qtbot.waitUntil(lambda: bool(painted))
    assert painted == [0, 2, 5]  # the head of the group counts them


def test_a_tick_paints_the_cells_that_tell_the_time_and_no_others(
    qtbot: QtBot, table: TaskTable, model: TaskModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    table._ticking.stop()
    model.apply([added(task("a")), added(task("b")), started(run("b"))])
    painted: list[tuple[int, int]] = []
    for delegate in {table.itemDelegateForIndex(model.index_of("a").siblingAtColumn(one)) for one in Column}:
        paint = delegate.paint

        def note(*given: Any, paint: Callable[..., None] = paint) -> None:
            painted.append((given[2].row(), given[2].column()))
            paint(*given)

        monkeypatch.setattr(delegate, "paint", note)
    table.viewport().update()
    qtbot.waitUntil(lambda: settled(painted))
    painted.clear()
    table.tick()
    qtbot.waitUntil(lambda: bool(painted))
    assert {(row, column) for row, column in painted if row} == {
        *((1, Column.NEXT), (2, Column.NEXT)),
        *((2, Column.STRIP), (2, Column.DURATION)),  # of what runs
    }


def test_all_columns_have_room_in_the_window_of_the_design_beside_a_scroll_bar(
    table: TaskTable, look: Look
) -> None:
    wider = table.columnWidth(Column.STATE) - look.px(WIDTHS[Column.STATE])  # in a wide font
    table.columns.fit(look.px(1_440 - 220 - 1 - 12) + max(wider - 1, 0))
    assert [column for column in Column if table.isColumnHidden(column)] == []


def test_where_the_frame_goes_and_where_it_was_all_of_the_line_is_painted(
    table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a")), added(task("b")), added(task("c"))])
    table.select("a")
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    updates: list[tuple[int, int]] = []
    table._update = lambda first, last, columns=(): updates.append((first, last))  # type: ignore[method-assign]
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert updates == [(2, 2), (3, 3)]


def test_a_run_that_takes_longer_than_usual_says_so_in_full(table: TaskTable, look: Look) -> None:
    wide = QFontMetrics(look.font(weight=QFont.Weight.Medium)).horizontalAdvance("10:46")
    wide += QFontMetrics(look.font(12)).horizontalAdvance("longer than usual")
    table.resize(look.px(1_220), 400)
    assert not table.isColumnHidden(Column.RESULT)
    assert table.columnWidth(Column.DURATION) >= look.px(LEFT_PADDING) + wide + look.px(GAP + RIGHT)


def test_the_word_of_a_state_is_whole_in_every_font(
    qtbot: QtBot, model: TaskModel, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = QFont(look.font(weight=QFont.Weight.Medium))
    wide.setStretch(QFont.Stretch.UltraExpanded)
    monkeypatch.setattr(look, "font", lambda *_size, **_weight: wide)
    table = TaskTable(model, look)
    qtbot.addWidget(table)
    room = table.columnWidth(Column.STATE) - look.px(LEFT_PADDING + 16 + GAP + RIGHT)
    assert room >= QFontMetrics(wide).horizontalAdvance("Succeeded")


def test_on_a_screen_as_wide_as_the_design_no_column_gives_way_at_first(table: TaskTable, look: Look) -> None:
    wider = table.columnWidth(Column.STATE) - look.px(WIDTHS[Column.STATE])  # in a wide font
    table.columns.fit(round(1_440 * 0.96) - look.px(220 + 1 + 12) + wider)
    assert [column for column in Column if table.isColumnHidden(column)] == []
    assert table.columnWidth(Column.RESULT) == look.px(WIDTHS[Column.RESULT])


def test_the_last_result_becomes_narrower_before_it_goes_and_gets_its_width_back(
    table: TaskTable, look: Look
) -> None:
    px, header = look.px, table.header()
    table.columns.fit(px(1_300))
    header.resizeSection(Column.RESULT, px(200))
    found = []
    for width in (1_300, 1_120, 1_040, 1_300):
        table.columns.fit(px(width))
        found.append(0 if table.isColumnHidden(Column.RESULT) else table.columnWidth(Column.RESULT))
    assert found[0] == found[3] == px(200)
    assert px(110) <= found[1] < px(200)
    assert found[2] == 0


def test_a_width_that_was_chosen_is_remembered_where_there_was_no_room_for_it(
    table: TaskTable, look: Look
) -> None:
    table.columns.fit(look.px(1_300))
    table.header().resizeSection(Column.RESULT, look.px(200))
    table.columns.fit(look.px(1_120))
    state = table.columns.state()
    table.columns.put_back()
    table.columns.restore(state)
    table.columns.fit(look.px(1_300))
    assert table.columnWidth(Column.RESULT) == look.px(200)


def test_the_last_result_gives_way_first_then_the_strip(table: TaskTable, look: Look) -> None:
    hidden = []
    for width in (1_100, 1_050, 900):
        table.resize(look.px(width), 400)
        hidden.append([column for column in Column if table.isColumnHidden(column)])
    assert hidden == [[], [Column.RESULT], [Column.RESULT, Column.STRIP]]


def test_in_the_smallest_window_all_columns_that_are_left_are_in_sight(table: TaskTable, look: Look) -> None:
    table.resize(look.px(880 - 47), 400)  # less the sidebar, which is icons alone then
    assert table.header().length() <= table.viewport().width(), [table.columnWidth(c) for c in Column]


def test_columns_are_hidden_by_the_menu_and_remembered(
    qtbot: QtBot, table: TaskTable, model: TaskModel, look: Look
) -> None:
    menu = table.columns.menu()
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["Name"].isEnabled()
    actions["Schedule"].trigger()
    table.header().moveSection(0, 1)
    assert table.isColumnHidden(Column.SCHEDULE)
    other = TaskTable(model, look)
    qtbot.addWidget(other)
    other.columns.restore(table.columns.state())
    assert other.isColumnHidden(Column.SCHEDULE)
    assert other.header().visualIndex(Column.NAME) == 0
    other.columns.put_back()
    assert not other.isColumnHidden(Column.SCHEDULE)
    menu.close()


def test_the_whole_line_under_the_pointer_is_marked_until_it_leaves(
    table: TaskTable, model: TaskModel
) -> None:
    model.apply([added(task("a")), added(task("b"))])
    QTest.mouseMove(table.viewport(), spot(table, model, "b", Column.NEXT))
    assert table.under_pointer == 2
    plain = table.viewport().grab().toImage().pixelColor(spot(table, model, "a", Column.STRIP))
    marked = table.viewport().grab().toImage().pixelColor(spot(table, model, "b", Column.STRIP))
    assert marked != plain
    QTest.mouseMove(table.viewport(), QPoint(5, table.viewport().height() - 5))
    assert table.under_pointer == -1


def test_all_lines_are_selected_without_a_look_at_each_cell(table: TaskTable, model: TaskModel) -> None:
    model.apply([added(task(f"t{n}")) for n in range(3_000)])
    table.selectAll()
    asked = 0
    count = model.rowCount

    def counting(*parent: QModelIndex) -> int:
        nonlocal asked
        asked += 1
        return count(*parent)

    model.rowCount = counting  # type: ignore[method-assign, assignment]
    table.grab()
    assert asked < 1_000
    assert len(table.selected_tasks()) == 3_000
