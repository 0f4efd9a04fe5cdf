"""The graph: its layout off the UI thread, filling it, and moving it."""

import random
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from benchmarks.ui.figure import Figure, percentile
from benchmarks.ui.heartbeat import Heartbeat, spin, wait_for
from benchmarks.ui.lists import added, task
from benchmarks.ui.windows import application
from desktopsched.ui.graph.graph_view import GraphView
from desktopsched.ui.graph.links import Links
from desktopsched.ui.graph.node_item import fonts, width_for
from desktopsched.ui.graph.places import Sizes
from desktopsched.ui.graph.plan import plan

_FRAMES = 40
_PER_LAYER = 25


def measure() -> list[Figure]:
    """In layers of twenty-five tasks, each waiting for up to two of the layer before."""
    return [figure for count, most in ((1_000, 40), (5_000, 200)) for figure in _graph(count, most)]


def _graph(count: int, most: int) -> list[Figure]:
    chance = random.Random(7)  # the same graph each time
    tasks = []
    for number in range(count):
        layer = number // _PER_LAYER
        before = range((layer - 1) * _PER_LAYER, layer * _PER_LAYER) if layer % 8 else range(0)
        parents = tuple(sorted(chance.sample(before, chance.randint(1, 2)))) if before else ()
        tasks.append(task(number, parents=parents))
    with application() as running:
        window, graph = running.window, running.window.graph
        look, links = running.look, Links(tasks)
        metrics = QFontMetricsF(fonts(look)[0])
        linked = sum(links.linked(one.id) for one in tasks)
        widths = {one.id: width_for(one.name, metrics, look) for one in tasks}
        times = [_timed(lambda: plan(widths, links.all, Sizes(), 8.0)) for _ in range(5)]
        heart = Heartbeat()
        heart.start()
        for one in tasks:  # as they come from the engine, which is a batch at a time
            running.session.bridge.hear(added(one))
        wait_for(lambda: len(window.model.rows) == count)
        began = time.perf_counter()
        graph.apply(window.model.rows.all())
        wait_for(lambda: graph.view.graph is not None and len(graph.view.graph.nodes) == linked)
        shown = (time.perf_counter() - began) * 1e3
        spin(0.3)
        stall = heart.stop()
        view = graph.view
        view.fit()
        QApplication.processEvents()
        fitted = _timed(view.viewport().repaint)
        view.set_zoom(1.0)
        frames = [_timed(partial(_pan, view, number)) for number in range(_FRAMES)]
        heart.start()
        window.graph.apply([window.model.rows[one.id] for one in tasks[:200]])
        spin(0.2)
        told = heart.stop()
    return [
        Figure(f"graph of {count:,} tasks: layout", percentile(times, 0.5), most=most),
        Figure("… shown after", shown),
        Figure("… longest stall until it is", stall, most=50),
        Figure("… whole graph painted", fitted, most=33),
        Figure("… pan, p95 of the frames", percentile(frames, 0.95), most=33),
        Figure("… 200 tasks say something else", told, most=33),
    ]


def _pan(view: GraphView, number: int) -> None:
    for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
        bar.setValue(bar.minimum() + (bar.maximum() - bar.minimum()) * number // _FRAMES)
    view.viewport().repaint()


def _timed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1e3
