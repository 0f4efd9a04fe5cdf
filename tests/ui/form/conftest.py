"""A form that is opened with a word, and closed after the test."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktopsched.model import Task
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.look import Look
from tests.ui.scenery import BERLIN, FakeBench

NOW = datetime(2026, 10, 23, 14, 32, tzinfo=BERLIN).timestamp()
"""Two days before the clocks go back."""

OpenForm = Callable[..., TaskForm]


@pytest.fixture
def open_form(qtbot: QtBot, look: Look) -> Iterator[OpenForm]:
    """Open a form for a task among others; with `shown=True` on the screen."""
    opened: list[TaskForm] = []

    def open_(task: Task | None = None, *others: Task, shown: bool = False, **more: Any) -> TaskForm:
        listed = [*others] if task is None or more.pop("draft", False) else [task, *others]
        now = more.pop("now", NOW)
        more.setdefault("bench", FakeBench())
        form = TaskForm(look, listed, task, lambda: now, lambda: BERLIN, **more)
        opened.append(form)
        if shown:
            form.show()
            form.activateWindow()
            qtbot.waitUntil(form.isActiveWindow)
        return form

    yield open_
    for form in opened:
        form.done(0)
        form.deleteLater()
