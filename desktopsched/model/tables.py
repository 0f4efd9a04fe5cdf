"""The form of a task in the file, as tables: for each struct its fields, in the order of writing.

Limits stand here, each with its reason where it is not plain.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from desktopsched.model.action import Command, Open, Reminder, Script, Where
from desktopsched.model.duration import format_duration
from desktopsched.model.fields import (
    choice,
    expression,
    listed,
    number,
    size_limited,
    switch,
    task_id,
    text,
    whole,
    write_number,
)
from desktopsched.model.invocation import read_argv, read_env, read_success_codes, write_env
from desktopsched.model.policy import CatchUp, Edge, IfLost, Join, On, OnFailure, Overlap, Retry
from desktopsched.model.problem import Problem, ProblemsError
from desktopsched.model.schedule import After, At, Cron, Every
from desktopsched.model.shape import Field, Kinds, Shape
from desktopsched.model.task import Task
from desktopsched.model.times import duration, instant, is_before, write_instant, zone

ARGUMENT_BYTES = 131_071  # Linux takes 128 KiB with the final NUL for one argument
SCRIPT_CHARACTERS = 1_048_576
SHORTEST_INTERVAL = 1.0  # seconds; what is due more often is a loop, not a task
SHORTEST_TIMEOUT = 0.1
COUNT_MOST = 1_000_000_000

_program = size_limited(ARGUMENT_BYTES)


def read_edges(raw: object) -> tuple[Edge, ...]:
    """The parents that a task waits for, each once."""
    edges: tuple[Edge, ...] = listed(EDGE.read)(raw)
    first: dict[str, int] = {}
    problems = [
        Problem(
            f"[{index}].task", f"{edge.task!r} is in this list already, at [{first[edge.task]}]. Keep one."
        )
        for index, edge in enumerate(edges)
        if first.setdefault(edge.task, index) != index
    ]
    if problems:
        raise ProblemsError(problems)
    return edges


def write_edges(edges: tuple[Edge, ...]) -> list[object]:
    """As the file has them; `on` is always written, because it is what one looks for."""
    return [{"task": edge.task, "on": str(edge.on)} for edge in edges]


def _one_of_argv_and_shell(given: Mapping[str, object], _values: Mapping[str, Any]) -> Iterator[Problem]:
    has = [key for key in ("argv", "shell") if given.get(key) is not None]
    if len(has) == 2:
        yield Problem("", "has both argv and shell. Keep one of them.")
    if not has:
        yield Problem("", "has no program. Write argv (a list, no shell) or shell (one text for the shell).")


def _ends_after_it_begins(_given: Mapping[str, object], values: Mapping[str, Any]) -> Iterator[Problem]:
    begin, end = values.get("not_before"), values.get("not_after")
    if begin and end and is_before(end, begin):
        yield Problem("not_after", "is before not_before: the task would never be due. Change one of them.")


def _waits_for_another(_given: Mapping[str, object], values: Mapping[str, Any]) -> Iterator[Problem]:
    for index, edge in enumerate(values.get("waits_for", ())):
        if edge.task == values.get("id"):
            yield Problem(f"waits_for[{index}].task", "the task would wait for itself. Take this entry out.")


_PROCESS_FIELDS = (
    Field("cwd", text(4_096)),
    Field("env", read_env, write_env),
    Field("timeout", duration(SHORTEST_TIMEOUT), format_duration),
    Field("success_codes", read_success_codes, list),
    Field("where", choice(Where), str),
)

ACTION = Kinds(
    {
        "command": Shape(
            Command,
            (Field("argv", read_argv, list), Field("shell", _program), *_PROCESS_FIELDS),
            (_one_of_argv_and_shell,),
        ),
        "script": Shape(
            Script,
            (
                Field("interpreter", size_limited(4_096), required="a program, such as 'bash'"),
                Field("text", text(SCRIPT_CHARACTERS, least=1), required="the script"),
                *_PROCESS_FIELDS,
            ),
        ),
        "reminder": Shape(
            Reminder,
            (Field("message", text(10_000, least=1), required="what to say"), Field("sound", switch)),
        ),
        "open": Shape(Open, (Field("target", size_limited(8_192), required="a file, a folder or a URL"),)),
    }
)

SCHEDULE = Kinds(
    {
        "at": Shape(At, (Field("time", instant, write_instant, required="'2026-03-30T08:00'"),)),
        "after": Shape(
            After,
            (
                Field("delay", duration(), format_duration, required="a duration, such as '20m'"),
                Field("since", instant, write_instant, key="from"),
            ),
        ),
        "every": Shape(
            Every,
            (
                Field(
                    "interval",
                    duration(SHORTEST_INTERVAL),
                    format_duration,
                    required="a duration, such as '50m'",
                ),
                Field("start", instant, write_instant),
            ),
        ),
        "cron": Shape(Cron, (Field("expression", expression, required="five fields, such as '30 2 * * *'"),)),
    }
)

EDGE = Shape(
    Edge,
    (Field("task", task_id, required="the id of the task to wait for"), Field("on", choice(On), str)),
)

RETRY = Shape(
    Retry,
    (
        Field("attempts", whole(1, 1_000)),
        Field("delay", duration(), format_duration),
        Field("backoff", number(1, 100), write_number),
        Field("max_delay", duration(), format_duration),
        Field("jitter", number(0, 1), write_number),
    ),
)

TASK = Shape(
    Task,
    (
        Field("id", task_id, required="an id such as 'db-dump'"),
        Field("name", text(200, least=1), required="a name"),
        Field("group", text(200)),
        Field("notes", text(100_000)),
        Field("enabled", switch),
        Field("action", ACTION.read, ACTION.write, required="what to do: an object with a type"),
        Field("schedule", SCHEDULE.read, SCHEDULE.write),
        Field("timezone", zone),
        Field("waits_for", read_edges, write_edges),
        Field("join", choice(Join), str),
        Field("retry", RETRY.read, RETRY.write),
        Field("on_failure", choice(OnFailure), str),
        Field("overlap", choice(Overlap), str),
        Field("catch_up", choice(CatchUp), str),
        Field("grace", duration(), format_duration),
        Field("priority", whole(-100, 100)),
        Field("not_before", instant, write_instant),
        Field("not_after", instant, write_instant),
        Field("max_runs", whole(1, COUNT_MOST)),
        Field("random_delay", duration(), format_duration),
        Field("if_lost", choice(IfLost), str),
        Field("prefers", text(200)),
    ),
    (_ends_after_it_begins, _waits_for_another),
)
