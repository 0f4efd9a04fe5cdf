"""The supervisor of one run: a process that starts the task's own, and outlives the program. Linux.

It is given the line to the program as descriptor 0 and a listening socket, for the next program, as descriptor 1.
Nothing is started before the whole order has come: a program that dies before has started nothing.
"""

from __future__ import annotations

import os
import select
import time

from desktopsched.supervisor.attempt import Attempt
from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.family import Family, boot_id, start_ticks
from desktopsched.supervisor.frames import ENDED, HELLO, ORDER, OUTPUT, Frames, frame
from desktopsched.supervisor.link import Link, Wish
from desktopsched.supervisor.logfile import LogFile
from desktopsched.supervisor.order import Order
from desktopsched.supervisor.output import Output
from desktopsched.supervisor.result import PROCESSES, RESULT, Processes, encode_ending, put
from desktopsched.supervisor.signalling import kill
from desktopsched.supervisor.spawn import spawn
from desktopsched.supervisor.system import become_subreaper
from desktopsched.supervisor.watch import CHUNK, Watch, hear_signals

_LINE, _LISTENER = 0, 1
_LAST_WORDS = 5.0  # seconds that a slow program has to take them; what is kept is on the disk by then
_LEFT = "the program ended, and its runs with it"


def main() -> None:
    """Run what is ordered, and end the process."""
    frames = Frames()
    order = _take_order(_LINE, frames)
    if order is not None:
        _Supervisor(order, frames).run()
    os._exit(0)  # nothing is left to tidy up, and that takes its time


def _take_order(line: int, frames: Frames) -> Order | None:
    """The order, once it is complete; None if the program died before that."""
    while data := os.read(line, CHUNK):
        for kind, text in frames.feed(data):
            return Order.decode(text) if kind == ORDER else None
    return None


class _Supervisor:
    """One run, from the order to the result."""

    def __init__(self, order: Order, frames: Frames) -> None:
        self._order = order
        self._left = False
        self._wish = Wish()
        self._link = Link(_LINE, _LISTENER, frames, self._wish, self._is_left)

    def run(self) -> None:
        """All of it."""
        subreaper = become_subreaper()
        signals = hear_signals()
        try:
            child, pipe = spawn(self._order)
        except OSError as error:
            file = os.fsdecode(error.filename or b"")
            self._tell(Ending(unstarted=error.errno or 0, file=file))
            return
        family = Family(child, self._order.mark, subreaper=subreaper)
        try:
            self._introduce(child)
            watch = Watch(family, pipe, signals, self._link, self._wish)
            self._tell(self._follow(watch, family))
            watch.reap()
        except BaseException:  # a mistake of ours: nothing is left behind without an owner
            kill(family.group, family.living())
            raise

    def _introduce(self, child: int) -> None:
        who = Processes(
            boot=boot_id(),
            supervisor=os.getpid(),
            supervisor_ticks=start_ticks(os.getpid()),
            child=child,
            child_ticks=start_ticks(child),
        ).encode()
        try:
            put(self._order.folder, PROCESSES, who)
        except OSError:
            pass  # a full disk: the marker finds the processes as well
        self._link.greeting = frame(HELLO, who)
        self._link.say(HELLO, who)

    def _follow(self, watch: Watch, family: Family) -> Ending:
        order = self._order
        output = Output(self._open_log, self._show, order.secrets, ready=lambda: self._link.idle)
        attempt = Attempt(watch, family, output, self._wish, watch.exit_code, grace=order.grace)
        ending = attempt.follow(order.timeout)
        ending.left = self._left and ending.stopped == _LEFT
        return ending

    def _open_log(self) -> LogFile | None:
        return LogFile(os.fsdecode(self._order.log)) if self._order.log else None

    def _show(self, text: str) -> None:
        self._link.say(OUTPUT, text.encode())

    def _is_left(self) -> None:
        if self._order.stop_when_left:
            self._left = True
            self._wish.request(_LEFT)

    def _tell(self, ending: Ending) -> None:
        """Keep the result, then hand it to the program, if it is there and takes it."""
        ending.at = time.time()
        result = encode_ending(ending)
        try:
            put(self._order.folder, RESULT, result)
        except OSError:
            pass  # a full disk: the program hears it all the same, if it is there
        self._link.say(ENDED, result)
        deadline = time.monotonic() + _LAST_WORDS
        poll = select.poll()
        while self._link.pending and (rest := deadline - time.monotonic()) > 0:
            poll.register(self._link.line, select.POLLOUT)
            if poll.poll(rest * 1000):
                self._link.push()
