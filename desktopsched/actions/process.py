"""Commands and scripts: one process from its start to its outcome. Runs on the run's pool thread.

Whatever cannot be started becomes a FAILED outcome with a plain reason (X07, X08); nothing is raised for it.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from desktopsched.actions.ending import duration_in_words, outcome_of, with_note
from desktopsched.actions.environment import child_environment
from desktopsched.actions.ladder import bring_down
from desktopsched.actions.launch import Child, launch, working_folder
from desktopsched.actions.output import LogSink, Output
from desktopsched.actions.program import arguments
from desktopsched.actions.pump import Pump
from desktopsched.actions.tree import Tree
from desktopsched.actions.watch import Watch, reap
from desktopsched.actions.watch_threads import ThreadedWatch
from desktopsched.model import Command, DesktopschedError, Outcome, Run, Script, State

DRAIN = 2.0
"""Seconds for which output is still read after the process ended, whoever else holds the pipe (X01)."""

AnyWatch = Watch | ThreadedWatch


def watch_of_this_system(child: Child) -> AnyWatch:
    """Windows cannot poll pipes."""
    return ThreadedWatch(child) if sys.platform == "win32" else Watch(child)


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a process needs from the rest of the program."""

    open_log: Callable[[str, int], LogSink]  # by task id and run id
    on_output: Callable[[Run, str], None]
    read_secret: Callable[[str], str]
    grace: float  # seconds between the polite stop and the hard one
    environ: Mapping[str, str]  # the session's; what is the program's own is taken out of it
    new_watch: Callable[[Child], AnyWatch] = watch_of_this_system


def perform_process(action: Command | Script, run: Run, around: Surroundings) -> Outcome:
    """Start the process, follow it to its end, and say how it ended."""
    try:
        with arguments(action) as argv:
            env = child_environment(around.environ, action.env, run, around.read_secret)
            folder = working_folder(action.cwd)
            with _followed(launch(argv, folder, env.variables), env.token, around) as attempt:
                return attempt.outcome(action, run, env.secrets)
    except DesktopschedError as error:
        return Outcome(State.FAILED, str(error))
    except OSError as error:  # no descriptors left, for example
        return Outcome(State.FAILED, f"The run could not be followed: {error.strerror or error}.")


class _Attempt:
    """One process under way."""

    def __init__(self, child: Child, tree: Tree, watch: AnyWatch, around: Surroundings) -> None:
        self._child = child
        self._tree = tree
        self._watch = watch
        self._around = around

    def outcome(self, action: Command | Script, run: Run, secrets: tuple[str, ...]) -> Outcome:
        """Pump until the end, by itself, by a stop or by a time-out."""
        # Monotonic: the hours of a sleeping computer are not the task's.
        deadline = None if action.timeout is None else time.monotonic() + action.timeout
        output = Output(
            lambda: self._around.open_log(run.task_id, run.id),
            lambda text: self._around.on_output(run, text),
            secrets,
        )
        with contextlib.closing(output):
            pump = Pump(self._watch, output)
            take_back = run.stop.on_request(self._watch.wake)
            outcome = self._follow(pump, action, run, deadline)
            take_back()
        return with_note(outcome, output.note)

    def _follow(self, pump: Pump, action: Command | Script, run: Run, deadline: float | None) -> Outcome:
        pump.run(lambda: self._watch.child_ended or run.stop.requested, deadline)
        if not self._watch.child_ended and not run.stop.requested:
            words = f"timed out after {duration_in_words(action.timeout or 0.0)}"
            return self._bring_down(pump, Outcome(State.FAILED, words))
        self._drain(pump, lambda: run.stop.requested)
        # A stop during the drain is one as well: what still runs is what the person wants to be gone.
        if run.stop.reason is not None:
            return self._bring_down(pump, Outcome(State.CANCELLED, run.stop.reason))
        return outcome_of(self._child.wait(), action.success_codes)

    def _bring_down(self, pump: Pump, outcome: Outcome) -> Outcome:
        descent = bring_down(self._tree, pump, self._around.grace)
        self._drain(pump, lambda: bool(descent.survivors))
        return with_note(outcome, descent.note(self._around.grace))

    def _drain(self, pump: Pump, enough: Callable[[], bool]) -> None:
        """Read what is still in the pipe, which may be held by somebody who was left behind (X19)."""
        pump.run(lambda: self._watch.output_ended or enough(), time.monotonic() + DRAIN)


@contextlib.contextmanager
def _followed(child: Child, token: str, around: Surroundings) -> Iterator[_Attempt]:
    """The child's attempt. Whatever happens, the child is reaped afterwards, and nothing stays open.

    Reaped last: until then its pid and the id of its group cannot be another's.
    """
    with contextlib.ExitStack() as stack:
        stack.callback(reap, child, 1.0)
        tree = stack.enter_context(contextlib.closing(Tree(child, token)))
        stack.callback(_kill_if_left, child, tree)
        watch = stack.enter_context(contextlib.closing(_watched(child, around)))
        yield _Attempt(child, tree, watch, around)


def _kill_if_left(child: Child, tree: Tree) -> None:
    """Only after an error of ours: every other way here reaped the child, or could not kill it."""
    if reap(child, 0.0) is None:
        tree.kill(tree.living())


def _watched(child: Child, around: Surroundings) -> AnyWatch:
    """A watch, which closes the pipe in the end: a thread of it may be reading until then."""
    try:
        return around.new_watch(child)
    except BaseException:
        if child.stdout is not None:
            child.stdout.close()
        raise
