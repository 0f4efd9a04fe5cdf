"""Two computers and one list, from outside: two programs with homes of their own, a real server, and one that dies.

`DESKTOPSCHED_SHARED_MINUTES=5` lets them run for so long, and kills one of them every minute; without it once, in a run
of half a minute.
"""

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktopsched.actions.start import can_supervise
from tests.sharing.places import started as started_server
from tests.sharing.servers import PostgresServer, Server
from tests.system.served import Home, Served, shell, until

pytestmark = [pytest.mark.system, pytest.mark.timeout(900)]

MINUTES = float(os.environ.get("DESKTOPSCHED_SHARED_MINUTES", "0"))
EVERY, ROUNDS = (5, round(MINUTES * 12)) if MINUTES else (4, 5)
"""Seconds from one round of the list to the next, and how many there are."""

BEGIN_IN = 6.0
"""Seconds in which both programs have read the list: they are up before."""

DEAD_FOR = 3.0

Key = tuple[str, float]
"""A start, as both computers know it: its task, and the due instant that it stands for or descends from."""

CHILDREN = {
    "b": (["a"], "attic"),
    "c": (["a"], ""),
    "d": (["b", "c"], "desk"),
    "f": (["e"], "desk"),
    "g": (["f"], "attic"),
    "i": (["h"], ""),
    "j": (["i"], "desk"),
    "l": (["k"], "attic"),
}
JOINED = "d"
"""It waits for two. Who hears of two rounds of one parent before he hears of the other takes them for one round, as
always; so who was dead may not tell of a round that the other one had."""

ROOTS = {"a": "desk", "e": "attic", "h": "", "k": ""}


@pytest.fixture
def both(server: Server, tmp_path: Path) -> Iterator[tuple["Computer", "Computer"]]:
    address = f"postgresql://postgres@127.0.0.1:{server.port}/postgres"
    found = Computer(tmp_path / "desk", address), Computer(tmp_path / "attic", address)
    yield found
    for one in found:
        if one.served is not None and one.served.process.poll() is None:  # the test has failed
            one.served.end()


@pytest.fixture
def server() -> Iterator[Server]:
    one = started_server(PostgresServer)
    yield one
    one.close()


class Computer(Home):
    """A home with preferences, and everything that its program ever said."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self.name, self.said = folder.name, list[str]()
        chosen = {"shared_list": url, "list_id": "both", "computer": self.name}
        (folder / "preferences.json").write_text(json.dumps(chosen))
        self.served: Served | None = None

    def begin(self) -> None:
        self.served = self.serve()

    def read_again(self, *tasks: dict[str, Any]) -> None:
        """Give the program that runs another list."""
        assert self.served is not None
        self.write(*tasks)
        self.served.process.send_signal(signal.SIGHUP)
        self.served.says(f"read .* again, {len(tasks)} tasks")

    def die(self) -> None:
        assert self.served is not None
        self.served.die()
        self.said += self.served.lines

    def end(self) -> None:
        assert self.served is not None
        self.served.end()
        self.said += self.served.lines
        assert not any("Traceback" in line or "ERROR" in line for line in self.said), "\n".join(self.said)


def the_list(evidence: Path, first: float) -> list[dict[str, Any]]:
    """Twelve tasks, each of which leaves a line where it ran. The last round is the last."""
    line = f'echo "$DESKTOPSCHED_HOME_NAME $DESKTOPSCHED_TASK_ID $DESKTOPSCHED_RUN_ID" >> {evidence}'
    start, last = (
        datetime.fromtimestamp(at, UTC).isoformat() for at in (first, first + EVERY * (ROUNDS - 1))
    )
    common = {"overlap": "parallel", "catch_up": "all", "grace": "1s"}
    schedule = {"type": "every", "interval": f"{EVERY}s", "start": start}
    roots = [
        shell(one, line, schedule=schedule, not_after=last, **_preferring(prefers), **common)
        for one, prefers in ROOTS.items()
    ]
    children = [
        shell(one, line, waits_for=[{"task": parent} for parent in parents], **_preferring(prefers), **common)
        for one, (parents, prefers) in CHILDREN.items()
    ]
    return [*roots, *children]


def _preferring(computer: str) -> dict[str, str]:
    return {"prefers": computer} if computer else {}


def test_a_list_runs_once_on_two_computers_one_of_which_is_killed_and_both_histories_tell_the_same(
    both: tuple[Computer, Computer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_supervise():
        pytest.skip("runs go on without the program only where there are supervisors")
    evidence = tmp_path / "evidence"
    evidence.touch()
    desk, attic = both
    for one in both:
        one.write()
        monkeypatch.setenv("DESKTOPSCHED_HOME_NAME", one.name)
        one.begin()
    first = float(int(time.time() + BEGIN_IN))
    tasks = the_list(evidence, first)
    for one in both:
        one.read_again(*tasks)
    kill_at = (
        [first + EVERY + 1] if not MINUTES else [first + 30 + 60 * number for number in range(round(MINUTES))]
    )
    for at in kill_at:
        threading.Event().wait(max(at - time.time(), 0))
        desk.die()
        threading.Event().wait(DEAD_FOR)
        monkeypatch.setenv("DESKTOPSCHED_HOME_NAME", desk.name)
        desk.begin()
    threading.Event().wait(max(first + EVERY * ROUNDS - time.time(), 0))
    starts = (len(ROOTS) + len(CHILDREN)) * ROUNDS
    until(
        lambda: len(evidence.read_text().splitlines()) >= starts and all(_is_over(one) for one in both),
        f"{starts} starts, and their ends in both histories",
    )
    assert desk.run("claims") == ""  # nothing is left open
    for one in both:
        one.end()
    _compare(desk, attic, evidence.read_text().splitlines(), first)


def _is_over(computer: Home) -> bool:
    runs = computer.history()
    surely = (len(ROOTS) + len(CHILDREN) - 1) * ROUNDS
    return sum(run["task_id"] != JOINED for run in runs) >= surely and all(run["ended"] for run in runs)


def _compare(desk: Computer, attic: Computer, evidence: Sequence[str], first: float) -> None:
    told = {one.name: _by_start(one.history()) for one in (desk, attic)}
    dues = [first + EVERY * number for number in range(ROUNDS)]
    everything = {(task, due) for task in (*ROOTS, *CHILDREN) for due in dues}
    for one in told.values():
        assert {key for key in everything if key[0] != JOINED} <= set(one) <= everything
    assert set(told["desk"]) | set(told["attic"]) == everything
    begun = Counter(evidence)
    ran = Counter[str]()
    for key in everything:
        here, there = told["desk"].get(key), told["attic"].get(key)
        owner = "desk" if here is not None and not here["owner"] else "attic"
        own, other = (here, there) if owner == "desk" else (there, here)
        assert own is not None
        assert (own["state"], own["owner"]) == ("succeeded", ""), (key, own, other)
        if other is not None:
            assert (other["state"], other["owner"]) == ("succeeded", owner), (key, own, other)
            assert other["reason"] == f"ran on {owner}"
        assert begun.pop(f"{owner} {key[0]} {own['id']}") == 1, key
        ran[owner] += 1
    assert not begun, "more was begun than is told"
    assert min(ran["desk"], ran["attic"]) > 0
    for teller, performer in ((desk, attic), (attic, desk)):
        assert any(f" started on {performer.name}, run " in line for line in teller.said)
    crossed = [key for key in told["attic"] if _crosses(key, told["attic"])]
    assert crossed, "no child followed a parent on another computer"


def _crosses(key: Key, told: dict[Key, dict[str, Any]]) -> bool:
    """Whether a start ran elsewhere than the first one that it waited for."""
    parents, _ = CHILDREN.get(key[0], ([], ""))
    return bool(parents) and bool(told[key]["owner"]) != bool(told[parents[0], key[1]]["owner"])


def _by_start(runs: Sequence[dict[str, Any]]) -> dict[Key, dict[str, Any]]:
    by_id = {run["id"]: run for run in runs}

    def origin(run: dict[str, Any]) -> float:
        if run["task_id"] in ROOTS:
            return datetime.fromisoformat(run["scheduled_for"]).timestamp()
        parent = CHILDREN[run["task_id"]][0][0]
        return origin(next(by_id[one] for one in run["parents"] if by_id[one]["task_id"] == parent))

    found = [((run["task_id"], origin(run)), run) for run in runs]
    twice = [key for key, count in Counter(key for key, _ in found).items() if count > 1]
    assert not twice, [run for key, run in found if key in twice]
    return dict(found)
