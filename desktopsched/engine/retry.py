"""Retries: when the next attempt of a run is due (rule 5)."""

import random

from desktopsched.model import Retry

_LONGEST = 10 * 365 * 86_400.0  # seconds: a back-off that grew beyond this is a slip of the pen, not a plan


def retry_delay(retry: Retry, attempt: int, luck: float | None = None) -> float:
    """Seconds from the end of failed attempt number `attempt` to the next one.

    `delay · backoff^(attempt−1)`, at most `max_delay`, then ± `jitter` of it; `luck` in [0, 1) decides where in that
    span, by chance where it is not given.
    """
    longest = _LONGEST if retry.max_delay is None else retry.max_delay
    try:
        delay = min(retry.delay * retry.backoff ** (attempt - 1), longest)
    except OverflowError:
        delay = longest
    if not retry.jitter:
        return delay
    if luck is None:
        luck = random.random()  # noqa: S311 - spreads load, guards nothing
    return delay * (1 + retry.jitter * (2 * luck - 1))
