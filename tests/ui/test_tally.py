"""What is counted as rows change, against counting all of them anew."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from desktopsched.model import Edge, Outcome, State
from desktopsched.ui.choice import View, is_failed, is_running, is_today
from desktopsched.ui.rows import Rows
from tests.ui.scenery import NOON, changed, finished, run, started, status, task

MIDNIGHT = NOON + 36_000
IDS = ("a", "b", "c", "d", "e")
PARENTS = {"b": "a", "c": "b", "d": "b"}
DUES = (None, NOON + 60, NOON + 90_000)

Step = tuple[str, str, int]

STEPS = st.lists(
    st.tuples(
        st.sampled_from(("add", "edit", "remove", "start", "end", "fail", "ready", "miss", "disable")),
        st.sampled_from(IDS),
        st.integers(0, 2),
    ),
    max_size=30,
)


def take(rows: Rows, step: Step) -> None:
    what, task_id, number = step
    parents = (Edge(PARENTS[task_id]),) if task_id in PARENTS and number else ()
    one, due = task(task_id, group=f"G{number}", waits_for=parents), DUES[number]
    match what:
        case "add" if task_id not in rows:
            rows.add(one, status(due=due))
        case "edit" if task_id in rows:
            rows.edit(one, status(due=due))
        case "remove" if task_id in rows:
            rows.remove(task_id)
        case "start":
            rows.follow(started(run(task_id, number + 1)))
        case "end" | "fail":
            state = State.SUCCEEDED if what == "end" else State.FAILED
            rows.follow(finished(run(task_id, number + 1), Outcome(state), due=due))
        case "ready":
            rows.follow(changed(task_id, status(State.READY, due=due)))
        case "miss":
            rows.follow(changed(task_id, status(missed=number, due=due)))
        case "disable":
            rows.follow(changed(task_id, status(enabled=False)))


@given(STEPS)
def test_what_is_counted_bit_by_bit_is_what_there_is(steps: list[Step]) -> None:
    rows = Rows()
    rows.end_day(MIDNIGHT)
    for step in steps:
        take(rows, step)
    tally, found = rows.tally, list(rows.all())
    assert set(tally.views[View.RUNNING]) == {row.task.id for row in found if is_running(row)}
    assert set(tally.views[View.FAILED]) == {row.task.id for row in found if is_failed(row)}
    assert set(tally.views[View.TODAY]) == {row.task.id for row in found if is_today(row, MIDNIGHT)}
    assert set(tally.views[View.DISABLED]) == {row.task.id for row in found if not row.status.enabled}
    assert tally.runs == sum(len(row.status.running) for row in found)
    assert tally.asking == {row.task.id: row.status.missed for row in found if row.status.missed}
    assert {name: group.tasks for name, group in tally.groups.items()} == Counter(
        row.task.group for row in found
    )
    for name, group in tally.groups.items():
        assert +group.states == Counter(row.state for row in found if row.task.group == name)
    dues = [row.status.due for row in found if row.status.due is not None and row.status.enabled]
    assert [due for due, _ in tally.nearest(2)] == sorted(dues)[:2]


@given(STEPS)
def test_whose_turn_it_is_soon_is_what_waits_for_something_under_way(steps: list[Step]) -> None:
    rows = Rows()
    for step in steps:
        take(rows, step)
        soon = {row.task.id for row in rows.all() if _waits_for_busy(rows, row.task.id)}
        assert set(rows.turns.soon) == soon


def _waits_for_busy(rows: Rows, task_id: str) -> bool:
    row = rows.get(task_id)
    parents = [edge.task for edge in row.task.waits_for] if row is not None else []
    known = [one for one in (rows.get(parent) for parent in parents) if one is not None]
    return any(one.busy or _waits_for_busy(rows, one.task.id) for one in known)


def test_a_task_that_is_due_again_and_again_leaves_no_instants_behind() -> None:
    rows = Rows()
    rows.add(task("a"), status(due=NOON))
    for number in range(10_000):
        rows.follow(changed("a", status(due=NOON + number)))
    assert len(rows.tally._heap) < 2_000
    assert rows.tally.nearest(3) == [(NOON + 9_999, "a")]


def test_a_day_that_ends_leaves_today_what_is_due_before_the_next_end() -> None:
    rows = Rows()
    rows.end_day(MIDNIGHT)
    rows.add(task("a"), status(due=MIDNIGHT + 60))
    assert not rows.tally.views[View.TODAY]
    rows.end_day(MIDNIGHT + 86_400)
    assert list(rows.tally.views[View.TODAY]) == ["a"]
