"""Rest: how often a window in which nothing happens wakes the processor up; and a question about many missed runs."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import structs

from benchmarks.ui.figure import Figure
from benchmarks.ui.heartbeat import Heartbeat, held_up, spin, wait_for
from benchmarks.ui.lists import NOON, added, entries, task, write_list
from benchmarks.ui.windows import application
from desktopsched.engine.events import RunOutput, RunsMissed, TaskStatus
from desktopsched.model import CatchUp, Cause, Run, State
from desktopsched.ui.application import Application
from desktopsched.ui.phase import Phase

_SECONDS = 10
_MISSED = 2_000


def measure() -> list[Figure]:
    """Both."""
    return [*(_at_rest() if sys.platform == "linux" else ()), *_asked(), *_flooded()]


def _at_rest() -> list[Figure]:
    with TemporaryDirectory() as place:
        write_list(Path(place), entries(10_000))
        with application(Path(place)) as running:
            running.session.open()
            wait_for(lambda: running.window.phase is Phase.OPEN and len(running.window.model.rows) == 10_000)
            spin(3.0)
            shown = _wakes()
            running.window.hide()
            spin(1.0)
            hidden = _wakes()
            running.window.show()
    return [
        Figure("wake-ups with nothing to do, 10,000 tasks, shown", shown, "a second", most=1.1),
        Figure("… hidden", hidden, "a second", most=0),
    ]


def _wakes() -> float:
    """How often the UI thread was woken up, a second: how often it went to sleep. Only Linux counts by threads."""
    import resource

    before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    spin(_SECONDS)
    slept = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - before
    return max(slept - 1, 0) / _SECONDS  # once for the end of the measurement


def _asked() -> list[Figure]:
    with application() as running:
        window, bridge = running.window, running.session.bridge
        missed = TaskStatus(
            state=State.PENDING, due=NOON + 600, missed=3, missed_first=NOON - 9_000, missed_last=NOON - 90
        )
        bridge.arrived.emit(tuple(added(task(number)) for number in range(_MISSED)))
        bridge.arrived.emit(
            tuple(
                RunsMissed(
                    at=NOON,
                    task_id=f"task-{number}",
                    first=NOON - 9_000,
                    last=NOON - 90,
                    count=3,
                    policy=CatchUp.ASK,
                    status=missed,
                )
                for number in range(_MISSED)
            )
        )
        window.phase = Phase.OPEN
        spin(1.0)
        asking = running.outside.asking
        stall = held_up(asking.ask)
        assert asking.dialog is not None
        more = held_up(lambda: _more(running, missed))
        asking.dialog.reject()
        spin(0.1)
    return [
        Figure("question about 2,000 tasks: longest stall", stall, most=50),
        Figure("… and when one more run is missed", more, most=50),
    ]


def _more(running: Application, missed: TaskStatus) -> None:
    event = RunsMissed(
        at=NOON,
        task_id="task-1",
        first=NOON,
        last=NOON,
        count=4,
        policy=CatchUp.ASK,
        status=structs.replace(missed, missed=4),
    )
    running.session.bridge.arrived.emit((event,))
    running.outside.asking.ask()


def _flooded() -> list[Figure]:
    """One task that prints without end, in pieces as the pump makes them."""
    with application() as running:
        bridge, heart = running.session.bridge, Heartbeat()
        one = task(1)
        run = Run(id=1, task_id=one.id, scheduled_for=NOON, cause=Cause.SCHEDULE)
        bridge.arrived.emit((added(one),))
        running.window.phase = Phase.OPEN
        spin(0.3)
        text = "y\n" * 32_768
        heart.start()
        for _ in range(100):
            bridge.hear(RunOutput(at=NOON, run=run, text=text))
            spin(0.02)
        stall = heart.stop()
    return [Figure("a task that prints “y” without end: longest stall", stall, most=50)]
