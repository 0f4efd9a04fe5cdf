"""DESIGN §5, rule 6: parents, edges, rounds and repairs; visible skips that flow down."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.engine.memory import Mark
from desktopsched.engine.rounds import Round, Verdict
from desktopsched.model import (
    After,
    At,
    Cron,
    CycleError,
    DuplicateTaskError,
    Edge,
    Join,
    On,
    Outcome,
    Overlap,
    State,
    UnknownTaskError,
)
from tests.engine.world import FAIL, NOON, World, after, every, task


def test_a_child_runs_when_its_parents_succeed() -> None:
    world = World(every("a", 60), every("b", 90), after("c", "a", "b"))
    world.advance(100)
    assert world.story("c") == ["12:01:30 c start 12:01:30 dependency", "12:01:30 c succeeded"]
    assert world.performed[-1].parents == (1, 2)


@pytest.mark.parametrize(
    ("on", "outcome", "runs"),
    [
        (On.SUCCESS, State.SUCCEEDED, True),
        (On.SUCCESS, State.FAILED, False),
        (On.FAILURE, State.FAILED, True),
        (On.FAILURE, State.SUCCEEDED, False),
        (On.FINISH, State.SUCCEEDED, True),
        (On.FINISH, State.FAILED, True),
        (On.FINISH, State.SKIPPED, False),
        (On.FINISH, State.CANCELLED, False),
        (On.FAILURE, State.CANCELLED, False),
    ],
)
def test_which_outcomes_meet_an_edge(on: On, outcome: State, runs: bool) -> None:
    world = World(task("a"), after("b", "a", on=on))
    world.outcomes["a"] = [Outcome(outcome)]
    world.dispatcher.run_now("a")
    world.advance(1)
    assert bool(world.starts("b")) is runs


def test_g05_a_failure_skips_all_descendants_in_the_same_moment_with_the_reason() -> None:
    world = World(every("a", 60, name="Database dump"), after("b", "a", name="Verify"), after("c", "b"))
    world.outcomes["a"] = [FAIL]
    world.advance(60)
    assert world.story() == [
        "12:01:00 a start 12:01:00",
        "12:01:00 a failed: exit code 1",
        "12:01:00 b skipped: Database dump failed",
        "12:01:00 c skipped: Verify was skipped",
    ]


def test_g07_the_child_of_two_is_skipped_at_once_and_told_once() -> None:
    """G07 wants the decision after the slower parent; the design decides: one unmet edge skips at once."""
    world = World(every("a", 60), after("b", "a"), after("c", "a"), after("d", "b", "c"))
    world.lasts["c"] = 5
    world.outcomes["b"] = [FAIL]
    world.advance(70)
    assert world.story("d") == ["12:01:00 d skipped: b failed"]


def test_g08_a_diamond_runs_its_end_once() -> None:
    world = World(every("a", 60), after("b", "a"), after("c", "a"), after("d", "b", "c"))
    world.advance(60)
    assert world.story("d") == ["12:01:00 d start 12:01:00 dependency", "12:01:00 d succeeded"]


def test_g09_a_new_edge_does_not_count_old_results() -> None:
    world = World(every("a", 60))
    world.advance(60)
    world.dispatcher.schedule(after("b", "a"))
    world.advance(30)
    assert world.starts("b") == []
    world.advance(30)
    assert world.starts("b") == ["12:02:00"]


def test_g11_stopping_the_parent_does_not_run_the_child() -> None:
    world = World(task("a"), after("b", "a", on=On.FINISH))
    world.lasts["a"] = 60
    world.dispatcher.run_now("a")
    world.advance(5)
    world.dispatcher.cancel("a")
    world.advance(5)
    assert world.story("b") == ["12:00:05 b skipped: a was cancelled"]


def test_g13_edges_met_while_the_child_runs_follow_its_own_overlap() -> None:
    world = World(every("a", 60), after("b", "a", overlap=Overlap.QUEUE), after("c", "a"))
    world.lasts.update(b=300, c=299)
    world.advance(60 + 1200)
    assert world.starts("b") == ["12:01:00", "12:06:00", "12:11:00", "12:16:00", "12:21:00"]
    assert world.starts("c") == ["12:01:00", "12:06:00", "12:11:00", "12:16:00", "12:21:00"]
    assert all("under way" in line for line in world.story("c") if "skipped" in line)


def test_g01_cycles_are_refused_with_their_path() -> None:
    world = World(task("a"))
    with pytest.raises(CycleError) as refused:
        world.dispatcher.schedule(after("b", "c"), after("c", "d"), after("d", "b"))
    assert refused.value.path[0] == refused.value.path[-1]
    assert set(refused.value.path) == {"b", "c", "d"}
    assert [task.id for task, _ in world.dispatcher.tasks()] == ["a"]


def test_g01_a_cycle_by_an_edit_is_refused_and_changes_nothing() -> None:
    world = World(task("a"), after("b", "a"), after("c", "b"))
    with pytest.raises(CycleError):
        world.dispatcher.replace(after("a", "c"))
    with pytest.raises(CycleError):
        world.dispatcher.replace(after("a", "a"))
    world.dispatcher.run_now("a")
    world.run()
    assert world.starts("c") == ["12:00:00"]


def test_an_unknown_parent_and_a_second_task_of_one_id_are_refused() -> None:
    world = World(task("a"))
    with pytest.raises(UnknownTaskError, match="nobody"):
        world.dispatcher.schedule(task("x"), after("b", "nobody"))
    with pytest.raises(DuplicateTaskError):
        world.dispatcher.schedule(task("x"), task("a"))
    assert [task.id for task, _ in world.dispatcher.tasks()] == ["a"]


def test_g03_a_chain_of_ten_thousand_runs_and_skips_without_recursion() -> None:
    chain = [task("t0"), *(after(f"t{i}", f"t{i - 1}") for i in range(1, 10_000))]
    world = World(*chain)
    world.dispatcher.run_now("t0")
    world.run()
    assert len(world.performed) == 10_000
    world.outcomes["t0"] = [FAIL]
    world.dispatcher.run_now("t0")
    world.run()
    assert world.status("t9999").outcome.state is State.SKIPPED


def test_a_fan_of_ten_thousand_parents_is_not_quadratic() -> None:
    parents = [f"p{i}" for i in range(10_000)]
    world = World(task("root"), *(after(p, "root") for p in parents), after("sink", *parents))
    began = time.process_time()
    world.dispatcher.run_now("root")
    world.run()
    assert world.starts("sink") == ["12:00:00"]
    assert time.process_time() - began < 30  # quadratic took minutes


def test_g04_a_deleted_or_disabled_parent_is_said() -> None:
    world = World(task("a", name="First"), after("b", "a"), task("c"), after("d", "c"))
    world.dispatcher.replace(task("a", name="First", enabled=False))
    world.dispatcher.remove("c")
    assert world.status("b").waiting == "waits for First, which is disabled"
    assert world.status("d").waiting == "waits for 'c', which is not on the list any more"
    world.dispatcher.replace(task("a", name="First"))
    assert world.status("b").waiting == "waits for 1 task"
    world.dispatcher.schedule(task("c"))
    assert world.status("d").waiting == "waits for 1 task"


def test_renaming_a_parent_changes_nothing() -> None:
    world = World(every("a", 60, name="Old"), after("b", "a"))
    world.dispatcher.replace(every("a", 60, name="New"))
    world.advance(60)
    assert world.starts("b") == ["12:01:00"]


def test_a_newer_outcome_replaces_the_older_one_within_a_round() -> None:
    world = World(task("a"), task("b"), after("c", "a", "b"))
    world.outcomes["a"] = [FAIL]
    for name in ("a", "a", "b"):
        world.dispatcher.run_now(name)
        world.run()
    assert [line.split(" ", 1)[1] for line in world.story("c")] == [
        "c skipped: a failed",
        "c start 12:00:00 dependency",
        "c succeeded",
    ]


def test_the_next_scheduled_outcome_starts_a_clean_round() -> None:
    world = World(every("a", 60), every("b", 60), after("c", "a", "b"))
    world.outcomes["a"] = [FAIL]
    world.advance(120)
    assert world.story("c") == [
        "12:01:00 c skipped: a failed",
        "12:02:00 c start 12:02:00 dependency",
        "12:02:00 c succeeded",
    ]


def test_a_skip_is_told_once_a_round_not_once_an_outcome() -> None:
    world = World(every("a", 60), every("slow", 600), after("c", "a", "slow"))
    world.outcomes["a"] = [FAIL] * 5
    world.advance(9 * 60)
    assert world.story("c") == ["12:01:00 c skipped: a failed"]


def test_a_manual_rerun_of_the_failed_parent_repairs_the_round() -> None:
    world = World(every("a", 3600), every("b", 3600), after("c", "a", "b"), after("d", "c", "b"))
    world.outcomes["a"] = [FAIL]
    world.advance(3600)
    assert world.story("c", "d") == [
        "13:00:00 c skipped: a failed",
        "13:00:00 d skipped: c was skipped",
    ]
    world.dispatcher.run_now("a")
    world.run()
    assert world.starts("c") == ["13:00:00"]
    assert world.starts("d") == ["13:00:00"], "what follows from a repair repairs too"


def test_run_now_on_a_child_leaves_its_edges_alone() -> None:
    world = World(every("a", 60), every("b", 600), after("c", "a", "b"))
    world.advance(60)
    world.dispatcher.run_now("c")
    world.advance(540)
    assert world.starts("c") == ["12:01:00", "12:10:00"]


def test_a_disabled_child_remembers_nothing() -> None:
    world = World(every("a", 60), every("b", 100), after("c", "a", "b"))
    world.advance(70)
    world.dispatcher.replace(after("c", "a", "b", enabled=False))
    world.advance(5)
    world.dispatcher.replace(after("c", "a", "b"))
    world.advance(30)
    assert world.starts("c") == []
    world.advance(60)
    assert world.starts("c") == ["12:02:00"]


def test_join_any_runs_once_for_each_outcome_that_meets_an_edge_and_never_skips() -> None:
    world = World(
        every("a", 60),
        every("b", 90),
        after("c", "a", "b", on=On.FAILURE, join=Join.ANY),
    )
    world.outcomes["a"] = [FAIL, FAIL]
    world.outcomes["b"] = [FAIL]
    world.advance(300)
    assert world.story("c") == [
        "12:01:00 c start 12:01:00 dependency",
        "12:01:00 c succeeded",
        "12:01:30 c start 12:01:30 dependency",
        "12:01:30 c succeeded",
        "12:02:00 c start 12:02:00 dependency",
        "12:02:00 c succeeded",
    ]


@pytest.mark.parametrize(
    ("schedule", "starts"),
    [
        (None, ["12:10:00"]),
        (After(delay=90), ["12:11:30"]),
        (At(datetime.fromtimestamp(NOON + 1200, UTC)), ["12:20:00"]),
        (At(datetime.fromtimestamp(NOON - 1200, UTC)), ["12:10:00"]),
        (Cron("*/15 * * * *"), ["12:15:00"]),
    ],
)
def test_when_the_edges_are_met_the_childs_own_time_rule_applies(schedule: object, starts: list[str]) -> None:
    world = World(task("a"), after("b", "a", schedule=schedule))
    world.advance(600)
    world.dispatcher.run_now("a")
    world.advance(3600)
    assert world.starts("b") == starts


def test_a_child_with_a_schedule_does_not_start_by_it_alone() -> None:
    world = World(task("a"), after("b", "a", schedule=Cron("* * * * *")))
    world.advance(600)
    assert world.starts("b") == []


def test_run_now_with_everything_after_it_runs_descendants_in_order_past_other_parents_and_time_rules() -> (
    None
):
    world = World(
        task("a"),
        task("other"),
        after("b", "a", "other"),
        after("c", "b", schedule=Cron("0 0 * * *")),
        after("d", "c", "a"),
    )
    world.dispatcher.run_now("a", downstream=True)
    world.run()
    assert [run.task_id for run in world.performed] == ["a", "b", "c", "d"]


def test_in_a_downstream_run_a_failure_skips_what_needs_success() -> None:
    world = World(task("a"), after("b", "a"), after("c", "b"), after("tell", "a", on=On.FAILURE))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a", downstream=True)
    world.run()
    assert [line.split(" ", 1)[1] for line in world.story("b", "c", "tell")] == [
        "b skipped: a failed",
        "c skipped: b was skipped",
        "tell start 12:00:00 manual",
        "tell succeeded",
    ]


@pytest.mark.parametrize("die_after", [1, 2, 3, 4, 5, 6, 7, 8])
def test_a_round_survives_a_restart_at_any_moment(die_after: int) -> None:
    """What a store kept after the first `die_after` events of a round is enough to go on: the child runs, once."""
    tasks = (every("a", 60), every("b", 60), after("c", "a", "b"))
    whole = World(*tasks)
    whole.advance(65)
    mark = next(i for i, event in enumerate(whole.events) if type(event).__name__ == "RunStarted")
    kept = World(*tasks)
    kept.events.clear()
    replayed = World.__new__(World)
    replayed.events, replayed.last, replayed.marks, replayed._gathered = [], {}, {}, []
    replayed.stored, replayed.shared = [], None
    for event in whole.events[: mark + die_after]:
        replayed.hear(event)
    told = [line for line in World.story(_told(replayed, whole)) if "c start" in line]
    world = World(*tasks, now=NOON + 70, memory=replayed.last, marks=replayed.marks, first_run=100)
    world.advance(10)
    starts = len(told) + len(world.starts("c"))
    interrupted = any("interrupted" in line for line in world.story("a", "b"))
    assert starts == (0 if interrupted else 1) or (interrupted and starts <= 1)


def _told(replayed: World, whole: World) -> World:
    replayed.clock = whole.clock
    return replayed


Outcomes = st.lists(
    st.tuples(st.sampled_from("pqr"), st.sampled_from([s for s in State if s.final]), st.booleans()),
    max_size=40,
)


@given(Outcomes)
def test_rounds_agree_with_their_rule(outcomes: list[tuple[str, State, bool]]) -> None:
    """Against a model that keeps the whole history of a round and derives everything from it."""
    edges = Round([Edge("p"), Edge("q", On.FAILURE), Edge("r", On.FINISH)], Join.ALL)
    met = {"p": {State.SUCCEEDED}, "q": {State.FAILED}, "r": {State.SUCCEEDED, State.FAILED}}
    history: list[tuple[str, State]] = []
    told = False
    for number, (parent, state, repairs) in enumerate(outcomes):
        latest = dict(history)
        over = len(latest) == 3 and any(s not in met[p] for p, s in latest.items())
        if over and not repairs:
            history, told = [], False
        history.append((parent, state))
        latest = dict(history)
        edges.mark(parent, state, number, repairs=repairs)
        verdict = edges.verdict(parent)
        if len(latest) == 3 and all(s in met[p] for p, s in latest.items()):
            assert verdict is Verdict.RUN
            edges.use()
            history, told = [], False
        elif state not in met[parent] and not told:
            assert verdict is Verdict.SKIP
            assert edges.tell(parent).told
            told = True
        else:
            assert verdict is Verdict.WAIT
        assert (
            edges.marks == {}
            if not history
            else {p: m.state for p, m in edges.marks.items()} == dict(history)
        )
        assert edges.unmet == sum(not mark.met for mark in edges.marks.values())


def test_an_edited_edge_forgets_and_the_others_remember() -> None:
    edges = Round([Edge("p"), Edge("q")], Join.ALL)
    edges.put("p", Mark(State.SUCCEEDED, 1, True))
    edges.put("q", Mark(State.FAILED, 2, False))
    edges.edit([Edge("p"), Edge("q", On.FINISH), Edge("r")], Join.ALL)
    assert set(edges.marks) == {"p"}
    assert edges.unmet == 0
