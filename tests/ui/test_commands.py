"""What the person asks for reaches the program, and what it refuses is told."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject

from desktopsched.ledger import Answer, Fate
from desktopsched.model import CatchUp, Command, Task, UnknownTaskError
from desktopsched.program import Program
from desktopsched.ui.background import Background
from desktopsched.ui.commands import Commands
from desktopsched.ui.deed import Deed
from tests.ui.scenery import NOON, SameThread, task


class FakeDispatcher:
    """Writes down what it is told; it knows one task."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def run_now(self, task_id: str, *, downstream: bool = False, instead: Command | None = None) -> None:
        if task_id != "a":
            raise UnknownTaskError(task_id)
        self.told.append(("run", task_id, downstream, instead))

    def cancel(self, task_id: str) -> None:
        self.told.append(("cancel", task_id))

    def pause(self) -> None:
        self.told.append(("pause",))

    def resume(self) -> None:
        self.told.append(("resume",))

    def trust_clock(self) -> None:
        self.told.append(("trust clock",))

    def decide(self, task_id: str, choice: CatchUp, *, rerun: bool) -> None:
        self.told.append(("decide", task_id, choice, rerun))


class Asked:
    """Commands, what came of them, and what was refused."""

    def __init__(self) -> None:
        self.dispatcher, self.refused = FakeDispatcher(), list[tuple[str, Deed]]()
        self.done: list[Deed] = []
        self.tasks = {"a": task("a")}
        program = SimpleNamespace(
            dispatcher=self.dispatcher,
            membership=None,
            give_way=lambda others: self.dispatcher.told.append(("give way", others)),
            why=lambda task_id: Answer(due=NOON, fate=Fate.SKIPPED, sentences=(f"{task_id} waits.",), run=7),
            decide_all=lambda choice: self.dispatcher.told.append(("decide all", choice)),
            task_list=SimpleNamespace(find=self.tasks.__getitem__, replace=self._replace),
        )
        self.parent = QObject()
        self.commands = Commands(
            lambda: cast("Program", program),
            cast("Background", SameThread()),
            cast("Background", SameThread()),
            self.parent,
        )
        self.commands.failed.connect(lambda words, deed: self.refused.append((words, deed)))
        self.commands.done.connect(self.done.append)

    def _replace(self, one: Task) -> None:
        self.tasks[one.id] = one


@pytest.fixture
def asked() -> Asked:
    return Asked()


ECHO = Command(argv=("echo", "once"))


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda one: one.run_now(["a"]), ("run", "a", False, None)),
        (lambda one: one.run_now(["a"], downstream=True), ("run", "a", True, None)),
        (lambda one: one.run_instead("a", ECHO), ("run", "a", False, ECHO)),
        (lambda one: one.stop(["a"]), ("cancel", "a")),
        (lambda one: one.pause(paused=True), ("pause",)),
        (lambda one: one.pause(paused=False), ("resume",)),
        (lambda one: one.trust_clock(), ("trust clock",)),
        (lambda one: one.give_way(others=True), ("give way", True)),
        (lambda one: one.decide(CatchUp.LATEST), ("decide all", CatchUp.LATEST)),
    ],
)
def test_a_wish_reaches_the_program(
    asked: Asked, ask: Callable[[Any], None], told: tuple[object, ...]
) -> None:
    ask(asked.commands)
    assert asked.dispatcher.told == [told]
    assert asked.refused == []


def test_answers_decide_task_by_task_and_remember_where_that_was_wished(asked: Asked) -> None:
    asked.tasks["b"] = task("b")
    asked.commands.answer([("a", CatchUp.ALL, False, True), ("b", CatchUp.SKIP, True, False)])
    assert asked.dispatcher.told == [
        ("decide", "a", CatchUp.ALL, False),
        ("decide", "b", CatchUp.SKIP, True),
    ]
    assert [asked.tasks[one].catch_up for one in ("a", "b")] == [CatchUp.ALL, CatchUp.ASK]


def test_what_is_refused_is_told_and_the_reason_is_in_it(asked: Asked) -> None:
    asked.commands.run_now(["gone"])
    assert asked.refused == [("There is no task 'gone'.", Deed.RUN)]
    assert asked.dispatcher.told == []
    assert asked.done == []
    asked.commands.run_now(["a"])
    assert asked.done == [Deed.RUN]


def test_why_is_answered_to_the_one_who_asked(asked: Asked) -> None:
    found: list[Answer] = []
    asked.commands.why("a", found.append)
    assert [one.sentences for one in found] == [("a waits.",)]
