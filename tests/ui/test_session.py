"""Real programs behind a real window: small tasks of a few milliseconds."""

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from desktopsched.actions.start import can_supervise
from desktopsched.control.wire import ask
from desktopsched.model import State
from desktopsched.storage.errors import HomeTakenError
from desktopsched.storage.home import Home, find_home
from desktopsched.ui.application import raise_other, refusal
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from desktopsched.ui.row import name_cell
from desktopsched.ui.session import Session
from desktopsched.ui.signals import SystemSignals
from desktopsched.ui.wishes import Wish
from tests.actions.conftest import fetching
from tests.faultlines import Record
from tests.system.served import Home as ServedHome
from tests.system.served import shell
from tests.ui.scenery import reminders

SLOW = 60_000  # milliseconds that a machine with other things to do may need

Open = Callable[[list[dict[str, Any]]], MainWindow]


def _command(task_id: str, *argv: str, **more: Any) -> dict[str, Any]:
    action = {"type": "command", "argv": list(argv)}
    return {"id": task_id, "name": task_id.capitalize(), "action": action, **more}


HELLO = _command("hello", "printf", "hello\\n")
CHILD = _command("child", "true", waits_for=[{"task": "hello", "on": "success"}])
SLEEP = _command("sleep", "sleep", "60")


@pytest.fixture
def place() -> Home:
    return find_home()


@pytest.fixture
def open_window(qtbot: QtBot, place: Home, look: Look) -> Iterator[Open]:
    windows: list[MainWindow] = []

    def open_(tasks: list[dict[str, Any]]) -> MainWindow:
        place.prepare()
        place.tasks.write_text(json.dumps({"format": 1, "tasks": tasks}))
        session = Session(place, reminders(look, place.folder))
        clock = session.program._clock
        window = MainWindow(session, look, now=clock.now, zone=clock.zone)
        windows.append(window)
        with qtbot.waitExposed(window):
            window.show()
        with qtbot.waitSignal(session.opened, timeout=SLOW):
            session.open()
        return window

    with fetching():
        yield open_
        for window in windows:
            if window.phase is not Phase.CLOSED:
                with qtbot.waitSignal(window.finished, timeout=SLOW):
                    window.end()
            window.deleteLater()


def _state(window: MainWindow, task_id: str) -> State | None:
    row = window.model.rows.get(task_id)
    return None if row is None else row.state


def test_a_task_runs_and_its_child_after_it_and_the_output_comes_up(qtbot: QtBot, open_window: Open) -> None:
    window = open_window([CHILD, HELLO])
    qtbot.waitUntil(lambda: len(window.model.rows) == 2)
    window.table.select("hello")
    window.acts.carry_out(Wish.RUN)
    qtbot.waitUntil(lambda: _state(window, "child") is State.SUCCEEDED, timeout=SLOW)
    assert _state(window, "hello") is State.SUCCEEDED
    qtbot.waitUntil(lambda: "Child succeeded" in window.log.view.toPlainText(), timeout=SLOW)
    lines = [line.split("\t")[-1] for line in window.log.view.toPlainText().split("\n")]
    assert lines[:2] == ["Hello started, run 1, by hand", "hello"]


def test_a_run_that_is_picked_while_it_goes_on_is_followed_to_its_end(
    qtbot: QtBot, open_window: Open, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    steps = f"printf 'one\\ntw'; until [ -e {go} ]; do sleep 0.01; done; printf 'o\\nthree'"
    window = open_window([_command("steps", "sh", "-c", steps)])
    window.table.select("steps")
    window.acts.carry_out(Wish.RUN)
    qtbot.waitUntil(lambda: _state(window, "steps") is State.RUNNING, timeout=SLOW)
    window.show_log("steps", 1)
    text = window.log.view.toPlainText
    qtbot.waitUntil(lambda: text() == "one\ntw", timeout=SLOW)
    qtbot.waitUntil(window.log.view.caret.isVisible)
    go.touch()
    qtbot.waitUntil(lambda: text() == "one\ntwo\nthree", timeout=SLOW)
    qtbot.waitUntil(window.log.view.caret.isHidden, timeout=SLOW)


def test_a_running_task_is_stopped_by_the_button(qtbot: QtBot, open_window: Open) -> None:
    window = open_window([SLEEP])
    window.table.select("sleep")
    window.acts.carry_out(Wish.RUN)
    qtbot.waitUntil(lambda: _state(window, "sleep") is State.RUNNING, timeout=SLOW)
    window.tools.actions_by_name["stop"].trigger()
    qtbot.waitUntil(lambda: _state(window, "sleep") is State.CANCELLED, timeout=SLOW)


def test_quit_and_stop_ends_the_runs_and_frees_the_home(qtbot: QtBot, open_window: Open, place: Home) -> None:
    window = open_window([SLEEP])
    window.table.select("sleep")
    window.acts.carry_out(Wish.RUN)
    qtbot.waitUntil(lambda: _state(window, "sleep") is State.RUNNING, timeout=SLOW)
    window.close()
    (box,) = window.findChildren(QMessageBox)
    assert box.text() == "Quit? 1 run would stop: Sleep."
    with qtbot.waitSignal(window.finished, timeout=SLOW):
        next(button for button in box.buttons() if button.text() == "Quit and stop").click()
    place.lock("test").release()
    assert not place.socket.exists()


def test_pausing_and_resuming_reach_the_engine_and_come_back(qtbot: QtBot, open_window: Open) -> None:
    window = open_window([HELLO])
    window.acts.toggle_pause()
    qtbot.waitUntil(lambda: window.tools.actions_by_name["pause"].text() == "Resume all", timeout=SLOW)
    assert window.session.paused
    window.acts.toggle_pause()
    qtbot.waitUntil(lambda: window.tools.actions_by_name["pause"].text() == "Pause all", timeout=SLOW)


def test_an_empty_home_is_filled_with_the_examples(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window([])
    qtbot.waitUntil(window.empty.isVisible)
    window.session.commands.pause(paused=True)  # they are to be loaded, not to be run
    qtbot.waitUntil(lambda: window.session.paused, timeout=SLOW)
    window.empty.examples.click()
    qtbot.waitUntil(lambda: len(window.model.rows) == 14, timeout=SLOW)
    qtbot.waitUntil(window.table.isVisible)


def test_durations_of_earlier_runs_are_known_at_the_next_launch(
    qtbot: QtBot, open_window: Open, place: Home
) -> None:
    window = open_window([HELLO])
    window.table.select("hello")
    window.acts.carry_out(Wish.RUN)
    qtbot.waitUntil(lambda: _state(window, "hello") is State.SUCCEEDED, timeout=SLOW)
    with qtbot.waitSignal(window.finished, timeout=SLOW):
        window.end()
    again = open_window([HELLO])
    qtbot.waitUntil(lambda: len(again.model.rows) == 1, timeout=SLOW)
    row = again.model.rows["hello"]
    assert row.last is not None
    assert row.state is State.SUCCEEDED


def test_a_task_with_a_mistake_is_shown_and_said(qtbot: QtBot, open_window: Open) -> None:
    window = open_window([HELLO, {"id": "bad", "name": "Bad", "action": {"type": "command", "argv": []}}])
    qtbot.waitUntil(lambda: len(window.model.rows) == 2, timeout=SLOW)
    (banner,) = window.bulletin.banners.banners
    assert "tasks[1].action" in banner.accessibleName()
    row = window.model.rows["bad"]
    assert not row.status.enabled
    assert row.schedule == "Mistake in the task file"
    assert {row.schedule_icon, name_cell(row).icon} == {"warning"}


def test_a_second_start_raises_the_first_window_and_ends(
    qtbot: QtBot, open_window: Open, place: Home, report: Record
) -> None:
    import threading

    window = open_window([HELLO])
    window.showMinimized()
    answers: list[bool] = []
    second = threading.Thread(target=lambda: answers.append(raise_other(place)))
    second.start()
    qtbot.waitUntil(lambda: not window.isMinimized(), timeout=SLOW)
    second.join()
    report("a second start of the program", 1, "it raises the first window, and ends", f"raised: {answers}")
    assert answers == [True]


def test_the_command_line_reaches_the_window(qtbot: QtBot, open_window: Open, place: Home) -> None:
    import threading

    window = open_window([HELLO])
    answers: list[dict[str, Any]] = []
    asking = threading.Thread(
        target=lambda: answers.extend(ask(place.socket, {"do": "run", "task": "hello"}))
    )
    asking.start()
    qtbot.waitUntil(lambda: bool(answers) and "done" in answers[-1], timeout=SLOW)
    asking.join()
    assert {"output": "hello\n", "task": "hello"} in answers
    qtbot.waitUntil(lambda: _state(window, "hello") is State.SUCCEEDED, timeout=SLOW)


def test_what_is_left_running_is_shown_as_running_by_the_next_window(
    qtbot: QtBot, open_window: Open, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    task = _command("long", "sh", "-c", f"echo one; until test -e {gate}; do sleep 0.02; done")
    session = open_window([task]).session
    session.program.dispatcher.run_now("long")
    log = session.program.logs.path("long", 1)
    qtbot.waitUntil(lambda: log.exists() and log.read_bytes() == b"one\n", timeout=SLOW)
    if not can_supervise():
        return
    with qtbot.waitSignal(session.closed, timeout=SLOW):
        session.close(keep_running=True)
    second = open_window([task]).session
    ((_, status),) = second.program.dispatcher.tasks()
    assert status.state is State.RUNNING
    gate.touch()
    qtbot.waitUntil(lambda: second.program.dispatcher.tasks()[0][1].state is State.SUCCEEDED, timeout=SLOW)


def test_a_window_takes_over_from_serve_and_what_ran_goes_on(
    qtbot: QtBot, place: Home, look: Look, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    at = ServedHome(place.folder)
    at.write(shell("long", f"echo one; until test -e {gate}; do sleep 0.02; done; echo two"))
    served = at.serve()
    asking = threading.Thread(target=lambda: list(ask(place.socket, {"do": "run", "task": "long"})))
    asking.start()
    served.says("long started")
    session = Session(place, reminders(look, place.folder))
    with qtbot.waitSignal(session.refused, timeout=SLOW):
        session.open()
    with qtbot.waitSignal(session.opened, timeout=SLOW):
        session.take_over()
    asking.join()
    served.says("handed over")
    assert served.process.wait(20) == 0
    served.end()
    ((_, status),) = session.program.dispatcher.tasks()
    if session.can_outlive:
        assert status.state is State.RUNNING
        gate.touch()
    qtbot.waitUntil(lambda: session.program.dispatcher.tasks()[0][1].state.final, timeout=SLOW)
    log = b"".join(session.program.logs.whole("long", 1))
    assert log == (b"one\ntwo\n" if session.can_outlive else b"one\n")
    with qtbot.waitSignal(session.closed, timeout=SLOW):
        session.close()


def test_a_program_that_does_not_hand_over_is_left_alone(
    qtbot: QtBot, open_window: Open, place: Home, look: Look
) -> None:
    first = open_window([HELLO])
    session = Session(place, reminders(look, place.folder))
    with qtbot.waitSignal(session.refused, timeout=SLOW) as refused:
        session.take_over()
    assert "does not hand its tasks over" in str(refused.args[0] if refused.args else "")
    assert first.session.is_open
    with qtbot.waitSignal(session.closed, timeout=SLOW):
        session.close()


def test_a_home_that_is_taken_is_refused_and_the_session_can_be_closed(
    qtbot: QtBot, place: Home, look: Look
) -> None:
    place.prepare()
    with place.lock("serve"):
        session = Session(place, reminders(look, place.folder))
        with qtbot.waitSignal(session.refused, timeout=SLOW) as refused:
            session.open()
        assert refused.args is not None
        error = refused.args[0]
        assert isinstance(error, HomeTakenError)
        headline, more = refusal(error)
        assert headline == "The tasks run already, without a window."
        assert str(os.getpid()) in more
        with qtbot.waitSignal(session.closed, timeout=SLOW):
            session.close()


def test_nobody_is_raised_where_nobody_is(place: Home) -> None:
    assert not raise_other(place)


def test_a_signal_of_the_system_wakes_the_event_loop(qtbot: QtBot) -> None:
    signals = SystemSignals()
    with qtbot.waitSignal(signals.asked_to_end):
        os.kill(os.getpid(), signal.SIGTERM)
    signals.close()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_home_that_cannot_be_opened_is_said_in_plain_words(tmp_path: Path) -> None:
    assert refusal(HomeTakenError(tmp_path, 12, "window")) == (
        "Another program has the task list open.",
        f"Process 12 uses {tmp_path}. Try again when it has ended.",
    )
    assert refusal(ValueError("Close it with: chmod"))[1] == "Close it with: chmod"


def test_a_second_start_brings_a_task_list_to_the_window_that_runs(
    qtbot: QtBot, open_window: Open, place: Home, tmp_path: Path
) -> None:
    window = open_window([HELLO])
    file = tmp_path / "friend.desktopsched.json"
    file.write_text(json.dumps({"format": 1, "tasks": [_command("new", "true")]}))
    assert raise_other(place, str(file))
    qtbot.waitUntil(lambda: window.importing.review is not None)
    review = window.importing.review
    assert review is not None
    assert [line.text for line in review.model.lines] == ["New"]
    review.reject()
