"""The identity of one due start on all computers of a list. Pure."""

import re

from msgspec import Struct

from desktopsched.model.fields import ID_PATTERN
from desktopsched.sharing.errors import SharingError

NOMINAL_MOST = 200
"""Characters. Together with the two ids it fits into the index of every store."""

_NOMINAL = re.compile(rf"[!-~](?:[ -~]{{0,{NOMINAL_MOST - 2}}}[!-~])?")


class Key(Struct, frozen=True, order=True):
    """List, task, and what the schedule says, without anything that may differ between computers.

    `nominal` is wall time, fold and zone for cron, the count for an interval, a request's own id for a start by hand.
    SharingError for what no store could hold.
    """

    list_id: str
    task_id: str
    nominal: str

    def __post_init__(self) -> None:
        for name, value in (("list", self.list_id), ("task", self.task_id)):
            if not ID_PATTERN.fullmatch(value):
                raise SharingError(
                    f"{value!r} cannot be the id of a shared {name}. Use 1 to 64 of a-z 0-9 . _ -"
                )
        if not _NOMINAL.fullmatch(self.nominal):
            raise SharingError(
                f"{self.nominal!r} cannot name a start. Use 1 to {NOMINAL_MOST} ASCII characters."
            )

    def __str__(self) -> str:
        return f"{self.task_id} {self.nominal}"
