"""Starting a supervisor: a process of its own session, with the line as its stdin and a listening socket as its stdout.

It finds the room `supervisor` by a path, and loads nothing else; a bundle has a small program of its own for it. On the
run's pool thread. Linux.
"""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from desktopsched.actions.line import Line
from desktopsched.actions.runfolder import listen
from desktopsched.model import Run

BUNDLED = "desktopsched-supervisor"
"""The supervisor of a bundle, beside its executable, which is no Python and would load far more."""

_BEGIN = "import sys; sys.path.append(sys.argv[1]); from desktopsched.supervisor.main import main; main()"
_ROOT = str(Path(__file__).parents[2])  # where `desktopsched` is found

_MISTAKES = "errors"  # the file with what a supervisor says of its own mistakes
_DEAF = 10.0  # seconds after which a supervisor that does not end, and whose run is stopped, is killed


def can_supervise() -> bool:
    """Whether this system can: the supervisor needs subreapers, pidfds and /proc, which Linux has."""
    if sys.platform != "linux" or not sys.executable or not Path("/proc/self/fd").is_dir():
        return False
    image = os.environ.get("APPDIR")
    if image and Path(sys.executable).is_relative_to(image):
        return False  # the files of an AppImage are gone once the program has ended
    return not _is_bundle() or os.access(_bundled(), os.X_OK)


def command(run: Run) -> list[str]:
    """What starts a supervisor; the last argument is for people who look at the list of processes."""
    if _is_bundle():
        return [_bundled(), f"run {run.id} of {run.task_id}"]
    return [sys.executable, "-I", "-S", "-c", _BEGIN, _ROOT, f"run {run.id} of {run.task_id}"]


def _is_bundle() -> bool:
    return bool(getattr(sys, "frozen", False))


def _bundled() -> str:
    return str(Path(sys.executable).with_name(BUNDLED))


@contextlib.contextmanager
def supervisor(folder: Path, run: Run, env: dict[str, str]) -> Iterator[Line]:
    """The line to a new supervisor, which is reaped in the end, unless it outlives us."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(listen(folder))
        ours, theirs = socket.socketpair()
        line = stack.enter_context(contextlib.closing(Line(ours)))
        with theirs, open(folder / _MISTAKES, "wb", opener=_private) as errors:
            process = subprocess.Popen(
                command(run),
                cwd="/",
                env=env,
                stdin=theirs.fileno(),
                stdout=listener.fileno(),
                stderr=errors,
                start_new_session=True,
            )
        listener.close()
        try:
            yield line
        finally:
            line.close()
            _reap(process, let_go=line.let_go)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _reap(process: "subprocess.Popen[bytes]", *, let_go: bool) -> None:
    if let_go:
        process.returncode = 0  # it is nobody's to wait for: this program ends, and the next one follows it
        return
    try:
        process.wait(_DEAF)
    except subprocess.TimeoutExpired:  # deaf, and what it ran was stopped
        process.kill()
        process.wait()


def mistakes(folder: Path) -> str:
    """What the supervisor said of its own mistakes; mostly nothing."""
    with contextlib.suppress(OSError):
        return (folder / _MISTAKES).read_text(errors="replace").strip()
    return ""
