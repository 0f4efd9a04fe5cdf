"""The command line with a thousand tasks, beside the start of Python itself."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.engine.starts import Figures

_TIMES = 15


def run(who: str, *, command: str, n: int) -> Figures:
    """The middle of fifteen starts, in milliseconds; `who` is the product or bare Python."""
    with tempfile.TemporaryDirectory() as folder:
        entries = [
            {
                "id": f"t{i}",
                "name": f"Task {i}",
                "action": {"type": "command", "argv": ["true"]},
                "schedule": {"type": "cron", "expression": f"{i % 60} {i % 24} * * *"},
            }
            for i in range(n)
        ]
        Path(folder, "tasks.json").write_text(json.dumps({"format": 1, "tasks": entries}))
        product = [sys.executable, "-m", "desktopsched", "--home", folder, *command.split()]
        argv = product if who == "product" else [sys.executable, "-c", "pass"]
        taken = [_start(argv) for _ in range(_TIMES + 1)]
    return {"ms": statistics.median(taken[1:]) * 1e3}  # the first one compiles


def _start(argv: list[str]) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    subprocess.run(argv, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun
