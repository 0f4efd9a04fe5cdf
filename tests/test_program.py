"""The program: one home opened, with everything tied together. Real files, real processes, the real clock."""

import contextlib
import json
import os
import queue
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from desktopsched.drafts import Draft
from desktopsched.engine.events import (
    Event,
    RunFinished,
    RunOutput,
    RunSkipped,
    RunStarted,
    TaskAdded,
    TaskDisabled,
    TaskRemoved,
)
from desktopsched.ledger import Fate
from desktopsched.model import (
    CatchUp,
    Command,
    Cron,
    CycleError,
    DesktopschedError,
    DuplicateTaskError,
    Edge,
    Every,
    OnFailure,
    Outcome,
    Reminder,
    Run,
    State,
    StorageError,
    Task,
    UnknownTaskError,
)
from desktopsched.model.change import Change
from desktopsched.program import Notice, Program
from desktopsched.storage.errors import HomeTakenError
from desktopsched.storage.history import History
from desktopsched.storage.home import Home, find_home
from desktopsched.storage.records import EVERYBODY


def task(task_id: str, shell: str = "true", **fields: Any) -> Task:
    return Task(id=task_id, name=fields.pop("name", task_id), action=Command(shell=shell), **fields)


class Opened:
    """A program whose loop has a thread, and everything it said."""

    def __init__(self, home: Home, **more: Any) -> None:
        self.events: list[Event] = []
        self._changed = threading.Condition()
        self.program = Program(home, "serve", **more)
        self.program.listen(self._hear)
        self.program.open()
        self._loop = threading.Thread(target=self.program.dispatcher.loop)
        self._loop.start()

    def _hear(self, event: Event) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait(self, condition: Callable[[Event], object], times: int = 1) -> Any:
        """The event, once it was heard."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._found(condition)) >= times, timeout=60), (
                self.events
            )
            return self._found(condition)[times - 1]

    def _found(self, condition: Callable[[Event], object]) -> list[Event]:
        return [event for event in self.events if condition(event)]

    def ended(self, task_id: str, times: int = 1) -> Outcome:
        kinds = (RunFinished, RunSkipped)
        found = self.wait(lambda event: isinstance(event, kinds) and event.run.task_id == task_id, times)
        return found.outcome  # type: ignore[no-any-return]

    def close(self) -> None:
        self.program.dispatcher.stop()
        self._loop.join()
        self.program.close()


@pytest.fixture
def place(home: Path) -> Home:
    return find_home()


@pytest.fixture
def opened(place: Home) -> Iterator[Opened]:
    found = Opened(place)
    yield found
    found.close()


def test_a_task_goes_the_whole_way_to_history_and_log(opened: Opened, place: Home) -> None:
    program = opened.program
    program.task_list.add(task("a", "echo out; echo $DESKTOPSCHED_CAUSE"))
    program.dispatcher.run_now("a")
    assert opened.ended("a") == Outcome(State.SUCCEEDED, exit_code=0)
    program.history.flush()
    (record,) = program.history.records.runs()
    assert (record.task_id, record.state, record.cause.value, record.attempts) == (
        "a",
        State.SUCCEEDED,
        "manual",
        1,
    )
    assert b"".join(program.logs.whole("a", record.id)) == b"out\nmanual\n"
    kinds = [
        type(event) for event in opened.events if isinstance(event, RunStarted | RunOutput | RunFinished)
    ]
    assert kinds[0] is RunStarted
    assert kinds[-1] is RunFinished
    assert set(kinds[1:-1]) == {RunOutput}


def test_the_start_is_on_the_disk_before_the_work_begins(opened: Opened, place: Home) -> None:
    query = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT state FROM runs').fetchall())"
    opened.program.task_list.add(
        structs.replace(task("a"), action=Command(argv=("python3", "-c", query, str(place.history))))
    )
    opened.program.dispatcher.run_now("a")
    opened.ended("a")
    assert b"".join(opened.program.logs.whole("a", 1)) == b"[('running',)]\n"


def test_a_start_that_cannot_be_recorded_does_not_happen(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, done = opened.program, tmp_path / "done"
    program.task_list.add(task("a", f"touch {done}"))

    def refuse(run_id: int, attempt: int = 1, seconds: float = 0.0) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(program.history, "wait_recorded", refuse)
    program.dispatcher.run_now("a")
    outcome = opened.ended("a")
    assert outcome.state is State.FAILED
    assert "The disk is full." in outcome.reason
    assert not done.exists()


def test_what_is_added_changed_and_removed_is_in_the_file(opened: Opened, place: Home) -> None:
    program = opened.program
    program.task_list.add(task("a"))
    program.task_list.add(task("b", waits_for=(Edge("a"),)))
    program.task_list.replace(task("a", name="New name"))
    program.task_list.enable("b", enabled=False)
    listed = json.loads(place.tasks.read_text())["tasks"]
    assert [(one["id"], one["name"], one.get("enabled", True)) for one in listed] == [
        ("a", "New name", True),
        ("b", "b", False),
    ]
    program.task_list.remove("a")
    assert [one["id"] for one in json.loads(place.tasks.read_text())["tasks"]] == ["b"]
    assert stat.S_IMODE(place.tasks.stat().st_mode) == 0o600


def test_a_refused_change_changes_nothing(
    opened: Opened, place: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = opened.program
    program.task_list.add(task("a"))
    program.task_list.add(task("b", waits_for=(Edge("a"),)))
    before = place.tasks.read_bytes()
    with pytest.raises(DuplicateTaskError):
        program.task_list.add(task("a"))
    with pytest.raises(CycleError):
        program.task_list.replace(task("a", waits_for=(Edge("b"),)))
    with pytest.raises(UnknownTaskError):
        program.task_list.remove("nobody")

    def full(*_: object, **__: object) -> None:
        raise StorageError("No space left.")

    monkeypatch.setattr(program.task_list._file, "save", full)
    with pytest.raises(StorageError):
        program.task_list.add(task("c"))
    with pytest.raises(StorageError):
        program.task_list.replace(task("a", name="x"))
    with pytest.raises(StorageError):
        program.task_list.remove("a")
    assert place.tasks.read_bytes() == before
    assert {one.id: one.name for one, _ in program.dispatcher.tasks()} == {"a": "a", "b": "b"}


def test_several_changes_are_one_and_can_be_taken_back(opened: Opened, place: Home) -> None:
    program = opened.program
    program.task_list.add(task("a", schedule=Every(interval=3600)))
    program.task_list.add(task("b", waits_for=(Edge("a"),)))
    program.task_list.add(task("c"))
    before = place.tasks.read_bytes()
    seen = program.dispatcher.tasks()
    changes = [
        Change(before=program.task_list.find("a")),
        Change(before=program.task_list.find("b"), after=task("b", name="B")),
        Change(after=task("d")),
    ]
    program.task_list.apply(changes)
    assert [one.id for one, _ in program.dispatcher.tasks()] == ["b", "c", "d"]
    program.task_list.apply(
        [change.undone(place) for place, change in zip((0, -1, -1), changes, strict=True)]
    )
    assert place.tasks.read_bytes() == before
    assert {one.id: status.due for one, status in program.dispatcher.tasks()}["a"] == seen[0][1].due


def test_of_several_changes_one_that_is_refused_refuses_all(opened: Opened, place: Home) -> None:
    program = opened.program
    program.task_list.add(task("a"))
    before = place.tasks.read_bytes()
    for wrong in (
        Change(after=task("a")),
        Change(before=task("nobody")),
        Change(after=task("x", waits_for=(Edge("nobody"),))),
        Change(before=program.task_list.find("a"), after=task("a", waits_for=(Edge("b"),))),
    ):
        with pytest.raises(DesktopschedError):
            program.task_list.apply([Change(after=task("b", waits_for=(Edge("a"),))), wrong])
    assert place.tasks.read_bytes() == before
    assert [one.id for one, _ in program.dispatcher.tasks()] == ["a"]


def test_a_change_leaves_alone_what_another_changed_meanwhile(opened: Opened, place: Home) -> None:
    program = opened.program
    program.task_list.add(task("a", group="G"))
    base = program.task_list.find("a")
    program.task_list.replace(structs.replace(base, enabled=False))
    wanted = structs.replace(base, name="Edited", action=Command(shell="false"))
    edit = Change(before=base, after=wanted)
    program.task_list.apply([edit])
    assert program.task_list.find("a") == structs.replace(wanted, enabled=False)
    program.task_list.replace(structs.replace(program.task_list.find("a"), group="Other"))
    program.task_list.apply([edit.undone()])
    assert program.task_list.find("a") == structs.replace(base, enabled=False, group="Other")


def test_what_is_waited_for_goes_on_in_the_next_life(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a"))
    first.program.task_list.add(task("b"))
    first.program.task_list.add(task("c", waits_for=(Edge("a"), Edge("b"))))
    first.program.dispatcher.run_now("a")
    first.ended("a")
    first.close()
    second = Opened(place)
    second.program.dispatcher.run_now("b")
    assert second.ended("c").state is State.SUCCEEDED
    (run,) = [
        event.run for event in second.events if isinstance(event, RunStarted) and event.run.task_id == "c"
    ]
    assert len(run.parents) == 2
    second.close()


def test_run_numbers_go_on_over_a_restart_and_a_lost_history(place: Home) -> None:
    numbers: list[int] = []
    for lost in (False, False, True):
        if lost:
            place.history.unlink()
        opened = Opened(place)
        if not numbers:
            opened.program.task_list.add(task("a", "echo hi"))
        opened.program.dispatcher.run_now("a")
        opened.ended("a")
        numbers.append(opened.wait(lambda event: isinstance(event, RunFinished)).run.id)
        opened.close()
    assert numbers == [1, 2, 3]


def test_a_damaged_history_is_put_aside_and_tasks_go_on(place: Home) -> None:
    place.prepare()
    place.history.write_bytes(b"this is no database at all" * 100)
    opened = Opened(place)
    assert any("The history was damaged" in notice for notice in opened.program.notices)
    opened.program.task_list.add(task("a", schedule=Every(interval=1)))
    assert opened.ended("a").state is State.SUCCEEDED
    opened.close()


def test_a_memory_that_cannot_be_read_costs_one_task_its_memory(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a"))
    first.program.history.remember([("a", b"nonsense")])
    first.close()
    second = Opened(place)
    assert second.program.notices == ["What was remembered of 'a' cannot be read."]
    second.close()


def test_an_edge_that_cannot_be_read_forgets_what_it_knew_and_the_program_opens(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a"))
    first.program.task_list.add(task("b", waits_for=(Edge("a"),)))
    first.program.history.set_marks("b", [("b", "a", b"nonsense", False)])
    first.program.history.remember([])
    first.close()
    second = Opened(place)
    assert second.program.notices == ["What was remembered of 'b' cannot be read."]
    second.program.dispatcher.run_now("a")
    assert second.ended("b").state is State.SUCCEEDED
    second.close()


def test_a_task_that_was_edited_while_the_program_was_closed_was_not_due_by_its_new_schedule(
    place: Home,
) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a", schedule=Cron("0 0 1 1 *")))
    first.close()
    history = History(place.history)
    history.open()
    memory = json.loads(history.records.memories()["a"]) | {"first_seen": time.time() - 7_200}
    history.remember([("a", json.dumps(memory).encode())])
    history.prune(time.time(), 10)  # it has been on the list for long
    history.close()
    place.tasks.write_text(place.tasks.read_text().replace("0 0 1 1 *", "* * * * *"))
    second = Opened(place)
    answer = second.program.why("a", time.time() - 3_600)
    second.close()
    assert (answer.fate, "When it runs was changed on" in answer.words) == (Fate.NOT_DUE, True)


def test_the_next_program_knows_that_the_computer_was_in_another_zone(place: Home) -> None:
    first = Opened(place)
    first.program.history.set_setting("zone", "Pacific/Kiritimati")
    first.close()
    second = Opened(place)
    second.program.history.flush()
    changes = second.program.history.records.changes(EVERYBODY)
    second.close()
    assert [what for _, what in changes] == ["zone"]
    third = Opened(place)
    third.program.history.flush()
    assert third.program.history.records.changes(EVERYBODY) == changes
    third.close()


def test_a_broken_task_keeps_what_is_remembered_of_it(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a", schedule=Every(interval=3600)))
    seen = first.program.history
    first.close()
    kept = seen.records.memories()["a"]
    whole = place.tasks.read_text()
    place.tasks.write_text(whole.replace('"1h"', '"soon"'))
    second = Opened(place)
    assert [str(problem).split(":")[0] for problem in second.program.task_list.problems] == [
        "tasks[0].schedule.interval"
    ]
    second.close()
    assert b'"first_seen"' in kept
    first_seen = json.loads(kept)["first_seen"]
    assert json.loads(second.program.history.records.memories()["a"])["first_seen"] == first_seen


def test_on_failure_pause_is_saved_and_told(opened: Opened, place: Home) -> None:
    opened.program.task_list.add(task("a", "exit 1", on_failure=OnFailure.PAUSE))
    opened.program.dispatcher.run_now("a")
    opened.wait(lambda event: isinstance(event, TaskDisabled))
    opened.close()
    assert json.loads(place.tasks.read_text())["tasks"][0]["enabled"] is False
    opened.__init__(place)  # type: ignore[misc]


def test_a_reminder_without_a_desktop_is_skipped_and_says_so(opened: Opened) -> None:
    reminder = Task(id="a", name="a", action=Reminder(message="Stand up"))
    opened.program.task_list.add(reminder)
    opened.program.dispatcher.run_now("a")
    outcome = opened.ended("a")
    assert outcome.state is State.SKIPPED
    assert "desktop" in outcome.reason


def test_a_reminder_that_was_shown_succeeds(place: Home) -> None:
    shown: list[str] = []

    def remind(task: Task, run: Run) -> bool:
        assert isinstance(task.action, Reminder)
        shown.append(task.action.message)
        return True

    opened = Opened(place, remind=remind)
    opened.program.task_list.add(Task(id="a", name="a", action=Reminder(message="Stand up")))
    opened.program.dispatcher.run_now("a")
    assert opened.ended("a").state is State.SUCCEEDED
    assert shown == ["Stand up"]
    opened.close()


def test_a_second_program_for_a_home_is_refused_and_disturbs_nothing(opened: Opened, place: Home) -> None:
    with pytest.raises(HomeTakenError):
        Program(place, "window").open()
    opened.program.task_list.add(task("a"))
    opened.program.dispatcher.run_now("a")
    assert opened.ended("a").state is State.SUCCEEDED


def test_closing_stops_what_runs_and_frees_the_home(place: Home) -> None:
    opened = Opened(place)
    opened.program.task_list.add(task("a", "echo begun; sleep 300"))
    opened.program.dispatcher.run_now("a")
    opened.wait(lambda event: isinstance(event, RunOutput))
    opened.close()
    assert opened.ended("a") == Outcome(State.CANCELLED, "the program was closed")
    Opened(place).close()


def test_a_test_of_a_draft_leaves_nothing_behind(opened: Opened, place: Home) -> None:
    program = opened.program
    program.task_list.add(task("a"))
    program.task_list.add(task("child", waits_for=(Edge("a"),)))
    heard, ends = len(opened.events), queue.Queue[Outcome]()
    draft = Draft(structs.replace(program.task_list.find("a"), action=Command(shell="echo tried")))
    program.drafts.test(draft, lambda _text: None, lambda outcome, _seconds: ends.put(outcome))
    assert ends.get(timeout=60).state is State.SUCCEEDED
    assert opened.events[heard:] == []
    assert program.history.records.last_run_id() == 0
    assert program.logs.highest_run_id() == 0
    assert not (place.logs / "a").exists()


def test_closing_stops_a_test_and_waits_for_it(place: Home) -> None:
    opened, ends, begun = Opened(place), queue.Queue[Outcome](), threading.Event()
    draft = Draft(task("a", "echo begun; sleep 300"))
    opened.program.drafts.test(draft, lambda _text: begun.set(), lambda outcome, _seconds: ends.put(outcome))
    assert begun.wait(60)
    opened.close()
    assert ends.get_nowait() == Outcome(State.CANCELLED, "the program was closed")


def test_closing_the_program_ends_the_run_of_a_removed_task_too(place: Home) -> None:
    opened = Opened(place)
    opened.program.task_list.add(task("a", "echo begun; sleep 300"))
    opened.program.dispatcher.run_now("a")
    opened.wait(lambda event: isinstance(event, RunOutput))
    opened.program.task_list.remove("a")
    opened.close()
    assert opened.ended("a") == Outcome(State.CANCELLED, "the program was closed")


def test_a_program_that_holds_starts_nothing_by_itself(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("tick", schedule=Every(interval=1)))
    first.ended("tick")
    first.close()
    holding = Program(place, "run")
    heard: list[Event] = []
    holding.listen(heard.append)
    holding.open(hold=True)
    loop = threading.Thread(target=holding.dispatcher.loop)
    loop.start()
    loop.join(1.5)
    holding.dispatcher.stop()
    loop.join()
    holding.close()
    assert not any(isinstance(event, RunStarted) for event in heard)
    second = Opened(place)
    assert not second.program.dispatcher.paused, (
        "holding is not pausing: the next program does not inherit it"
    )
    second.close()


def test_files_of_a_home_are_for_their_owner_alone(opened: Opened, place: Home) -> None:
    opened.program.task_list.add(task("a", "echo hi; sleep 300"))
    opened.program.dispatcher.run_now("a")
    opened.wait(lambda event: isinstance(event, RunOutput))
    opened.program.history.flush()
    modes = dict(_modes(place.folder))
    assert {mode & 0o077 for mode in modes.values()} == {0}, modes
    expected = {place.tasks, place.history, place.logs, place.runs}
    assert expected <= modes.keys()


def _modes(folder: Path) -> Iterator[tuple[Path, int]]:
    """Of all that is there to be read; what is put aside meanwhile is not."""
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            yield path, stat.S_IMODE(path.lstat().st_mode)


def test_the_program_knows_when_it_was_open_last(place: Home) -> None:
    first = Opened(place)
    assert first.program.last_alive is None
    before = time.time()
    first.close()
    second = Opened(place)
    second.close()
    assert second.program.last_alive is not None
    assert before <= second.program.last_alive <= time.time()


# The file, changed by others


def written(place: Home, *names: str, text: str = "") -> None:
    """As an editor would: the file is written over."""
    entries = [{"id": name, "name": name, "action": {"type": "command", "shell": "true"}} for name in names]
    place.tasks.write_text(text or json.dumps({"format": 1, "tasks": entries}), encoding="utf-8")


def is_about(kind: type[Event], task_id: str) -> Callable[[Event], object]:
    def matches(event: Event) -> bool:
        found = getattr(event, "task", None)
        return isinstance(event, kind) and (found.id if found else getattr(event, "task_id", "")) == task_id

    return matches


def test_what_others_write_into_the_file_is_followed_at_once(opened: Opened, place: Home) -> None:
    opened.program.task_list.add(task("a"))
    written(place, "a", "b")
    opened.wait(is_about(TaskAdded, "b"))
    written(place, "b")
    opened.wait(is_about(TaskRemoved, "a"))
    opened.program.task_list.add(task("c"))
    assert [one["id"] for one in json.loads(place.tasks.read_bytes())["tasks"]] == ["b", "c"]


def test_a_file_that_others_made_unreadable_leaves_the_list_as_it_was(opened: Opened, place: Home) -> None:
    opened.program.task_list.add(task("a"))
    written(place, text="{")
    said = opened.wait(lambda event: isinstance(event, Notice)).text
    assert said.startswith("The task file was changed, and the list stays as it was: ")
    assert [one.id for one, _ in opened.program.dispatcher.tasks()] == ["a"]
    assert place.tasks.read_text() == "{"
    assert said in opened.program.notices
    with pytest.raises(StorageError, match="Mend it, or remove it"):
        opened.program.task_list.add(task("c"))
    assert [one.id for one, _ in opened.program.dispatcher.tasks()] == ["a"]
    assert place.tasks.read_text() == "{", "what somebody was writing there is theirs"
    written(place, "b")
    opened.wait(is_about(TaskAdded, "b"))
    assert opened.program.notices == []


def test_what_became_of_the_list_is_told_before_a_wrong_preference(place: Home) -> None:
    place.prepare()
    place.tasks.write_text("{")
    place.preferences.write_text('{"workers": "many"}')
    opened = Opened(place)
    said = opened.program.notices
    opened.close()
    assert said[0].startswith(f"{place.tasks}, line 1")
    assert said[-1].startswith(f"{place.preferences}: workers")


def test_a_mistake_in_the_file_is_told_until_it_is_mended(opened: Opened, place: Home) -> None:
    written(place, text='{"format": 1, "tasks": [{"id": "a", "name": "A"}]}')
    said = opened.wait(lambda event: isinstance(event, Notice)).text
    assert "tasks[0]" in said
    assert opened.program.notices == [said]
    written(
        place,
        text='{"format": 1, "tasks": [{"id": "a", "name": "A", "actoin": 1}, {"id": "b", "name": "B"}]}',
    )
    opened.wait(is_about(TaskAdded, "b"))
    assert said in opened.program.notices
    assert len(opened.program.notices) == len(set(opened.program.notices))
    written(place, "a", "b", "c")
    opened.wait(is_about(TaskAdded, "c"))
    assert opened.program.notices == []


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no pipes in folders, and links are for administrators"
)
def test_a_file_that_others_replaced_by_something_else_is_told_and_the_list_stays(
    opened: Opened, place: Home, kind: str
) -> None:
    opened.program.task_list.add(task("a"))
    place.tasks.rename(place.tasks.with_name("elsewhere"))
    opened.wait(lambda event: isinstance(event, Notice) and "was removed" in event.text)
    match kind:
        case "folder":
            place.tasks.mkdir()
        case "link":
            place.tasks.symlink_to("elsewhere")
        case "pipe":
            os.mkfifo(place.tasks)
    what = {"folder": "Is a directory", "link": "is a symbolic link", "pipe": "is not a file"}[kind]
    if kind != "folder":  # of which the watch says nothing: what is written next does
        opened.wait(lambda event: isinstance(event, Notice) and what in event.text)
    with pytest.raises(StorageError, match=what):
        opened.program.task_list.add(task("b"))
    assert [one.id for one, _ in opened.program.dispatcher.tasks()] == ["a"]
    place.tasks.rmdir() if kind == "folder" else place.tasks.unlink()
    written(place, "a", "c")
    opened.wait(is_about(TaskAdded, "c"))


def test_a_task_disables_itself_also_in_a_file_that_another_has_just_changed(
    opened: Opened, place: Home, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    opened.program.task_list.add(
        task("a", f"until test -e {gate}; do sleep 0.02; done; exit 1", on_failure=OnFailure.PAUSE)
    )
    opened.program.dispatcher.run_now("a")
    opened.wait(lambda event: isinstance(event, RunStarted))
    entries = json.loads(place.tasks.read_text())
    entries["tasks"].append({"id": "b", "name": "b", "action": {"type": "command", "shell": "true"}})
    for watch in opened.program._watches:
        watch.close()  # it has not heard of the change yet
    place.tasks.write_text(json.dumps(entries))
    gate.touch()
    opened.wait(lambda event: isinstance(event, TaskDisabled))
    opened.wait(is_about(TaskAdded, "b"))
    opened.close()
    kept = {one["id"]: one.get("enabled", True) for one in json.loads(place.tasks.read_text())["tasks"]}
    assert kept == {"a": False, "b": True}
    assert not any("could not be saved" in notice for notice in opened.program.notices)
    opened.__init__(place)  # type: ignore[misc]


def test_a_file_that_others_removed_is_written_anew_by_the_next_change(opened: Opened, place: Home) -> None:
    opened.program.task_list.add(task("a"))
    place.tasks.unlink()
    said = opened.wait(lambda event: isinstance(event, Notice)).text
    assert "was removed. The list stays as it is" in said
    opened.program.task_list.add(task("b"))
    assert [one["id"] for one in json.loads(place.tasks.read_bytes())["tasks"]] == ["a", "b"]


def test_a_mistake_in_what_others_wrote_costs_that_task_alone(opened: Opened, place: Home) -> None:
    opened.program.task_list.add(task("a"))
    entries = json.loads(place.tasks.read_bytes())["tasks"]
    written(place, text=json.dumps({"format": 1, "tasks": [*entries, {"id": "bad", "name": "bad"}]}))
    opened.wait(lambda event: isinstance(event, Notice) and "tasks[1]" in event.text)
    assert {one.id for one, _ in opened.program.dispatcher.tasks()} == {"a", "bad"}


def test_an_edit_and_what_others_write_at_the_same_time_are_both_kept(
    opened: Opened, place: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.program.task_list.add(task("a"))
    opened.program.task_list.add(task("b"))
    monkeypatch.setattr(opened.program.task_list, "follow_file", lambda: None)  # it has not come to it yet
    entries = json.loads(place.tasks.read_bytes())["tasks"]
    entries[1]["name"] = "B of others"
    written(place, text=json.dumps({"format": 1, "tasks": entries}))
    opened.program.task_list.replace(task("a", name="A of ours"))
    assert [one["name"] for one in json.loads(place.tasks.read_bytes())["tasks"]] == [
        "A of ours",
        "B of others",
    ]
    assert [one.name for one, _ in opened.program.dispatcher.tasks()] == ["A of ours", "B of others"]


def test_two_changes_of_one_task_overwrite_neither(
    opened: Opened, place: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.program.task_list.add(task("a"))
    monkeypatch.setattr(opened.program.task_list, "follow_file", lambda: None)
    entries = json.loads(place.tasks.read_bytes())["tasks"]
    entries[0]["name"] = "A of others"
    written(place, text=json.dumps({"format": 1, "tasks": entries}))
    with pytest.raises(StorageError, match=r"^a was changed in .* at the same time"):
        opened.program.task_list.replace(task("a", name="A of ours"))
    assert json.loads(place.tasks.read_bytes())["tasks"][0]["name"] == "A of others"
    assert [one.name for one, _ in opened.program.dispatcher.tasks()] == ["A of others"]


def test_what_others_bring_in_is_disabled_where_the_person_does_not_trust_it(
    opened: Opened, place: Home
) -> None:
    program = opened.program
    program.choose(structs.replace(program.preferences, trust_edits=False))
    program.task_list.add(task("a"))
    program.task_list.add(task("b"))
    entries = json.loads(place.tasks.read_bytes())["tasks"]
    entries[0]["action"]["shell"] = "rm -rf /"
    entries[1]["name"] = "Another name"
    entries.append({"id": "c", "name": "New", "action": {"type": "command", "shell": "true"}})
    written(place, text=json.dumps({"format": 1, "tasks": entries}))
    words = "so it is disabled until you look at it: a, New"
    opened.wait(lambda event: isinstance(event, Notice) and event.text.endswith(words))
    opened.wait(is_about(TaskAdded, "c"))
    known = {one.id: one.enabled for one, _ in program.dispatcher.tasks()}
    assert known == {"a": False, "b": True, "c": False}
    assert [one.get("enabled", True) for one in json.loads(place.tasks.read_bytes())["tasks"]] == [
        False,
        True,
        False,
    ]


# Nobody was there


def test_why_runs_were_missed_is_known_after_the_program_was_closed(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a", schedule=Cron("* * * * *"), catch_up=CatchUp.SKIP, grace=0.0))
    first.close()
    history = History(place.history)
    history.open()
    memory = json.loads(history.records.memories()["a"])
    gone = time.time() - 3_600
    memory |= {"at": gone, "handled": gone, "first_seen": gone}
    history.remember([("a", json.dumps(memory).encode())])
    history.set_setting("closed", str(gone))
    history.close()
    again = Opened(place)
    reason = again.ended("a").reason
    again.close()
    assert reason.startswith("missed: Desktopsched was closed from ")


def test_a_clock_of_long_ago_is_doubted_until_it_is_trusted(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a", schedule=Every(interval=1)))
    first.ended("a")
    first.close()
    history = History(place.history)
    history.open()
    memory = json.loads(history.records.memories()["a"])
    later = time.time() + 30 * 86_400
    history.remember([("a", json.dumps(memory | {"at": later, "handled": later}).encode())])
    history.close()
    again = Opened(place)
    assert again.program.dispatcher.doubted == later
    assert again.program.last_alive == later
    again.program.dispatcher.trust_clock()
    assert again.ended("a").state is State.SUCCEEDED
    again.close()
