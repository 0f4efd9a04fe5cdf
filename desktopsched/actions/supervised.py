"""Commands and scripts under a supervisor of their own (room `supervisor`), which outlives the program. Linux.

The program starts the supervisor, hands it the order over a line, and follows: live output, stop, the end. When the
program goes, the run goes on, and the next program follows it from there.
"""

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from desktopsched.actions.ending import outcome_of_ending, with_note
from desktopsched.actions.environment import ChildEnvironment, child_environment, inherited
from desktopsched.actions.failure import CannotStartError, before_start, why_not
from desktopsched.actions.launch import NO_COMMAND, working_folder
from desktopsched.actions.line import Line
from desktopsched.actions.lost import stop_remains
from desktopsched.actions.marker import MARKER
from desktopsched.actions.output import cut_words, guarded, say_cut
from desktopsched.actions.program import arguments_in
from desktopsched.actions.runfolder import About, connect, read_about, read_ending, write_about
from desktopsched.actions.start import mistakes, supervisor
from desktopsched.actions.surroundings import Places, Surroundings
from desktopsched.model import Command, DesktopschedError, LeftRunning, Outcome, Run, Script, State
from desktopsched.supervisor.attempt import DRAIN
from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.frames import ENDED, OUTPUT
from desktopsched.supervisor.ladder import SWEEP
from desktopsched.supervisor.order import Order, bytes_of
from desktopsched.supervisor.result import decode_ending

_PATIENCE = 10.0
"""Seconds more than it needs at most, after which a supervisor that was asked to stop its run is given up."""

LOST = "lost: its supervisor was ended from outside, so how it ended is not known"
FAILED = "lost: its supervisor failed by a mistake of Desktopsched, whose log has more"

_log = logging.getLogger(__name__)


def _never(run: Run) -> bool:  # noqa: ARG001 - one of its kind
    """While the program is there no run goes on without it."""
    return False


class UnderWay(Struct, frozen=True):
    """A run that began under an earlier program and has a living supervisor."""

    folder: Path
    about: About
    line: Line


def find_under_way(folder: Path) -> UnderWay | None:
    """The run of a folder, if its supervisor is alive."""
    about = read_about(folder)
    connection = connect(folder) if about is not None else None
    if about is None or connection is None:
        return None
    return UnderWay(folder, about, Line(connection))


def dismiss(folder: Path) -> None:
    """Stop the run of a folder that says nothing of itself any more, if its supervisor is alive."""
    connection = connect(folder)
    if connection is not None:
        with contextlib.closing(Line(connection)) as line:
            line.stop("nothing is known of it any more", _PATIENCE)


class Supervisors:
    """Starts and follows them. `perform` and `follow` may be called from many threads at once; `let_go` from any."""

    def __init__(self, around: Surroundings, places: Places) -> None:
        self._around = around
        self._places = places
        self._lock = threading.Lock()
        self._lines: dict[Line, Run] = {}
        self._goes_on: Callable[[Run], bool] = _never

    def perform(self, action: Command | Script, run: Run) -> Outcome:
        """Have the process started, follow it to its end, and say how it ended.

        Raises OSError and any DesktopschedError; LeftRunning when the program goes before.
        """
        with before_start():
            folder = self._places.new_folder(run)
            argv = arguments_in(action, folder)
        env = child_environment(self._around.environ, action.env, run, self._around.read_secret)
        cwd = working_folder(action.cwd)
        about = About(
            task_id=run.task_id,
            run_id=run.id,
            attempt=run.attempt,
            token=env.token,
            success_codes=action.success_codes,
            timeout=action.timeout,
            grace=self._around.grace,
            started=time.time(),
        )
        order = self._order(action, argv, env, cwd, folder, outlives=self._places.outlive(run))
        with contextlib.ExitStack() as until_it_ends:
            with before_start():
                write_about(folder, about)
                order.log, note = self._begin_log(run)
                line = until_it_ends.enter_context(supervisor(folder, run, inherited(self._around.environ)))
                line.order(order.encode())
            ending = self._follow(line, run, folder, note)
            if ending is not None and ending.unstarted:
                error = OSError(ending.unstarted, os.strerror(ending.unstarted), ending.file)
                raise CannotStartError(why_not(error, argv, cwd, env.variables))
            return self._outcome(ending, about, folder)

    def follow(self, run: Run, found: UnderWay) -> Outcome:
        """Go on with a run that began under an earlier program, to its end. LeftRunning as above."""
        with contextlib.closing(found.line):
            ending = self._follow(found.line, run, found.folder, "")
            return self._outcome(ending, found.about, found.folder)

    def let_go(self, goes_on: Callable[[Run], bool]) -> None:
        """The program goes, and what is under way goes on without it, where this says so."""
        with self._lock:
            self._goes_on = goes_on
            lines = tuple(self._lines.items())
        for line, run in lines:
            if goes_on(run):
                line.keep()

    def _order(
        self,
        action: Command | Script,
        argv: Sequence[str],
        env: ChildEnvironment,
        cwd: Path,
        folder: Path,
        *,
        outlives: bool,
    ) -> Order:
        if not argv or not argv[0]:
            raise CannotStartError(NO_COMMAND)
        try:
            return Order(
                argv=[bytes_of(text) for text in argv],
                env={bytes_of(name): bytes_of(value) for name, value in env.variables.items()},
                cwd=os.fsencode(cwd),
                folder=os.fsencode(folder),
                log=b"",
                mark=os.fsencode(f"{MARKER}={env.token}"),
                secrets=list(env.secrets),
                grace=self._around.grace,
                timeout=action.timeout,
                stop_when_left=not outlives,
            )
        except ValueError as error:
            raise CannotStartError(why_not(error, argv, cwd, env.variables)) from error

    def _begin_log(self, run: Run) -> tuple[bytes, str]:
        """Where the log is, if there is one; and, if there can be none, why."""
        try:
            log = self._places.begin_log(run.task_id, run.id)
            return b"" if log is None else os.fsencode(log), ""
        except (OSError, DesktopschedError) as error:
            return b"", f"log cut: {cut_words(error)}"

    def _follow(self, line: Line, run: Run, folder: Path, note: str) -> Ending | None:
        """To the end; None if that is not known."""
        with self._lock:
            self._lines[line] = run
            if self._goes_on(run):
                line.keep()
        patience = self._around.grace + SWEEP + 2 * DRAIN + _PATIENCE
        take_back = run.stop.on_request(lambda: line.stop(run.stop.reason or "", patience))
        try:
            ending = self._listen(line, run, note) or read_ending(folder)
        finally:
            take_back()
            with self._lock:
                del self._lines[line]
        if ending is None and line.let_go:
            raise LeftRunning
        log_note = note or self._end_log(run)
        if ending is not None:
            if ending.note:
                say_cut(ending.note)
            ending.note = ending.note or log_note
        return ending

    def _listen(self, line: Line, run: Run, note: str) -> Ending | None:
        show = guarded(lambda text: self._around.on_output(run, text))
        if note:
            show(f"{note}\n")
        for kind, data in line.messages():
            if kind == OUTPUT:
                show(data.decode())
            elif kind == ENDED:
                return decode_ending(data)
        return None

    def _end_log(self, run: Run) -> str:
        """Make one file of the log; or say why that cannot be."""
        try:
            self._places.end_log(run.task_id, run.id)
        except (OSError, DesktopschedError) as error:
            return f"log cut: {cut_words(error)}"
        return ""

    def _outcome(self, ending: Ending | None, about: About, folder: Path) -> Outcome:
        if ending is None:
            return self._lost(folder, about)
        return outcome_of_supervised(ending, about)

    def _lost(self, folder: Path, about: About) -> Outcome:
        """The supervisor went without a word."""
        errors = mistakes(folder)
        if errors:
            _log.error("a supervisor failed: %s", errors, extra={"action": "run", "run": about.run_id})
        found = stop_remains(folder, self._around.grace)
        note = f"{found} of its processes were stopped" if found else ""
        return with_note(Outcome(State.FAILED, FAILED if errors else LOST), note)


def outcome_of_supervised(ending: Ending, about: About) -> Outcome:
    """What came of a supervised attempt."""
    if ending.unstarted:
        return Outcome(
            State.FAILED, f"'{ending.file}' could not be started: {os.strerror(ending.unstarted)}."
        )
    return outcome_of_ending(
        ending, success_codes=about.success_codes, timeout=about.timeout, grace=about.grace
    )
