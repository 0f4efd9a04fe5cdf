"""Trying: asks a shared list's server who it is, before anybody relies on it. Free of Qt; may take ten seconds a step.

What comes of it is for people: whether it answers, what it promises, how far it is in time and in distance; or what is
wrong and what to do about it. No password is in any of these words.
"""

import time
from collections.abc import Callable

from msgspec import Struct

from desktopsched.model import DesktopschedError
from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.offset import Offset, measure
from desktopsched.sharing.safety import Promise
from desktopsched.sharing.silence import SAYS
from desktopsched.sharing.store import Store

_JOURNEYS = 5
"""Questions of which the quickest answer counts: the first ones make connections."""


class Finding(Struct, frozen=True, kw_only=True):
    """What came of it: a headline, and sentences below it."""

    answers: bool
    promise: Promise = Promise.NONE  # where it answers
    clocks_agree: bool = True
    headline: str
    sentences: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it."""
        return " ".join((self.headline, *self.sentences))


def try_list(
    url: str, *, clock: Callable[[], float] = time.time, open_: Callable[[str], Store] = open_store
) -> Finding:
    """Ask the store at this address, its password in it."""
    try:
        store = open_(url)
    except DesktopschedError as error:
        return Finding(answers=False, headline="This cannot be used.", sentences=(str(error),))
    try:
        return _ask(store, clock)
    finally:
        store.close()


def _ask(store: Store, clock: Callable[[], float]) -> Finding:
    safety = store.check()
    if isinstance(safety, Unknown):
        return _silent(safety)
    offset, journey = _measure(store, clock)
    if isinstance(offset, Unknown):
        return _silent(offset)
    headline = "It answers, and cannot be relied upon." if safety.promise is Promise.NONE else "It answers."
    return Finding(
        answers=True,
        promise=safety.promise,
        clocks_agree=not offset.words,
        headline=headline,
        sentences=(safety.words, _of_clock(offset), f"A question takes {_milliseconds(journey)}."),
    )


def _measure(store: Store, clock: Callable[[], float]) -> tuple[Offset | Unknown, float]:
    """By the quickest of some answers, and how long that took: its time is the surest."""
    best, least = measure(store.now, clock), float("inf")
    for _ in range(_JOURNEYS):
        begun = time.monotonic()
        offset = measure(store.now, clock)
        took = time.monotonic() - begun
        if not isinstance(offset, Unknown) and took < least:
            best, least = offset, took
    return best, least


def _of_clock(offset: Offset) -> str:
    return offset.words or f"The clocks agree to {abs(offset.seconds) + offset.uncertainty:.1f} s."


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.002 else f"{seconds * 1000:.1f} ms"


def _silent(unknown: Unknown) -> Finding:
    meaning, says, words = unknown.reason.partition(SAYS)
    sentences = (f"{says.strip()} {words}",) if words else ()
    return Finding(answers=False, headline=meaning, sentences=sentences)
