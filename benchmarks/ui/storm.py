"""The storm: thirty thousand tasks, two hundred runs and ten thousand lines of output a second, for half a minute."""

import os
import threading
import time

from benchmarks.ui.figure import Figure, percentile
from benchmarks.ui.heartbeat import Heartbeat, spin
from benchmarks.ui.lists import NOON, all_added
from benchmarks.ui.windows import application
from desktopsched.engine.events import RunFinished, RunOutput, RunStarted, TaskStatus
from desktopsched.model import Cause, Outcome, Run, State
from desktopsched.ui.application import Application
from desktopsched.ui.phase import Phase

_TASKS, _RUNS, _LINES = 30_000, 200, 10_000  # of the list; a second
_SECONDS = float(os.environ.get("STORM_SECONDS", "30"))
_TICK = 0.02  # seconds from one handful of events to the next


def measure() -> list[Figure]:
    """The events are made as the engine makes them, on a thread of their own; everything else is the real window."""
    with application() as running:
        window = running.window
        events = all_added(_TASKS)
        for first in range(0, _TASKS, 2_000):
            running.session.bridge.arrived.emit(tuple(events[first : first + 2_000]))
        window.phase = Phase.OPEN
        running.session.opened.emit({})
        spin(4.0)
        running.garbage.settle()
        ends = threading.Event()
        thread, heart = threading.Thread(target=_rage, args=(running, ends)), Heartbeat()
        heart.start()
        thread.start()
        spin(_SECONDS)
        longest = heart.stop()
        ends.set()
        thread.join()
        spin(0.5)
    return [
        Figure("storm over 30,000 tasks: longest stall", longest, most=50),
        Figure("… longest work of the UI thread", max(heart.works), most=50),
        Figure("… UI tick p99", percentile(heart.stalls, 0.99)),
        Figure("… p50", percentile(heart.stalls, 0.5)),
    ]


def _rage(running: Application, ends: threading.Event) -> None:
    hear, number, begun = running.session.bridge.hear, 0, time.perf_counter()
    line = "2026-01-01 12:34:56.789 INFO worker finished rc=0 in 12.3 ms (attempt 1 of 3)\n"
    text = line * (_LINES // _RUNS)
    while not ends.is_set():
        for _ in range(round(_RUNS * _TICK)):
            number += 1
            run = Run(
                id=number, task_id=f"task-{number * 97 % _TASKS}", scheduled_for=NOON, cause=Cause.SCHEDULE
            )
            hear(RunStarted(at=NOON, run=run, status=TaskStatus(state=State.RUNNING, running=(run,))))
            hear(RunOutput(at=NOON, run=run, text=text))
            bad = number % 20 == 0
            done = Outcome(State.FAILED if bad else State.SUCCEEDED, "exit code 1" if bad else "", int(bad))
            after = TaskStatus(
                state=State.PENDING,
                due=NOON + 3_600 + number,
                outcome=done,
                outcome_run=number,
                ended=NOON + 1,
            )
            hear(RunFinished(at=NOON + 1, run=run, outcome=done, status=after))
        time.sleep(max(begun + number / _RUNS - time.perf_counter(), 0))
