"""Running `/bin/true` a thousand times: output captured, each start on the disk before it happens, all recorded."""

import json
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.engine.observed import Countdown
from benchmarks.engine.starts import Figures

_ARGV = ["/bin/true"]
_MEGABYTE = 1 << 20


def run(who: str, *, n: int, megabytes: int, supervised: bool) -> Figures:
    """Run them, in a process that has that much memory in use: some ways to start a process copy its page tables."""
    ballast = bytearray(b"x" * _MEGABYTE) * megabytes
    figures = product(n, supervised=supervised) if who == "product" else _WAYS[who](n)
    del ballast
    return figures


def product(n: int, *, supervised: bool) -> Figures:
    """The whole program with a home of its own, as `serve` has it, and its default number of workers.

    `supervised`: each run under a supervisor of its own, a small Python that outlives the program.
    """
    from desktopsched.engine.events import Event, RunFinished
    from desktopsched.program import Program
    from desktopsched.storage.home import find_home

    with tempfile.TemporaryDirectory() as folder:
        entries = [
            {"id": f"t{i}", "name": f"t{i}", "action": {"type": "command", "argv": _ARGV}} for i in range(n)
        ]
        Path(folder, "tasks.json").write_text(json.dumps({"format": 1, "tasks": entries}))
        program, countdown = Program(find_home(Path(folder)), "serve", supervised=supervised), Countdown(n)

        def hear(event: Event) -> None:
            if isinstance(event, RunFinished):
                countdown.hit()

        program.open()
        program.listen(hear)
        loop = threading.Thread(target=program.dispatcher.loop)
        loop.start()
        begun = time.time()
        for i in range(n):
            program.dispatcher.run_now(f"t{i}")
        countdown.wait(120)
        program.dispatcher.stop()
        loop.join()
        program.close()
        taken = time.time() - begun  # with everything recorded
    return {"per_second": n / taken, "missing": countdown.missing()}


def popen(n: int) -> Figures:
    """`Popen` and `wait`, one after the other; nothing captured, nothing recorded."""
    begun = time.perf_counter()
    for _ in range(n):
        subprocess.Popen(_ARGV).wait()
    return {"per_second": n / (time.perf_counter() - begun)}


def popen_side_by_side(n: int) -> Figures:
    """The same in four threads: the limit."""
    threads = [threading.Thread(target=popen, args=(n // 4,)) for _ in range(4)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"per_second": n / (time.perf_counter() - begun)}


_WAYS: dict[str, Callable[[int], Figures]] = {
    "Popen": popen,
    "Popen ×4": popen_side_by_side,
}
