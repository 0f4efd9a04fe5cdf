"""`python -m benchmarks.ui`: measures the window and prints one table.

python -m benchmarks.ui                          everything
python -m benchmarks.ui --only table,log         some of it
python -m benchmarks.ui --save before.json       keep the figures
python -m benchmarks.ui --against before.json    and have them in a column beside later ones
"""

import argparse
import importlib
import os
import platform
import subprocess
import sys
from pathlib import Path

import msgspec
from PySide6.QtWidgets import QApplication

from benchmarks.ui.figure import Figure

PARTS = ("start", "opening", "table", "log", "events", "graph", "rest", "storm")


def main() -> None:
    """Measure each part in a process of its own, one after the other."""
    asked = argparse.ArgumentParser(description="Measure the window.")
    asked.add_argument("--only", default=",".join(PARTS), help="parts, with commas: " + ", ".join(PARTS))
    asked.add_argument("--save", type=Path, help="keep the figures in this file")
    asked.add_argument("--against", type=Path, help="show the figures of this file beside")
    asked.add_argument("--part", help=argparse.SUPPRESS)
    options = asked.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # of what the screen that is none cannot do
    if options.part:
        _measure_here(options.part)
    before = _read(options.against) if options.against else {}
    found: dict[str, list[Figure]] = {}
    print(f"Python {platform.python_version()}, {platform.platform()}, {os.cpu_count()} cores\n")
    print("| what | found |" + (" before |" if before else "") + " goal | met |")
    print("| --- | ---: |" + (" ---: |" if before else "") + " ---: | --- |")
    for part in options.only.split(","):
        found[part] = _measured(part)
        old = {place: figure.value for place, figure in enumerate(before.get(part, []))}
        for place, figure in enumerate(found[part]):
            beside = f" {_short(old[place])} |" if place in old else (" |" if before else "")
            met = "" if not figure.goal else "yes" if figure.is_met else "**no**"
            print(
                f"| {figure.name} | {_short(figure.value)} {figure.unit} |{beside} {figure.goal} | {met} |",
                flush=True,
            )
    if options.save:
        options.save.write_bytes(msgspec.json.encode(found))


def _measured(part: str) -> list[Figure]:
    command = [sys.executable, "-m", "benchmarks.ui", "--part", part]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"{part} could not be measured.")
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=list[Figure])


def _measure_here(part: str) -> None:
    if part != "start":  # which starts processes of its own
        application = QApplication(["benchmarks"])
        application.setStyle("Fusion")
    figures = importlib.import_module(f"benchmarks.ui.{part}").measure()
    sys.stdout.buffer.write(b"\n" + msgspec.json.encode(figures) + b"\n")
    sys.stdout.flush()
    os._exit(0)  # what the part has left behind ends with it


def _read(path: Path) -> dict[str, list[Figure]]:
    return msgspec.json.decode(path.read_bytes(), type=dict[str, list[Figure]])


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


if __name__ == "__main__":
    main()
