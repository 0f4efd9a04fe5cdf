"""The clock: the only place in the program where somebody asks what time it is, and the only place that waits.

The wait follows the wall clock, so that sleep delays nothing: on Linux a realtime timer of the kernel, which also
reports that the clock was set or that the computer woke up; elsewhere a wait of at most `LONGEST_WAIT`.
"""

import ctypes
import errno
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol
from zoneinfo import ZoneInfo

import tzlocal

_LINUX: bool = sys.platform == "linux"

LONGEST_WAIT = 30.0
"""Seconds that a wait lasts at most where the system cannot report clock changes and resumes (it then looks itself)."""

SOURCE = (
    "a timer of the kernel, which reports clock changes and resumes"
    if _LINUX
    else f"waits of at most {LONGEST_WAIT:g} s"
)
"""What wakes the dispatcher, in words."""

_FAR = 10 * 365 * 86_400.0  # a timer that is armed reports clock changes even when nothing is due


class Clock(Protocol):
    """What the engine knows of time. Instants are seconds since 1970, UTC."""

    def now(self) -> float:
        """The wall clock."""

    def boottime(self) -> float:
        """Seconds that only the passing of time moves, sleep included: against it one sees that the clock was set."""

    def uptime(self) -> float:
        """The same without sleep: against `boottime` one sees how long the computer slept."""

    def zone(self) -> ZoneInfo:
        """The computer's time zone."""

    def wait(self, until: float | None) -> None:
        """Return at `until`, at a `wake`, or when the clock was set or the computer resumed; perhaps for no reason."""

    def wake(self) -> None:
        """Make the wait under way, or else the next one, return at once. From any thread."""

    def close(self) -> None:
        """Give back what the system lent. Nobody waits any more."""


class WallClock:
    """The computer's own clock, for those who only read it."""

    def __init__(self) -> None:
        self.now = time.time
        self.zone = _LocalZone().read


class SystemClock(WallClock):
    """The computer's own clock, and its alarm. One thread waits; any thread wakes it."""

    def __init__(self) -> None:
        super().__init__()
        self._alarm: _TimerFd | _BoundedAlarm = _TimerFd() if _LINUX else _BoundedAlarm()
        self.wait = self._alarm.wait
        self.wake = self._alarm.wake
        self.close = self._alarm.close

    @staticmethod
    def boottime() -> float:
        """Seconds since the computer started, sleep included."""
        if _LINUX:
            return time.clock_gettime(time.CLOCK_BOOTTIME)
        if sys.platform == "darwin":
            return time.clock_gettime(time.CLOCK_MONOTONIC)  # which counts sleep there, unlike time.monotonic
        return time.monotonic()

    @staticmethod
    def uptime() -> float:
        """Seconds that the computer was awake."""
        if sys.platform == "win32":
            return _unbiased()
        if sys.platform == "darwin":
            return time.clock_gettime(time.CLOCK_UPTIME_RAW)
        return time.monotonic()


def _unbiased() -> float:
    """Windows: time without sleep, in tenths of microseconds (QueryUnbiasedInterruptTime)."""
    ticks = ctypes.c_ulonglong()
    ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(ticks))  # type: ignore[attr-defined,unused-ignore]
    return ticks.value / 1e7


class _LocalZone:
    """The computer's zone, read again only when the file that says it was changed.

    A look at the file takes 24 µs in a process that has just woken up, a tenth of what a start takes, and whatever is
    due waits for it. So one look stands for all that are asked for within a second.
    """

    _SOURCE = "/etc/localtime"
    _EVERY = 1.0  # seconds

    def __init__(self, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._elapsed = elapsed
        self._seen: object = None
        self._zone = ZoneInfo("UTC")
        self._next_look = -math.inf

    def read(self) -> ZoneInfo:
        now = self._elapsed()
        if now >= self._next_look:
            self._next_look = now + self._EVERY
            self._look()
        return self._zone

    def _look(self) -> None:
        source = self._stamp()
        if source != self._seen:
            self._seen = source
            self._zone = _zone_or_utc()

    def _stamp(self) -> object:
        override = os.environ.get("TZ")
        if override is not None:
            return override
        try:
            found = os.lstat(self._SOURCE)
        except OSError:  # Windows, and the rare Linux without it
            return time.tzname
        return found.st_mtime_ns, found.st_ino


def _zone_or_utc() -> ZoneInfo:
    try:
        return tzlocal.reload_localzone()
    except (
        LookupError,
        ValueError,
    ):  # no zone is set, or one that nobody knows: the system's clock is then UTC
        return ZoneInfo("UTC")


class _BoundedAlarm:
    """A wait on a lock, for systems without a realtime timer. Never longer than `LONGEST_WAIT`."""

    def __init__(self) -> None:
        self._awake = threading.Event()

    def wait(self, until: float | None) -> None:
        rest = LONGEST_WAIT if until is None else min(until - time.time(), LONGEST_WAIT)
        if rest > 0:
            self._awake.wait(rest)
        self._awake.clear()

    def wake(self) -> None:
        self._awake.set()

    def close(self) -> None:
        """Nothing was lent."""


class _Spec(ctypes.Structure):
    """struct itimerspec: the interval, which stays zero, and the instant."""

    _fields_ = (
        ("interval_s", ctypes.c_long),
        ("interval_ns", ctypes.c_long),
        ("s", ctypes.c_long),
        ("ns", ctypes.c_long),
    )


class _TimerFd:
    """A realtime `timerfd` (timerfd_create(2)); by ctypes, since Python has it from 3.13 only.

    A blocking read returns within microseconds of the instant, where poll and epoll round to a millisecond. It is
    woken by arming the timer for the past. `_mutex` keeps a wake that comes just before the wait from being lost:
    the wait arms the timer only after it has looked at `_woken` under it.
    """

    _CLOCK_REALTIME = 0
    _CLOEXEC = 0o2000000
    _ABSTIME, _CANCEL_ON_SET = 1, 2

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd = self._libc.timerfd_create(self._CLOCK_REALTIME, self._CLOEXEC)
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        self._mutex = threading.Lock()
        self._woken = False

    def wait(self, until: float | None) -> None:
        with self._mutex:
            if not self._woken:
                self._arm(time.time() + _FAR if until is None else until)
        try:
            if not self._woken:
                os.read(self._fd, 8)
        except OSError as error:
            if error.errno != errno.ECANCELED:  # the clock was set, or the computer resumed
                raise
        with self._mutex:
            self._woken = False

    def wake(self) -> None:
        with self._mutex:
            if not self._woken and self._fd >= 0:
                self._woken = True
                self._arm(0.0)

    def close(self) -> None:
        with self._mutex:
            if self._fd >= 0:
                os.close(self._fd)
            self._fd = -1

    def _arm(self, instant: float) -> None:
        seconds, fraction = divmod(max(instant, 1e-9), 1.0)  # all zero would disarm it
        spec = _Spec(0, 0, int(seconds), int(fraction * 1e9))
        if (
            self._libc.timerfd_settime(
                self._fd, self._ABSTIME | self._CANCEL_ON_SET, ctypes.byref(spec), None
            )
            < 0
        ):
            code = ctypes.get_errno()
            if (
                code != errno.ECANCELED
            ):  # the clock was set since the last read; the timer is armed all the same
                raise OSError(code, "timerfd_settime")
