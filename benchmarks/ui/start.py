"""Start: from the process to the first painted window, and to the complete list."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.ui.figure import Figure
from benchmarks.ui.lists import entries, write_list

_ROUNDS = 7
_MODULES = ("benchmarks.ui.plain_window", "benchmarks.ui.started")


def measure() -> list[Figure]:
    """Side by side: the ordinary window, and ours with three tasks and with many."""
    plain, few, many, complete = [], [], [], []
    with tempfile.TemporaryDirectory() as place:
        homes = {count: Path(place, str(count)) for count in (3, 30_000)}
        for count, home in homes.items():
            write_list(home / "data" / "desktopsched", entries(count))
        # Compiled once, as it is where the program is installed, whatever this shell says about that.
        environment = {
            **os.environ,
            "XDG_RUNTIME_DIR": place,
            "PYTHONPYCACHEPREFIX": str(Path(place, "compiled")),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(_ROUNDS + 1):
            times = [
                _times(environment, _MODULES[0]),
                *(
                    _times(environment | _homes(home), _MODULES[1], str(count))
                    for count, home in homes.items()
                ),
            ]
            if number:  # the first round warms the caches
                plain.append(times[0]["painted"])
                few.append(times[1]["painted"])
                many.append(times[2]["painted"])
                complete.append(times[2]["complete"] - times[2]["painted"])
    usual = statistics.median(plain)
    return [
        Figure("an ordinary window painted", usual),
        Figure("window painted, 3 tasks", statistics.median(few)),
        Figure("… of the ordinary window", statistics.median(few) / usual, "×", most=1.6),
        Figure("window painted, 30,000 tasks", statistics.median(many)),
        Figure("… of the ordinary window", statistics.median(many) / usual, "×", most=1.6),
        Figure("… list complete after that", statistics.median(complete), most=2_000),
    ]


def _homes(folder: Path) -> dict[str, str]:
    """Where the program keeps things that is started by a double-click, and so without an argument."""
    return {f"XDG_{kind.upper()}_HOME": str(folder / kind) for kind in ("data", "state", "config")}


def _times(environment: Mapping[str, str], module: str, *arguments: str) -> dict[str, float]:
    """Milliseconds after which a process said each of its words."""
    begun, found = time.monotonic(), {}
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout or ():
            found[line.strip()] = (time.monotonic() - begun) * 1e3
    return found
