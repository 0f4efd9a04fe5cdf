"""What a shared list asks of the command line: `claims`, `hand-over`, `take-back`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from desktopsched import phrases
from desktopsched.cli.act import asked
from desktopsched.cli.options import as_json_option
from desktopsched.cli.table import print_table
from desktopsched.control.wire import Message
from desktopsched.engine.clock import WallClock
from desktopsched.model import DesktopschedError, NotSharedError
from desktopsched.storage.home import Home
from desktopsched.storage.preferences import PreferencesFile

if TYPE_CHECKING:
    from desktopsched.claiming.shared import SharedList
    from desktopsched.sharing.answers import Unknown
    from desktopsched.sharing.claim import Claim

_T = TypeVar("_T")


class SilentListError(DesktopschedError):
    """The shared list does not answer; says why."""


@click.command()
@as_json_option
@click.option("--prune", is_flag=True, help="Delete what ended more than seven days ago.")
@click.pass_obj
def claims(home: Home, *, as_json: bool, prune: bool) -> None:
    """Who has what of the shared list: all that is claimed or under way, on all computers."""
    with _shared(home) as shared:
        if prune:
            _say_pruned(_answer(shared.prune()), as_json=as_json)
            return
        found = _answer(shared.claims())
    if as_json:
        for claim in found:
            click.echo(json.dumps(_as_message(claim), ensure_ascii=False))
        return
    zone = WallClock().zone()
    head = ("Task", "Due", "Start", "Computer", "State", "Token", "Lease left")
    lines = [
        (
            claim.key.task_id,
            phrases.clock(claim.due, claim.read_at, zone),
            claim.key.nominal,
            claim.owner,
            claim.state.value,
            str(claim.token),
            "over" if claim.abandoned else phrases.span(claim.lease_left),
        )
        for claim in found
    ]
    print_table(head, lines)
    if not found:
        click.echo("Nothing is claimed or under way.", err=True)


def _say_pruned(number: int, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"pruned": number}))
    else:
        click.echo(f"{number} {'claim' if number == 1 else 'claims'} deleted.")


def _as_message(claim: "Claim") -> Message:
    zone = WallClock().zone()
    return {
        "task": claim.key.task_id,
        "start": claim.key.nominal,
        "due": phrases.iso(claim.due, zone),
        "owner": claim.owner,
        "state": claim.state.value,
        "token": claim.token,
        "lease_left": round(claim.lease_left, 1),
        "abandoned": claim.abandoned,
    }


@contextmanager
def _shared(home: Home) -> "Iterator[SharedList]":
    """The list that the preferences name, looked at beside a program or without one. NotSharedError."""
    preferences = PreferencesFile(home.preferences).load()
    if not preferences.shared_list:
        raise NotSharedError
    from desktopsched import joining  # loaded only where a list is shared

    shared = joining.join(preferences, secret="")
    try:
        yield shared
    finally:
        shared.close()


def _answer(found: "_T | Unknown") -> _T:
    """What the store says. SilentListError."""
    from desktopsched.sharing.answers import Unknown  # as above

    if isinstance(found, Unknown):
        raise SilentListError(f"The shared list is out of reach. {found.reason}")
    return found


@click.command("hand-over")
@click.pass_obj
def hand_over(home: Home) -> None:
    """Leave all further starts to the other computers that share the list, until `take-back`; what runs goes on."""
    list(asked(home, {"do": "hand claims over"}))


@click.command("take-back")
@click.pass_obj
def take_back(home: Home) -> None:
    """Let the running program start tasks again after `hand-over`."""
    list(asked(home, {"do": "take claims back"}))
