"""Starting a run's process: own session, no stdin, one pipe for all output. In its supervisor."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from desktopsched.supervisor.order import Order

_IGNORED_BY_PYTHON = (13, 25)  # SIGPIPE and SIGXFSZ, which others rely on


def spawn(order: Order) -> tuple[int, int]:
    """Start it; its pid, and the reading end of its pipe.

    Raises OSError with the file that it is about: the working folder or the program. stdout and stderr share one pipe,
    so that their order is kept (L11).
    """
    ours, theirs = os.pipe()
    try:
        os.chdir(order.cwd)
        pid = _spawn(order, theirs)
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
        os.chdir("/")  # no folder is held for longer than its process needs it
    return pid, ours


def _spawn(order: Order, output: int) -> int:
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output, 1),
        (os.POSIX_SPAWN_DUP2, output, 2),
    ]
    number = errno.ENOENT
    for file in _candidates(order):
        try:
            return os.posix_spawn(
                file,
                order.argv,
                order.env,
                file_actions=actions,
                setsid=True,
                setsigdef=_IGNORED_BY_PYTHON,
            )
        except OSError as error:
            if number == errno.ENOENT and error.errno not in {errno.ENOENT, errno.ENOTDIR}:
                number = error.errno or number
    raise OSError(number, os.strerror(number), order.argv[0])


def _candidates(order: Order) -> list[bytes]:
    """The files that the program's name may mean, in the order in which they are tried."""
    name = order.argv[0]
    if b"/" in name:
        return [name]
    path = order.env.get(b"PATH", os.fsencode(os.defpath))
    files = [os.path.join(folder, name) for folder in path.split(b":")]
    return [file for file in files if os.access(file, os.F_OK)]
