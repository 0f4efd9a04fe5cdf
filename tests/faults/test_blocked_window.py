"""The window's thread is blocked: tasks start all the same."""

import json
import threading
from pathlib import Path

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktopsched.engine.events import Event, RunStarted
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import Theme
from desktopsched.ui.look import Look
from desktopsched.ui.session import Session
from tests.faultlines import Record
from tests.ui.scenery import reminders

STARTS = 5
"""For so many of them the window stays blocked."""

SLOW = 60_000


def test_while_the_window_is_blocked_tasks_start_all_the_same(
    qtbot: QtBot, tmp_path: Path, report: Record
) -> None:
    place = find_home(tmp_path / "own")
    place.prepare()
    every = {"type": "every", "interval": "1s"}
    action = {"type": "command", "argv": ["true"]}
    entries = [{"id": "a", "name": "A", "action": action, "schedule": every}]
    place.tasks.write_text(json.dumps({"format": 1, "tasks": entries}))
    session = Session(place, reminders(Look(Theme.LIGHT), place.folder))
    late: list[float] = []
    counted = threading.Condition()

    def hear(event: Event) -> None:
        if isinstance(event, RunStarted):
            with counted:
                late.append(event.at - event.run.scheduled_for)
                counted.notify_all()

    def block() -> None:
        with counted:
            before = len(late)
            counted.wait_for(lambda: len(late) >= before + STARTS, timeout=60)
            during.extend(late[before:])

    during: list[float] = []

    session.program.listen(hear)
    with qtbot.waitSignal(session.opened, timeout=SLOW):
        session.open()
    QTimer.singleShot(0, block)
    qtbot.waitUntil(lambda: bool(during), timeout=SLOW)
    with qtbot.waitSignal(session.closed, timeout=SLOW):
        session.close()
    report(
        f"the window's thread blocked until {STARTS} starts of a task that is due every second",
        len(during),
        "all happen meanwhile (how late is told, not tested)",
        f"at most {max(during) * 1_000:.0f} ms late",
    )
    assert len(during) == STARTS
