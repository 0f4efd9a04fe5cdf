"""The live log: a hundred thousand lines, beside the cheapest thing in Qt that could show them."""

import time

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QApplication, QHeaderView, QTableView

from benchmarks.ui.figure import Figure
from benchmarks.ui.heartbeat import Heartbeat, wait_for
from benchmarks.ui.lists import NOON, added, task
from desktopsched.engine.events import RunOutput
from desktopsched.model import Cause, Run
from desktopsched.storage.preferences import Theme
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.look import Look

_LINES, _BATCH = 100_000, 1_000
_SIZE = 1_000, 700
_NONE = QModelIndex()


class _Rows(QAbstractTableModel):
    """Lines of a table of fixed rows."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[str] = []

    def rowCount(self, _parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:
        return len(self.rows)

    def columnCount(self, _parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:
        return 1

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        return self.rows[index.row()] if role == Qt.ItemDataRole.DisplayRole else None

    def add(self, lines: list[str]) -> None:
        self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(lines) - 1)
        self.rows += lines
        self.endInsertRows()


def measure() -> list[Figure]:
    """Both take the same lines."""
    lines = [
        f"2026-01-01 12:34:56.789 INFO task-{number:06} finished rc=0 in 12.3 ms" for number in range(_LINES)
    ]
    table, (log, stall) = _table(lines), _log(lines)
    return [
        Figure("100,000 lines into a table of fixed rows", table),
        Figure("100,000 lines into the log", log),
        Figure("… of that table", log / table, "×", most=1.6),
        Figure("… longest stall", stall, most=33),
    ]


def _table(lines: list[str]) -> float:
    view, model = QTableView(), _Rows()
    view.verticalHeader().setDefaultSectionSize(20)
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.setModel(model)
    view.resize(*_SIZE)
    view.show()
    QApplication.processEvents()
    begun = time.perf_counter()
    for first in range(0, _LINES, _BATCH):
        model.add(lines[first : first + _BATCH])
        view.scrollToBottom()
        QApplication.processEvents()
    taken = (time.perf_counter() - begun) * 1e3
    view.close()
    return taken


def _log(lines: list[str]) -> tuple[float, float]:
    panel = LogPanel(Look(Theme.LIGHT))
    panel.resize(*_SIZE)
    panel.show()
    QApplication.processEvents()
    one = task(1)
    run = Run(id=1, task_id=one.id, scheduled_for=NOON, cause=Cause.SCHEDULE)
    panel.apply([added(one)])
    heart, begun = Heartbeat(), time.perf_counter()
    heart.start()
    for first in range(0, _LINES, _BATCH):
        panel.apply([RunOutput(at=NOON, run=run, text="\n".join(lines[first : first + _BATCH]) + "\n")])
        QApplication.processEvents()
    wait_for(lambda: not panel.transcript.waiting and not panel._next.isActive())
    stall = heart.stop()
    taken = (time.perf_counter() - begun) * 1e3
    panel.close()
    return taken, stall
