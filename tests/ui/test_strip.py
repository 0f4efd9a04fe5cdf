import pytest

from desktopsched.model import State
from desktopsched.ui import strip
from desktopsched.ui.row import strip_cell
from desktopsched.ui.rows import Rows
from desktopsched.ui.strip import Bar
from tests.ui.scenery import NOON, status, task


def bars(*seconds: float, state: State = State.SUCCEEDED) -> tuple[Bar, ...]:
    return tuple(Bar(run=number, state=state, seconds=one) for number, one in enumerate(seconds, 1))


def test_heights_are_square_roots_against_what_nineteen_of_twenty_do_not_exceed() -> None:
    drawn = strip.marks(bars(*[100.0] * 18, 25.0, 900.0), None, 100.0)
    assert [mark.height for mark in drawn[-3:]] == [1.0, 0.5, 1.0]


def test_a_run_without_a_duration_is_seen_all_the_same() -> None:
    (drawn,) = strip.marks((Bar(run=1, state=State.SKIPPED),), None, None)
    assert 0 < drawn.height < 0.5


def test_a_run_under_way_has_a_pale_rest_up_to_what_is_usual_and_pushes_the_oldest_out() -> None:
    drawn = strip.marks(bars(*[100.0] * 20), 25.0, 100.0)
    assert len(drawn) == strip.PAST
    assert (drawn[-1].bar.state, drawn[-1].height, drawn[-1].rest) == (State.RUNNING, 0.5, 0.5)
    assert drawn[0].bar.run == 2


@pytest.mark.parametrize(("seconds", "found"), [((), None), ((3.0,), 3.0), (tuple(range(1, 21)), 19)])
def test_p95_is_what_nineteen_of_twenty_do_not_exceed(
    seconds: tuple[float, ...], found: float | None
) -> None:
    assert strip.p95(seconds) == found


def test_only_successful_runs_say_what_is_usual() -> None:
    assert strip.durations((*bars(1.0), *bars(9.0, state=State.FAILED), *bars(2.0))) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ((), "No runs yet"),
        (bars(1.0), "The only run succeeded"),
        (bars(1.0, state=State.FAILED), "The only run did not succeed"),
        ((*bars(1.0, 2.0), *bars(9.0, state=State.FAILED)), "2 of the last 3 runs succeeded"),
    ],
)
def test_in_words_it_is_how_many_ended_well(shown: tuple[Bar, ...], said: str) -> None:
    rows = Rows()
    rows.add(task("a"), status())
    rows.remember({"a": shown})
    assert strip_cell(rows["a"], NOON).text == said
