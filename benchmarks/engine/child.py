"""One measurement, in a process of its own: `python -m benchmarks.engine.child KIND WHO PARAMETERS`.

The parameters are JSON, and so are the figures, the last line of its output.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.engine import command_line, crons, graphs, lateness, processes, quiet, starts
from benchmarks.engine.bare_heap import BareHeap
from benchmarks.engine.peers import APScheduler3, Asyncio, Sched, Uvloop
from benchmarks.engine.product import BesideAWindow, Product
from benchmarks.engine.scheduler import Scheduler
from benchmarks.engine.starts import Figures

SCHEDULERS: dict[str, type[Scheduler]] = {
    "product": Product,
    "asyncio": Asyncio,
    "uvloop": Uvloop,
    "sched": Sched,
    "apscheduler3": APScheduler3,
    "bare heap": BareHeap,
}
_BUSY: dict[str, type[Scheduler]] = {"product": BesideAWindow}
MEASURES: dict[str, Callable[..., Figures]] = {
    "insert": lambda who, **given: starts.insert(SCHEDULERS[who](), **given),
    "storm": lambda who, **given: starts.storm(SCHEDULERS[who], **given),
    "live": lambda who, **given: starts.live(SCHEDULERS[who](), **given),
    "calls": lambda who, **given: lateness.calls(SCHEDULERS[who](), **given),
    "busy calls": lambda who, **given: lateness.calls((SCHEDULERS | _BUSY)[who](), busy=True, **given),
    "cancels": lambda who, **given: lateness.cancels((SCHEDULERS | _BUSY)[who](), **given),
    "in a row": lambda who, **given: lateness.in_a_row(SCHEDULERS[who](), **given),
    "idle": lambda who, **given: quiet.idle(SCHEDULERS[who](), **given),
    "one by one": lambda who, **given: quiet.one_by_one(SCHEDULERS[who](), **given),
    "graph": lambda who, **given: graphs.run(graphs.RUNNERS[who], **given),
    "cron": lambda who, **given: crons.walk(crons.MAKERS[who], **given),
    "processes": processes.run,
    "command line": command_line.run,
}


def main(kind: str, who: str, parameters: str) -> None:
    """Measure, print, and end at once: peers leave threads that would be waited for."""
    given: dict[str, Any] = json.loads(parameters)
    figures = MEASURES[kind](who, **given)
    print("\n" + json.dumps(figures), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
