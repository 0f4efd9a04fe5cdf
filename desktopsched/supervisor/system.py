"""What the standard library has only behind modules that are slow to load: `signal` brings `enum`, `socket` much more.

Both stand on the two modules that are used here, and add names and checks to them. Linux.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    import socket
    from collections.abc import Iterable
else:
    import _signal as signal
    import _socket as socket

_SOL_SOCKET, _SO_PEERCRED = 1, 17
_PR_SET_CHILD_SUBREAPER = 36

SIGCHLD = 17


def catch_signals(numbers: Iterable[int]) -> int:
    """Let signals be read from a descriptor, which is returned: a byte for each, its number."""
    asleep, waker = os.pipe()
    os.set_blocking(asleep, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, lambda *_: None)
    return asleep


def send_signal(pidfd: int, number: int) -> None:
    """Signal this very process. Raises OSError."""
    signal.pidfd_send_signal(pidfd, number)


def accept_line(listener: int) -> int:
    """The descriptor of whoever connected. Raises OSError."""
    borrowed = socket.socket(fileno=listener)
    try:
        line: int = borrowed._accept()[0]  # type: ignore[attr-defined]  # noqa: SLF001 - what `socket` itself calls
    finally:
        borrowed.detach()
    return line


def peer_uid(line: int) -> int:
    """Whose process is at the other end. Raises OSError."""
    borrowed = socket.socket(fileno=line)
    try:
        return int.from_bytes(borrowed.getsockopt(_SOL_SOCKET, _SO_PEERCRED, 12)[4:8], "little")
    finally:
        borrowed.detach()


def become_subreaper() -> bool:
    """Whether orphans among our descendants become our children from now on."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False
