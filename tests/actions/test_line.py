"""The program's end of the line to a supervisor."""

import socket
import threading

from desktopsched.actions.line import Line


def test_a_stop_that_is_overtaken_by_the_end_of_its_run_leaves_no_thread() -> None:
    """Who stops a run does so on a thread of his own: the line may be closed while he is on his way."""
    ours, theirs = socket.socketpair()
    line, before = Line(ours), threading.active_count()
    with theirs:
        line.close()
        line.stop("stopped by you", 300.0)
    assert threading.active_count() <= before
