"""How a process ended, as facts. The words for it belong to the program, which knows the task."""

from __future__ import annotations


class Ending:
    """One attempt's end."""

    __slots__ = (
        "at",
        "code",
        "file",
        "killed",
        "left",
        "note",
        "stopped",
        "survivors",
        "timed_out",
        "unstarted",
    )

    def __init__(
        self,
        *,
        code: int | None = None,
        stopped: str | None = None,
        timed_out: bool = False,
        killed: bool = False,
        survivors: tuple[int, ...] = (),
        note: str = "",
        unstarted: int = 0,
        file: str = "",
        left: bool = False,
        at: float = 0.0,
    ) -> None:
        self.code = code  # as `subprocess` gives it: negative for a signal; None: it was brought down
        self.stopped = stopped  # why, if it was asked to end
        self.timed_out = timed_out
        self.killed = killed  # something of it did not end when it was asked
        self.survivors = survivors  # the pids of what will not die
        self.note = note  # "log cut: no space"
        self.unstarted = unstarted  # the system's number for why it could not be started; 0: it was
        self.file = file  # which that error is about
        self.left = left  # it was stopped because the program died
        self.at = at  # seconds since 1970
