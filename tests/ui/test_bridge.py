import threading
import time
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktopsched.engine.events import Paused
from desktopsched.ui import bridge as module
from desktopsched.ui.bridge import FRAME, LEAST, WORTH, Bridge


def _hear(bridge: Bridge, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        bridge.hear(Paused(at=float(number)))


def test_twenty_thousand_events_of_another_thread_come_in_order_and_in_few_batches(qtbot: QtBot) -> None:
    bridge, heard, batches = Bridge(), list[float](), list[int]()
    bridge.arrived.connect(lambda events: heard.extend(event.at for event in events))
    bridge.arrived.connect(lambda events: batches.append(len(events)))
    thread = threading.Thread(target=_hear, args=(bridge, 20_000))
    began = time.monotonic()
    thread.start()
    qtbot.waitUntil(lambda: len(heard) == 20_000)
    thread.join()
    assert heard == [float(number) for number in range(20_000)]
    frames = (time.monotonic() - began) / (FRAME - 0.001)  # a timer counts whole milliseconds
    assert len(batches) <= frames + 2


def test_events_of_many_threads_are_all_told_once(qtbot: QtBot) -> None:
    bridge, heard = Bridge(), list[float]()
    bridge.arrived.connect(lambda events: heard.extend(event.at for event in events))
    threads = [threading.Thread(target=_hear, args=(bridge, 500, first)) for first in range(0, 4_000, 500)]
    for thread in threads:
        thread.start()
    qtbot.waitUntil(lambda: len(heard) == 4_000)
    for thread in threads:
        thread.join()
    assert sorted(heard) == [float(number) for number in range(4_000)]


def test_a_second_batch_waits_for_the_next_frame(qtbot: QtBot) -> None:
    bridge = Bridge()
    with qtbot.waitSignal(bridge.arrived):
        _hear(bridge, 1)
    _hear(bridge, 3)
    with qtbot.waitSignal(bridge.arrived) as told:
        pass
    assert told.args is not None
    assert len(told.args[0]) == 3


def test_nothing_ticks_while_there_is_nothing_to_tell(qtbot: QtBot) -> None:
    bridge = Bridge()
    with qtbot.waitSignal(bridge.arrived):
        _hear(bridge, 1)
    assert not any(timer.isActive() for timer in bridge.findChildren(QTimer))


def test_what_is_heard_while_a_rest_waits_is_told_too(qtbot: QtBot) -> None:
    bridge, heard = Bridge(), list[float]()
    bridge.arrived.connect(lambda events: heard.extend(event.at for event in events))
    first = bridge._size
    _hear(bridge, first + 1)
    with qtbot.waitSignal(bridge.arrived):
        pass
    _hear(bridge, 1, first + 1)
    qtbot.waitUntil(lambda: len(heard) == first + 2)
    assert heard == [float(number) for number in range(first + 2)]


def test_batches_are_as_large_as_the_window_takes_in_a_moment(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 0.0))  # nothing takes long here
    bridge, sizes = Bridge(), list[int]()
    bridge.arrived.connect(lambda events: sizes.append(len(events)))
    bridge._size = 10
    _hear(bridge, 5_000)
    qtbot.waitUntil(lambda: not bridge.waiting)
    assert sizes[:3] == [10, 20, 40]
    bridge._learn(1_000, 10 * WORTH)
    assert bridge._size == 100
    bridge._learn(1_000, 1_000 * WORTH)
    assert bridge._size == LEAST


def test_after_a_rest_a_batch_comes_before_what_is_told_later_in_another_way(qtbot: QtBot) -> None:
    bridge, told = Bridge(), list[str]()
    bridge.arrived.connect(lambda _: told.append("events"))
    _hear(bridge, 1)
    QTimer.singleShot(0, lambda: told.append("open"))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == ["events", "open"]
