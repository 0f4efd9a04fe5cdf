"""Drafts: what is done with a task before it is on the list. It is tried, and its secrets are put into the keychain.

A test is performed as a run is, with the same environment, folder, time limit, stop and masking, and leaves nothing
behind: no row in the history, no log on the disk, no mark at a child. Where runs have supervisors it has one too, which
ends it if the program dies. Free of Qt; it has threads of its own, so that
neither a keychain that waits for a password nor a test that hangs holds up a run.
"""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import structs

from desktopsched.actions.elsewhere import Elsewhere, nowhere
from desktopsched.actions.keychain import read_keychain, store_in_keychain
from desktopsched.actions.open import open_on_desktop
from desktopsched.actions.perform import GRACE, Performer
from desktopsched.actions.surroundings import Places
from desktopsched.engine.pool import Workers
from desktopsched.model import Cause, DesktopschedError, Outcome, Reminder, Run, State, StopRequest, Task
from desktopsched.storage.runfolders import RunFolders, remove

TEST_RUN = 0
"""The number that a test is told as its run: runs of the history begin at 1."""

_THREADS = 8  # more forms with a test under way than this wait for each other

Shown = Callable[[str], None]
Ended = Callable[[Outcome, float], None]
"""How a test ended, and after how many seconds."""


class Draft:
    """One thing to try: a task as it is written now, and the values of its secrets that no keychain has yet."""

    def __init__(self, task: Task, secrets: Mapping[str, str] | None = None) -> None:
        """`secrets`: values by their names in the keychain. They are kept here alone, and never shown."""
        self.task, self._secrets = task, dict(secrets or {})

    def read_secret(self, name: str) -> str:
        """What was typed, else what the keychain has. CannotStartError."""
        typed = self._secrets.get(name)
        return read_keychain(name) if typed is None else typed


class Drafts:
    """Tests, and values on their way into the keychain. From any thread, and without waiting but for `close`."""

    def __init__(
        self,
        now: Callable[[], float],
        *,
        remind: Callable[[Task, Run], bool] | None = None,
        open_target: Callable[[str], bool] | None = open_on_desktop,
        grace: float = GRACE,
        folders: RunFolders | None = None,
        elsewhere: Elsewhere = nowhere,
    ) -> None:
        """`now` tells a test what it was due for; `remind`, `open_target`, `grace`, `elsewhere`: see `Performer`.

        In `folders` is what a test needs for its supervisor; None: it has none.
        """
        self._remind, self._open_target = remind, open_target
        self._now, self._grace, self._folders = now, grace, folders
        self._elsewhere = elsewhere
        self._pool = Workers(_THREADS)
        self._lock = threading.Lock()
        self._under_way: set[StopRequest] = set()
        self._closed = ""  # why nothing more is done

    def test(self, draft: Draft, shown: Shown, ended: Ended) -> StopRequest:
        """Perform it now; `shown` hears its output and `ended` how it ended, on a thread of its own.

        What is given back stops it: the whole process tree, as for a run.
        """
        stop = StopRequest()
        with self._lock:
            if not self._closed:
                self._under_way.add(stop)
                self._pool.hand_off(lambda: self._perform(draft, stop, shown, ended))
                return stop
        ended(Outcome(State.CANCELLED, self._closed), 0.0)
        return stop

    def store(
        self, secrets: Mapping[str, str], done: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """Put values into the keychain, by their names there; then `done`, or `failed` with plain words.

        Both on a thread of ours. The keychain may ask the person for a password, and wait for it.
        """

        def work() -> None:
            try:
                for name, value in secrets.items():
                    store_in_keychain(name, value)
            except DesktopschedError as error:
                failed(str(error))
            else:
                done()

        with self._lock:
            if not self._closed:
                self._pool.hand_off(work)
                return
        failed(f"{self._closed[:1].upper()}{self._closed[1:]}.")

    def stop(self, reason: str) -> None:
        """Take nothing more, and ask all tests to end."""
        with self._lock:
            self._closed = self._closed or reason
            stops = tuple(self._under_way)
        for stop in stops:
            stop.request(reason)

    def close(self) -> None:
        """Wait until all tests have ended, and all that was to be stored is stored. After `stop`."""
        self._pool.shutdown(wait=True)

    def _perform(self, draft: Draft, stop: StopRequest, shown: Shown, ended: Ended) -> None:
        begin = time.monotonic()
        task, now = _apart(draft.task), self._now()
        run = Run(id=TEST_RUN, task_id=task.id, scheduled_for=now, cause=Cause.MANUAL, stop=stop)
        folder = _Folder(self._folders) if self._folders is not None else None
        performer = Performer(
            _no_log,
            on_output=lambda _run, text: shown(text),
            remind=self._remind,
            open_target=self._open_target,
            read_secret=draft.read_secret,
            grace=self._grace,
            places=folder.places() if folder is not None else None,
            elsewhere=self._elsewhere,
        )
        outcome = performer.perform(task, run)
        if folder is not None:
            folder.remove()
        with self._lock:
            self._under_way.discard(stop)
        ended(outcome, time.monotonic() - begin)


def _apart(task: Task) -> Task:
    """A reminder that is tried has a card of its own: it is neither counted nor snoozed with the task's."""
    return structs.replace(task, id=f"{task.id} (test)") if isinstance(task.action, Reminder) else task


class _Folder:
    """Where the supervisor of a test keeps what it needs, while it lasts."""

    def __init__(self, folders: RunFolders) -> None:
        self._folders = folders
        self._made: Path | None = None

    def places(self) -> Places:
        return Places(
            new_folder=self._new,
            begin_log=lambda _task_id, _run_id: None,
            end_log=lambda _task_id, _run_id: None,
            outlive=lambda _: False,
        )

    def remove(self) -> None:
        if self._made is not None:
            remove(self._made)

    def _new(self, _run: Run) -> Path:
        self._made = self._folders.new_test()
        return self._made


class _NoLog:
    """A log that keeps nothing."""

    def write(self, data: bytes, /) -> object:
        """Nobody reads it later."""

    def close(self) -> None:
        """There is nothing to close."""


def _no_log(_task_id: str, _run_id: int) -> _NoLog:
    return _NoLog()
