"""The window's thread is blocked for seconds: tasks start on time all the same."""

import json
import time
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

BLOCKED = 10.0
SLOW = 30_000


def test_while_the_window_is_blocked_for_ten_seconds_tasks_start_within_one(
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

    def hear(event: Event) -> None:
        if isinstance(event, RunStarted):
            late.append(event.at - event.run.scheduled_for)

    session.program.listen(hear)
    with qtbot.waitSignal(session.opened, timeout=SLOW):
        session.open()
    before = len(late)
    QTimer.singleShot(0, lambda: time.sleep(BLOCKED))
    qtbot.wait(int(BLOCKED * 1_000))
    during = late[before:]
    with qtbot.waitSignal(session.closed, timeout=SLOW):
        session.close()
    report(
        f"the window's thread blocked for {BLOCKED:g} s, a task every second",
        len(during),
        "each start within 1 s of its due instant",
        f"at most {max(during) * 1_000:.0f} ms late",
    )
    assert len(during) >= BLOCKED - 2
    assert max(during) < 1.0
