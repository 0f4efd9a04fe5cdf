"""DESIGN §5, rule 4: put back at completion, from the scheduled instant; overlap skip, queue, parallel, replace."""

import pytest

from desktopsched.model import Overlap, State
from tests.engine.world import NOON, World, cron, every


def test_i01_a_hundred_runs_of_seven_seconds_do_not_drift() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 7
    world.advance(100 * 60)
    starts = world.starts("a")
    assert len(starts) == 100
    assert starts[-1] == "13:40:00"
    assert [run.scheduled_for for run in world.performed] == [NOON + 60.0 * k for k in range(1, 101)]


def test_i03_run_now_does_not_move_the_anchor() -> None:
    world = World(cron("a", "0 1 * * *"))
    world.dispatcher.run_now("a")
    world.run()
    assert world.due("a") == "06-03T01:00:00"
    assert world.story() == ["12:00:00 a start 12:00:00 manual", "12:00:00 a succeeded"]


def test_i04_a_run_longer_than_its_interval_skips_with_a_record_and_no_burst() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 150
    world.advance(60 + 360)
    assert world.starts("a") == ["12:01:00", "12:04:00", "12:07:00"]
    assert [line for line in world.story() if "skipped" in line] == [
        "12:03:30 a skipped ×2: the run before it was still under way",
        "12:06:30 a skipped ×2: the run before it was still under way",
    ]


def test_i11_a_late_start_does_not_shift_the_later_ones() -> None:
    world = World(every("a", 3600))
    world.advance(3590)
    world.suspend(50)
    assert world.starts("a") == ["13:00:00"]
    assert world.due("a") == "14:00:00"


def test_o01_overlap_skip_leaves_records() -> None:
    world = World(cron("a", "* * * * *"))
    world.lasts["a"] = 90
    world.advance(300)
    assert world.starts("a") == ["12:01:00", "12:03:00", "12:05:00"]
    skipped = [line for line in world.story() if "skipped" in line]
    assert skipped == [
        "12:02:30 a skipped: the run before it was still under way",
        "12:04:30 a skipped: the run before it was still under way",
    ]


def test_o06_a_skipped_run_does_not_start_when_the_old_one_ends() -> None:
    world = World(cron("a", "* * * * *"))
    world.lasts["a"] = 90
    world.advance(60 + 91)
    assert world.starts("a") == ["12:01:00"]
    assert world.due("a") == "12:03:00"


def test_o02_overlap_queue_runs_back_to_back_with_one_waiting() -> None:
    world = World(cron("a", "* * * * *", overlap=Overlap.QUEUE))
    world.lasts["a"] = 150
    world.advance(60 + 10 * 60)
    times = [line.split()[0] for line in world.story() if " start " in line]
    assert times == ["12:01:00", "12:03:30", "12:06:00", "12:08:30", "12:11:00"]
    assert world.starts("a") == ["12:01:00", "12:03:00", "12:06:00", "12:08:00", "12:11:00"]


def test_overlap_parallel_starts_beside_the_run_under_way() -> None:
    world = World(every("a", 60, overlap=Overlap.PARALLEL))
    world.lasts["a"] = 150
    world.advance(240)
    assert [line for line in world.story() if " start " in line] == [
        f"12:0{k}:00 a start 12:0{k}:00" for k in (1, 2, 3, 4)
    ]
    assert len(world.status("a").running) == 3


def test_overlap_replace_stops_the_run_under_way_first() -> None:
    world = World(every("a", 60, overlap=Overlap.REPLACE))
    world.lasts["a"] = 90
    world.advance(200)
    assert world.story() == [
        "12:01:00 a start 12:01:00",
        "12:02:00 a cancelled: replaced by the 12:02 run",
        "12:02:00 a start 12:02:00 queued",
        "12:03:00 a cancelled: replaced by the 12:03 run",
        "12:03:00 a start 12:03:00 queued",
    ]


def test_overlap_replace_of_a_run_that_still_waits_for_a_worker() -> None:
    world = World(every("busy", 30), every("a", 60, overlap=Overlap.REPLACE), workers=1)
    world.lasts["busy"] = 200
    world.advance(260)
    assert world.story("a")[:4] == [
        "12:02:00 a cancelled: replaced by the 12:02 run",
        "12:03:00 a cancelled: replaced by the 12:03 run",
        "12:03:50 a start 12:03:00 queued",
        "12:03:50 a succeeded",
    ]


def test_a_running_task_is_not_in_the_timetable() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 30
    world.advance(70)
    assert world.dispatcher.statistics().due == 0
    assert world.status("a").state is State.RUNNING


@pytest.mark.parametrize("overlap", [Overlap.SKIP, Overlap.QUEUE])
def test_o04_one_live_run_whatever_comes_together(overlap: Overlap) -> None:
    """O04: schedule, retry and run now in one second."""
    world = World(every("a", 60, overlap=overlap))
    world.lasts["a"] = 45
    for _ in range(40):
        world.advance(20)
        world.dispatcher.run_now("a")
        world.run()
        assert len(world.status("a").running) <= 1


def test_run_now_while_running_follows_overlap() -> None:
    world = World(every("a", 600), every("b", 600, overlap=Overlap.QUEUE))
    world.lasts.update(a=100, b=100)
    for name in ("a", "b"):
        world.dispatcher.run_now(name)
        world.run()
        world.dispatcher.run_now(name)
        world.run()
    world.advance(300)
    assert world.story("a")[1] == "12:00:00 a skipped: the run before it is still under way"
    assert [line.split()[0] for line in world.story("b") if "start" in line] == ["12:00:00", "12:01:40"]


def test_max_runs_counts_runs_by_schedule_and_not_by_hand() -> None:
    world = World(every("a", 60, max_runs=3))
    world.dispatcher.run_now("a")
    world.advance(600)
    assert world.starts("a") == ["12:00:00", "12:01:00", "12:02:00", "12:03:00"]
    assert world.due("a") is None


def test_a_stop_under_way_ends_the_run_and_the_next_comes() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 1000
    world.advance(70)
    assert world.dispatcher.cancel("a")
    world.advance(60)
    assert world.story()[1:3] == ["12:01:10 a cancelled: stopped by you", "12:02:00 a start 12:02:00"]


def test_o05_a_run_that_hangs_shows_and_a_stop_frees_its_place() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 100_000
    world.advance(3600)
    assert world.status("a").state is State.RUNNING
    world.dispatcher.cancel("a")
    world.run()
    assert "skipped ×59: the run before it was still under way" in " ".join(world.story())
