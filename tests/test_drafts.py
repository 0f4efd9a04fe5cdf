"""A draft is tried as a run would be, and leaves nothing behind; its secrets are stored off the caller's thread."""

import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktopsched import drafts as module
from desktopsched.actions.keychain import KeychainError
from desktopsched.actions.start import can_supervise
from desktopsched.adopting import Adoption
from desktopsched.drafts import Draft, Drafts
from desktopsched.model import (
    Action,
    Command,
    Open,
    Outcome,
    Reminder,
    Run,
    Script,
    Secret,
    State,
    StopRequest,
    Task,
)
from desktopsched.storage.runfolders import RunFolders

PATIENCE = 60.0  # seconds for real processes

Make = Callable[..., Drafts]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[Drafts] = []

    def make_(**more: Any) -> Drafts:
        made.append(Drafts(lambda: 1_000.0, **more))
        return made[-1]

    yield make_
    for one in made:
        one.stop("the test is over")
        one.close()


class Ear:
    """Hears a test to its end."""

    def __init__(self) -> None:
        self.pieces: queue.Queue[str] = queue.Queue()
        self.said = ""
        self.ends: queue.Queue[tuple[Outcome, float, threading.Thread]] = queue.Queue()

    def end(self, outcome: Outcome, seconds: float) -> None:
        self.ends.put((outcome, seconds, threading.current_thread()))

    @property
    def outcome(self) -> Outcome:
        found, self.seconds, self.thread = self.ends.get(timeout=PATIENCE)
        while not self.pieces.empty():
            self.said += self.pieces.get()
        return found

    def wait_for(self, words: str) -> None:
        while words not in self.said:
            self.said += self.pieces.get(timeout=PATIENCE)


def draft(action: Action, **secrets: str) -> Draft:
    return Draft(Task(id="draft", name="Draft", action=action), secrets)


def python(text: str, **more: Any) -> Script:
    return Script(interpreter=f"{sys.executable} -u", text=text, **more)


def try_(drafts: Drafts, one: Draft) -> tuple[Ear, StopRequest]:
    ear = Ear()
    return ear, drafts.test(one, ear.pieces.put, ear.end)


def test_a_command_is_tried_in_its_folder_and_environment_and_its_output_is_heard(
    make: Make, tmp_path: Path
) -> None:
    text = "import os; print(os.getcwd(), os.environ['A'], os.environ['DESKTOPSCHED_RUN_ID'])"
    ear, _ = try_(make(), draft(python(text, cwd=str(tmp_path), env={"A": "x"})))
    assert ear.outcome == Outcome(State.SUCCEEDED, exit_code=0)
    assert ear.said == f"{tmp_path} x 0\n"
    assert ear.thread is not threading.main_thread()
    assert 0 < ear.seconds < PATIENCE


def test_a_failure_is_told_with_its_reason(make: Make) -> None:
    ear, _ = try_(make(), draft(python("raise SystemExit(3)")))
    assert ear.outcome == Outcome(State.FAILED, "exit code 3", 3)


def test_what_cannot_be_started_is_told_in_words(make: Make) -> None:
    ear, _ = try_(make(), draft(Command(argv=("no-such-program-here",))))
    outcome = ear.outcome
    assert outcome.state is State.FAILED
    assert "There is no program 'no-such-program-here'" in outcome.reason


def test_the_time_limit_ends_a_test(make: Make) -> None:
    ear, _ = try_(make(grace=30.0), draft(python("import time; time.sleep(600)", timeout=0.3)))
    assert ear.outcome == Outcome(State.FAILED, "timed out after 0.3 s")


def test_a_typed_secret_is_used_before_it_is_stored_and_masked(make: Make) -> None:
    script = python(
        "import os; print(len(os.environ['PASS']), os.environ['PASS'])", env={"PASS": Secret("n")}
    )
    ear, _ = try_(make(), draft(script, n="s3cret"))
    assert ear.outcome.state is State.SUCCEEDED
    assert ear.said == "6 ***\n"


def test_a_stored_secret_is_read_from_the_keychain(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "read_keychain", lambda name: f"value of {name}")
    script = python("import os; print(len(os.environ['PASS']))", env={"PASS": Secret("n")})
    ear, _ = try_(make(), draft(script))
    assert ear.outcome.state is State.SUCCEEDED
    assert ear.said == "10\n"


def test_a_test_is_stopped_with_all_its_processes(make: Make) -> None:
    ear, stop = try_(make(grace=30.0), draft(python("import time; print('ready'); time.sleep(600)")))
    ear.wait_for("ready")
    stop.request("stopped by you")
    assert ear.outcome == Outcome(State.CANCELLED, "stopped by you")


@pytest.mark.skipif(not can_supervise(), reason="only a supervisor outlives the program")
def test_a_test_ends_with_a_program_that_is_killed(tmp_path: Path) -> None:
    """Nobody would know of it any more, and nobody stop it."""
    text = """
import sys, threading, time
from pathlib import Path
from desktopsched.drafts import Draft, Drafts
from desktopsched.model import Command, Task
from desktopsched.storage.runfolders import RunFolders
drafts = Drafts(time.time, folders=RunFolders(Path(sys.argv[1])))
task = Task(id="a", name="A", action=Command(shell="echo $$; sleep 300"))
drafts.test(Draft(task), lambda said: print(said, end="", flush=True), print)
threading.Event().wait(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", text, str(tmp_path / "runs")], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        tried = psutil.Process(int(program.stdout.readline()))
        program.kill()
    assert psutil.wait_procs([tried], PATIENCE)[1] == []
    folders = RunFolders(tmp_path / "runs")
    assert len(list(folders.tests())) == 1
    Adoption(folders).strays({})
    assert list((tmp_path / "runs").iterdir()) == []


def test_closing_stops_a_test_and_waits_for_it(make: Make) -> None:
    drafts = make(grace=30.0)
    ear, _ = try_(drafts, draft(python("import time; print('ready'); time.sleep(600)")))
    ear.wait_for("ready")
    drafts.stop("the program was closed")
    drafts.close()
    assert ear.ends.get_nowait()[0] == Outcome(State.CANCELLED, "the program was closed")


def test_nothing_is_tried_or_stored_once_it_is_closed(make: Make) -> None:
    drafts = make()
    drafts.stop("the program was closed")
    ear, _ = try_(drafts, draft(Command(argv=("true",))))
    assert ear.outcome == Outcome(State.CANCELLED, "the program was closed")
    said: list[str] = []
    drafts.store({"n": "x"}, lambda: said.append("stored"), said.append)
    assert said == ["The program was closed."]


def test_a_reminder_is_shown_apart_from_those_of_its_task(make: Make) -> None:
    shown: list[tuple[str, str, float]] = []

    def remind(one: Task, run: Run) -> bool:
        shown.append((one.id, one.name, run.scheduled_for))
        return True

    ear, _ = try_(make(remind=remind), draft(Reminder(message="Stand up")))
    assert ear.outcome == Outcome(State.SUCCEEDED)
    assert shown == [("draft (test)", "Draft", 1_000.0)]


def test_a_reminder_without_a_desktop_says_so(make: Make) -> None:
    ear, _ = try_(make(), draft(Reminder(message="Stand up")))
    assert ear.outcome == Outcome(State.SKIPPED, "There is no desktop to show it on")


def test_what_is_to_be_opened_is_opened(make: Make) -> None:
    opened: list[str] = []

    def open_(target: str) -> bool:
        opened.append(target)
        return True

    ear, _ = try_(make(open_target=open_), draft(Open(target="https://example.org")))
    assert ear.outcome == Outcome(State.SUCCEEDED)
    assert opened == ["https://example.org"]


def test_a_flood_is_heard_in_bounded_pieces(make: Make) -> None:
    flood = python("import sys\nfor _ in range(4_000): sys.stdout.write('x' * 63 + '\\n' * 961)")
    ear, pieces = Ear(), list[str]()
    make().test(draft(flood), pieces.append, ear.end)
    assert ear.outcome.state is State.SUCCEEDED
    assert max(map(len, pieces)) < 40_000
    assert sum(map(len, pieces)) < 4_000 * 1_024


def test_secrets_are_stored_elsewhere_and_only_then_is_it_said(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, tuple[str, threading.Thread]] = {}
    monkeypatch.setattr(
        module,
        "store_in_keychain",
        lambda name, value: kept.update({name: (value, threading.current_thread())}),
    )
    said: queue.Queue[object] = queue.Queue()
    make().store({"a": "1", "b": "2"}, lambda: said.put(dict(kept)), said.put)
    assert said.get(timeout=PATIENCE) == kept
    assert {name: value for name, (value, _) in kept.items()} == {"a": "1", "b": "2"}
    assert threading.main_thread() not in {thread for _, thread in kept.values()}


def test_a_keychain_that_refuses_is_told_in_words(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_name: str, _value: str) -> None:
        raise KeychainError("The keychain did not take the secret: locked.")

    monkeypatch.setattr(module, "store_in_keychain", refuse)
    said: queue.Queue[object] = queue.Queue()
    make().store({"a": "1"}, lambda: said.put("stored"), said.put)
    assert said.get(timeout=PATIENCE) == "The keychain did not take the secret: locked."
