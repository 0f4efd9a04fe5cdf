"""DESIGN §5, rule 2: cancelling marks, what is stale is dropped when it surfaces, and a million edits leak nothing."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from desktopsched.engine.timetable import Timetable
from desktopsched.model import At
from tests.engine.world import NOON, World, every, task


class Thing:
    def __init__(self, name: str) -> None:
        self.name = name
        self.ticket = 0


def test_a_cancelled_start_does_not_happen() -> None:
    world = World(task("a", schedule=At(datetime.fromtimestamp(NOON + 10, UTC))))
    assert world.dispatcher.cancel("a")
    world.advance(60)
    assert world.story() == ["12:00:00 a cancelled: cancelled by you"]
    assert not world.dispatcher.cancel("a")


def test_cancelling_a_start_of_a_recurring_task_cancels_that_one() -> None:
    world = World(every("a", 60))
    assert world.dispatcher.cancel("a")
    world.advance(180)
    assert world.starts("a") == ["12:02:00", "12:03:00"]


def test_a_million_edits_do_not_leak() -> None:
    table, things = Timetable(), [Thing(str(i)) for i in range(100)]
    for n in range(1_000_000):
        table.put(things[n % 100], float(n), 0)
    assert len(table) == 100
    assert table.size <= 200 + 64


def test_edits_of_a_task_leave_one_start() -> None:
    world = World(every("a", 60))
    for seconds in range(60, 1000):
        world.dispatcher.replace(every("a", seconds + 1.0))
    statistics = world.dispatcher.statistics()
    assert statistics.due == 1
    assert statistics.heap <= 130


Step = st.tuples(
    st.sampled_from(["put", "discard", "take"]), st.integers(0, 5), st.integers(0, 20), st.integers(-2, 2)
)


@given(st.lists(Step, max_size=200))
def test_a_timetable_is_a_sorted_list_of_what_is_valid(steps: list[tuple[str, int, int, int]]) -> None:
    table, things = Timetable(), [Thing(str(i)) for i in range(6)]
    model: dict[str, tuple[float, int, int]] = {}
    for number, (step, which, due, priority) in enumerate(steps):
        thing = things[which]
        if step == "put":
            table.put(thing, float(due), priority)
            model[thing.name] = (float(due), -priority, number)
        elif step == "discard":
            table.discard(thing)
            model.pop(thing.name, None)
        else:
            expected = sorted((key, name) for name, key in model.items() if key[0] <= due)
            taken = [item.name for item in table.take(float(due)) if isinstance(item, Thing)]
            assert taken == [name for _, name in expected]
            for name in taken:
                del model[name]
        assert len(table) == len(model)
        assert table.top == (min(model.values())[0] if model else None)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(-3, 3)), max_size=80))
def test_entering_many_at_once_is_entering_them_one_by_one(entries: list[tuple[int, int]]) -> None:
    singly, at_once = Timetable(), Timetable()
    for i, (due, priority) in enumerate(entries):
        singly.put(Thing(str(i)), float(due), priority)
    at_once.put_many([(Thing(str(i)), float(due), priority) for i, (due, priority) in enumerate(entries)])

    def order(table: Timetable) -> list[str]:
        return [item.name for item in table.take(100.0) if isinstance(item, Thing)]

    assert order(singly) == order(at_once)
