"""`python -m benchmarks.engine [W2 W8 …]`: measures, peers in turn, and prints one table of medians."""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.engine.plan import ROWS, Row
from benchmarks.engine.starts import Figures
from benchmarks.engine.table import HEAD, line

_LONGEST = 300.0  # seconds for one measurement


def main() -> None:
    """Measure what was asked for, or everything."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("workload", nargs="*", help="W1 … W11; without any, all of them")
    asked.add_argument("--times", type=int, default=3, help="how often each is measured (default 3)")
    asked.add_argument("--save", type=Path, help="keep every single figure in this file, as JSON")
    options = asked.parse_args()
    rows = [row for row in ROWS if not options.workload or row.workload in options.workload]
    print(f"{time.strftime('%Y-%m-%d')}, {_machine()}, medians of {options.times}\n\n{HEAD}", flush=True)
    kept: dict[str, dict[str, list[Figures]]] = {}
    for row in rows:
        key = json.dumps([row.kind, row.given])  # two rows may show two figures of one measurement
        if key not in kept:
            kept[key] = _measure(row, options.times)
        print(line(row, {who: _medians(figures) for who, figures in kept[key].items()}), flush=True)
    if options.save:
        options.save.write_text(json.dumps(kept, indent=1))


def _machine() -> str:
    cpu = [row for row in Path("/proc/cpuinfo").read_text().splitlines() if row.startswith("model name")]
    name = cpu[0].partition(":")[2].strip() if cpu else platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _measure(row: Row, times: int) -> dict[str, list[Figures]]:
    """Everybody once, then everybody again: so that whatever else the machine does meets all of them."""
    everybody = [who for who in ("product", *row.peers, row.limit) if who]
    found: dict[str, list[Figures]] = {who: [] for who in everybody}
    for _ in range(times):
        random.shuffle(everybody)
        for who in everybody:
            found[who].append(_one(row, who))
    return found


def _one(row: Row, who: str) -> Figures:
    argv = [sys.executable, "-m", "benchmarks.engine.child", row.kind, who, json.dumps(row.given)]
    # Compiled once, as where the program is installed, whatever this shell says about that.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        argv, capture_output=True, text=True, timeout=_LONGEST, check=False, env=environment
    )
    if done.returncode:
        sys.exit(f"{row.title}: {who} could not be measured.\n{done.stderr}")
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def _medians(figures: list[Figures]) -> Figures:
    return {name: statistics.median(one[name] for one in figures) for name in figures[0]}


if __name__ == "__main__":
    main()
