import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import UNSET, structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from desktopsched.engine.events import TaskStatus
from desktopsched.model import After, Edge, InvalidTaskError, On, Outcome, State, StorageError, Task
from desktopsched.storage.preferences import Preferences
from desktopsched.ui import plain
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from desktopsched.ui.roles import Role
from desktopsched.ui.wishes import Wish
from tests.ui.scenery import BERLIN, MARKUP, NOON, FakeSession, added, changed, task


class Scene:
    """A window over a list that edits change at once."""

    def __init__(self, qtbot: QtBot, folder: Path, look: Look) -> None:
        self._qtbot = qtbot
        self.session = FakeSession(folder)
        self.window = MainWindow(self.session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
        qtbot.addWidget(self.window, before_close_func=lambda window: setattr(window, "phase", Phase.CLOSED))

    def opens(self, *tasks: Task) -> None:
        self.session.program.task_list.tasks[:] = tasks
        self.session.bridge.arrived.emit([added(one) for one in tasks])
        self.session.opened.emit({})

    def asks(self, wish: Wish, *ids: str) -> None:
        self.window.table.asked.emit(wish, ids)

    @property
    def tasks(self) -> list[Task]:
        return list(self.session.program.task_list.tasks)

    @property
    def ids(self) -> list[str]:
        return [one.id for one in self.tasks]

    def edges(self, child: str) -> list[Edge]:
        return [edge for one in self.tasks if one.id == child for edge in one.waits_for]

    @property
    def banners(self) -> list[str]:
        return [banner.accessibleName() for banner in self.window.bulletin.banners.banners]

    @property
    def forms(self) -> list[TaskForm]:
        """Those that are open, once they are made."""
        found = self.window.findChildren(TaskForm)
        for form in found:
            if not form.is_made:
                self._qtbot.waitUntil(form.isVisible)
        return [form for form in found if form.isVisible()]


@pytest.fixture
def scene(qtbot: QtBot, tmp_path: Path, look: Look) -> Iterator[Scene]:
    found = Scene(qtbot, tmp_path, look)
    yield found
    for form in found.forms:
        form.done(0)


def waiting(child: str, *parents: str) -> Task:
    return task(child, waits_for=tuple(Edge(parent) for parent in parents))


def test_a_new_task_from_the_form_is_on_the_list_and_can_be_taken_back(scene: Scene) -> None:
    scene.opens()
    scene.window.tools.actions_by_name["new"].trigger()
    (form,) = scene.forms
    form.page.general.name.edit.setText("Say hello")
    form.page.what.command.edit.setText("echo hello")
    form.page.when.kind.set_raw(UNSET)
    form.save()
    assert [(one.id, one.name) for one in scene.tasks] == [("say-hello", "Say hello")]
    assert scene.window.menu.actions_by_name["undo"].text() == "Undo add Say hello"
    scene.window.menu.actions_by_name["undo"].trigger()
    assert scene.tasks == []
    scene.window.menu.actions_by_name["redo"].trigger()
    assert scene.ids == ["say-hello"]


def test_an_edit_changes_the_task_in_its_place(scene: Scene) -> None:
    scene.opens(task("a"), task("b"), task("c"))
    scene.asks(Wish.EDIT, "b")
    (form,) = scene.forms
    form.page.general.name.edit.setText("Better")
    form.save()
    assert [one.name for one in scene.tasks] == ["A", "Better", "C"]
    assert scene.ids == ["a", "b", "c"]


def test_an_edit_from_the_form_keeps_what_another_changed_meanwhile(scene: Scene) -> None:
    scene.opens(task("a"))
    scene.asks(Wish.EDIT, "a")
    (form,) = scene.forms
    form.page.general.name.edit.setText("Better")
    scene.session.program.task_list.tasks[0] = task("a", group="G")  # and no event of it has come yet
    form.save()
    assert scene.tasks == [task("a", "Better", group="G")]
    scene.session.edits.undo()
    assert scene.tasks == [task("a", group="G")]


def test_an_open_form_hears_of_other_edits(scene: Scene) -> None:
    scene.opens(task("a"), waiting("b", "a"))
    scene.asks(Wish.EDIT, "b")
    (form,) = scene.forms
    scene.session.edits.replace(scene.tasks[0], structs.replace(scene.tasks[0], name="Renamed"))
    assert form.page.parents.chips[0].name == "Renamed"
    scene.session.edits.replace(scene.tasks[1], structs.replace(scene.tasks[1], enabled=False))
    (banner,) = form.banners.banners
    assert banner.accessibleName().startswith("Changed elsewhere meanwhile: enabled.")
    form.page.general.name.edit.setText("Better")
    form.save()
    assert (scene.tasks[1].name, scene.tasks[1].enabled) == ("Better", False)


def test_a_form_is_made_piece_by_piece_and_shown_once_it_is_whole(scene: Scene) -> None:
    scene.opens(task("a"))
    scene.asks(Wish.EDIT, "a")
    (form,) = scene.window.findChildren(TaskForm)
    assert (form.is_made, form.isVisible(), form.windowTitle()) == (False, False, "Edit task: A")
    assert scene.forms == [form]
    assert form.is_made


def test_a_task_has_one_form(scene: Scene) -> None:
    scene.opens(task("a"))
    scene.asks(Wish.EDIT, "a")
    scene.asks(Wish.EDIT, "a")
    assert len(scene.forms) == 1


def test_what_cannot_be_saved_comes_back_as_it_was_written(qtbot: QtBot, scene: Scene) -> None:
    scene.opens(task("a"))
    scene.asks(Wish.EDIT, "a")
    (form,) = scene.forms
    form.page.general.name.edit.setText("Better")
    scene.session.refusal = InvalidTaskError("The disk is full")
    form.save()
    qtbot.waitUntil(lambda: scene.forms == [form])
    assert form.page.general.name.edit.text() == "Better"
    assert [banner.accessibleName() for banner in form.banners.banners] == ["Not saved. The disk is full"]
    assert form.banners.isVisible()
    assert not any("The disk is full" in words for words in scene.banners)  # they are behind the form
    scene.session.refusal = None
    form.save()
    assert not any("Not saved" in banner.accessibleName() for banner in form.banners.banners)
    assert scene.tasks[0].name == "Better"
    assert not scene.forms


def test_the_form_of_a_removed_task_says_so_and_saves_a_new_one(scene: Scene) -> None:
    scene.opens(task("a"))
    scene.asks(Wish.EDIT, "a")
    (form,) = scene.forms
    scene.asks(Wish.REMOVE, "a")
    assert [banner.accessibleName() for banner in form.banners.banners]
    form.save()
    assert scene.ids == ["a-2"]


def test_removed_tasks_come_back_to_their_places_with_their_links(scene: Scene) -> None:
    before = [task("a"), task("b"), waiting("c", "a", "b"), waiting("d", "b")]
    scene.opens(*before)
    scene.asks(Wish.REMOVE, "b", "a")
    assert scene.ids == ["c", "d"]
    assert all(one.waits_for == () for one in scene.tasks)
    assert "Removed 2 tasks. Their history and logs are kept." in scene.banners
    scene.session.edits.undo()
    assert scene.tasks == before
    assert not any("Removed" in words for words in scene.banners)


def test_the_way_back_is_offered_for_ten_seconds(scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    scene.asks(Wish.REMOVE, "a")
    assert scene.window.bulletin.regret.isActive()
    assert scene.window.bulletin.regret.interval() == 10_000
    scene.window.bulletin.regret.timeout.emit()
    assert not any("Removed" in words for words in scene.banners)
    scene.session.edits.undo()
    assert scene.ids == ["a", "b"]


def test_one_task_is_duplicated_in_a_form_and_several_arrive_disabled(scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    scene.asks(Wish.DUPLICATE, "a")
    (form,) = scene.forms
    form.save()
    assert scene.ids == ["a", "b", "a-copy"]
    scene.asks(Wish.DUPLICATE, "a", "b")
    assert scene.ids == ["a", "b", "a-copy", "a-copy-2", "b-copy"]
    assert [one.enabled for one in scene.tasks] == [True, True, True, False, False]


def test_tasks_are_copied_as_a_task_file(scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    scene.asks(Wish.COPY, "b")
    copied = json.loads(QGuiApplication.clipboard().text())
    assert copied["format"] == 1
    assert [one["id"] for one in copied["tasks"]] == ["b"]


def test_what_was_copied_is_pasted_switched_off_in_one_step(scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    scene.asks(Wish.COPY, "a", "b")
    scene.window.menu.actions_by_name["paste"].trigger()
    assert scene.ids == ["a", "b", "a-2", "b-2"]
    assert [one.enabled for one in scene.tasks] == [True, True, False, False]
    assert scene.window.table.selected_tasks() == ["a-2"]
    scene.session.edits.undo()
    assert scene.ids == ["a", "b"]


def test_a_clipboard_without_tasks_pastes_nothing_and_says_what_to_do(scene: Scene) -> None:
    scene.opens(task("a"))
    QGuiApplication.clipboard().setText("hello")
    scene.window.menu.actions_by_name["paste"].trigger()
    assert scene.ids == ["a"]
    assert "There is nothing to paste" in scene.banners[0]


def test_what_comes_onto_the_list_is_selected_and_so_is_what_undo_changes(scene: Scene) -> None:
    scene.opens(task("a"), task("b"), task("c"))
    select = scene.window.table.selected_tasks
    scene.session.edits.add(task("d"))
    assert select() == ["d"]
    scene.asks(Wish.REMOVE, "b", "c")
    scene.session.edits.undo()
    assert select() == ["b", "c"]
    scene.asks(Wish.DISABLE, "a")
    assert select() == ["b", "c"]
    scene.session.edits.undo()
    assert select() == ["a"]
    scene.session.edits.redo()
    assert select() == ["a"]


def test_undo_selects_all_that_it_changed_whatever_is_searched_for_and_folded(scene: Scene) -> None:
    scene.opens(
        task("a", group="One"), task("b", group="Two"), task("c", group="Two"), task("d", group="Two")
    )
    scene.asks(Wish.DISABLE, "a", "b", "d")
    scene.window.table._fold("Two", folded=True)
    scene.window.search.setText("nothing of this name")
    scene.session.edits.undo()
    assert scene.window.search.text() == ""
    assert scene.window.table.selected_tasks() == ["a", "b", "d"]


def test_the_status_bar_says_what_was_undone_and_done_again_and_then_what_is_next(scene: Scene) -> None:
    scene.opens(task("a", "Photo sync"))
    status = scene.window.status
    usual = f"{status.lead.text()} {status.rest.text()}"
    scene.asks(Wish.REMOVE, "a")
    scene.session.edits.undo()
    assert (status.lead.text(), status.name.text(), status.rest.text()) == (
        "Undone:",
        "remove Photo sync",
        "",
    )
    scene.window.count()
    assert status.name.text() == "remove Photo sync"
    scene.session.edits.redo()
    assert (status.lead.text(), status.name.text()) == ("Done again:", "remove Photo sync")
    scene.session.edits.undo()
    scene.window.count()
    status._saying.timeout.emit()
    assert f"{status.lead.text()} {status.rest.text()}" == usual


def test_a_chain_of_steps_is_undone_from_the_last_to_the_first_each_by_its_name(scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    said: list[tuple[str, str]] = []
    scene.session.edits.walked.connect(lambda what, name: said.append((what, name)))
    begun = list(scene.session.program.task_list.tasks)
    scene.asks(Wish.DISABLE, "a", "b")
    scene.window.editing.link("a", "b")
    scene.asks(Wish.REMOVE, "a")
    for _ in range(4):  # one more than there are
        scene.session.edits.undo()
    assert said == [("Undone", "remove A"), ("Undone", "link B"), ("Undone", "disable 2 tasks")]
    assert scene.session.program.task_list.tasks == begun
    scene.session.refusal = StorageError("The disk is full.")
    scene.session.edits.redo()
    assert len(said) == 3
    assert "The disk is full." in scene.banners[0]


def test_what_is_pasted_is_alone_selected_though_ctrl_is_held(qtbot: QtBot, scene: Scene) -> None:
    scene.opens(task("a"))
    scene.window.show()
    scene.window.activateWindow()
    qtbot.waitUntil(scene.window.isActiveWindow)
    table = scene.window.table
    table.select("a")
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert scene.ids == ["a", "a-2"]
    assert table.selected_tasks() == ["a-2"]


def test_a_new_task_is_shown_whatever_was_searched_for(scene: Scene) -> None:
    scene.opens(task("a"))
    scene.window.search.setText("nothing like it")
    scene.session.edits.add(task("d"))
    assert scene.window.table.selected_tasks() == ["d"]


def test_after_a_removal_the_place_in_the_table_is_kept_and_nothing_is_selected(scene: Scene) -> None:
    scene.opens(task("a"), task("b"), task("c"))
    table = scene.window.table
    table.select("b")
    scene.asks(Wish.REMOVE, "b")
    assert table.currentIndex().data(Role.TASK_ID) == "c"
    assert table.selected_tasks() == []
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.selected_tasks() == ["c"]


def test_the_way_back_by_the_banner_leaves_the_keyboard_in_the_table(qtbot: QtBot, scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    scene.window.show()
    scene.window.activateWindow()
    qtbot.waitUntil(scene.window.isActiveWindow)
    scene.asks(Wish.REMOVE, "b")
    (banner,) = scene.window.bulletin.banners.banners
    banner.buttons[0].setFocus()
    banner.buttons[0].click()
    assert scene.ids == ["a", "b"]
    assert scene.window.table.hasFocus()


def test_switching_several_tasks_is_one_step_and_a_delay_counts_anew(scene: Scene) -> None:
    scene.opens(task("a", enabled=False, schedule=After(delay=60)), task("b", enabled=False), task("c"))
    scene.asks(Wish.ENABLE, "a", "b", "c")
    assert [one.enabled for one in scene.tasks] == [True, True, True]
    schedule = scene.tasks[0].schedule
    assert isinstance(schedule, After)
    assert schedule.since is not None
    assert schedule.since.timestamp() == NOON
    scene.session.edits.undo()
    assert [one.enabled for one in scene.tasks] == [False, False, True]


def test_tasks_dropped_onto_a_group_move_there(scene: Scene) -> None:
    scene.opens(task("a"), task("b", group="Office"))
    scene.window.sidebar.moved.emit(("a", "b"), "Office")
    assert [one.group for one in scene.tasks] == ["Office", "Office"]
    scene.session.edits.undo()
    assert [one.group for one in scene.tasks] == ["", "Office"]


def test_a_group_is_renamed_with_all_its_tasks_in_one_step(scene: Scene) -> None:
    scene.opens(task("a", group="Office"), task("b", group="Files"), task("c", group="Office"))
    scene.window.sidebar.renamed.emit("Office", "Bureau")
    assert [one.group for one in scene.tasks] == ["Bureau", "Files", "Bureau"]
    assert scene.session.edits.undo_words == "rename group Office"
    scene.session.edits.undo()
    assert [one.group for one in scene.tasks] == ["Office", "Files", "Office"]


def test_links_are_drawn_changed_and_removed(scene: Scene) -> None:
    scene.opens(task("a"), task("b"), task("c"))
    scene.window.graph.link_wanted.emit("a", "c")
    scene.window.table.link_wanted.emit("b", ("c",))
    scene.window.editing.link("a", "c", On.FAILURE)
    assert scene.edges("c") == [Edge("a", On.FAILURE), Edge("b")]
    scene.window.graph.unlink_wanted.emit("a", "c")
    assert scene.edges("c") == [Edge("b")]
    assert scene.session.edits.undo_words == "unlink C"


def test_tasks_dropped_together_onto_one_wait_for_it_in_one_step(scene: Scene) -> None:
    scene.opens(task("a"), task("b"), waiting("c", "b"))
    scene.window.table.link_wanted.emit("a", ("b", "c"))
    assert (scene.edges("b"), scene.edges("c")) == ([Edge("a")], [Edge("b"), Edge("a")])
    scene.session.edits.undo()
    assert (scene.edges("b"), scene.edges("c")) == ([], [Edge("b")])


def test_a_task_with_a_mistake_in_the_file_is_left_alone(scene: Scene) -> None:
    scene.opens(task("a"), task("b"))
    del scene.session.program.task_list.tasks[1]  # the file has it, but it cannot be read
    scene.asks(Wish.REMOVE, "b")
    scene.asks(Wish.EDIT, "b")
    assert scene.ids == ["a"]
    assert not scene.forms
    assert any("b: mend the mistake in the task file first" in words for words in scene.banners)


def test_running_with_all_that_follows_is_asked_for(scene: Scene) -> None:
    scene.opens(task("a"))
    scene.asks(Wish.RUN_AFTER, "a")
    assert scene.session.commands.asked == [("run after", "a")]


def test_graph_and_table_select_the_same_task(scene: Scene) -> None:
    scene.opens(task("a"), waiting("b", "a"))
    scene.window.graph.chosen.emit("b")
    assert scene.window.table.selected_tasks() == ["b"]
    scene.window.table.select("a")
    assert scene.window.graph.foot.text().count("A</span>") == 1


def test_graph_follows_edits(scene: Scene) -> None:
    scene.opens(task("a"), waiting("b", "a"))
    scene.session.edits.replace(scene.tasks[1], structs.replace(scene.tasks[1], name="Other"))
    scene.window.graph.lay_out()
    assert scene.window.graph.describe("b").startswith("Other,")
    scene.asks(Wish.REMOVE, "b")
    assert scene.window.graph.describe("b") == ""


def test_failed_tasks_are_shown_whatever_was_searched_for(scene: Scene) -> None:
    failed = TaskStatus(state=State.PENDING, outcome=Outcome(State.FAILED))
    scene.opens(task("a"), task("b"))
    scene.session.bridge.arrived.emit([changed("b", failed)])
    scene.window.search.setText("a")
    scene.window.sight.show_failed()
    assert scene.window.model.index_of("b").isValid()
    assert not scene.window.model.index_of("a").isValid()


def test_the_menu_asks_to_quit_for_good(qtbot: QtBot, scene: Scene) -> None:
    scene.opens()
    with qtbot.waitSignal(scene.window.quit_wanted):
        scene.window.menu.actions_by_name["quit"].trigger()


@pytest.mark.parametrize(("width", "stacked"), [(999, True), (1_180, False)])
def test_graph_and_log_are_tabs_where_there_is_no_room(
    qtbot: QtBot, scene: Scene, look: Look, width: int, stacked: bool
) -> None:
    scene.opens(task("a"))
    with qtbot.waitExposed(scene.window):
        scene.window.show()
    scene.window.resize(look.px(width), look.px(700))
    below = scene.window.below
    assert below.is_stacked is stacked
    assert [scene.window.graph.isVisible(), scene.window.log.isVisible()] == [not stacked, True]
    if stacked:
        below.tabs.setCurrentIndex(0)
        assert [scene.window.graph.isVisible(), scene.window.log.isVisible()] == [True, False]
        scene.asks(Wish.LOG, "a")
        assert [scene.window.graph.isVisible(), scene.window.log.isVisible()] == [False, True]


def test_why_says_all_of_a_task_as_plain_text(scene: Scene) -> None:
    scene.opens(task("a", MARKUP))
    scene.asks(Wish.WHY, "a")
    (box,) = scene.window.findChildren(QMessageBox)
    assert MARKUP in box.text()
    box.close()


def test_both_texts_of_a_box_are_shown_as_they_are(qtbot: QtBot) -> None:
    box = plain.box(None, QMessageBox.Icon.Information, MARKUP, MARKUP)
    qtbot.addWidget(box)
    shown = [label for label in box.findChildren(QLabel) if label.text()]
    assert [label.text() for label in shown] == [MARKUP, MARKUP]
    assert {label.textFormat().name for label in shown} == {"PlainText"}


@pytest.mark.parametrize(("address", "asked"), [("", False), ("tcp://10.0.0.5:8786", True)])
def test_the_form_asks_where_a_command_runs_once_the_preferences_have_a_cluster(
    scene: Scene, address: str, asked: bool
) -> None:
    scene.opens()
    scene.session.program.preferences = Preferences(dask_address=address)
    scene.window.editing.new()
    (form,) = scene.forms
    assert form.page.what.where.isVisible() is asked
