"""DESIGN §5, rule 3: READY by priority under a limit of workers. Reminders and `open` need none."""

from desktopsched.engine.events import TaskChanged
from desktopsched.model import Open, Reminder, State, Task
from tests.engine.world import World, cron, every


def test_work_beyond_the_workers_waits_as_ready_and_starts_by_priority_then_due_instant() -> None:
    world = World(
        every("long", 10), every("low", 20, priority=-1), every("late", 40), every("early", 30), workers=1
    )
    world.lasts["long"] = 100
    world.advance(15)
    assert world.status("long").state is State.RUNNING
    world.advance(35)
    assert [world.status(t).state for t in ("low", "late", "early")] == [State.READY] * 3
    assert world.status("low").waiting == "waits for a free worker"
    world.advance(60)
    assert [run.task_id for run in world.performed] == ["long", "early", "late", "low"]


def test_never_more_than_the_workers_at_once() -> None:
    world = World(*(every(f"t{i}", 10) for i in range(20)), workers=3)
    for i in range(20):
        world.lasts[f"t{i}"] = 5 + i
    most = 0
    for _ in range(120):
        world.advance(1)
        most = max(most, world.dispatcher.statistics().busy)
    assert most == 3


def test_reminders_and_open_start_though_every_worker_is_busy() -> None:
    world = World(
        every("long", 10),
        every("remind", 20, action=Reminder(message="Stand up")),
        every("open", 20, action=Open(target="https://example.org")),
        workers=1,
    )
    world.lasts["long"] = 1000
    world.advance(20)
    assert [run.task_id for run in world.performed] == ["long", "remind", "open"]


def test_more_workers_start_what_waits() -> None:
    world = World(every("a", 10), every("b", 10), workers=1)
    world.lasts.update(a=1000, b=1000)
    world.advance(10)
    assert world.status("b").state is State.READY
    world.dispatcher.workers = 2
    world.run()
    assert world.status("b").state is State.RUNNING


def test_i09_a_run_that_waits_behind_another_is_late_and_not_lost() -> None:
    """I09: a task with a long run and an hourly cron task, under a limit of one at a time."""
    world = World(every("long", 7200), cron("hourly", "0 * * * *"), workers=1)
    world.lasts["long"] = 1200
    world.advance(6 * 3600 + 1300)
    assert world.starts("hourly") == [f"{hour}:00:00" for hour in range(13, 19)]
    assert world.starts("long") == ["14:00:00", "16:00:00", "18:00:00"]


def test_a_stop_of_what_is_ready_takes_it_back() -> None:
    world = World(every("a", 10), every("b", 10), workers=1)
    world.lasts["a"] = 25
    world.advance(10)
    assert world.dispatcher.cancel("b")
    world.advance(9)
    assert world.story("b") == ["12:00:10 b cancelled: stopped by you"]


def test_while_everything_is_paused_nothing_starts_but_by_hand() -> None:
    world = World(every("a", 10), every("b", 10), workers=1)
    world.lasts["a"] = 5
    world.advance(10)
    world.dispatcher.pause()
    world.advance(60)
    assert world.starts("b") == []
    world.dispatcher.run_now("a")
    world.run()
    assert len(world.starts("a")) == 2
    assert world.dispatcher.paused


def test_run_now_on_what_is_ready_hurries_that_start_and_makes_no_second_one() -> None:
    world = World(every("a", 10), every("b", 10), workers=1)
    world.lasts["a"] = 30
    world.advance(10)
    assert world.status("b").state is State.READY
    world.dispatcher.pause()
    world.dispatcher.run_now("b")
    world.advance(31)
    assert [line for line in world.story("b") if "start" in line] == ["12:00:40 b start 12:00:10"]


def test_after_a_pause_what_repeats_goes_on_with_one_record_of_what_passed() -> None:
    world = World(every("a", 10))
    world.dispatcher.pause()
    world.advance(35)
    world.dispatcher.resume()
    world.advance(15)
    assert world.story() == [
        "12:00:35 a skipped ×3: everything was paused",
        "12:00:40 a start 12:00:40",
        "12:00:40 a succeeded",
        "12:00:50 a start 12:00:50",
        "12:00:50 a succeeded",
    ]


def test_a_task_says_each_state_that_it_goes_through() -> None:
    world = World(every("a", 10), every("b", 10), workers=1)
    world.lasts.update(a=5, b=5)
    world.advance(20)
    states = [event.status.state for event in world.of(TaskChanged) if event.task_id == "b"]
    assert states[0] is State.READY


def test_a_start_that_another_goes_before_is_told_to_wait() -> None:
    world, seen = decided(every("later", 60), every("sooner", 50), workers=1)
    world.lasts["sooner"] = 100
    world.run()
    assert [run.task_id for run in world.performed] == ["sooner"]
    assert told(world, "later", seen) == [State.READY]


def test_a_start_that_a_pause_comes_before_is_told_to_wait() -> None:
    world, seen = decided(every("a", 60))
    world.dispatcher.pause()
    world.run()
    assert world.performed == []
    assert told(world, "a", seen) == [State.READY]


def test_a_start_whose_worker_is_taken_away_is_told_to_wait() -> None:
    world, seen = decided(every("a", 60), every("b", 50), workers=2)
    world.lasts["a"] = world.lasts["b"] = 100
    world.dispatcher.workers = 1
    world.run()
    assert [run.task_id for run in world.performed] == ["b"]
    assert told(world, "a", seen) == [State.READY]


def decided(*tasks: Task, workers: int = 8) -> tuple[World, int]:
    """All are due and decided, and nobody took one yet; and how many events there were before."""
    world = World(*tasks, workers=workers)
    gone = world.dispatcher.follow([])
    world.advance(70)
    seen = len(world.events)
    world.dispatcher.follow(tasks, memory=gone)
    return world, seen


def told(world: World, task_id: str, seen: int) -> list[State]:
    """The states that a task said of itself; after that it is in the last one."""
    events = [event for event in world.events[seen:] if isinstance(event, TaskChanged)]
    return [event.status.state for event in events if event.task_id == task_id]
