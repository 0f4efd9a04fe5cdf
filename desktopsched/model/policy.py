"""Policies: what a task does when something gets in the way. Each enum's first value is the default."""

import enum

from msgspec import Struct


class On(enum.StrEnum):
    """Which outcomes of the parent meet an edge."""

    SUCCESS = "success"
    FAILURE = "failure"
    FINISH = "finish"  # either of the two; SKIPPED and CANCELLED meet none


class Join(enum.StrEnum):
    """How many edges must be met for the child to run."""

    ALL = "all"
    ANY = "any"


class OnFailure(enum.StrEnum):
    """What a final FAILED leads to."""

    ALERT = "alert"
    IGNORE = "ignore"
    PAUSE = "pause"  # alert, and disable the task


class Overlap(enum.StrEnum):
    """What happens to a start that comes while the task is running."""

    SKIP = "skip"  # dropped, with one SKIPPED record that counts what was dropped
    QUEUE = "queue"  # one start waits, the latest
    PARALLEL = "parallel"
    REPLACE = "replace"  # the run under way is stopped first


class CatchUp(enum.StrEnum):
    """What happens to due instants that passed while nothing could start them."""

    ASK = "ask"
    ALL = "all"
    LATEST = "latest"
    SKIP = "skip"


class IfLost(enum.StrEnum):
    """What happens to a start whose computer died under it, where several computers share the list."""

    NEVER_TWICE = "never-twice"  # it is lost, and the person is told: it starts at most once
    RUN_AGAIN = "run-again"  # another computer starts it; for a moment two runs may overlap


class Edge(Struct, frozen=True, gc=False):
    """One parent that a task waits for."""

    task: str  # the parent's id
    on: On = On.SUCCESS


class Retry(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Attempt n+1 is due `delay · backoff^(n−1)` seconds, at most `max_delay`, ± `jitter`, after attempt n ended."""

    attempts: int = 1  # 1: no retry
    delay: float = 0.0
    backoff: float = 1.0
    max_delay: float | None = None
    jitter: float = 0.0  # a fraction of the delay
