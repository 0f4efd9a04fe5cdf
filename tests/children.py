"""Child processes of the one that tests. Servers that tests share are among them, and end after many tests."""

from collections.abc import Collection
from contextlib import suppress

import psutil


def child_pids() -> set[int]:
    """Of those that are there now: what a test finds when it begins is not its own."""
    return {child.pid for child in psutil.Process().children()}


def children_since(before: Collection[int]) -> list[psutil.Process]:
    """Those whose pids were not there before."""
    return [child for child in psutil.Process().children() if child.pid not in before]


def families_since(before: Collection[int]) -> list[psutil.Process]:
    """The same, and what came from them."""
    found: list[psutil.Process] = []
    for child in children_since(before):
        with suppress(psutil.Error):
            found += [child, *child.children(recursive=True)]
    return found
