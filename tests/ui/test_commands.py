"""What the person asks for reaches the program, and what it refuses is told."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject

from desktopsched.ledger import Answer, Fate
from desktopsched.model import CatchUp, Command, Task, UnknownTaskError
from desktopsched.model.change import Change
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
        if task_id == "gone":
            raise UnknownTaskError(task_id)
        self.told.append(("decide", task_id, choice, rerun))


class Asked:
    """Commands, what came of them, and what was refused."""

    def __init__(self) -> None:
        self.dispatcher, self.refused = FakeDispatcher(), list[tuple[str, Deed]]()
        self.done: list[Deed] = []
        self.tasks, self.saves = {"a": task("a")}, 0
        program = SimpleNamespace(
            dispatcher=self.dispatcher,
            membership=None,
            give_way=lambda others: self.dispatcher.told.append(("give way", others)),
            why=lambda task_id: Answer(due=NOON, fate=Fate.SKIPPED, sentences=(f"{task_id} waits.",), run=7),
            decide_all=lambda choice: self.dispatcher.told.append(("decide all", choice)),
            task_list=SimpleNamespace(find=self._find, apply=self._apply),
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

    def _find(self, task_id: str) -> Task:
        if task_id not in self.tasks:
            raise UnknownTaskError(task_id)
        return self.tasks[task_id]

    def _apply(self, changes: Sequence[Change]) -> None:
        self.saves += 1
        self.tasks |= {change.after.id: change.after for change in changes if change.after}


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


def test_answers_are_remembered_in_one_save_of_the_task_file(asked: Asked) -> None:
    asked.tasks["b"] = task("b")
    asked.commands.answer([(one, CatchUp.LATEST, False, True) for one in ("a", "b")])
    assert [asked.tasks[one].catch_up for one in ("a", "b")] == [CatchUp.LATEST] * 2
    assert asked.saves == 1, "each save makes an earlier copy of the file go"


def test_a_task_that_was_removed_meanwhile_keeps_no_answer_from_the_others(asked: Asked) -> None:
    asked.commands.answer([("gone", CatchUp.ALL, False, True), ("a", CatchUp.SKIP, False, True)])
    assert asked.dispatcher.told == [("decide", "a", CatchUp.SKIP, False)]
    assert asked.tasks["a"].catch_up is CatchUp.SKIP
    assert asked.refused == []


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
