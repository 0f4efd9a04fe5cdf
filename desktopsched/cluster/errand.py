"""The errand: one job, done in a process of its own beside the worker that has it. It is sent there.

It imports the standard library, psutil where there is no /proc, and of ours only what `baggage` packs. Its stdin and
stdout are the line to the worker, and what is said there is what a supervisor and the program say to each other. Where
stdin ends, the worker is gone, or has not heard of the program for too long: then what runs is ended.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from desktopsched.actions.argv import of_script, of_shell, split, unwritten
from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.launch import Child, launch, working_folder
from desktopsched.actions.marker import MARKER
from desktopsched.actions.watch import Watch
from desktopsched.actions.watch_threads import ThreadedWatch
from desktopsched.cluster.job import Job
from desktopsched.cluster.post import Post
from desktopsched.supervisor.attempt import Attempt
from desktopsched.supervisor.family import Family
from desktopsched.supervisor.frames import ENDED, ORDER, OUTPUT, STOP, Frames
from desktopsched.supervisor.link import Wish
from desktopsched.supervisor.output import Output
from desktopsched.supervisor.result import encode_ending
from desktopsched.supervisor.signalling import kill
from desktopsched.supervisor.system import become_subreaper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktopsched.supervisor.faces import Tree

UNSTARTED = b"U"  # the errand: it could not be started, for this reason
LEFT = "its worker, or the program that wanted it, is gone"
HALF = 2 * 1024 * 1024
"""Bytes of the head, and of the tail, of the output that waits to be sent; what comes between is dropped, visibly."""

_CHUNK = 64 * 1024
_LINUX: bool = sys.platform == "linux"
# What a process needs of the worker's environment. The rest is the worker's own, and may have its keys.
_NEEDED = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"),
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME"),
        *("HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"),
    }
)


def main() -> None:
    """Do what comes by stdin, and end the process."""
    frames = Frames()
    job = _take_job(frames)
    if job is not None:
        post = Post(1)
        # Whoever loses its parent becomes our child, so that a stop finds it.
        _do(job, frames, post, subreaper=_LINUX and become_subreaper())
        post.close()
    os._exit(0)  # the thread that listens is still reading


def _take_job(frames: Frames) -> Job | None:
    """The job, once it is complete; None if the worker is gone before that."""
    while data := os.read(0, _CHUNK):
        for kind, text in frames.feed(data):
            return Job.decode(text) if kind == ORDER else None
    return None


def _do(job: Job, frames: Frames, post: Post, *, subreaper: bool) -> None:
    try:
        with _started(job) as child:
            _follow(job, child, frames, post, subreaper=subreaper)
    except CannotStartError as error:
        post.say(UNSTARTED, str(error).encode())


@contextlib.contextmanager
def _started(job: Job) -> Iterator[Child]:
    """The process. Raises CannotStartError. A script's text lives in a private file meanwhile."""
    with contextlib.ExitStack() as stack:
        argv: str | list[str] = job.argv
        if job.shell:
            argv = of_shell(job.shell)
        elif job.interpreter:
            argv = of_script(split(job.interpreter), job.text, stack.enter_context(_private_folder()))
        yield launch(argv, working_folder(job.cwd), environment(job))


@contextlib.contextmanager
def _private_folder() -> Iterator[Path]:
    try:
        folder = tempfile.mkdtemp(prefix="desktopsched-")
    except OSError as error:
        raise CannotStartError(unwritten(error)) from error
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def environment(job: Job) -> dict[str, str]:
    """What the process is given: of the worker's what it needs, and what the task says."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _NEEDED or name.upper().startswith("LC_")
    }
    kept.setdefault("PATH", os.defpath)
    return {**kept, "PYTHONUNBUFFERED": "1", **job.env}


def _follow(job: Job, child: Child, frames: Frames, post: Post, *, subreaper: bool) -> None:
    watch = ThreadedWatch(child) if sys.platform == "win32" else Watch(child)
    tree, exit_code = _tree(job, child, subreaper=subreaper)
    wish = Wish()

    def ask(reason: str) -> None:
        wish.request(reason)
        watch.wake()

    signs = threading.Event()
    try:
        post.on_idle(watch.wake)
        for work in (lambda: _listen(frames, ask, signs), lambda: _guard(signs, job.patience, ask)):
            threading.Thread(target=work, daemon=True).start()
        output = Output(
            lambda: None,
            lambda text: post.say(OUTPUT, text.encode()),
            job.secrets,
            ready=lambda: post.idle,
            half=HALF,
        )
        ending = Attempt(watch, tree, output, wish, exit_code, grace=job.grace).follow(job.timeout)
    except BaseException:  # a mistake of ours: nothing is left behind without an owner
        kill(tree.group, tree.living())
        raise
    _reap(child)
    ending.at = time.time()
    post.say(ENDED, encode_ending(ending))


def _reap(child: Child) -> None:
    """Take the status of all that ended: on some workers nobody else would, ever."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(1.0)
    with contextlib.suppress(ChildProcessError):
        while os.name == "posix" and os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _tree(job: Job, child: Child, *, subreaper: bool) -> tuple[Tree, Callable[[], int]]:
    """The processes of the run, and how to ask for its exit code."""
    if _LINUX:
        family = Family(child.pid, os.fsencode(f"{MARKER}={job.mark}"), subreaper=subreaper)

        def exit_code() -> int:
            family.child_held = False  # reaped, its number may be another's
            return child.wait()

        return family, exit_code
    from desktopsched.actions.tree import Tree as FoundTree  # by psutil, which not every worker needs to have

    return FoundTree(job.mark, child), child.wait


def _guard(signs: threading.Event, patience: float, ask: Callable[[str], None]) -> None:
    """On a thread of its own: where the worker lives, and nothing comes through it."""
    while signs.wait(patience):
        signs.clear()
    ask(LEFT)


def _listen(frames: Frames, ask: Callable[[str], None], signs: threading.Event) -> None:
    """On a thread of its own: what the program says by way of the worker, until that says nothing more."""
    data = b""
    while True:
        for kind, text in frames.feed(data):
            signs.set()
            if kind == STOP:
                ask(text.decode("utf-8", "replace"))
        data = os.read(0, _CHUNK)
        if not data:
            ask(LEFT)
            return
