"""The table: one line for each workload, with the product, the best peer, the limit, and whether the goal is met."""

from collections.abc import Mapping

from benchmarks.engine.plan import NOTHING_WRONG, Goal, Row
from benchmarks.engine.starts import Figures

HEAD = (
    "| | workload | product | best peer | limit | product ÷ peer | goal (found) | met |\n"
    + "| --- " * 8
    + "|"
)


def line(row: Row, found: Mapping[str, Figures]) -> str:
    """One line. The best peer is the best of this run."""
    product = found["product"][row.figure]
    best = _best(row, found)
    peer = found[best][row.figure] if best else 0.0
    limit = _short(found[row.limit][row.figure]) if row.limit else ""
    told = [_judge(goal, row, found, best) for goal in row.goals]
    wrong = [f"{found['product'][name]:g} {name}" for name in NOTHING_WRONG if found["product"].get(name)]
    met = all(kept for kept, _ in told) and not wrong
    cells = (
        row.workload,
        row.title,
        f"{_short(product)} {row.unit}".strip(),
        f"{best} {_short(peer)}" if best else "",
        limit,
        f"{product / peer:.2f}" if peer else "",
        "; ".join([words for _, words in told] + wrong),
        "yes" if met else "**no**",
    )
    return "| " + " | ".join(cells) + " |"


def _best(row: Row, found: Mapping[str, Figures]) -> str:
    order = sorted(row.peers, key=lambda who: found[who][row.figure], reverse=row.more_is_better)
    return order[0] if order else ""


def _judge(goal: Goal, row: Row, found: Mapping[str, Figures], best: str) -> tuple[bool, str]:
    value = found["product"][goal.figure]
    name = "" if goal.figure == row.figure else goal.figure.replace("_us", ", µs") + " "
    if goal.peer:
        value /= found[best if goal.peer == "best" else goal.peer][goal.figure] or float("nan")
    times = f" × {goal.peer}" if goal.peer else ""
    if goal.least is not None:
        return value >= goal.least, f"{name}≥ {goal.least:g}{times} ({_short(value)})"
    assert goal.most is not None
    return value <= goal.most, f"{name}≤ {goal.most:,g}{times} ({_short(value)})"


def _short(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"
