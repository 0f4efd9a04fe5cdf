"""The files of a run's folder: how it ended, and which processes it has. Lines of text that say when they are complete.

Written beside and moved into place; not made durable: what a power failure leaves of them is told by the last line.
"""

from __future__ import annotations

import os

from desktopsched.supervisor.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

RESULT = b"result"
PROCESSES = b"processes"
_COMPLETE = "complete"


class Processes:
    """Whom a run's folder is about. Ticks are from the start of the computer; 0: there is none."""

    __slots__ = ("boot", "child", "child_ticks", "supervisor", "supervisor_ticks")

    def __init__(
        self, *, boot: str, supervisor: int, supervisor_ticks: int, child: int = 0, child_ticks: int = 0
    ) -> None:
        self.boot = boot
        self.supervisor, self.supervisor_ticks = supervisor, supervisor_ticks
        self.child, self.child_ticks = child, child_ticks

    def encode(self) -> bytes:
        """As text."""
        return _lines({name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def decode(cls, data: bytes) -> Processes | None:
        """From such text; None if it is not complete, or not that."""
        try:
            said = _said(data)
            numbers = {name: int(said[name]) for name in cls.__slots__ if name != "boot"}
            return cls(boot=said["boot"], **numbers)
        except (ValueError, KeyError):
            return None


def encode_ending(ending: Ending) -> bytes:
    """An ending as text."""
    return _lines(
        {
            "at": repr(ending.at),
            "code": "" if ending.code is None else ending.code,
            "stopped": "" if ending.stopped is None else f"={ending.stopped}",
            "timed_out": int(ending.timed_out),
            "killed": int(ending.killed),
            "survivors": " ".join(map(str, ending.survivors)),
            "note": ending.note,
            "unstarted": ending.unstarted,
            "file": ending.file,
            "left": int(ending.left),
        }
    )


def decode_ending(data: bytes) -> Ending | None:
    """From such text; None if it is not complete, or not that."""
    try:
        said = _said(data)
        return Ending(
            at=float(said["at"]),
            code=int(said["code"]) if said["code"] else None,
            stopped=said["stopped"][1:] if said["stopped"] else None,
            timed_out=said["timed_out"] == "1",
            killed=said["killed"] == "1",
            survivors=tuple([int(pid) for pid in said["survivors"].split()]),
            note=said["note"],
            unstarted=int(said["unstarted"]),
            file=said["file"],
            left=said["left"] == "1",
        )
    except (ValueError, KeyError):
        return None


def put(folder: bytes, name: bytes, data: bytes) -> None:
    """Write a file of the folder, whole or not at all. Raises OSError."""
    file = os.path.join(folder, name)
    beside = file + b".new"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    finally:
        os.close(descriptor)
    os.rename(beside, file)


def _lines(values: Mapping[str, object]) -> bytes:
    lines = [f"{name}: {' '.join(str(value).splitlines())}" for name, value in values.items()]
    return "\n".join([*lines, _COMPLETE, ""]).encode("utf-8", "surrogateescape")


def _said(data: bytes) -> dict[str, str]:
    *lines, complete = data.decode("utf-8", "surrogateescape").split("\n")[:-1]
    if complete != _COMPLETE:
        raise ValueError("it is not complete")
    return dict([line.split(": ", 1) for line in lines])
