"""One run on a cluster, followed from here to its end. On the run's pool thread.

The promise is "never twice": an attempt is one task of the cluster with one permit, so a task that the cluster runs
again, because a worker died, starts nothing. And an attempt does not end here before what it started must have ended
there, so that the next one never runs beside it.
"""

import contextlib
import secrets
import time
from typing import TYPE_CHECKING, Any

from desktopsched.actions.failure import CannotStartError
from desktopsched.cluster.baggage import baggage
from desktopsched.cluster.connect import carried_relay
from desktopsched.cluster.errand import UNSTARTED
from desktopsched.cluster.errors import ClusterError
from desktopsched.cluster.inbox import Cut, Inbox, Over
from desktopsched.cluster.job import Job
from desktopsched.cluster.relay import LENGTH, PERMIT, REFUSED
from desktopsched.model import Run
from desktopsched.supervisor.attempt import DRAIN
from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.frames import ENDED, HELLO, ORDER, OUTPUT, STOP, Frames, frame
from desktopsched.supervisor.ladder import SWEEP
from desktopsched.supervisor.output import Output
from desktopsched.supervisor.result import decode_ending

if TYPE_CHECKING:
    from distributed import Client, Future

LOST_WORKER = "the cluster lost its worker while it ran"
LOST_CONNECTION = "the connection to the Dask cluster was lost while it ran; by now the worker has ended it"

_SIGNS = 4  # of life within the patience
_KILLED = 1.0  # seconds in which what was killed is gone
_DEAF = 10.0  # seconds more than a stop needs at most
_LONG = 3600.0
_NOTICEABLE = 2.0
_LAST = "last"  # said to ourselves when the task is over: what was on its way has come before it


class Follower:
    """Sends one job to a cluster and hears of it."""

    def __init__(self, client: "Client", job: Job, run: Run, output: Output) -> None:
        """Sends it. ClusterError: that could not be done."""
        self._job, self._run, self._output, self._patience = job, run, output, job.patience
        self._client = client
        self._frames = Frames()
        self.worker = ""  # which one has taken it
        self._signed = time.monotonic()  # when the last sign of life was given
        self._waits = False  # for a worker, and has said so
        self._was_taken = False  # by a worker, when its time for that was over
        self._asked: float | None = None  # when a stop was asked for
        try:
            self._send()
        except (OSError, TimeoutError, RuntimeError) as error:  # RuntimeError: the connection is closed
            raise ClusterError(f"The Dask cluster did not take the run: {error}. Try it again.") from error

    def _send(self) -> None:
        from distributed import Queue

        run, job, client = self._run, self._job, self._client
        key = (
            f"{run.task_id}/{run.scheduled_for:.3f}/run-{run.id}/attempt-{run.attempt}/{secrets.token_hex(8)}"
        )
        self._down: Any = Queue(f"{key}/down", client=client)
        self._up: Any = Queue(f"{key}/up", client=client, maxsize=LENGTH)
        self._down.put(PERMIT)
        # Of the arguments of a task that fails Dask logs the first thousand characters: the job, which may have
        # secrets, comes after those.
        self._task: Future = client.submit(
            carried_relay(),
            baggage(),
            frame(ORDER, job.encode()),
            self._down.name,
            self._up.name,
            job.patience,
            key=key,
            pure=False,
            retries=0,
        )
        self._inbox = Inbox(client, self._up, self._task)

    def follow(self) -> Ending:
        """To its end. ClusterError: that is not known, or it never began; CannotStartError: it could not be started."""
        take_back = self._run.stop.on_request(self._inbox.wake)
        try:
            return self._follow()
        finally:
            take_back()

    def close(self) -> None:
        """Leave nothing of it in the cluster."""
        self._inbox.close()
        if self._client.status == "running":
            self._task.release()
            self._down.close()
            self._up.close()

    def _follow(self) -> Ending:
        begin = time.monotonic()
        while True:
            if self._run.stop.requested and self._asked is None and not self._ask_to_stop():
                return Ending(stopped=self._run.stop.reason)
            self._check_times(begin)
            message = self._inbox.take(self._nap(begin))
            ending = self._hear(message)
            if ending is not None:
                return ending

    def _hear(self, message: object) -> Ending | None:
        match message:
            case str() if message == _LAST:
                self._lose_worker()
            case str():
                self.worker = message
                self._sign()  # with the first one the worker begins
            case bytes():
                return self._read(message)
            case Over():
                self._is_over(message)
            case Cut():
                self._lose_connection()
        return None

    def _read(self, data: bytes) -> Ending | None:
        for kind, text in self._frames.feed(data):
            if kind == OUTPUT:
                self._output.write(text)
            elif kind == UNSTARTED:
                raise CannotStartError(f"On the worker {self.worker}: {text.decode('utf-8', 'replace')}")
            elif kind == ENDED:
                return decode_ending(text)
        return None

    # --- stopping ------------------------------------------------------------------------------------------

    def _ask_to_stop(self) -> bool:
        """Whether there is something to wait for: a run that no worker has taken is taken back."""
        self._asked = time.monotonic()
        if not self.worker and self._take_back():
            return False
        self._inbox.say(self._down, frame(STOP, (self._run.stop.reason or "").encode()))
        return True

    def _take_back(self) -> bool:
        """Take the permit away, so that it starts nowhere; False: a worker was quicker."""
        try:
            taken = PERMIT in self._down.get(batch=True)
        except (OSError, TimeoutError):
            return True  # nobody gives a sign of life, without which no worker begins
        if taken:
            self._task.cancel()
        return taken

    # --- times ---------------------------------------------------------------------------------------------

    def _nap(self, begin: float) -> float:
        """How long nothing is to be done."""
        if self.worker:
            ends = [self._signed + self._patience / _SIGNS]
        else:
            ends = [time.monotonic() + _LONG if self._waits else begin + _NOTICEABLE]
        if self._may_expire and self._job.timeout is not None:
            ends.append(begin + self._job.timeout)
        if self._asked is not None:
            ends.append(self._asked + self._longest_stop)
        if (due := self._output.live.due) is not None:
            ends.append(due)
        return min(ends) - time.monotonic()

    @property
    def _may_expire(self) -> bool:
        """Whether its time to find a worker may be over without one."""
        return not self.worker and self._asked is None and not self._was_taken

    @property
    def _longest_stop(self) -> float:
        return self._job.grace + SWEEP + 2 * DRAIN + _DEAF

    def _check_times(self, begin: float) -> None:
        now = time.monotonic()
        self._output.live.flush()
        if self.worker and now >= self._signed + self._patience / _SIGNS:
            self._sign()
        if not self.worker and not self._waits and now >= begin + _NOTICEABLE:
            self._waits = True
            self._output.live.say("It waits for a worker of the Dask cluster.")
        if self._asked is not None and now >= self._asked + self._longest_stop:
            raise ClusterError("the cluster did not answer when it was asked to stop the run")
        limit = self._job.timeout
        if self._may_expire and limit is not None and now >= begin + limit:
            if self._take_back():
                raise ClusterError(f"no worker of the Dask cluster was free within {limit:g} s")
            self._was_taken = True

    def _sign(self) -> None:
        self._signed = time.monotonic()
        self._inbox.say(self._down, frame(HELLO))

    # --- what goes wrong -----------------------------------------------------------------------------------

    def _is_over(self, over: Over) -> None:
        """The task has ended; how the run ended is still on its way, if anybody knows it."""
        if over.error is None and over.result not in {"", REFUSED}:
            raise ClusterError(f"lost: {over.result}")
        if over.error is not None and _is_cut(over.error):
            self._lose_connection()
        if over.error is not None and not _is_lost_worker(over.error):
            raise ClusterError(f"The Dask cluster could not run it: {over.error}") from over.error
        self._inbox.say(self._up, _LAST)

    def _lose_worker(self) -> None:
        """It may live, and only be out of reach: it hears no sign of life any more, also none that was on its way."""
        with contextlib.suppress(OSError, TimeoutError):
            self._down.get(batch=True)
        self._wait_for_remains(time.monotonic())
        raise ClusterError(LOST_WORKER)

    def _lose_connection(self) -> None:
        if self.worker:
            self._wait_for_remains(self._signed)
        raise ClusterError(LOST_CONNECTION)

    def _wait_for_remains(self, last_sign: float) -> None:
        """What it started ends when its patience is over. Who stops the run, or the program, does not wait for that."""
        span = self._patience + self._job.grace + _KILLED
        self._output.live.say(
            f"The cluster is out of reach. What it may still run there ends within {span:.0f} s."
        )
        until = last_sign + span
        while not self._run.stop.requested and (rest := until - time.monotonic()) > 0:
            self._inbox.take(rest)


def _is_cut(error: BaseException) -> bool:
    """Whether the client gave up its tasks, because its scheduler is out of reach."""
    return type(error).__name__ in {"FutureCancelledError", "CancelledError", "CommClosedError"}


def _is_lost_worker(error: BaseException) -> bool:
    return type(error).__name__ == "KilledWorker"
