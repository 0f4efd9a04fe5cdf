"""Events on their way from the engine's threads to the window: how many a second, and what they cost the window."""

import threading
import time
from collections.abc import Sequence

from benchmarks.ui.figure import Figure, percentile
from benchmarks.ui.heartbeat import Heartbeat, wait_for
from benchmarks.ui.lists import NOON, all_added
from benchmarks.ui.windows import application
from desktopsched.engine.events import Event, TaskChanged, TaskStatus
from desktopsched.model import State
from desktopsched.ui.bridge import Bridge
from desktopsched.ui.phase import Phase

_EVENTS, _TASKS = 1_000_000, 10_000
_RATE, _SECONDS = 50_000, 4


def measure() -> list[Figure]:
    """Through the bridge alone, and into the real window."""
    return [*_through_the_bridge(), *_into_the_window()]


def _through_the_bridge() -> list[Figure]:
    bridge, heard = Bridge(), [0]
    event = TaskChanged(at=NOON, task_id="a", status=TaskStatus(state=State.PENDING))

    def count(events: Sequence[Event]) -> None:
        heard[0] += len(events)

    def talk() -> None:
        hear = bridge.hear
        for _ in range(_EVENTS):
            hear(event)

    bridge.arrived.connect(count)
    thread = threading.Thread(target=talk)
    heart, begun = Heartbeat(), time.perf_counter()
    heart.start()
    thread.start()
    wait_for(lambda: heard[0] == _EVENTS)
    taken = time.perf_counter() - begun
    heart.stop()
    thread.join()
    return [
        Figure("events through the bridge", _EVENTS / taken, "a second", least=500_000),
        Figure("… UI tick p99 meanwhile", percentile(heart.stalls, 0.99), most=20),
    ]


def _into_the_window() -> list[Figure]:
    with application() as running:
        window, hear = running.window, running.session.bridge.hear
        window.model.apply(all_added(_TASKS))
        window.phase = Phase.OPEN
        window.count()
        states = [TaskStatus(state=state, due=NOON + 600) for state in (State.PENDING, State.READY)]
        events = [
            TaskChanged(at=NOON, task_id=f"task-{(number * 7) % _TASKS}", status=states[number % 2])
            for number in range(_RATE)
        ]

        def talk() -> None:
            begun = time.perf_counter()
            for number in range(_RATE * _SECONDS // 50):
                for event in events[number * 50 % _RATE : number * 50 % _RATE + 50]:
                    hear(event)
                time.sleep(max(begun + (number + 1) * 50 / _RATE - time.perf_counter(), 0))

        thread, heart = threading.Thread(target=talk), Heartbeat()
        heart.start()
        thread.start()
        wait_for(lambda: not thread.is_alive() and not running.session.bridge.waiting)
        longest = heart.stop()
        thread.join()
    return [
        Figure(
            "50,000 events a second into the window: UI tick p99", percentile(heart.stalls, 0.99), most=20
        ),
        Figure("… longest stall", longest, most=50),
        Figure("… longest work of the UI thread", max(heart.works), most=50),
    ]
