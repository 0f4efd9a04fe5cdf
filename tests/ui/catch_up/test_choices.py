from desktopsched.model import CatchUp
from desktopsched.ui.catch_up.choices import Choices, Decision, MissedTask, Pick
from tests.ui.scenery import NOON, task

DAY = 86_400.0


def missed(task_id: str, count: int, *, usual: float | None = None, **more: object) -> MissedTask:
    return MissedTask(
        task=task(task_id),
        count=count,
        first=NOON - count * 3_600,
        last=NOON - 3_600,
        usual=usual,
        **more,  # type: ignore[arg-type]
    )


CUT = MissedTask(task=task("cut"), interrupted=True, interrupted_at=NOON - DAY)


def test_at_first_each_task_runs_its_latest_and_what_was_cut_off_again() -> None:
    choices = Choices([missed("a", 5), CUT])
    assert [line.missed.task.id for line in choices.lines] == ["cut", "a"]
    assert choices.decisions() == [
        Decision("cut", CatchUp.ASK, rerun=True, remember=False),
        Decision("a", CatchUp.LATEST, rerun=False, remember=False),
    ]
    assert (choices.total, choices.runs) == (6, 2)


def test_a_task_that_missed_and_was_interrupted_has_two_rows_and_one_answer() -> None:
    both = missed("a", 5, interrupted=True)
    choices = Choices([both])
    choices.pick(0, Pick.LEAVE)
    choices.pick(1, Pick.ALL)
    choices.remember(1)
    assert choices.decisions() == [Decision("a", CatchUp.ALL, rerun=False, remember=True)]


def test_a_single_missed_run_is_run_or_skipped() -> None:
    choices = Choices([missed("a", 1)])
    assert choices.lines[0].picks == (Pick.ALL, Pick.SKIP)
    choices.pick(0, Pick.LATEST)
    assert choices.pick_of(0) is Pick.ALL


def test_left_and_right_stop_at_the_ends() -> None:
    choices = Choices([missed("a", 5)])
    choices.step(0, -1)
    choices.step(0, -1)
    assert choices.pick_of(0) is Pick.ALL
    for _ in range(5):
        choices.step(0, 1)
    assert choices.pick_of(0) is Pick.SKIP


def test_set_all_reaches_what_each_row_offers() -> None:
    choices = Choices([missed("a", 5), missed("b", 1), CUT])
    choices.pick_everywhere(Pick.SKIP)
    assert [choices.pick_of(at) for at in range(3)] == [Pick.LEAVE, Pick.SKIP, Pick.SKIP]
    assert choices.runs == 0
    choices.pick_everywhere(Pick.LATEST)
    assert choices.runs == 3


def test_an_interrupted_run_cannot_be_remembered() -> None:
    choices = Choices([CUT])
    choices.remember(0)
    assert not choices.remembered(0)


def test_runs_of_one_task_follow_each_other_and_tasks_share_the_workers() -> None:
    choices = Choices([missed("a", 5, usual=60), missed("b", 2, usual=10), missed("c", 3)])
    assert choices.seconds(8) == (60, 1)
    choices.pick(0, Pick.ALL)
    choices.pick(2, Pick.ALL)
    assert choices.seconds(8) == (300, 3)
    assert choices.seconds(1) == (310, 3)


def test_more_than_fifty_runs_of_one_task_are_named_and_more_than_a_thousand_not_run() -> None:
    choices = Choices([missed("a", 50), missed("b", 51), missed("c", 5_000)])
    assert not choices.many
    choices.pick_everywhere(Pick.ALL)
    assert choices.many == ("B", "C")
    assert choices.runs == 50 + 51 + 1_000


def test_what_was_picked_stays_when_more_is_missed() -> None:
    choices = Choices([missed("a", 5), missed("b", 5)])
    choices.pick(1, Pick.SKIP)
    choices.remember(1)
    choices.follow([missed("b", 6), missed("c", 1)])
    assert (choices.pick_of(0), choices.remembered(0)) == (Pick.SKIP, True)
    assert (choices.pick_of(1), choices.remembered(1)) == (Pick.ALL, False)
