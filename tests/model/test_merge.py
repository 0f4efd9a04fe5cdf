"""Two edits of one task: nobody's change is lost, and none of them is half taken."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from desktopsched.model import (
    Command,
    Cron,
    Edge,
    Every,
    InvalidTaskError,
    Reminder,
    Retry,
    Secret,
    Task,
)
from desktopsched.model.merge import merge, merged
from tests.model.test_document import TASKS

BASE = Task(
    id="a",
    name="A",
    action=Command(argv=("a",), cwd="~/x", env={"A": "1", "B": "2"}),
    schedule=Cron("@daily"),
)
COMMAND = BASE.action


def with_(**more: object) -> Task:
    return structs.replace(BASE, **more)


def test_fields_that_only_one_of_them_changed_are_taken_from_that_one() -> None:
    mine, other = with_(name="Mine", retry=Retry(attempts=3)), with_(enabled=False, group="Other")
    assert merged(BASE, mine, other) == with_(
        name="Mine", retry=Retry(attempts=3), enabled=False, group="Other"
    )


def test_where_both_changed_a_field_mine_stands() -> None:
    assert merged(BASE, with_(name="Mine"), with_(name="Other")) == with_(name="Mine")


def test_within_an_action_too() -> None:
    mine = with_(action=structs.replace(COMMAND, timeout=60.0, env={"A": "1", "B": "3", "C": Secret("c")}))
    other = with_(action=structs.replace(COMMAND, cwd="~/y", env={"B": "2"}))
    assert merged(BASE, mine, other).action == structs.replace(
        COMMAND, timeout=60.0, cwd="~/y", env={"B": "3", "C": Secret("c")}
    )


def test_an_action_of_another_kind_is_taken_whole() -> None:
    mine = with_(action=Reminder(message="Stand up"))
    other = with_(action=structs.replace(COMMAND, cwd="~/y"))
    assert merged(BASE, mine, other) == mine
    assert merged(BASE, other, mine) == other


@pytest.mark.parametrize("swapped", [False, True])
def test_a_command_never_gets_arguments_and_a_shell(swapped: bool) -> None:
    arguments = with_(action=Command(argv=("b",), cwd="~/x"))
    shell = with_(action=Command(shell="b | c", cwd="~/x"))
    mine, other = (shell, arguments) if swapped else (arguments, shell)
    assert merged(BASE, mine, other) == mine


def test_what_was_taken_away_stays_away() -> None:
    base = with_(group="G", waits_for=(Edge("p"),))
    assert merged(base, with_(group="G"), with_(waits_for=(Edge("p"),))) == BASE


def test_what_does_not_go_together_is_refused_with_a_reason() -> None:
    first, second = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 2))
    base = with_(not_before=first)
    with pytest.raises(InvalidTaskError, match=r"A was changed elsewhere meanwhile.*not_after is before"):
        merged(base, with_(not_before=second), with_(not_before=first, not_after=first))


def test_half_written_values_are_merged_as_they_are() -> None:
    base: dict[str, object] = {"schedule": {"type": "cron", "expression": "x"}}
    mine: dict[str, object] = {"schedule": {"type": "cron", "expression": "30 2 *"}}
    other: dict[str, object] = {"schedule": {"type": "cron", "expression": "x"}, "enabled": False}
    assert merge(base, mine, other) == mine | {"enabled": False}


def test_schedules_of_one_kind_are_merged_by_field() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    base = with_(schedule=Every(interval=60.0))
    mine, other = with_(schedule=Every(interval=90.0)), with_(schedule=Every(interval=60.0, start=start))
    assert merged(base, mine, other).schedule == Every(interval=90.0, start=start)


@given(TASKS, st.data())
def test_with_one_edit_alone_the_result_is_that_edit(base: Task, data: st.DataObject) -> None:
    edit = structs.replace(data.draw(TASKS), id=base.id)
    assert merged(base, edit, base) == edit
    assert merged(base, base, edit) == edit
    assert merged(base, edit, edit) == edit
