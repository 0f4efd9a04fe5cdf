import pytest
from msgspec import structs
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktopsched.model import After, Every, Outcome, State
from desktopsched.ui import task_mime
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.facts import Facts, facts
from desktopsched.ui.look import Look
from desktopsched.ui.rows import Rows
from desktopsched.ui.sidebar import FOLDED, Sidebar
from desktopsched.ui.sidebar_delegate import ink_on
from desktopsched.ui.sidebar_model import ENTRY
from desktopsched.ui.tokens import DARK, LIGHT
from tests.ui.scenery import BERLIN, MARKUP, NOON, added, finished, run, started, status, task
from tests.ui.test_look import contrast

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def sidebar(qtbot: QtBot, look: Look) -> Sidebar:
    sidebar = Sidebar(look)
    qtbot.addWidget(sidebar)
    for model in (sidebar._views, sidebar._groups, sidebar._fires):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    sidebar.resize(220, 700)
    with qtbot.waitExposed(sidebar):
        sidebar.show()
    return sidebar


def sample() -> Facts:
    rows = Rows()
    for event in (
        added(task("a", "Photo sync", group="Files", schedule=Every(interval=900)), status(due=NOON + 60)),
        added(task("b", "Mail", group="Office", enabled=False)),
        added(task("c", MARKUP, group="Files", schedule=Every(interval=9_000)), status(due=NOON + 1_000)),
    ):
        rows.add(event.task, event.status)
    rows.follow(started(run("b")))
    rows.follow(finished(run("c", 2), Outcome(State.FAILED), due=NOON + 1_000))
    rows.end_day(NOON + 36_000)
    return facts(rows.tally, rows.__getitem__, NOON, BERLIN)


def told(sidebar: Sidebar) -> None:
    sidebar.tell(sample(), {"Files": 0, "Office": 1}, NOON)


def test_views_and_groups_are_counted(sidebar: Sidebar) -> None:
    told(sidebar)
    assert [entry.sentence for entry in sidebar._views.entries] == [
        "All tasks, 3 tasks",
        "Running, 1 task",
        "Failed, 1 task",
        "Today, 3 tasks",
        "Disabled, 0 tasks",
    ]
    assert [entry.bad for entry in sidebar._views.entries] == [False, False, True, False, False]
    assert [entry.sentence for entry in sidebar._groups.entries] == [
        "Files, 2 tasks, 1 failed",
        "Office, 1 task, 1 running",
    ]
    sidebar.grab()


def test_four_fires_come_next_the_same_task_more_than_once(sidebar: Sidebar) -> None:
    told(sidebar)
    assert [(fire.clock, fire.task_id) for fire in sidebar._fires.fires] == [
        ("14:01", "a"),
        ("14:16", "a"),
        ("14:16", "c"),
        ("14:31", "a"),
    ]


def test_what_happens_once_comes_next_once() -> None:
    rows = Rows()
    event = added(task("a", schedule=After(delay=40.0)), status(due=NOON + 300))
    rows.add(event.task, event.status)
    fires = facts(rows.tally, rows.__getitem__, NOON, BERLIN).fires
    assert [fire.due for fire in fires] == [NOON + 300]


def test_a_click_on_a_fire_names_its_task(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    spot = sidebar.next_up.visualRect(sidebar._fires.index(2)).center()
    with qtbot.waitSignal(sidebar.task_chosen) as chosen:
        QTest.mouseClick(sidebar.next_up.viewport(), LEFT, pos=spot)
    assert chosen.args == ["c"]


def test_a_view_or_a_group_is_chosen_and_never_both(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    chosen: list[Choice] = []
    sidebar.chosen.connect(chosen.append)
    sidebar.choose(Choice(group="Office"))
    sidebar.choose(Choice(view=View.FAILED))
    assert chosen == [Choice(group="Office"), Choice(view=View.FAILED)]
    assert not sidebar.groups.selectionModel().hasSelection()


def test_the_choice_outlives_new_counts_and_falls_back_when_its_group_goes(sidebar: Sidebar) -> None:
    told(sidebar)
    sidebar.choose(Choice(group="Office"))
    told(sidebar)
    assert sidebar.choice() == Choice(group="Office")
    found = sample()
    del found.groups["Office"]
    sidebar.tell(found, {"Files": 0}, NOON)
    assert sidebar.choice() == Choice()


def test_a_group_that_was_chosen_before_and_goes_changes_nothing(sidebar: Sidebar) -> None:
    told(sidebar)
    sidebar.choose(Choice(group="Office"))
    sidebar.choose(Choice())
    found = sample()
    del found.groups["Office"]
    sidebar.tell(found, {"Files": 0}, NOON)
    assert sidebar.choice() == Choice()
    sidebar.tell(structs.replace(found, groups={}), {}, NOON)
    assert sidebar.choice() == Choice()
    assert sidebar.views.selectionModel().hasSelection()


def test_tasks_dropped_onto_a_group_are_to_move_there(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    place = QPointF(sidebar.groups.visualRect(sidebar._groups.index(1)).center())
    data = task_mime.pack(["a", "c"])
    with qtbot.waitSignal(sidebar.moved) as moved:
        event = QDropEvent(place, Qt.DropAction.MoveAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
        sidebar.groups.dropEvent(event)
    assert moved.args == [("a", "c"), "Office"]


def test_the_group_onto_which_tasks_would_fall_is_framed(sidebar: Sidebar) -> None:
    told(sidebar)
    groups = sidebar.groups
    before = [groups.grab(groups.visualRect(sidebar._groups.index(row))).toImage() for row in range(2)]
    place = groups.visualRect(sidebar._groups.index(1)).center()
    data, keys = task_mime.pack(["a"]), Qt.KeyboardModifier.NoModifier
    groups.dragMoveEvent(QDragMoveEvent(place, Qt.DropAction.MoveAction, data, LEFT, keys))
    during = [groups.grab(groups.visualRect(sidebar._groups.index(row))).toImage() for row in range(2)]
    assert [one == other for one, other in zip(before, during, strict=True)] == [True, False]
    groups.dragLeaveEvent(QDragLeaveEvent())
    assert groups.grab(groups.visualRect(sidebar._groups.index(1))).toImage() == before[1]


def test_a_group_is_made_by_its_name_and_remembered(qtbot: QtBot, sidebar: Sidebar, look: Look) -> None:
    told(sidebar)
    QTest.mouseClick(sidebar.adder, LEFT)
    field = sidebar.groups.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "Home")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(sidebar) == ["Files", "Office", "Home"])
    other = Sidebar(look)
    qtbot.addWidget(other)
    other.restore_groups(sidebar.made_groups())
    other.tell(sample(), {"Files": 0, "Office": 1}, NOON)
    assert [entry.text for entry in other._groups.entries] == ["Files", "Office", "Home"]


def test_a_new_group_is_given_up_by_esc(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    sidebar.begin_group()
    field = sidebar.groups.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "Home")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert [entry.text for entry in sidebar._groups.entries] == ["Files", "Office"]


def fields(sidebar: Sidebar) -> list[QLineEdit]:
    return [one for one in sidebar.groups.findChildren(QLineEdit) if one.isVisible()]


def rename(qtbot: QtBot, sidebar: Sidebar, group: str, name: str, end: Qt.Key = Qt.Key.Key_Return) -> None:
    """As a person does it: F2, the name, Enter."""
    sidebar.groups.setCurrentIndex(sidebar._groups.place_of(group))
    QTest.keyClick(sidebar.groups, Qt.Key.Key_F2)
    (field,) = fields(sidebar)
    assert field.text() == field.selectedText() == group
    QTest.keyClicks(field, name)
    QTest.keyClick(field, end)
    qtbot.waitUntil(lambda: not fields(sidebar))


def names(sidebar: Sidebar) -> list[str]:
    return [entry.text for entry in sidebar._groups.entries]


def test_f2_renames_a_group_and_the_choice_follows(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    with qtbot.waitSignal(sidebar.renamed) as renamed:
        rename(qtbot, sidebar, "Office", "Bureau")
    assert renamed.args == ["Office", "Bureau"]
    found = sample()
    found.groups["Bureau"] = found.groups.pop("Office")
    sidebar.tell(found, {"Files": 0, "Bureau": 1}, NOON)
    assert names(sidebar) == ["Files", "Bureau"]
    assert sidebar.choice() == Choice(group="Bureau")


def test_esc_an_empty_name_and_the_same_name_rename_nothing(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    with qtbot.assertNotEmitted(sidebar.renamed):
        rename(qtbot, sidebar, "Office", "Bureau", Qt.Key.Key_Escape)
        rename(qtbot, sidebar, "Office", "  ")
        rename(qtbot, sidebar, "Office", "Office")
    assert names(sidebar) == ["Files", "Office"]


def test_the_name_that_is_typed_outlives_new_counts(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    sidebar.begin_renaming("Office")
    field = sidebar.groups.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "Bur")
    found = sample()
    found.groups["Office"] = structs.replace(found.groups["Office"], tasks=9)
    sidebar.tell(found, {"Files": 0, "Office": 1}, NOON)
    assert field.text() == "Bur"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not fields(sidebar))


def test_a_group_without_tasks_is_renamed_at_once(qtbot: QtBot, sidebar: Sidebar) -> None:
    sidebar._groups.made = ["Home", "Work"]
    told(sidebar)
    with qtbot.assertNotEmitted(sidebar.renamed):
        rename(qtbot, sidebar, "Home", "House")
    assert names(sidebar) == ["Files", "Office", "House", "Work"]
    assert sidebar.choice() == Choice(group="House")
    rename(qtbot, sidebar, "House", "Work")
    assert names(sidebar) == ["Files", "Office", "Work"]
    assert bytes(sidebar.made_groups().data()) == b'["Work"]'


def test_a_made_group_that_has_tasks_by_now_is_renamed_with_them(qtbot: QtBot, sidebar: Sidebar) -> None:
    sidebar._groups.made = ["Office"]
    told(sidebar)
    rename(qtbot, sidebar, "Office", "Bureau")
    found = sample()
    found.groups["Bureau"] = found.groups.pop("Office")
    sidebar.tell(found, {"Files": 0, "Bureau": 1}, NOON)
    assert names(sidebar) == ["Files", "Bureau"]
    told(sidebar)  # taken back
    assert names(sidebar) == ["Files", "Office"]


def test_no_group_has_a_mark_of_its_own_and_cannot_be_renamed(sidebar: Sidebar, look: Look) -> None:
    rows = Rows()
    rows.add(task("a"), status())
    sidebar.tell(facts(rows.tally, rows.__getitem__, NOON, BERLIN), {"": 0}, NOON)
    index = sidebar._groups.index(0)
    assert not sidebar.groups.can_rename(index)
    assert not sidebar.menu(sidebar.groups.visualRect(index).center()).actions()[0].isEnabled()
    picture = sidebar.groups.grab().toImage()
    seen = {picture.pixelColor(x, y).name() for x in range(40) for y in range(picture.height())}
    assert look.tokens.groups[0].lower() not in seen


def test_the_menu_of_a_group_renames_it_and_makes_new_ones(qtbot: QtBot, sidebar: Sidebar) -> None:
    told(sidebar)
    menu = sidebar.menu(sidebar.groups.visualRect(sidebar._groups.place_of("Office")).center())
    assert [action.text() for action in menu.actions()] == ["Rename group", "New group"]
    menu.actions()[0].trigger()
    field = sidebar.groups.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    with qtbot.waitSignal(sidebar.renamed) as renamed:
        QTest.keyClicks(field, "Bureau")
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == ["Office", "Bureau"]


def test_folded_a_group_is_known_by_its_letter_and_by_its_tool_tip(sidebar: Sidebar, look: Look) -> None:
    told(sidebar)
    index = sidebar.groups.model().index(0, 0)
    spot = sidebar.groups.visualRect(index)
    square = look.tokens.groups[index.data(ENTRY).hue].lower()
    middle, inside = QPoint(look.px(8 + 15 // 2), spot.center().y()), range(-look.px(3), look.px(3))
    colours = []
    for folded in (False, True):
        sidebar.fold(folded=folded)
        image = sidebar.groups.viewport().grab().toImage()
        colours.append({image.pixelColor(middle + QPoint(x, y)).name() for x in inside for y in inside})
    assert colours[0] == {square}
    assert {square, ink_on(square).lower()} <= colours[1]
    name = index.data(ENTRY).text
    assert name in str(index.data(Qt.ItemDataRole.ToolTipRole))


@pytest.mark.parametrize("ground", [*LIGHT.groups, *DARK.groups, "#777777"])
def test_the_letter_of_a_group_is_read_well_on_its_square(ground: str) -> None:
    assert contrast(ink_on(ground), ground) >= 4.5


def test_folded_it_is_icons_alone(sidebar: Sidebar, look: Look) -> None:
    told(sidebar)
    sidebar.fold(folded=True)
    assert sidebar.maximumWidth() == look.px(FOLDED)
    assert not sidebar.next_up.isVisible()
    sidebar.grab()
    sidebar.fold(folded=False)
    assert sidebar.next_up.isVisible()
