"""W8: the next due instant of cron expressions, a thousand in a row for each."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from benchmarks.engine.starts import Figures

Walk = Iterator[object]
Maker = Callable[[str, datetime], Walk]

EXPRESSIONS = (
    "* * * * *",
    "*/5 * * * *",
    "*/15 * * * *",
    "0 * * * *",
    "30 * * * *",
    "0 */2 * * *",
    "0 0 * * *",
    "30 2 * * *",
    "15 3 * * *",
    "0 9 * * 1-5",
    "*/10 9-17 * * 1-5",
    "0 0 * * 0",
    "0 22 * * 1-5",
    "5 4 * * 0",
    "0 0 1 * *",
    "0 12 15 * *",
    "0 0 1 1 *",
    "23 0-20/2 * * *",
    "0 0,12 1 */2 *",
    "0 4 8-14 * *",
)
_INSTANTS = 1_000


def walk(make: Maker, *, zone: str) -> Figures:
    """The middle of twenty expressions, in microseconds for each instant; each is asked for five to warm up."""
    start = datetime(2026, 1, 1, 0, 0, 30, tzinfo=ZoneInfo(zone))
    each = []
    for expression in EXPRESSIONS:
        warm = make(expression, start)
        for _ in range(5):
            next(warm)
        instants = make(expression, start)
        begun = time.perf_counter()
        for _ in range(_INSTANTS):
            next(instants)
        each.append((time.perf_counter() - begun) / _INSTANTS * 1e6)
    return {"each_us": statistics.median(each), "worst_us": max(each)}


def product(expression: str, start: datetime) -> Walk:
    """As the engine asks it: by instants, where the peers are asked for datetimes, which is what they are made for."""
    from desktopsched.engine.occurrences import next_after
    from desktopsched.model import Command, Cron, Task

    task = Task(id="t", name="t", action=Command(argv=("true",)), schedule=Cron(expression))
    zone, instant = start.tzinfo, start.timestamp()
    assert isinstance(zone, ZoneInfo)
    while (due := next_after(task, instant, zone=zone, anchor=0.0)) is not None:
        yield due
        instant = due


def croniter(expression: str, start: datetime) -> Walk:
    """Asked for datetimes."""
    from croniter import croniter as make

    walk = make(expression, start, ret_type=datetime)
    while True:
        yield walk.get_next()


def cronsim(expression: str, start: datetime) -> Walk:
    """The iterator that it is."""
    from cronsim import CronSim

    instants: Walk = CronSim(expression, start)
    return instants


MAKERS: dict[str, Maker] = {
    "product": product,
    "croniter": croniter,
    "cronsim": cronsim,
}
