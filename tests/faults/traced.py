"""A process under strace, with a fault at one of its system calls. Linux."""

import re
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

_LINE = re.compile(r"^(?:\d+ +)?(\w+)\(")

CALLS = (
    "openat",
    "write",
    "fsync",
    "rename",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "ftruncate",
)
"""The calls by which files are made, filled, made durable and moved."""


class Point(Struct, frozen=True):
    """The `number`-th `call` of the process since its start."""

    call: str
    number: int


def points(strace: str, script: str, *arguments: str, folder: Path) -> list[Point]:
    """All calls that concern files from where the script says `begin` on, by looking at the folder `/begin`."""
    log = folder / "strace.log"
    done = subprocess.run(
        [
            strace,
            "-f",
            "-qq",
            "-o",
            str(log),
            "-e",
            f"trace={','.join((*CALLS, 'access'))}",
            *_python(script, arguments),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    counts: dict[str, int] = {}
    found, begun = [], False
    for line in log.read_text(errors="replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        call = match[1]
        counts[call] = counts.get(call, 0) + 1
        begun |= call == "access" and '"/begin"' in line
        if begun and call in CALLS:
            found.append(Point(call, counts[call]))
    log.unlink()
    return found


def run_with(
    strace: str, point: Point, fault: str, script: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """The script with this fault at this call: `signal=KILL`, `error=ENOSPC`."""
    inject = f"inject={point.call}:{fault}:when={point.number}"
    return subprocess.run(
        [
            strace,
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            f"trace={point.call}",
            "-e",
            inject,
            *_python(script, arguments),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def _python(script: str, arguments: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-c", script, *arguments]
