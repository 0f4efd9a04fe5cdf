"""Rows for tests of the graph: the example of the design, told in a few words each."""

from typing import Any

from desktopsched.engine.events import TaskStatus
from desktopsched.model import Edge, Join, On, Outcome, State
from desktopsched.ui.graph.links import Links
from desktopsched.ui.row import Row
from tests.ui.scenery import NOON, run, task

OK = Outcome(State.SUCCEEDED, "", 0)


def row(
    task_id: str,
    name: str = "",
    *,
    after: tuple[str | Edge, ...] = (),
    join: Join = Join.ALL,
    group: str = "Database",
    state: State = State.PENDING,
    took: tuple[float, ...] = (),
    begun: float | None = None,
    **status: Any,
) -> Row:
    edges = tuple(Edge(one) if isinstance(one, str) else one for one in after)
    running = (run(task_id),) if state is State.RUNNING else ()
    return Row(
        task=task(task_id, name, group=group, waits_for=edges, join=join),
        status=TaskStatus(state=state, running=running, **status),
        schedule="By hand",
        schedule_icon="hand",
        since={1: begun} if begun is not None else {},
        took=took,
        last=took[0] if took else None,
    )


def design() -> list[Row]:
    """As in the picture, with a task that is linked to none."""
    failures = tuple(Edge(one, On.FAILURE) for one in ("db", "ve", "up", "ph", "ce"))
    return [
        row("db", "Database dump", outcome=OK, ended=NOON - 46, due=NOON + 40_000, took=(84,)),
        row(
            "ve",
            "Verify dump",
            after=("db",),
            state=State.RUNNING,
            begun=NOON - 46,
            took=(130,),
            outcome=OK,
            ended=NOON - 9_000,
        ),
        row("up", "Upload dump", after=("ve",), took=(271,)),
        row("rm", "Remove old dumps", after=(Edge("up", On.FINISH),), took=(2,)),
        row("no", "Notify on failure", after=failures, join=Join.ANY),
        row("ph", "Photo sync", group="Files", outcome=OK, ended=NOON - 440, due=NOON + 250, took=(112,)),
        row(
            "ce",
            "Renew certificates",
            group="System",
            enabled=False,
            outcome=Outcome(State.FAILED, "exit code 1", 1),
            ended=NOON - 18_000,
        ),
        row("alone", "VAT return", group="Office"),
    ]


def by_id(rows: list[Row]) -> dict[str, Row]:
    return {one.task.id: one for one in rows}


def links_of(rows: list[Row]) -> Links:
    return Links(one.task for one in rows)
