"""Lists of tasks for the benchmarks: as a file, and as the events by which a window hears of them."""

import json
import time
from pathlib import Path
from typing import Any

from desktopsched.engine.events import TaskAdded, TaskStatus
from desktopsched.model import Command, Edge, Every, State, Task

NOON = float(round(time.time()))
"""The moment at which the lists were made: the window's clock is the computer's."""

_GROUPS = 20
_WORDS = ("backup", "sync", "report", "mail", "index", "archive", "check", "export")


def name_of(number: int) -> str:
    """A name like those that people give."""
    return f"{_WORDS[number % len(_WORDS)].capitalize()} {(number * 7_919) % 100_000:05}"


def entries(count: int, **more: Any) -> list[dict[str, Any]]:
    """Tasks as a file has them: in twenty groups, each third waiting for the one before it, none due soon."""
    return [
        {
            "id": f"task-{number}",
            "name": name_of(number),
            "group": f"Group {number % _GROUPS}",
            "action": {"type": "command", "argv": ["true"]},
            **(
                {"waits_for": [{"task": f"task-{number - 1}", "on": "success"}]}
                if number % 3 == 2
                else {"schedule": {"type": "cron", "expression": f"{number % 60} {number % 24} 1 1 *"}}
            ),
            **more,
        }
        for number in range(count)
    ]


def write_list(folder: Path, tasks: list[dict[str, Any]]) -> None:
    """The task file of a home under `folder`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "tasks.json").write_text(json.dumps({"format": 1, "tasks": tasks}), encoding="utf-8")


def task(number: int, *, group: str | None = None, parents: tuple[int, ...] = ()) -> Task:
    """One task."""
    return Task(
        id=f"task-{number}",
        name=name_of(number),
        group=f"Group {number % _GROUPS}" if group is None else group,
        action=Command(argv=("true",)),
        schedule=None if parents else Every(interval=3_600),
        waits_for=tuple(Edge(f"task-{parent}") for parent in parents),
    )


def added(one: Task, number: int = 0) -> TaskAdded:
    """What the engine says of a new task."""
    due = NOON + 3_600 + (number * 31) % 86_400 if one.schedule is not None else None
    return TaskAdded(at=NOON, task=one, status=TaskStatus(state=State.PENDING, due=due))


def all_added(count: int) -> list[TaskAdded]:
    """A whole list, each third task waiting for the one before it."""
    return [
        added(task(number, parents=(number - 1,) if number % 3 == 2 else ()), number)
        for number in range(count)
    ]
