"""Figures: what a benchmark found, beside what is wanted."""

from collections.abc import Sequence

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One number. `most` (or `least`) is the goal; None: there is none, it is only to be looked at."""

    name: str
    value: float
    unit: str = "ms"
    most: float | None = None
    least: float | None = None

    @property
    def goal(self) -> str:
        """The goal in words."""
        if self.most is not None:
            return f"≤ {self.most:,g}"
        return f"≥ {self.least:,g}" if self.least is not None else ""

    @property
    def is_met(self) -> bool:
        """Whether it is as good as it should be."""
        return (self.most is None or self.value <= self.most) and (
            self.least is None or self.value >= self.least
        )


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0
