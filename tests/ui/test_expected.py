from desktopsched.engine.events import TaskAdded
from desktopsched.model import Edge, Join, On, State
from desktopsched.ui.expected import Expectations, Expected, only_on_failure
from desktopsched.ui.rows import Rows
from tests.ui.scenery import NOON, added, past, run, started, status, task


def rows(*events: TaskAdded) -> Rows:
    found = Rows()
    for event in events:
        found.add(event.task, event.status)
    return found


def start(found: Rows, task_id: str, now: float = NOON) -> Expected | None:
    return Expectations(found.get, now).start(found[task_id])


def test_a_child_starts_when_its_running_parent_usually_ends() -> None:
    found = rows(added(task("a")), added(task("b", waits_for=(Edge("a"),))))
    found.remember({"a": past(100.0)})
    found.follow(started(run("a"), NOON - 40))
    assert start(found, "b") == Expected(NOON + 60, 1)


def test_a_chain_adds_up_and_counts_the_runs_before() -> None:
    found = rows(
        added(task("a"), status(due=NOON + 30)),
        added(task("b", waits_for=(Edge("a"),))),
        added(task("c", waits_for=(Edge("b", On.FINISH),))),
    )
    found.remember({"a": past(10.0), "b": past(20.0)})
    assert start(found, "c") == Expected(NOON + 60, 2)


def test_all_parents_are_waited_for_or_the_first_of_any() -> None:
    parents = (added(task("a"), status(due=NOON + 30)), added(task("b"), status(due=NOON + 90)))
    edges = (Edge("a"), Edge("b"))
    for join, at in ((Join.ALL, NOON + 90), (Join.ANY, NOON + 30)):
        found = rows(*parents, added(task("c", waits_for=edges, join=join)))
        assert start(found, "c") == Expected(at, 1)


def test_nobody_knows_when_a_parent_has_no_time_or_is_not_there() -> None:
    found = rows(added(task("a")), added(task("b", waits_for=(Edge("a"), Edge("ghost")))))
    assert start(found, "b") is None


def test_tasks_that_wait_for_each_other_and_very_long_chains_come_to_an_end() -> None:
    loop = rows(added(task("a", waits_for=(Edge("b"),))), added(task("b", waits_for=(Edge("a"),))))
    assert start(loop, "a") is None
    chain = rows(
        added(task("t0"), status(due=NOON)),
        *(added(task(f"t{n}", waits_for=(Edge(f"t{n - 1}"),))) for n in range(1, 5_000)),
    )
    assert start(chain, "t4999") is None


def test_what_waits_only_for_failures_is_known_and_what_is_under_way_is_awaited() -> None:
    found = rows(added(task("a"), status(State.READY)), added(task("b", waits_for=(Edge("a", On.FAILURE),))))
    assert only_on_failure(found["b"])
    assert not only_on_failure(found["a"])
    assert set(found.turns.soon) == {"b"}
