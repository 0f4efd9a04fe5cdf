"""The program as a whole: `serve` and the commands as real processes, in a home of the test's own."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import psutil

PATIENCE = 60.0
"""Seconds after which waiting for something that should have happened fails."""


def until(condition: Callable[[], Any], what: str = "it") -> Any:
    """What `condition` gives once it gives something: for what another process does in its own time."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        threading.Event().wait(0.01)
    return found


class Home:
    """A folder with a task list, and everything that can be done with it from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def write(self, *tasks: dict[str, Any]) -> None:
        text = json.dumps({"format": 1, "tasks": [{"name": task["id"]} | task for task in tasks]})
        (self.folder / "tasks.json").write_text(text)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "desktopsched", "--home", str(self.folder), *arguments]

    def run(self, *arguments: str, code: int | None = 0) -> str:
        """What a command says on stdout; `code` is what it must end in (None: whatever)."""
        done = subprocess.run(
            self.command(*arguments), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        self.errors = done.stderr
        assert code is None or done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def history(self) -> list[dict[str, Any]]:
        """All runs, the oldest first."""
        lines = self.run("history", "--json", "-n", "100000").splitlines()
        return [json.loads(line) for line in reversed(lines)]

    def serve(self, *arguments: str) -> "Served":
        return Served(self.command("serve", *arguments))


class Served:
    """A `serve` under way."""

    def __init__(self, command: Sequence[str]) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.says("serving")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def says(self, pattern: str, times: int = 1) -> str:
        """Wait for a line; the last one of so many."""

        def found() -> str | None:
            hits = [line for line in list(self.lines) if re.search(pattern, line)]
            return hits[times - 1] if len(hits) >= times else None

        end = time.monotonic() + PATIENCE
        while (line := found()) is None:
            assert time.monotonic() < end, f"{pattern!r} was not said {times} times:\n" + "\n".join(
                self.lines
            )
            threading.Event().wait(0.01)
        return line

    def kill(self) -> None:
        """As if the power failed: the program, and whatever it started."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        while orphans := started_here():  # what it was just starting may appear a moment later
            for orphan in orphans:
                with suppress(psutil.NoSuchProcess):
                    orphan.kill()
            psutil.wait_procs(orphans, 5)
        self._over()

    def die(self) -> None:
        """Only the program is killed: what it started goes on as it can."""
        os.kill(self.process.pid, signal.SIGKILL)
        self._over()

    def end(self) -> int:
        """Ask it to end; its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        return self._over()

    def _over(self) -> int:
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        assert not any("Traceback" in line for line in self.lines), "\n".join(self.lines)


def started_here() -> list[psutil.Process]:
    """Living processes with this test's home, which is inherited; not those that the test started itself."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            ours = process.environ().get("DESKTOPSCHED_HOME") == os.environ["DESKTOPSCHED_HOME"]
            orphan = process.pid != os.getpid() != process.ppid()
            if ours and orphan and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def shell(task_id: str, text: str, **fields: Any) -> dict[str, Any]:
    return {"id": task_id, "action": {"type": "command", "shell": text}} | fields


def every(seconds: int, **more: Any) -> dict[str, Any]:
    return {"type": "every", "interval": f"{seconds}s"} | more
