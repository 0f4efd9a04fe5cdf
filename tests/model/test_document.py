"""The task list as people write it: what is right is read, every mistake is named with its place."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.model import (
    After,
    At,
    CatchUp,
    Command,
    Cron,
    Edge,
    Every,
    Join,
    On,
    OnFailure,
    Open,
    Overlap,
    Reminder,
    Retry,
    Script,
    Secret,
    Task,
    Where,
)
from desktopsched.model.document import (
    Document,
    read_document,
    read_task,
    write_document,
    write_task,
)
from desktopsched.model.tables import ACTION, SCHEDULE, TASK

Raw = dict[str, Any]

EXAMPLE = """
{
  "format": 1,
  "tasks": [
    {
      "id": "db-dump", "name": "Database dump", "group": "Database",
      "action": {"type": "command", "argv": ["pg_dump", "-Fc", "-f", "shop.dump", "shop"], "cwd": "~/backups",
                 "env": {"PGUSER": "shop", "PGPASSWORD": {"secret": "shop-db"}}, "timeout": "30m"},
      "schedule": {"type": "cron", "expression": "30 2,14 * * *"},
      "timezone": "Europe/Berlin",
      "retry": {"attempts": 3, "delay": "30s", "backoff": 2, "max_delay": "10m"},
      "overlap": "skip", "catch_up": "latest"
    },
    {
      "id": "verify", "name": "Verify dump", "group": "Database",
      "action": {"type": "script", "interpreter": "bash", "text": "pg_restore --list shop.dump | wc -l\\n"},
      "waits_for": [{"task": "db-dump", "on": "success"}]
    },
    {
      "id": "tell", "name": "Tell me when the database job fails",
      "action": {"type": "reminder", "message": "Database dump or its check failed"},
      "waits_for": [{"task": "db-dump", "on": "failure"}, {"task": "verify", "on": "failure"}], "join": "any"
    },
    {"id": "stretch", "name": "Stretch", "action": {"type": "reminder", "message": "Stand up"},
     "schedule": {"type": "every", "interval": "50m"}}
  ]
}
"""


def raw_task(**changes: Any) -> Raw:
    """A right task, but for `changes`; None takes a key out."""
    raw = {"id": "a", "name": "A", "action": {"type": "reminder", "message": "Stand up"}, **changes}
    return {key: value for key, value in raw.items() if value is not Ellipsis}


def problems_of(**changes: Any) -> list[str]:
    return [str(problem) for problem in read_task(raw_task(**changes))[1]]


def places_of(**changes: Any) -> list[str]:
    return [problem.place for problem in read_task(raw_task(**changes))[1]]


def document(*tasks: object) -> Document:
    return read_document({"format": 1, "tasks": list(tasks)})


# What is right


def test_the_example_reads_without_problems() -> None:
    read = read_document(json.loads(EXAMPLE))
    assert read.problems == ()
    assert [task.id for task in read.tasks] == ["db-dump", "verify", "tell", "stretch"]
    dump, verify, tell, stretch = read.tasks
    assert dump.action == Command(
        argv=("pg_dump", "-Fc", "-f", "shop.dump", "shop"),
        cwd="~/backups",
        env={"PGUSER": "shop", "PGPASSWORD": Secret("shop-db")},
        timeout=1800,
    )
    assert dump.schedule == Cron("30 2,14 * * *")
    assert dump.retry == Retry(attempts=3, delay=30, backoff=2, max_delay=600)
    assert dump.catch_up is CatchUp.LATEST
    assert verify.waits_for == (Edge("db-dump"),)
    assert (tell.join, tell.waits_for[1].on) == (Join.ANY, On.FAILURE)
    assert stretch.schedule == Every(interval=3000)


def test_the_example_is_written_as_it_was_but_for_defaults() -> None:
    raw = json.loads(EXAMPLE)
    written = write_document(map(write_task, read_document(raw).tasks))
    del raw["tasks"][0]["overlap"]  # "skip" goes without saying
    assert json.dumps(written) == json.dumps(raw)


def test_a_whole_task_is_written_in_a_fixed_order_and_a_bare_one_in_three_keys() -> None:
    assert list(write_task(read_task(raw_task())[0] or pytest.fail("it is right"))) == [
        "id",
        "name",
        "action",
    ]
    assert [field.file_key for field in TASK.fields] == [*Task.__struct_fields__]


def test_after_counts_from_what_the_file_calls_from() -> None:
    raw = raw_task(schedule={"type": "after", "delay": "20m", "from": "2026-03-30T08:00+02:00"})
    task, problems = read_task(raw)
    assert not problems
    assert task
    since = datetime(2026, 3, 30, 8, tzinfo=timezone(timedelta(hours=2)))
    assert task.schedule == After(delay=1200, since=since)
    assert write_task(task) == raw


@pytest.mark.parametrize(("given", "enabled"), [(..., True), (None, True), (True, True), (False, False)])
def test_m08_absent_and_null_are_the_default_and_false_is_off(given: object, enabled: bool) -> None:
    task, problems = read_task(raw_task(enabled=given))
    assert not problems
    assert task
    assert task.enabled is enabled


def test_z10_dates_at_the_ends_of_time() -> None:
    for year, right in ((1969, False), (1970, True), (2038, True), (9998, True), (9999, False)):
        schedule = {"type": "at", "time": f"{year}-12-31T23:59:59"}
        assert places_of(schedule=schedule) == ([] if right else ["schedule.time"])


# What is wrong


WRONG: list[tuple[str, object, str]] = [
    # Periods that are none (I08).
    *[("schedule", {"type": "every", "interval": bad}, "schedule.interval") for bad in (
        0, -5, 0.001, float("nan"), float("inf"), 1e308, "5", True, None, "0s", "-5s", "0.999s", "1e3s", "11y",
        "999999999d", "", " ", "5 m 3", ["1s"], {"s": 1},
    )],
    # Attempts that cannot be counted (R09, Z11).
    *[("retry", {"attempts": bad}, "retry.attempts") for bad in (
        -1, 0, 1001, 10**9, 10**18, 10**400, 1e9, "3", True, 2.5, 2.0, float("nan"), [3],
    )],
    ("retry", {"backoff": 0.5}, "retry.backoff"),
    ("retry", {"backoff": float("inf")}, "retry.backoff"),
    ("retry", {"backoff": True}, "retry.backoff"),
    ("retry", {"jitter": 1.5}, "retry.jitter"),
    ("retry", {"jitter": float("nan")}, "retry.jitter"),
    ("retry", {"delay": 30}, "retry.delay"),
    ("retry", {"atempts": 3}, "retry.atempts"),
    ("retry", 3, "retry"),
    # Zones that no computer knows (K17).
    *[("timezone", bad, "timezone") for bad in (
        "Mars/Phobos", "", "../x", "EST5EDT", "CET", "Berlin", "Europe", "America/Argentina", "/etc/localtime",
        "posix/Europe/Berlin", "Europe/Berlin\n", "a/" * 200, 2, True, ["Europe/Berlin"],
    )],
    # Names (Z03).
    *[("name", bad, "name") for bad in ("", "x" * 201, "x" * 10_000, "a\0b", "\ud800", 5, True, ["a"])],
    *[("id", bad, "id") for bad in ("", "A", "../x", "-a", ".a", "a b", "é", "a" * 65, "a\n", 5, True, "con/x")],
    ("group", 1, "group"),
    ("notes", ["a"], "notes"),
    ("enabled", 1, "enabled"),
    ("enabled", "false", "enabled"),
    ("priority", 101, "priority"),
    ("priority", -101, "priority"),
    ("priority", 1.0, "priority"),
    ("max_runs", 0, "max_runs"),
    ("max_runs", 10**18, "max_runs"),
    ("grace", 60, "grace"),
    ("grace", "-1s", "grace"),
    ("random_delay", 1e18, "random_delay"),
    ("join", "some", "join"),
    ("join", 1, "join"),
    ("overlap", "Skip", "overlap"),
    ("catch_up", True, "catch_up"),
    ("on_failure", [], "on_failure"),
    ("not_before", "2026-03-30", "not_before"),
    ("not_before", "tomorrow", "not_before"),
    ("not_after", "2026-02-30T08:00", "not_after"),
    ("not_after", 1_700_000_000, "not_after"),
    # What a schedule must have.
    ("schedule", {"type": "at"}, "schedule.time"),
    ("schedule", {"type": "at", "time": "8:00"}, "schedule.time"),
    ("schedule", {"type": "cron", "expression": ""}, "schedule.expression"),
    ("schedule", {"type": "cron", "expression": "0 " * 600}, "schedule.expression"),
    ("schedule", {"type": "cron", "expression": 5}, "schedule.expression"),
    ("schedule", {"type": "hourly"}, "schedule.type"),
    ("schedule", {"expression": "0 0 * * *"}, "schedule.type"),
    ("schedule", "0 0 * * *", "schedule"),
    ("schedule", {"type": "every", "interval": "1h", "begin": "x"}, "schedule.begin"),
    # What an action must have.
    ("action", {"type": "command"}, "action"),
    ("action", {"type": "command", "argv": ["a"], "shell": "a"}, "action"),
    ("action", {"type": "command", "argv": []}, "action.argv"),
    ("action", {"type": "command", "argv": [""]}, "action.argv"),
    ("action", {"type": "command", "argv": "ls -l"}, "action.argv"),
    ("action", {"type": "command", "argv": ["ls", 5]}, "action.argv[1]"),
    ("action", {"type": "command", "argv": ["ls", "a\0b"]}, "action.argv[1]"),
    ("action", {"type": "command", "argv": ["a", "x" * 131_072]}, "action.argv"),
    ("action", {"type": "command", "shell": " "}, "action.shell"),
    ("action", {"type": "command", "shell": "x" * 200_000}, "action.shell"),
    ("action", {"type": "command", "argv": ["a"], "timeout": "0s"}, "action.timeout"),
    ("action", {"type": "command", "argv": ["a"], "timeout": 1e18}, "action.timeout"),
    ("action", {"type": "command", "argv": ["a"], "success_codes": []}, "action.success_codes"),
    ("action", {"type": "command", "argv": ["a"], "success_codes": 0}, "action.success_codes"),
    ("action", {"type": "command", "argv": ["a"], "success_codes": [0, -1]}, "action.success_codes[1]"),
    ("action", {"type": "command", "argv": ["a"], "where": "spark"}, "action.where"),
    ("action", {"type": "reminder", "message": "a", "where": "dask"}, "action.where"),
    ("action", {"type": "command", "argv": ["a"], "success_codes": [True]}, "action.success_codes[0]"),
    ("action", {"type": "command", "argv": ["a"], "env": ["A=1"]}, "action.env"),
    ("action", {"type": "command", "argv": ["a"], "env": {"A": 1}}, "action.env.A"),
    ("action", {"type": "command", "argv": ["a"], "env": {"A=B": "1"}}, "action.env['A=B']"),
    ("action", {"type": "command", "argv": ["a"], "env": {"": "1"}}, "action.env['']"),
    ("action", {"type": "command", "argv": ["a"], "env": {"A": {"secrets": "x"}}}, "action.env.A"),
    ("action", {"type": "command", "argv": ["a"], "env": {"A": "x" * 65_536}}, "action.env"),
    ("action", {"type": "script", "interpreter": "bash"}, "action.text"),
    ("action", {"type": "script", "interpreter": "", "text": "ls"}, "action.interpreter"),
    ("action", {"type": "reminder", "message": ""}, "action.message"),
    ("action", {"type": "reminder", "message": "m", "sound": "yes"}, "action.sound"),
    ("action", {"type": "open", "target": ""}, "action.target"),
    ("action", {"type": "open", "target": "  "}, "action.target"),
    ("action", {"type": "email"}, "action.type"),
    ("action", {"type": ["command"]}, "action.type"),
    ("action", [], "action"),
    # Links.
    ("waits_for", "b", "waits_for"),
    ("waits_for", ["b"], "waits_for[0]"),
    ("waits_for", [{"on": "success"}], "waits_for[0].task"),
    ("waits_for", [{"task": "B!"}], "waits_for[0].task"),
    ("waits_for", [{"task": "b", "on": "done"}], "waits_for[0].on"),
    ("waits_for", [{"task": "b"}, {"task": "b", "on": "failure"}], "waits_for[1].task"),
    ("waits_for", [{"task": "a"}], "waits_for[0].task"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "place"), WRONG, ids=lambda value: repr(value)[:50])
def test_what_is_wrong_is_refused_with_its_place(key: str, value: object, place: str) -> None:
    """I08, K17, R09, Z03, Z07, Z08, Z11, Z12: each by its field, and nothing else is blamed."""
    problems = read_task(raw_task(**{key: value}))[1]
    assert {problem.place for problem in problems} <= {place, f"{place}.secret", f"{place}.secrets"}
    assert problems
    assert all(len(problem.message) < 400 for problem in problems)


@pytest.mark.parametrize(
    "name",
    [
        "  ", "a\nb", "a\tb", "\N{FAMILY}\u200d\U0001f469", "\u202eabc", "مهمة", "משימה", "<b>x</b>", "%s {0}",
        "../../x", "-x", "x" * 200, "\U0001f600" * 200,
    ],
)  # fmt: skip
def test_z03_names_of_any_script_are_kept(name: str) -> None:
    task, problems = read_task(raw_task(name=name))
    assert not problems
    assert task
    assert write_task(task)["name"] == name


def test_messages_say_what_to_write_instead() -> None:
    assert problems_of(schedule={"type": "every", "interval": 5}) == [
        "schedule.interval: must be a duration in quotes, such as '30s' or '1h30m', not 5."
    ]
    assert problems_of(retry={"attempts": "3"}) == [
        "retry.attempts: must be a whole number from 1 to 1,000, without quotes, not '3'."
    ]
    assert problems_of(priorty=3) == [
        "priorty: there is no such key here: 'priorty'. Take it out. Did you mean 'priority'?"
    ]
    assert problems_of(action={"type": "remind", "message": "x"}) == [
        (
            "action.type: must be one of 'command', 'script', 'reminder', 'open', not 'remind'."
            " Did you mean 'reminder'?"
        )
    ]
    assert problems_of(timezone="Europe/Berln") == [
        (
            "timezone: 'Europe/Berln' is not a zone that this computer knows. Write an IANA name such as"
            " 'Europe/Berlin' or 'UTC'. Did you mean 'Europe/Berlin'?"
        )
    ]


def test_messages_are_short_and_show_no_tricks() -> None:
    (problem,) = read_task(raw_task(join="\u202e\n" + "x" * 10_000))[1]
    assert len(str(problem)) < 200
    assert problem.message.isprintable()


def test_bounds_that_exclude_each_other_are_refused_where_they_compare() -> None:
    assert places_of(not_before="2026-03-30T08:00", not_after="2026-03-29T08:00") == ["not_after"]
    assert places_of(not_before="2026-03-30T08:00Z", not_after="2026-03-30T09:00+02:00") == ["not_after"]
    assert places_of(not_before="2026-03-30T08:00", not_after="2026-03-29T08:00Z") == []


# The whole list


def test_ten_mistakes_in_one_file_are_ten_problems() -> None:
    read = read_document(
        {
            "format": 1,
            "taks": [],
            "tasks": [
                raw_task(id="a", name="", priority=200, grace=60, colour="red"),
                raw_task(id="b", schedule={"type": "every", "interval": "0s"}, timezone="Mars/Phobos"),
                raw_task(id="c", waits_for=[{"task": "nobody"}]),
                raw_task(id="c"),
                5,
            ],
        }
    )
    assert [problem.place for problem in read.problems] == [
        "taks",
        "tasks[0].name",
        "tasks[0].grace",
        "tasks[0].priority",
        "tasks[0].colour",
        "tasks[1].schedule.interval",
        "tasks[1].timezone",
        "tasks[2].waits_for[0].task",
        "tasks[3].id",
        "tasks[4]",
    ]
    assert str(read.problems[5]) == "tasks[1].schedule.interval: must be at least '1s', not '0s'."


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (None, ""), ([], ""), ("x", ""), (5, ""), ({"tasks": []}, "format"), ({"format": 1}, "tasks"),
        ({"format": True, "tasks": []}, "format"), ({"format": 1.0, "tasks": []}, "format"),
        ({"format": "1", "tasks": []}, "format"), ({"format": 2, "tasks": []}, "format"),
        ({"format": 1, "tasks": {}}, "tasks"), ({"format": 1, "tasks": [0] * 100_001}, "tasks"),
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_named(raw: object, place: str) -> None:
    assert [problem.place for problem in read_document(raw).problems] == [place]


def test_f15_one_bad_task_of_a_hundred_costs_no_other() -> None:
    tasks = [raw_task(id=f"t{index}") for index in range(100)]
    tasks[42] = raw_task(id="t42", name="The bad one", schedule={"type": "every", "interval": "x"})
    read = document(*tasks)
    assert len(read.tasks) == 99
    assert read.entries[42].raw is tasks[42]
    (stand_in,) = read.stand_ins
    assert (stand_in.id, stand_in.name, stand_in.enabled) == ("t42", "The bad one", False)


def test_f17_of_two_tasks_with_one_id_the_first_keeps_it() -> None:
    read = document(raw_task(id="x", name="one"), raw_task(id="x", name="two"), raw_task(id="x-2"))
    assert [(task.id, task.name) for task in read.tasks] == [("x", "one"), ("x-2", "A")]
    assert [(task.id, task.name) for task in read.stand_ins] == [("x-3", "two")]
    assert [problem.place for problem in read.problems] == ["tasks[1].id"]


def test_f17_ids_of_another_type_get_a_stand_in_of_their_own() -> None:
    read = document(*(raw_task(id=bad) for bad in (5, None, True, ["x"], {"x": 1}, 1.5)), "x", None, [])
    assert read.tasks == ()
    ids = [task.id for task in read.stand_ins]
    assert len(set(ids)) == 9
    assert {problem.place for problem in read.problems[:6]} == {f"tasks[{index}].id" for index in range(6)}


def test_a_parent_with_a_mistake_is_not_the_childs_problem() -> None:
    read = document(raw_task(id="a", name=""), raw_task(id="b", waits_for=[{"task": "a"}]))
    assert [task.id for task in read.tasks] == ["b"]
    assert [problem.place for problem in read.problems] == ["tasks[0].name"]


def test_an_unknown_parent_is_named_with_a_guess() -> None:
    read = document(raw_task(id="db-dump"), raw_task(id="b", waits_for=[{"task": "db-dmp"}]))
    assert [str(problem) for problem in read.problems] == [
        "tasks[1].waits_for[0].task: there is no task 'db-dmp' in this file. Did you mean 'db-dump'?"
    ]


def test_g01_every_member_of_a_cycle_is_flagged_and_no_other() -> None:
    read = document(
        raw_task(id="a", waits_for=[{"task": "b"}]),
        raw_task(id="b", waits_for=[{"task": "a"}]),
        raw_task(id="c", waits_for=[{"task": "a"}]),
        raw_task(id="d"),
    )
    assert [task.id for task in read.tasks] == ["c", "d"]
    words = "these tasks wait for each other: a → b → a. Take one of the links out."
    assert [str(problem) for problem in read.problems] == [
        f"tasks[0].waits_for: {words}",
        f"tasks[1].waits_for: {words}",
    ]


def test_a_task_that_waits_for_itself_is_told_once() -> None:
    read = document(raw_task(id="a", waits_for=[{"task": "a"}]))
    assert [problem.place for problem in read.problems] == ["tasks[0].waits_for[0].task"]


def _chain(length: int, first: str) -> list[Raw]:
    links = [first, *(f"t{index}" for index in range(length - 1))]
    return [raw_task(id=f"t{index}", waits_for=[{"task": link}]) for index, link in enumerate(links)]


def test_g03_a_chain_of_10_000_tasks_loads_and_a_ring_of_them_is_named_briefly() -> None:
    chain = _chain(10_000, "t0")
    del chain[0]["waits_for"]
    assert len(document(*chain).tasks) == 10_000
    ring = document(*_chain(10_000, "t9999"))
    assert ring.tasks == ()
    assert len(ring.problems) == 10_000
    assert len(str(ring.problems[0])) < 300


def test_many_small_cycles_and_many_unknown_parents_take_no_time() -> None:
    pairs = [
        raw_task(id=f"t{index}", waits_for=[{"task": f"t{index ^ 1}"}, {"task": f"u{index}"}])
        for index in range(4_000)
    ]
    begin = time.perf_counter()
    read = document(*pairs)
    assert time.perf_counter() - begin < 10
    assert len(read.problems) == 8_000


def test_z02_10_000_tasks_are_read_in_a_few_seconds() -> None:
    tasks = [
        raw_task(
            id=f"t{index}",
            action={"type": "command", "argv": ["a", "b"], "env": {"A": "x"}, "timeout": "3m"},
            schedule={"type": "cron", "expression": f"{index % 60} 3 * * *"},
            timezone="Europe/Berlin",
            waits_for=[{"task": f"t{index - 1}"}] if index else [],
            retry={"attempts": 3, "backoff": 2},
        )
        for index in range(10_000)
    ]
    begin = time.perf_counter()
    assert len(document(*tasks).tasks) == 10_000
    assert time.perf_counter() - begin < 5  # measured: 0.3 s


def test_a_form_reads_single_fields_with_the_same_readers() -> None:
    assert TASK.field("grace").read("2m") == 120
    assert SCHEDULE.kinds["every"].field("interval").read("1h30m") == 5400
    with pytest.raises(ValueError, match=r"must be at least '1s'"):
        SCHEDULE.kinds["every"].field("interval").read("0.5s")
    with pytest.raises(ValueError, match="must not be empty"):
        ACTION.kinds["open"].field("target").read("")


# Round trips

SECONDS = st.integers(0, 10**12).map(lambda microseconds: microseconds / 10**6)
SECOND_OR_MORE = st.integers(10**6, 10**12).map(lambda microseconds: microseconds / 10**6)
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
FILLED = TEXTS.filter(str.strip)
IDS = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,63}", fullmatch=True)
# Typed loosely: the stubs ask for one kind of zone.
ZONES: Any = st.none() | st.just(UTC) | st.integers(-840, 840).map(lambda m: timezone(timedelta(minutes=m)))
INSTANTS = st.datetimes(
    datetime(1970, 1, 2),  # noqa: DTZ001 - wall time
    datetime(9998, 12, 30),  # noqa: DTZ001 - wall time
    timezones=ZONES,
)
ENV_NAMES = FILLED.filter(lambda name: "=" not in name and name.isprintable())


def _process(make: Callable[..., Any], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(
        make,
        cwd=TEXTS,
        env=st.dictionaries(ENV_NAMES, TEXTS | st.builds(Secret, FILLED), max_size=3),
        timeout=st.none() | SECOND_OR_MORE,
        success_codes=st.lists(st.integers(0, 255), min_size=1, max_size=3).map(tuple),
        where=st.sampled_from(Where),
        **fields,
    )


ACTIONS = (
    _process(Command, argv=st.tuples(FILLED, TEXTS))
    | _process(Command, shell=FILLED)
    | _process(Script, interpreter=FILLED, text=FILLED)
    | st.builds(Reminder, message=FILLED, sound=st.booleans())
    | st.builds(Open, target=FILLED)
)
SCHEDULES = (
    st.none()
    | st.builds(At, INSTANTS)
    | st.builds(After, delay=SECONDS, since=st.none() | INSTANTS)
    | st.builds(Every, interval=SECOND_OR_MORE, start=st.none() | INSTANTS)
    | st.sampled_from(["* * * * *", "30 2,14 * * 1-5", "@daily"]).map(Cron)
)
TASKS = st.builds(
    Task,
    id=IDS,
    name=FILLED,
    group=TEXTS,
    notes=TEXTS,
    enabled=st.booleans(),
    action=ACTIONS,
    schedule=SCHEDULES,
    timezone=st.sampled_from(["", "UTC", "Europe/Berlin", "America/Argentina/Ushuaia"]),
    waits_for=st.lists(
        st.builds(Edge, IDS.map(lambda one: f"p{one}"[:64]), st.sampled_from(On)),
        max_size=3,
        unique_by=lambda edge: edge.task,
    ).map(tuple),
    join=st.sampled_from(Join),
    retry=st.builds(
        Retry,
        attempts=st.integers(1, 1000),
        delay=SECONDS,
        backoff=st.floats(1, 100),
        max_delay=st.none() | SECONDS,
        jitter=st.floats(0, 1),
    ),
    on_failure=st.sampled_from(OnFailure),
    overlap=st.sampled_from(Overlap),
    catch_up=st.sampled_from(CatchUp),
    grace=SECONDS,
    priority=st.integers(-100, 100),
    not_before=st.none() | INSTANTS,
    max_runs=st.none() | st.integers(1, 10**9),
    random_delay=SECONDS,
).filter(lambda task: task.id not in {edge.task for edge in task.waits_for})

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
KEYS = st.sampled_from(
    [*(field.file_key for field in TASK.fields), "type", "task", "argv", "env", "expression"]
)
TASKLIKE = st.recursive(
    JSON | st.sampled_from(["command", "every", "cron", "a", "1h"]),
    lambda inner: st.dictionaries(KEYS, inner, max_size=6) | st.lists(inner, max_size=3),
    max_leaves=20,
)


def test_where_a_task_runs_is_written_only_where_that_is_elsewhere() -> None:
    here, far = ({"type": "command", "argv": ["a"], "where": where} for where in ("here", "dask"))
    assert ACTION.read(here) == Command(argv=("a",))
    assert ACTION.write(ACTION.read(here)) == {"type": "command", "argv": ["a"]}
    assert ACTION.write(ACTION.read(far)) == far


@given(TASKS)
def test_what_is_written_reads_back_as_the_same_task(task: Task) -> None:
    text = json.dumps(write_task(task), allow_nan=False)
    assert read_task(json.loads(text)) == (task, [])


@given(JSON | TASKLIKE)
def test_reading_a_task_never_raises(raw: object) -> None:
    task, problems = read_task(raw, "tasks[0]")
    assert (task is None) == bool(problems)


@given(JSON | st.lists(TASKLIKE, max_size=5).map(lambda tasks: {"format": 1, "tasks": tasks}))
def test_reading_a_list_never_raises_and_stand_ins_have_ids_of_their_own(raw: object) -> None:
    read = read_document(raw)
    shown = [*read.tasks, *read.stand_ins]
    assert len({task.id for task in shown}) == len(shown) == len(read.entries)
    assert all(str(problem) for problem in read.problems)
