"""Commands and scripts without a supervisor: the process is the program's own child. Runs on the run's pool thread.

For systems other than Linux, and for measuring what a supervisor costs. The limits: when the program dies, so does the
output, and the outcome is lost; and a process that left its group and session, and has a clean environment, is not
found when the run is stopped.
"""

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import partial

from desktopsched.actions.ending import outcome_of_ending
from desktopsched.actions.environment import child_environment
from desktopsched.actions.launch import Child, launch, working_folder
from desktopsched.actions.output import new_output
from desktopsched.actions.program import arguments
from desktopsched.actions.surroundings import Surroundings
from desktopsched.actions.tree import Tree
from desktopsched.actions.watch import Watch, reap
from desktopsched.actions.watch_threads import ThreadedWatch
from desktopsched.model import Command, Outcome, Run, Script
from desktopsched.supervisor.attempt import Attempt
from desktopsched.supervisor.signalling import kill

AnyWatch = Watch | ThreadedWatch


def watch_of_this_system(child: Child) -> AnyWatch:
    """Windows cannot poll pipes."""
    return ThreadedWatch(child) if sys.platform == "win32" else Watch(child)


def perform_directly(
    action: Command | Script,
    run: Run,
    around: Surroundings,
    new_watch: Callable[[Child], AnyWatch] = watch_of_this_system,
) -> Outcome:
    """Start the process, follow it to its end, and say how it ended. Raises OSError and any DesktopschedError."""
    with arguments(action) as argv:
        env = child_environment(around.environ, action.env, run, around.read_secret)
        folder = working_folder(action.cwd)
        output = partial(
            new_output,
            lambda: around.open_log(run.task_id, run.id),
            lambda text: around.on_output(run, text),
            env.secrets,
        )
        with _followed(launch(argv, folder, env.variables), env.token, new_watch) as (child, tree, watch):
            take_back = run.stop.on_request(watch.wake)
            attempt = Attempt(watch, tree, output(), run.stop, child.wait, grace=around.grace)
            ending = attempt.follow(action.timeout)
            take_back()
    return outcome_of_ending(
        ending, success_codes=action.success_codes, timeout=action.timeout, grace=around.grace
    )


@contextlib.contextmanager
def _followed(
    child: Child, token: str, new_watch: Callable[[Child], AnyWatch]
) -> Iterator[tuple[Child, Tree, AnyWatch]]:
    """The child, and what follows it. Whatever happens, it is reaped afterwards, and nothing stays open.

    Reaped last: until then its pid and the id of its group cannot be another's.
    """
    with contextlib.ExitStack() as stack:
        stack.callback(reap, child, 1.0)
        tree = stack.enter_context(contextlib.closing(Tree(token, child)))
        stack.callback(_kill_if_left, child, tree)
        watch = stack.enter_context(contextlib.closing(_watched(child, new_watch)))
        yield child, tree, watch


def _kill_if_left(child: Child, tree: Tree) -> None:
    """Only after an error of ours: every other way here reaped the child, or could not kill it."""
    if reap(child, 0.0) is None:
        kill(tree.group, tree.living())


def _watched(child: Child, new_watch: Callable[[Child], AnyWatch]) -> AnyWatch:
    """A watch, which closes the pipe in the end: a thread of it may be reading until then."""
    try:
        return new_watch(child)
    except BaseException:
        if child.stdout is not None:
            child.stdout.close()
        raise
