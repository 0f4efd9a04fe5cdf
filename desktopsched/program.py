"""The program: one home, opened. The composition root, free of Qt; the fronts (window, command line) stand on it.

It ties storage, engine and actions together: what people change goes to the task list (`tasklist`), what the dispatcher
says goes to the history and then to whoever listens. The front gives `dispatcher.loop` a thread.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from desktopsched import keeping
from desktopsched.actions.open import open_on_desktop
from desktopsched.actions.perform import Performer
from desktopsched.actions.supervised import UnderWay
from desktopsched.actions.surroundings import Places
from desktopsched.adopting import Adoption
from desktopsched.clearing import Clearing
from desktopsched.cluster.cluster import Cluster
from desktopsched.drafts import Drafts
from desktopsched.engine import words
from desktopsched.engine.clock import WallClock
from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.events import (
    Event,
    Remembered,
    RunFinished,
    RunOutput,
    RunRetrying,
    RunsMissed,
    RunStarted,
    TaskDisabled,
)
from desktopsched.engine.pool import Workers
from desktopsched.ledger import Answer, Ledger
from desktopsched.model import (
    CatchUp,
    NotSharedError,
    Outcome,
    Run,
    State,
    StorageError,
    Task,
    UnknownTaskError,
)
from desktopsched.storage.history import History
from desktopsched.storage.home import Home
from desktopsched.storage.preferences import Preferences, PreferencesFile
from desktopsched.storage.runfolders import RunFolders
from desktopsched.storage.runlogs import RunLogs
from desktopsched.storage.taskfile import TaskFile
from desktopsched.storage.watch import LOCAL_ZONE, Watch
from desktopsched.tasklist import TaskList

if TYPE_CHECKING:
    from desktopsched.claiming.shared import SharedList
    from desktopsched.membership import Membership

_log = logging.getLogger(__name__)

_CLOSED = "the program was closed"
_WRITTEN_IN_CLEAR = (
    "The address of the shared list has its password in it. Save it once in the preferences: then the password goes"
    " into the keychain, and out of the file."
)
_SPARE_THREADS = 16  # for reminders and `open`, which need no worker
_DAY = 86_400.0

Listener = Callable[[Event], None]


class Notice(Event, frozen=True, kw_only=True):
    """The program has something to tell the person: about the task file, the history, a setting."""

    text: str


class ClocksDiffer(Event, frozen=True, kw_only=True):
    """The computer's clock and the shared list's are apart; with no words, they are not any more."""

    words: str


class Program:
    """Owns everything of a home while it is open. Methods that touch files are for any thread but a window's."""

    def __init__(
        self,
        home: Home,
        kind: str,
        *,
        remind: Callable[[Task, Run], bool] | None = None,
        open_target: Callable[[str], bool] | None = open_on_desktop,
        supervised: bool = True,
        share: "Callable[[str], SharedList] | None" = None,
    ) -> None:
        """`kind` is told to others who want the home: `window` or `serve`. For the rest see `Performer`.

        `share` opens the list that other computers have too, given what this home alone knows; None: the one that the
        preferences name, if they do.
        """
        self.home = home
        self.kind = kind
        self.notices: list[
            str
        ] = []  # what the person should be told, the oldest first; `Notice` tells of later ones
        self.preferences = Preferences()
        self.last_alive: float | None = None  # when it was open before this time; None: never
        self.history = History(home.history, on_error=self._history_fails)
        self.logs = RunLogs(home.logs)
        self.dispatcher: Dispatcher
        self.membership: Membership | None = None
        self._share = share
        self._joined = (
            self.preferences
        )  # those of the start: which list is shared does not change before the next
        self._clock = WallClock()
        self._choosing = threading.Lock()
        self.task_list: TaskList
        self.is_listed = False  # whether it is there
        self._listeners: tuple[Listener, ...] = ()
        self._live: dict[int, Run] = {}
        self._pruned = 0.0
        self._opened = False
        self._watches: tuple[Watch, ...] = ()
        self._held = False
        self._folders = RunFolders(home.runs)
        self._cluster = Cluster(lambda: self.preferences.dask_address)
        self.drafts = Drafts(
            self._clock.now,
            remind=remind,
            open_target=open_target,
            folders=self._folders if supervised else None,
            elsewhere=self._cluster.perform,
        )
        self._clearing = Clearing(self._folders, self.history, self._aside)
        places = Places(
            new_folder=lambda run: self._folders.new(run.id, run.attempt),
            begin_log=self.logs.begin,
            end_log=self.logs.end,
            outlive=self._outlives,
        )
        self._performer = Performer(
            self.logs.open,
            on_output=self._say_output,
            remind=remind,
            open_target=open_target,
            places=places,
            supervised=supervised,
            elsewhere=self._cluster.perform,
        )

    # --- opening and closing -------------------------------------------------------------------------------

    def open(self, *, hold: bool = False) -> None:
        """Take the home, read it, and let its tasks go on. With `hold`, only what is run by hand starts.

        HomeTakenError, StorageError.
        """
        self.home.prepare()
        self._lock = self.home.lock(self.kind)
        try:
            file = self._open_files(mend=not hold)
            self.membership = self._join()
        except BaseException:
            self.history.close()
            self._lock.release()
            raise
        self._pool = Workers(self.preferences.workers + _SPARE_THREADS)
        self.dispatcher = Dispatcher(
            self._perform,
            self._pool,
            claims=self.shared,
            listener=self._hear,
            workers=self.preferences.workers,
            first_run=1 + max(self.history.records.last_run_id(), self.logs.highest_run_id()),
        )
        self._held = hold
        if hold:
            self.dispatcher.hold()
        elif keeping.was_paused(self.history):
            self.dispatcher.pause()
        if not hold:
            keeping.keep_zone(self.history, str(self.dispatcher.zone), self._clock.now())
        self.task_list = TaskList(
            file,
            self.dispatcher,
            tell=self._notice,
            take_back=self._take_back,
            trusts=lambda: self.preferences.trust_edits,
        )
        self.notices += self._ill_chosen  # after what became of the list, which matters more
        self.is_listed = True
        self._schedule([*self.task_list.tasks, *self.task_list.stand_ins])
        self._opened = True
        if self.membership is not None:
            self.membership.start()
        if not hold:
            self._watches = (
                Watch([self.home.tasks], lambda: self._aside(self.task_list.follow_file)),
                Watch([LOCAL_ZONE], self.dispatcher.look),
            )

    def _open_files(self, *, mend: bool) -> TaskFile:
        preferences = PreferencesFile(self.home.preferences)
        self.preferences = self._joined = preferences.load()
        self._unreadable = preferences.unreadable
        self._ill_chosen = [f"{self.home.preferences}: {problem}" for problem in preferences.problems]
        if (damaged := self.history.open()) is not None:
            runs = "1 run" if damaged.runs == 1 else f"{damaged.runs:,} runs"
            self.notices.append(
                f"The history was damaged. It was put aside as {damaged.aside}, and a new one was begun with {runs}"
                " that could be read of it."
            )
        file = TaskFile(self.home.tasks)
        file.remove_leftovers()
        file.load(mend=mend)
        self._adoption = Adoption(self._folders)
        self.logs.tidy(self._adoption.living)
        return file

    def _join(self) -> "Membership | None":
        """The part in the list that others have too; None, and nothing of that is loaded: nobody shares it."""
        lost = self._unreadable and keeping.was_shared(
            self.history
        )  # it must not be run as if nobody shared it
        shares = bool(self._share or self.preferences.shared_list or lost)
        if not lost:
            keeping.keep_shared(self.history, shared=shares)
        if not shares:
            return None
        from desktopsched import joining, keeping_claims
        from desktopsched.membership import Membership

        secret = keeping_claims.home_secret(self.history)
        if self._share is not None:
            shared = self._share(secret)
        else:
            shared = joining.join_nothing(secret) if lost else joining.join(self.preferences, secret)
        own = joining.split(self.preferences.shared_list)
        if own.password:
            self._notice(_WRITTEN_IN_CLEAR)
        return Membership(shared, self.history, self._notice, self._clocks_differ, place=own.address)

    def _clocks_differ(self, words: str) -> None:
        self.dispatcher.publish(ClocksDiffer(at=self._clock.now(), words=words))

    def _notice(self, text: str) -> None:
        self.notices.append(text)
        if self._opened:
            self.dispatcher.publish(Notice(at=self._clock.now(), text=text))

    def _take_back(self, text: str) -> None:
        """A notice holds no more."""
        if text in self.notices:
            self.notices.remove(text)

    def _schedule(self, tasks: Sequence[Task]) -> None:
        memory, unreadable = keeping.memories(self.history)
        marks, unreadable_marks = keeping.marks(self.history)
        for task_id in dict.fromkeys([*unreadable, *unreadable_marks]):
            self.notices.append(f"What was remembered of {task_id!r} cannot be read.")
        self.last_alive = keeping.last_alive(self.history, memory.values())
        listed = {task.id for task in tasks}
        if self.membership is not None:
            self.membership.serve(self.dispatcher, memory, tasks)
        fates = self._adoption.fates([one for task_id, one in memory.items() if task_id in listed])
        for run in keeping.forgotten(self.history, memory, listed):
            keeping.end_forgotten(self.history, run, self._adoption.end_of(run), self._clock.now())
        strays = self._adoption.strays(fates)
        self.notices += self._adoption.notices
        self.dispatcher.settle_delay = self.preferences.settle_delay
        self.dispatcher.schedule(
            *tasks, memory=memory, marks=marks, fates=fates, strict=False, alive=self.last_alive
        )
        keeping.forget_unlisted(self.history, memory, listed)
        for stray in strays:
            self.notices.append(
                f"Run {stray.about.run_id} of {stray.about.task_id!r} went on, but no task knows of it any more. It is"
                " stopped."
            )
            self._aside(partial(self._end_stray, stray))

    def _end_stray(self, stray: UnderWay) -> None:
        self._performer.end_stray(stray, keeping.UNLISTED)
        self._folders.remove(stray.about.run_id, stray.about.attempt)

    def stop(self, *, keep_running: bool = False, at_once: bool = False) -> None:
        """Start nothing more, and stop what runs: when this returns, everybody has heard how it ended.

        With `keep_running`, commands and scripts go on under their supervisors, and the next program follows them; but
        not what another computer begins while none does. `at_once`: there is one, and it follows them all.
        """
        for watch in self._watches:
            watch.close()
        self._watches = ()
        self.dispatcher.stop()
        if keep_running:
            self._performer.let_go(lambda run: at_once or not self._may_move(run))
        self.dispatcher.stop_runs(_CLOSED)
        self.drafts.stop(_CLOSED)
        self._pool.shutdown(wait=True)
        self.drafts.close()
        self._cluster.close()

    def close(self, *, keep_running: bool = False) -> None:
        """Stop, keep everything, and let the home go. The loop has returned by then, and nobody asks any more."""
        self.stop(keep_running=keep_running)
        if self.membership is not None:
            self.membership.close()
        if not self._held:  # one that started nothing by itself was not open for the tasks
            keeping.keep_closed(self.history, self._clock.now())
        self.history.close()
        self._clearing.finish()
        self.dispatcher.close()
        self._lock.release()

    @property
    def shared(self) -> "SharedList | None":
        """The list that other computers have too; None: nobody shares it."""
        return self.membership.shared if self.membership is not None else None

    @property
    def joins_another(self) -> bool:
        """Whether the next start shares another list than this one, or as another computer."""
        return _joins(self.preferences) != _joins(self._joined)

    @property
    def can_outlive(self) -> bool:
        """Whether commands and scripts can go on without the program."""
        return self._performer.can_outlive

    # --- who listens ---------------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Let `listener` hear every event from now on, on whichever thread made it. Returns how to stop that."""
        self._listeners = (*self._listeners, listener)
        return partial(self._unlisten, listener)

    def _unlisten(self, listener: Listener) -> None:
        self._listeners = tuple(one for one in self._listeners if one is not listener)

    def _hear(self, event: Event) -> None:
        keeping.keep(event, self.history)
        if self.membership is not None:
            self.membership.hear(event)
        match event:
            case RunStarted(run=run):
                self._live[run.id] = run
            case RunFinished(run=run):
                self._live.pop(run.id, None)
                self._clearing.ended(run)
                self._prune_daily(self._clock.now())
            case RunRetrying(run=run):
                self._clearing.ended(run)
            case Remembered():
                self._clearing.remembered()
            case TaskDisabled(task=task):
                self._aside(partial(self.task_list.keep_disabled, task))
            case RunsMissed():
                _log.info("missed runs", extra={"action": "runs.missed", "task": event.task_id})
        for listener in self._listeners:
            listener(event)

    def _history_fails(self, error: StorageError) -> None:
        _log.error("The history cannot be written: %s", error, extra={"action": "history.failed"})
        self._notice(str(error))

    def _prune_daily(self, now: float) -> None:
        if now - self._pruned > _DAY:
            self._pruned = now
            self._aside(partial(self._prune, now))

    def _aside(self, work: Callable[[], None]) -> None:
        """Something for the disk, on a thread of the pool; while the program closes it is left for the next time."""
        with suppress(RuntimeError):
            self._pool.hand_off(work)

    def _prune(self, now: float) -> None:
        keep = self.preferences
        self.history.prune(now - keep.history_age, keep.runs_per_task)
        self.logs.prune(now - keep.log_age, keep.logs_per_task, spare=set(self._live))

    # --- performing ----------------------------------------------------------------------------------------

    def _perform(self, task: Task, run: Run) -> Outcome:
        """On a pool thread. A start that cannot be recorded does not happen: after a crash it would happen twice."""
        under_way = self._adoption.take(run)
        if under_way is not None:
            return self._performer.follow(run, under_way)
        try:
            self.history.wait_recorded(run.id, run.attempt)
        except StorageError as error:
            return Outcome(State.FAILED, f"not started, since that could not be recorded: {error}")
        return self._performer.perform(task, run)

    def _outlives(self, run: Run) -> bool:
        """Whether it goes on when the program dies. Not what others begin then: nobody here would stop it."""
        return self.preferences.runs_outlive and not self._may_move(run)

    def _may_move(self, run: Run) -> bool:
        return self.shared is not None and self.shared.may_move(run)

    def _say_output(self, run: Run, text: str) -> None:
        self.dispatcher.publish(RunOutput(at=self._clock.now(), run=run, text=text))

    # --- what the fronts ask ----------------------------------------------------------------------------------

    def choose(self, preferences: Preferences) -> None:
        """Keep other preferences, and follow them. StorageError; then the old ones stay."""
        with self._choosing:
            file = PreferencesFile(self.home.preferences)
            before = file.load()  # what it has beside them is kept
            file.save(preferences)
            if before.shared_list != preferences.shared_list:
                file.save(preferences)  # once more, over the copy of before: a password may be in that
            self.preferences = preferences
        self.dispatcher.workers = preferences.workers
        self.dispatcher.settle_delay = preferences.settle_delay

    def give_way(self, others: bool) -> bool:
        """Leave all further starts to the other computers, or take them back. NotSharedError. May ask the store."""
        if self.shared is None:
            raise NotSharedError
        if others:
            self.shared.hand_over()
        else:
            self.shared.take_back()
        return others

    def why(self, task_id: str, at: float | None = None) -> Answer:
        """What became of the last due instant of a task up to `at`, and why. UnknownTaskError, StorageError."""
        tasks = self.dispatcher.tasks()
        task, status = next((pair for pair in tasks if pair[0].id == task_id), (None, None))
        if task is None or status is None:
            raise UnknownTaskError(task_id)
        self.history.flush()
        known, _ = keeping.memories(self.history)
        now, zone, paused = self._clock.now(), self.dispatcher.zone, self.dispatcher.paused
        away = {one.run.scheduled_for: one.owner for one in status.elsewhere}
        names = {one.id: one.name for one, _ in tasks}
        ledger = Ledger(self.history.records, now, zone, paused=paused, away=away, names=names)
        waiting = status.waiting or words.goes_on_on([one.owner for one in status.elsewhere])
        answer = ledger.why(task, known.get(task_id), at, waiting)
        return self._with_owners(answer, [one.run for one in status.elsewhere] if at is None else [])

    def _with_owners(self, answer: Answer, runs: Sequence[Run]) -> Answer:
        """And who has what goes on elsewhere, if the shared list says."""
        if self.membership is None:
            return answer
        said = [sentence for run in runs if (sentence := self.membership.owner_words(run))]
        return structs.replace(answer, sentences=(*answer.sentences, *said))

    # --- missed runs ---------------------------------------------------------------------------------------

    def decide_all(self, choice: CatchUp) -> None:
        """One answer for every task with missed runs that wait for one."""
        for task, status in self.dispatcher.tasks():
            if status.missed:
                self.dispatcher.decide(task.id, choice)


def _joins(preferences: Preferences) -> tuple[str, str, str, str]:
    """What says which list is shared, and as whom."""
    return preferences.shared_list, preferences.shared_list_secret, preferences.list_id, preferences.computer
