"""Where a shared list is in ZooKeeper's tree. Pure.

    /desktopsched/about                                  the identity of the content
    /desktopsched/clock                                  written to, to learn what time it is there
    /desktopsched/lists/<list>/open/<task> <start>       one for each start that is claimed or started
    /desktopsched/lists/<list>/tasks/<task>              its data is the task's floor, in microseconds
    …/<task>/<bucket>/<start>                            the row
    …/<task>/<bucket>/<start>/lease                      ephemeral: gone when its owner's session is

Rows lie in buckets, since a server does not send a list of children that is longer than a megabyte.
"""

import zlib
from urllib.parse import quote, unquote

from msgspec import Struct

from desktopsched.sharing.key import Key

ROOT = "/desktopsched"
ABOUT = f"{ROOT}/about"
CLOCK = f"{ROOT}/clock"
BUCKETS = 16


class Places(Struct, frozen=True):
    """Of one start."""

    task: str
    bucket: str
    row: str
    lease: str
    open: str

    @classmethod
    def of(cls, key: Key) -> "Places":
        """By the key alone: two computers must not look for one start in two places."""
        task = f"{tasks_of(key.list_id)}/{key.task_id}"
        bucket = f"{task}/{zlib.crc32(key.nominal.encode()) % BUCKETS:02}"
        row = f"{bucket}/{_name(key.nominal)}"
        return cls(
            task, bucket, row, f"{row}/lease", f"{open_of(key.list_id)}/{key.task_id} {_name(key.nominal)}"
        )


def tasks_of(list_id: str) -> str:
    """Where a list's tasks are."""
    return f"{ROOT}/lists/{list_id}/tasks"


def open_of(list_id: str) -> str:
    """Where a list's open starts are."""
    return f"{ROOT}/lists/{list_id}/open"


def key_of_open(list_id: str, name: str) -> Key:
    """The start that a child of `open_of` stands for."""
    task_id, _, start = name.partition(" ")
    return Key(list_id, task_id, nominal_of(start))


def nominal_of(name: str) -> str:
    """What a row's name means."""
    return unquote(name[1:])


def _name(nominal: str) -> str:
    """Without slashes, and never `.` or `..`."""
    return "=" + quote(nominal, safe=":+,[]@")
