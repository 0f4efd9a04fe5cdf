"""Loops that a new link would close, in words. Pure, no Qt."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from desktopsched.model.graph import way
from desktopsched.model.problem import shorten

_NAMED_MOST = 6
_FIRST, _LAST = 3, 2  # tasks of a longer loop that are named
_NAME_MOST = 40  # characters: a loop is read at a glance or not at all
_ISOLATED = "\u2068{}\u2069"  # of a name from right to left the sentence round it keeps its own direction

ParentsOf = Callable[[str], Iterable[str]]
NameOf = Callable[[str], str]


def loop(parent: str, child: str, parents_of: ParentsOf) -> list[str]:
    """The loop that is closed where `child` is to wait for `parent`, in the order in which its tasks run.

    It begins with the child and ends with the parent; empty: none.
    """
    return way(parent, child, parents_of)[::-1]


def refusal(parent: str, child: str, parents_of: ParentsOf, name_of: NameOf) -> str:
    """Why `child` cannot wait for `parent`; empty: it can."""
    if parent == child:
        return f"{shown(name_of(child))} cannot wait for itself."
    if parent in parents_of(child):
        return f"{shown(name_of(child))} waits for {shown(name_of(parent))} already."
    found = loop(parent, child, parents_of)
    if not found:
        return ""
    names = [shown(name_of(one)) for one in (*found, child)]
    return f"These tasks would wait for each other: {chain(names)}."


def chain(names: Sequence[str]) -> str:
    """The names one after the other; of many the first and the last."""
    if len(names) > _NAMED_MOST:
        left_out = len(names) - _FIRST - _LAST
        names = [*names[:_FIRST], f"… ({left_out:,} more)", *names[-_LAST:]]
    return " → ".join(names)


def shown(name: str) -> str:
    """A name as it stands in a sentence."""
    found = shorten(name, _NAME_MOST)
    turned = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in found)
    return _ISOLATED.format(found) if turned else found
