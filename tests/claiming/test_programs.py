"""Two programs with homes of their own and one list between them: real files, real processes, the real clock."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktopsched.actions.start import can_supervise
from desktopsched.claiming.events import HandedOver
from desktopsched.claiming.identity import Identity
from desktopsched.claiming.shared import HANDED_OVER, LEFT_FOR, SharedList
from desktopsched.engine.events import (
    ClaimsWithheld,
    Event,
    RunElsewhere,
    RunFinished,
    RunOutput,
    RunStarted,
)
from desktopsched.ledger import Fate
from desktopsched.model import Command, Edge, Every, IfLost, Overlap, State, Task
from desktopsched.program import Program
from desktopsched.sharing.claim import LEASE, ClaimState
from desktopsched.storage.home import Home, find_home
from tests.children import child_pids, children_since
from tests.sharing.memory import MemoryStore
from tests.sharing.places import until

LIST = "both"


def task(task_id: str, shell: str = "true", **fields: Any) -> Task:
    return Task(id=task_id, name=task_id, action=Command(shell=shell), **fields)


def secondly() -> Every:
    """Soon, and again each second: whoever comes too late for one has the next."""
    return Every(interval=1.0, start=datetime.fromtimestamp(int(time.time()) + 2, UTC))


class Office:
    """One program, and everything it said."""

    def __init__(self, place: Home, store: MemoryStore, name: str) -> None:
        self.place, self.store, self.name = place, store, name
        self.events: list[Event] = []
        self._changed = threading.Condition()
        self.program = Program(place, "serve", share=self._share)
        self.program.listen(self._hear)
        self.program.open()
        self._loop = threading.Thread(target=self.program.dispatcher.loop)
        self._loop.start()

    def _share(self, secret: str) -> SharedList:
        return SharedList(self.store, Identity(list_id=LIST, computer=self.name, secret=secret))

    @property
    def shared(self) -> SharedList:
        assert self.program.shared is not None
        return self.program.shared

    def _hear(self, event: Event) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], object]) -> None:
        """Until it is so; something is heard when it changes."""
        with self._changed:
            assert self._changed.wait_for(condition, timeout=60), self.events[-20:]

    def ended(self, task_id: str) -> list[RunFinished]:
        return [
            event for event in self.events if isinstance(event, RunFinished) and event.run.task_id == task_id
        ]

    def close(self, *, keep_running: bool = False) -> None:
        self.program.dispatcher.stop()
        self._loop.join()
        self.program.close(keep_running=keep_running)


def a_home(folder: Path, name: str) -> Home:
    place = folder / name
    place.mkdir(mode=0o700)
    os.environ["DESKTOPSCHED_HOME"] = str(place)
    return find_home()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(time.time)


@pytest.fixture
def offices(tmp_path: Path, store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Office]]:
    monkeypatch.setenv("DESKTOPSCHED_HOME", "")
    strangers = child_pids()
    found = [Office(a_home(tmp_path, name), store, name) for name in ("desk", "attic")]
    yield found
    for one in found:
        with suppress(Exception):
            one.close()
    # Supervisors that one program left are waited for by nobody else in this process.
    psutil.wait_procs(children_since(strangers), 30)


def test_two_programs_run_a_list_once_and_their_histories_tell_the_same(
    offices: list[Office], store: MemoryStore
) -> None:
    tasks = (
        task("a", schedule=secondly(), grace=30.0, overlap=Overlap.PARALLEL),
        task("b", "exit 3", waits_for=(Edge("a"),), overlap=Overlap.PARALLEL),
    )
    for one in offices:
        one.program.task_list.add(*tasks)
    desk, attic = offices
    desk.wait(lambda: len(desk.ended("a")) >= 4 and len(desk.ended("b")) >= 3)
    attic.wait(lambda: len(attic.ended("a")) >= 4 and len(attic.ended("b")) >= 3)
    ended = [{event.run.scheduled_for for event in one.ended("a")} for one in offices]
    codes = {end.outcome.exit_code for end in desk.ended("b")}
    for one in offices:
        one.close()
    started = [event.run.nominal for one in offices for event in one.events if isinstance(event, RunStarted)]
    assert len(started) == len(set(started))
    ends = [
        {run.scheduled_for: run.state for run in one.program.history.records.runs("a", 50)} for one in offices
    ]
    shown = ended[0] & ended[1]  # what ended later was stopped where it ran, perhaps
    assert len(shown) >= 3
    assert all(ends[0][due] == ends[1][due] == State.SUCCEEDED for due in shown)
    assert codes == {3}
    assert {claim.state for claim in map(store.read, list(store._claims)) if claim} <= {
        ClaimState.SUCCEEDED,
        ClaimState.FAILED,
        ClaimState.CANCELLED,
    }
    assert [one.program.history.records.holds() for one in (desk, attic)] == [(), ()]


def from_desk(attic: Office) -> list[RunFinished]:
    return [event for event in attic.ended("a") if event.outcome.reason == "ran on desk"]


def test_why_says_where_it_ran(offices: list[Office]) -> None:
    desk, attic = offices
    for office in offices:
        office.program.task_list.add(task("a", schedule=secondly(), prefers="desk"))
    attic.wait(lambda: from_desk(attic))
    due = from_desk(attic)[0].run.scheduled_for
    answer = attic.program.why("a", at=due)
    assert answer.fate is Fate.ELSEWHERE
    assert answer.sentences[1] == f"Run {answer.run} for it ran on desk; it succeeded."
    assert desk.program.why("a", at=due).fate is Fate.RAN


def test_who_handed_over_has_still_done_so_after_a_restart(offices: list[Office], store: MemoryStore) -> None:
    desk = offices[0]
    desk.shared.hand_over()
    assert any(isinstance(event, HandedOver) for event in desk.events)
    desk.close()
    again = offices[0] = Office(desk.place, store, "desk")
    assert again.shared.handed_over
    assert again.program.dispatcher.withheld == HANDED_OVER
    assert any(isinstance(event, ClaimsWithheld) for event in again.events)
    again.shared.take_back()
    assert again.program.dispatcher.withheld == ""


@pytest.mark.skipif(not can_supervise(), reason="only a supervisor outlives the program")
def test_the_next_program_goes_on_with_the_claims_of_what_outlived_the_first(
    offices: list[Office], store: MemoryStore, tmp_path: Path
) -> None:
    desk = offices[0]
    flag = tmp_path / "go"
    desk.program.task_list.add(task("a", f"echo one; until test -e {flag}; do sleep 0.02; done"))
    desk.program.dispatcher.run_now("a")
    desk.wait(lambda: any(isinstance(event, RunOutput) for event in desk.events))
    (key,) = store._claims
    desk.close(keep_running=True)
    assert len(desk.program.history.records.holds()) == 1
    again = offices[0] = Office(desk.place, store, "desk")
    flag.touch()
    again.wait(lambda: again.ended("a"))
    again.close()
    claim = store.read(key)
    assert claim is not None
    assert (claim.state, claim.token) == (ClaimState.SUCCEEDED, 1)
    assert again.program.history.records.holds() == ()


def test_what_another_computer_may_begin_does_not_go_on_without_the_program(offices: list[Office]) -> None:
    desk = offices[0]
    desk.program.task_list.add(task("a", "sleep 20", if_lost=IfLost.RUN_AGAIN), task("b", "sleep 20"))
    for name in ("a", "b"):
        desk.program.dispatcher.run_now(name)
    desk.wait(lambda: sum(isinstance(event, RunStarted) for event in desk.events) == 2)
    runs = [event.run for event in desk.events if isinstance(event, RunStarted)]
    assert {run.task_id: desk.program._outlives(run) for run in runs} == {"a": False, "b": True}


@pytest.mark.skipif(not can_supervise(), reason="only a supervisor outlives the program")
def test_the_others_wait_for_what_goes_on_without_the_program_and_learn_how_it_ended(
    offices: list[Office], store: MemoryStore, tmp_path: Path
) -> None:
    desk, attic = offices
    flag = tmp_path / "go"
    one = task(
        "a",
        f"echo one; until test -e {flag}; do sleep 0.02; done",
        schedule=secondly(),
        prefers="desk",
    )
    for office in offices:
        office.program.task_list.add(one)
    attic.wait(lambda: any(isinstance(event, RunElsewhere) for event in attic.events))
    # Its claim is there before its process: closed between the two, it would be cancelled.
    desk.wait(lambda: any(isinstance(event, RunOutput) for event in desk.events))
    desk.close(keep_running=True)
    store._clock = lambda: time.time() + LEFT_FOR / 2  # so long is it away
    (claim,) = store.unfinished(LIST)
    assert not claim.abandoned
    offices[0] = Office(desk.place, store, "desk")
    until(lambda: store.unfinished(LIST)[0].lease_left <= LEASE or None)
    flag.touch()
    attic.wait(lambda: attic.ended("a"))
    assert attic.ended("a")[0].outcome.reason == "ran on desk"


@pytest.mark.skipif(not can_supervise(), reason="only a supervisor outlives the program")
@pytest.mark.parametrize("at_once", [False, True], ids=["when somebody opens it", "at once"])
def test_what_another_computer_may_begin_goes_on_only_if_the_next_program_follows_at_once(
    offices: list[Office], store: MemoryStore, tmp_path: Path, *, at_once: bool
) -> None:
    desk, flag = offices[0], tmp_path / "go"
    wait = f"echo one; until test -e {flag}; do sleep 0.02; done"
    desk.program.task_list.add(task("a", wait, if_lost=IfLost.RUN_AGAIN), task("b", wait))
    for name in ("a", "b"):
        desk.program.dispatcher.run_now(name)
    desk.wait(lambda: sum(isinstance(event, RunOutput) for event in desk.events) == 2)
    desk.program.dispatcher.stop()
    desk._loop.join()
    desk.program.stop(keep_running=True, at_once=at_once)
    desk.program.close(keep_running=True)
    found = [claim for key in store._claims if (claim := store.read(key))]
    states = {claim.key.task_id: claim.state for claim in found}
    going = ClaimState.STARTED if at_once else ClaimState.CANCELLED
    assert states == {"a": going, "b": ClaimState.STARTED}
    again = offices[0] = Office(desk.place, store, "desk")
    flag.touch()
    again.wait(lambda: again.ended("b") and (again.ended("a") or not at_once))
