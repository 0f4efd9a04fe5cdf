"""The relay: what runs in a worker. It hands on what the errand and the program say, and understands none of it.

It travels by value, so a worker need not have it: this module imports the standard library and distributed alone, and
knows nothing of the system that it was written on. On a thread of the worker, which is busy for as long as the run.
"""

import contextlib
import io
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

PERMIT = "once"
"""The item that lets the run start. There is one for each attempt, and taking it is atomic: in the scheduler."""

REFUSED = "refused"
"""What comes of it where the permit is gone: the cluster ran the task again."""

LENGTH = 4  # chunks that may wait in the scheduler; then the errand waits, and drops what is too much
CHUNK = 64 * 1024  # bytes

_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from desktopsched.cluster.errand import main; main()"


def relay(luggage: tuple[str, bytes], job: bytes, down: str, up: str, patience: float) -> str:
    """Do the job, once. Empty when it went as it should; REFUSED; or what the errand said of its mistakes.

    `down` and `up` are the names of queues, from the program and to it. Where nothing comes down for `patience`
    seconds, the program is gone, and the job is ended.
    """
    from distributed import get_worker

    program = _Program(down, up, patience)
    try:
        if not program.permits():
            return REFUSED
        worker = get_worker()
        program.tell(worker.address)
        first = program.hear()  # nothing starts for a program that is gone by now
        return _do(job + first, _unpack(luggage, worker.local_directory), program)
    finally:
        program.close()


class _Program:
    """The program, at the other end of two queues."""

    def __init__(self, down: str, up: str, patience: float) -> None:
        from distributed import Queue, get_client

        client = get_client()
        self._ears: Any = Queue(down, client=client)
        self._mouth: Any = Queue(up, client=client, maxsize=LENGTH)
        self._patience = patience
        self._last = time.monotonic()
        self._silent = False

    def permits(self) -> bool:
        """Whether this is the first time that its task runs. Asked once."""
        return PERMIT in self._ears.get(batch=True)

    def tell(self, what: str | bytes) -> None:
        """Say something; nothing more, once that could not be done: then nobody takes it, and it is dropped."""
        if self._silent:
            return
        try:
            self._mouth.put(what, timeout=self._patience)
        except Exception:  # noqa: BLE001 - whatever keeps it from the program
            self._silent = True

    def hear(self) -> bytes:
        """What it says next, which may be nothing but a sign of life. Raises TimeoutError when it is gone."""
        try:
            word = bytes(self._ears.get(timeout=self._patience))
        except Exception as error:
            self._silent = True
            time.sleep(
                max(self._last + self._patience - time.monotonic(), 0.0)
            )  # where there is no scheduler
            raise TimeoutError("the program is gone") from error
        self._last = time.monotonic()
        return word

    def wake(self) -> None:
        """Let `hear` return."""
        with contextlib.suppress(Exception):
            self._ears.put(b"")

    def close(self) -> None:
        """The scheduler counts who has a queue; a program that is gone does not take its own share back."""
        for queue in (self._ears, self._mouth) * (2 if self._silent else 1):
            queue.close()


def _unpack(luggage: tuple[str, bytes], place: str) -> str:
    """The folder with what was sent; unpacked once for each worker."""
    name, packed = luggage
    folder = Path(place) / name
    if not folder.is_dir():
        beside = tempfile.mkdtemp(prefix=f"{name}-", dir=place)
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(beside)
        with contextlib.suppress(OSError):  # another run was quicker
            Path(beside).rename(folder)
    return str(folder)


def _do(first: bytes, folder: str, program: _Program) -> str:
    """Have the errand do it, and hand on what is said, both ways, until it says nothing more."""
    with tempfile.TemporaryFile() as errors:
        errand = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, folder, "an errand of Desktopsched"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            start_new_session=True,
        )
        with contextlib.suppress(OSError):  # it could not begin, and says why
            errand.stdin.write(first)  # type: ignore[union-attr]
        over = threading.Event()
        listener = threading.Thread(target=_listen, args=(errand, program, over), daemon=True)
        listener.start()
        with errand.stdout as said:  # type: ignore[union-attr]
            while data := said.read(CHUNK):
                program.tell(data)
        over.set()
        program.wake()
        listener.join()
        code = errand.wait()
        errors.seek(0)
        return errors.read(CHUNK).decode(errors="replace").strip() or _ended(code)


def _listen(errand: Any, program: _Program, over: threading.Event) -> None:
    """Hand down what the program says; when it says nothing any more, the errand is told by the end of its stdin."""
    with errand.stdin, contextlib.suppress(OSError):
        while not over.is_set():
            errand.stdin.write(program.hear())


def _ended(code: int) -> str:
    return "" if code == 0 else f"its process on the worker was ended from outside (exit code {code})"
