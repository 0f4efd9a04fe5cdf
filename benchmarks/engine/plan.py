"""What is measured, beside whom, and what is wanted. Medians are compared, and only those of one run."""

from typing import Any

from msgspec import Struct


class Goal(Struct, frozen=True, kw_only=True):
    """A figure of the product: against that of a peer (`times` as much), or, without one, against a number."""

    figure: str
    peer: str = ""
    least: float | None = None
    most: float | None = None


class Row(Struct, frozen=True, kw_only=True):
    """One line of the table: its first figure is shown, of everybody."""

    workload: str
    title: str
    kind: str  # see `child.MEASURES`
    given: dict[str, Any]
    unit: str
    figure: str
    more_is_better: bool = False
    peers: tuple[str, ...] = ()
    limit: str = ""
    goals: tuple[Goal, ...]


def _faster(*wanted: tuple[str, float]) -> tuple[Goal, ...]:
    return tuple(Goal(figure="per_second", peer=peer, least=times) for peer, times in wanted)


def _insert(title: str, *goals: Goal, peers: tuple[str, ...], bulk: bool) -> Row:
    return Row(
        workload="W1",
        title=title,
        kind="insert",
        given={"n": 100_000, "bulk": bulk},
        unit="/s",
        figure="per_second",
        more_is_better=True,
        peers=peers,
        limit="bare heap",
        goals=goals,
    )


def _storm(n: int, *peers: str, goals: tuple[Goal, ...]) -> Row:
    return Row(
        workload="W2",
        title=f"storm of {n:,}, 8 threads",
        kind="storm",
        given={"n": n},
        unit="/s",
        figure="per_second",
        more_is_better=True,
        peers=peers,
        limit="bare heap",
        goals=goals,
    )


def _late(workload: str, title: str, figure: str, *peers: str, given: dict[str, Any], goal: Goal) -> Row:
    return Row(
        workload=workload,
        title=title,
        kind="busy calls" if workload == "W3G" else "calls",
        given=given,
        unit="µs",
        figure=figure,
        peers=peers,
        limit="bare heap",
        goals=(goal,),
    )


def _graph(kind: str) -> Row:
    return Row(
        workload="W7",
        title=f"graph of 10,000: {kind}",
        kind="graph",
        given={"kind": kind},
        unit="/s",
        figure="per_second",
        more_is_better=True,
        peers=("graphlib", "asyncio"),
        limit="counters",
        goals=_faster(("graphlib", 2)),
    )


def _cron(zone: str) -> Row:
    return Row(
        workload="W8",
        title=f"next cron instant, {zone}",
        kind="cron",
        given={"zone": zone},
        unit="µs",
        figure="each_us",
        peers=("croniter", "cronsim"),
        goals=(
            Goal(figure="each_us", peer="croniter", most=0.1),
            Goal(figure="each_us", peer="cronsim", most=0.2),
        ),
    )


def _processes(title: str, *goals: Goal, megabytes: int = 0, supervised: bool = False) -> Row:
    return Row(
        workload="W10",
        title=title,
        kind="processes",
        given={"n": 1_000, "megabytes": megabytes, "supervised": supervised},
        unit="/s",
        figure="per_second",
        more_is_better=True,
        peers=("Popen",),
        limit="Popen ×4",
        goals=goals,
    )


def _command(command: str, times: float) -> Row:
    return Row(
        workload="W11",
        title=f"`desktopsched {command}`, 1,000 tasks",
        kind="command line",
        given={"command": command, "n": 1_000},
        unit="ms",
        figure="ms",
        peers=("python -c pass",),
        goals=(Goal(figure="ms", peer="python -c pass", most=times),),
    )


_FULL = {"idle": 100_000, "n": 2_000, "seconds": 20}
_BUSY = {"idle": 10_000, "n": 1_000, "seconds": 10}

ROWS = (
    _insert(
        "insert 100,000, one by one",
        *_faster(("sched", 0.8), ("apscheduler3", 30)),
        Goal(figure="bytes", most=1_000),
        peers=("sched", "asyncio", "apscheduler3"),
        bulk=False,
    ),
    _insert("insert 100,000, in bulk", *_faster(("best", 2)), peers=("sched", "apscheduler3"), bulk=True),
    _storm(10_000, "asyncio", "uvloop", "apscheduler3", goals=_faster(("asyncio", 1.5), ("apscheduler3", 5))),
    _storm(100_000, "asyncio", "uvloop", goals=_faster(("asyncio", 1.5))),
    Row(
        workload="W2",
        title='"now", 10,000 times',
        kind="live",
        given={"n": 10_000},
        unit="/s",
        figure="per_second",
        more_is_better=True,
        peers=("asyncio", "uvloop", "sched"),
        limit="bare heap",
        goals=_faster(("asyncio", 2)),
    ),
    _late(
        "W3",
        "lateness, p50, 100,000 idle",
        "p50_us",
        "sched",
        "asyncio",
        given=_FULL,
        goal=Goal(figure="p50_us", peer="sched", most=0.8),
    ),
    _late(
        "W3",
        "lateness, p99, 100,000 idle",
        "p99_us",
        "sched",
        "asyncio",
        given=_FULL,
        goal=Goal(figure="p99_us", peer="sched", most=0.8),
    ),
    _late(
        "W3G",
        "lateness, p50, a busy thread",
        "p50_us",
        "asyncio",
        given=_BUSY,
        goal=Goal(figure="p50_us", peer="asyncio", most=0.3),
    ),
    Row(
        workload="W4",
        title="wake-ups in 20 s, 10,000 idle",
        kind="idle",
        given={"n": 10_000, "seconds": 20},
        unit="",
        figure="wakeups",
        peers=("asyncio", "sched"),
        limit="bare heap",
        goals=(Goal(figure="wakeups", most=0),),
    ),
    Row(
        workload="W5",
        title="wake-ups for each due instant",
        kind="one by one",
        given={"n": 200, "gap": 0.02},
        unit="",
        figure="per_instant",
        peers=("asyncio", "sched"),
        limit="bare heap",
        goals=(Goal(figure="per_instant", most=1.0),),
    ),
    Row(
        workload="W6",
        title="cancel 100,000 of 200,000, each",
        kind="cancels",
        given={"n": 200_000, "cancelled": 100_000, "probes": 2_000, "seconds": 10},
        unit="µs",
        figure="cancel_us",
        peers=("asyncio",),
        limit="bare heap",
        goals=(
            Goal(figure="cancel_us", peer="asyncio", most=1.0),
            Goal(figure="p99_us", most=2_000),
        ),
    ),
    _graph("chain"),
    _graph("layers"),
    _graph("fan"),
    _cron("UTC"),
    _cron("America/New_York"),
    Row(
        workload="W9",
        title="every 10 ms, off by, p50",
        kind="in a row",
        given={"interval": 0.01, "seconds": 10},
        unit="µs",
        figure="p50_us",
        peers=("sched", "asyncio"),
        limit="bare heap",
        goals=(
            Goal(figure="p50_us", peer="sched", most=0.7),
            Goal(figure="drift_us", most=100),
        ),
    ),
    _processes("run `/bin/true` 1,000 times", *_faster(("Popen", 0.65))),
    _processes("the same with 600 MB in use", *_faster(("Popen", 0.65)), megabytes=600),
    _processes(
        "each under a supervisor", supervised=True
    ),  # what outliving the program costs; nobody else does it
    _command("next t1", 4),
    _command("list", 8),
)

NOTHING_WRONG = ("missing", "wrong", "early")
"""Figures of the product that are never anything but 0, whatever the goal."""
