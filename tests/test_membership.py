"""A program that shares its list as the preferences say: what it opens with, what it tells, what it never does."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from desktopsched.claiming.identity import Identity
from desktopsched.claiming.shared import SharedList
from desktopsched.engine.events import ClaimsWithheld, RunElsewhere, RunStarted
from desktopsched.engine.words import OUT_OF_REACH
from desktopsched.model import CatchUp, Cause, Command, Every, NotSharedError, Overlap, Run, Task
from desktopsched.program import ClocksDiffer, Notice
from desktopsched.storage.home import Home, find_home
from tests.actions.conftest import until
from tests.sharing.memory import MemoryStore
from tests.test_program import Opened


@pytest.fixture
def place(home: Path) -> Home:
    return find_home()


@pytest.fixture
def opened(place: Home) -> Iterator[list[Opened]]:
    found: list[Opened] = []
    yield found
    for one in found:
        one.close()


def prefer(place: Home, **chosen: Any) -> None:
    place.prepare()
    place.preferences.write_text(json.dumps(chosen))


def due_soon(task_id: str = "a", **fields: Any) -> Task:
    start = datetime.fromtimestamp(int(time.time()) + 1, UTC)
    return Task(
        id=task_id,
        name=task_id,
        action=Command(shell="true"),
        schedule=Every(interval=1.0, start=start),
        **fields,
    )


def test_the_list_that_the_preferences_name_is_shared(
    place: Home, opened: list[Opened], tmp_path: Path
) -> None:
    prefer(place, shared_list=f"sqlite:///{tmp_path / 'claims.db'}", list_id="home", computer="desk-1")
    opened.append(one := Opened(place))
    assert one.program.shared is not None
    assert (one.program.shared.identity.list_id, one.program.shared.identity.computer) == ("home", "desk-1")
    one.program.task_list.add(due_soon())
    started = one.wait(lambda event: isinstance(event, RunStarted))
    assert started.run.token == 1


def test_a_list_whose_server_is_away_opens_and_starts_nothing(place: Home, opened: list[Opened]) -> None:
    prefer(place, shared_list="redis://127.0.0.1:9/0")
    opened.append(one := Opened(place))
    one.program.task_list.add(due_soon(grace=1.0, catch_up=CatchUp.SKIP))
    assert one.wait(lambda event: isinstance(event, ClaimsWithheld)).reason == OUT_OF_REACH
    assert one.ended("a").reason.startswith("missed: the shared list was out of reach")
    membership = one.program.membership
    assert membership is not None
    assert membership.shared.silent_since is not None
    assert "refused" in membership.shared.trouble
    assert not [event for event in one.events if isinstance(event, RunStarted)]


def test_preferences_that_cannot_be_read_do_not_let_a_shared_list_run_as_if_nobody_shared_it(
    place: Home, opened: list[Opened], tmp_path: Path
) -> None:
    prefer(place, shared_list=f"sqlite:///{tmp_path / 'claims.db'}")
    Opened(place).close()
    place.preferences.write_text("{")
    opened.append(one := Opened(place))
    one.wait(lambda event: isinstance(event, ClaimsWithheld))
    assert one.program.shared is not None
    assert "the preferences cannot be read" in one.program.shared.trouble


def test_a_home_that_never_shared_runs_whatever_its_preferences_look_like(
    place: Home, opened: list[Opened]
) -> None:
    place.prepare()
    place.preferences.write_text("{")
    opened.append(one := Opened(place))
    assert one.program.membership is None
    with pytest.raises(NotSharedError):
        one.program.give_way(others=True)


def test_an_address_with_a_password_in_it_is_used_and_said_to_be_in_the_clear(
    place: Home, opened: list[Opened], tmp_path: Path
) -> None:
    prefer(place, shared_list="redis://:s3cret@127.0.0.1:9/0")
    opened.append(one := Opened(place))
    assert any("has its password in it" in notice for notice in one.program.notices)
    assert not any("s3cret" in notice for notice in one.program.notices)


def test_when_the_address_changes_no_copy_keeps_the_password_of_before(
    place: Home, opened: list[Opened]
) -> None:
    prefer(place, shared_list="redis://:s3cret@127.0.0.1:9/0")
    opened.append(one := Opened(place))
    one.program.choose(structs.replace(one.program.preferences, shared_list="redis://127.0.0.1:9/0"))
    kept = [path.read_text() for path in place.preferences.parent.glob("preferences.json*")]
    assert len(kept) == 2
    assert not any("s3cret" in text for text in kept)
    assert one.program.joins_another


class Clockwork:
    """A list whose store has a clock that the test sets."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.store = MemoryStore(lambda: time.time() + self.ahead)

    def share(self, secret: str) -> SharedList:
        return SharedList(self.store, Identity(list_id="both", computer="desk", secret=secret))


def test_a_clock_that_is_far_off_is_told_once_and_again_when_it_is_right(
    place: Home, opened: list[Opened]
) -> None:
    clockwork = Clockwork()
    clockwork.ahead = 10.0
    opened.append(one := Opened(place, share=clockwork.share))
    told = one.wait(lambda event: isinstance(event, ClocksDiffer))
    assert told.words.startswith("The clock of this computer is 10 s behind the clock of the shared list.")
    membership = one.program.membership
    assert membership is not None
    assert membership.clock_words == told.words
    clockwork.ahead = 0.0
    membership._look()
    assert one.wait(lambda event: isinstance(event, ClocksDiffer), times=2).words == ""


def test_a_store_that_keeps_no_promise_is_told_of(place: Home, opened: list[Opened]) -> None:
    opened.append(one := Opened(place, share=Clockwork().share))
    told = one.wait(lambda event: isinstance(event, Notice))
    assert told.text.startswith("The shared list: This server cannot keep starts from happening twice.")


def forgot(event: object) -> bool:
    return isinstance(event, Notice) and event.text.startswith(
        "The shared list has forgotten what was claimed"
    )


def test_a_store_that_was_emptied_while_the_program_was_closed_is_told_of_once(
    place: Home, opened: list[Opened], tmp_path: Path
) -> None:
    claims = tmp_path / "claims.db"
    prefer(place, shared_list=f"sqlite:///{claims}")

    opened.append(one := Opened(place))
    assert one.program.membership is not None
    one.program.membership._look()
    before = one.program.membership._known
    opened.pop().close()
    claims.unlink()
    opened.append(one := Opened(place))
    one.wait(forgot)
    membership = one.program.membership
    assert membership is not None
    until(lambda: membership._known != before)  # its own thread is done with that look
    membership._look()
    assert sum(map(forgot, one.events)) == 1


def test_a_store_that_forgets_while_it_is_out_of_reach_is_told_of_when_it_is_back(
    place: Home, opened: list[Opened]
) -> None:
    clockwork = Clockwork()
    opened.append(one := Opened(place, share=clockwork.share))
    one.wait(lambda event: isinstance(event, Notice))  # it was looked at
    clockwork.store.identity = "1" * 32
    assert one.program.shared is not None
    one.program.shared.unreached("it restarts")
    one.wait(forgot)


def test_another_address_is_no_store_that_forgot(place: Home, opened: list[Opened], tmp_path: Path) -> None:
    for name in ("first.db", "second.db", "first.db"):
        prefer(place, shared_list=f"sqlite:///{tmp_path / name}")
        opened.append(one := Opened(place))
        assert one.program.membership is not None
        one.program.membership._look()
        opened.pop().close()
        assert not any(map(forgot, one.events))


def hold_all(clockwork: "Clockwork", task: Task, owner: Identity) -> None:
    """Each of the next starts of a task is another computer's: whichever will be due here."""
    assert isinstance(task.schedule, Every)
    assert task.schedule.start is not None
    for number in range(60):
        nominal = f"every 1.0 s from {task.schedule.start.isoformat()}, {number}"
        run = Run(id=1, task_id="a", scheduled_for=time.time() - 1, cause=Cause.SCHEDULE, nominal=nominal)
        wish = owner.wish(task, run)
        clockwork.store.claim(wish)
        clockwork.store.start(wish.hold(1), "stamp")


def test_two_computers_of_one_name_are_told_once(place: Home, opened: list[Opened]) -> None:
    clockwork = Clockwork()
    opened.append(one := Opened(place, share=clockwork.share))
    assert one.program.shared is not None
    name = one.program.shared.identity.computer
    task = due_soon(prefers="attic", overlap=Overlap.PARALLEL)
    hold_all(clockwork, task, Identity(list_id="both", computer=name, secret="other"))
    one.program.task_list.add(task)
    told = f"Another computer that shares the list is called {name!r} too"
    one.wait(lambda event: isinstance(event, Notice) and event.text.startswith(told))
    one.wait(lambda event: isinstance(event, RunElsewhere) and event.run.id > 1)
    assert sum(notice.startswith(told) for notice in one.program.notices) == 1


def test_why_names_who_has_it_its_token_and_its_lease(place: Home, opened: list[Opened]) -> None:
    clockwork = Clockwork()
    opened.append(one := Opened(place, share=clockwork.share))
    task = due_soon(prefers="attic", overlap=Overlap.PARALLEL)
    hold_all(clockwork, task, Identity(list_id="both", computer="attic", secret="other"))
    one.program.task_list.add(task)
    one.wait(lambda event: isinstance(event, RunElsewhere))
    words = "attic has it (token 1); its lease ends in"
    until(lambda: any(said.startswith(words) for said in one.program.why("a").sentences))


LOADS = """
import sys
from desktopsched.cli import serve
from desktopsched.program import Program
from desktopsched.storage.home import find_home
program = Program(find_home(), "serve")
program.open()
loaded = [name for name in sys.modules if name.startswith(("desktopsched.claiming", "desktopsched.sharing"))]
program.dispatcher.stop()
program.dispatcher.loop()
program.close()
print(*loaded, "desktopsched.joining" in sys.modules)
"""


def test_where_no_list_is_shared_nothing_of_it_is_loaded(home: Path) -> None:
    said = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False"]
