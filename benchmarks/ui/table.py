"""The table of tasks: sorting, filtering, painting, scrolling, and rows that come and go, with many tasks."""

import time
from collections.abc import Callable
from functools import partial

from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from benchmarks.ui.figure import Figure, percentile
from benchmarks.ui.heartbeat import held_up, spin
from benchmarks.ui.lists import NOON, all_added
from benchmarks.ui.windows import application
from desktopsched.engine.events import RunFinished, RunStarted, TaskChanged, TaskStatus
from desktopsched.model import Cause, Outcome, Run, State
from desktopsched.ui.application import Application
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.phase import Phase
from desktopsched.ui.roles import Column

_SCROLLS = 50


def measure() -> list[Figure]:
    """A hundred thousand tasks, as the goals have it; and thirty thousand in the whole window."""
    with application() as running:
        _fill(running, 100_000)
        return [*_looked_at(running), *_filtered(running)]


def _fill(running: Application, count: int) -> None:
    window, events = running.window, all_added(count)
    for first in range(0, count, 2_000):
        window.model.apply(events[first : first + 2_000])
    window.phase = Phase.OPEN
    window.count()
    spin(1.0)
    running.garbage.settle()


def _looked_at(running: Application) -> list[Figure]:
    table = running.window.table
    spin(0.5)
    figures = [
        Figure(
            "100,000 tasks: sort by name", held_up(lambda: table.sortByColumn(Column.NAME, _UP)), most=120
        ),
        Figure("… by the next run", held_up(lambda: table.sortByColumn(Column.NEXT, _UP)), most=120),
        Figure("… as in the file", held_up(lambda: table.sortByColumn(-1, _UP)), most=120),
    ]
    QApplication.processEvents()
    figures.append(Figure("… repaint", _median(lambda _: table.viewport().repaint()), most=25))
    bar = table.verticalScrollBar()
    step = max(bar.maximum() // _SCROLLS, 1)

    def scroll(number: int) -> None:
        bar.setValue(number * step)
        table.viewport().repaint()

    figures.append(Figure("… scroll, a frame", _median(scroll), most=25))
    figures.append(Figure("… a tick of the clock", _median(lambda _: table.tick()), most=25))
    bar.setValue(0)
    return figures


def _filtered(running: Application) -> list[Figure]:
    window, model = running.window, running.window.model
    window.table.select("task-50000")
    figures = [
        Figure(f"… search for “{text}”", held_up(partial(window.search.setText, text)), most=50)
        for text in ("7", "77", "backup", "")
    ]
    for choice in (Choice(view=View.TODAY), Choice(group="Group 7"), Choice()):
        words = choice.group or choice.view.value
        figures.append(Figure(f"… show {words}", held_up(partial(window.sidebar.choose, choice)), most=50))
    window.sidebar.choose(Choice(view=View.TODAY))
    spin(0.3)
    leaving = [
        f"task-{number}" for number in range(0, 20_000, 7) if model.index_of(f"task-{number}").isValid()
    ]
    figures.append(
        Figure("… a task leaves a view", held_up(lambda: _change(running, leaving[:1], due=None)), most=50)
    )
    figures.append(
        Figure("… 100 tasks leave it", held_up(lambda: _change(running, leaving[1:101], due=None)), most=50)
    )
    figures.append(
        Figure("… and come back", held_up(lambda: _change(running, leaving[:101], due=NOON + 60)), most=50)
    )
    window.sidebar.choose(Choice())
    spin(0.3)
    figures.append(
        Figure("… 1,000 runs begin and end in a batch", held_up(lambda: _run(running, 1_000)), most=50)
    )
    return figures


def _change(running: Application, ids: list[str], *, due: float | None) -> None:
    rows = running.window.model.rows
    running.session.bridge.arrived.emit(
        tuple(
            TaskChanged(at=NOON, task_id=one, status=structs.replace(rows[one].status, due=due))
            for one in ids
        )
    )


def _run(running: Application, count: int) -> None:
    events: list[RunStarted | RunFinished] = []
    for number in range(count):
        run = Run(id=number + 1, task_id=f"task-{number * 90}", scheduled_for=NOON, cause=Cause.SCHEDULE)
        events.append(RunStarted(at=NOON, run=run, status=TaskStatus(state=State.RUNNING, running=(run,))))
        done, status = (
            Outcome(State.SUCCEEDED, exit_code=0),
            TaskStatus(state=State.PENDING, due=NOON + 9_000),
        )
        events.append(
            RunFinished(at=NOON + 1, run=run, outcome=done, status=structs.replace(status, outcome=done))
        )
    running.session.bridge.arrived.emit(tuple(events))


def _median(act: Callable[[int], object]) -> float:
    times = []
    for number in range(_SCROLLS):
        begun = time.perf_counter()
        act(number)
        times.append((time.perf_counter() - begun) * 1e3)
    return percentile(times, 0.5)


_UP = Qt.SortOrder.AscendingOrder
