"""What a scheduler must be able to do to be measured. An adapter for one is a class in a module of this folder."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Call = Callable[..., object]
Args = tuple[Any, ...]

NO_ARGS: Iterable[Args] = itertools.repeat(())
WORKERS = 8


class Scheduler:
    """Calls functions at given instants (seconds since 1970), each on one of eight threads."""

    per_second = 200_000  # inserts: a first guess, from which the lead before a storm is taken

    def start(self) -> None:
        """Ready to take calls."""
        raise NotImplementedError

    def stop(self) -> None:
        """Run nothing more. Threads may stay: the process ends soon."""

    def call_at(self, when: float, call: Call, *args: Any) -> Any:
        """Call it then; what is returned stands for it in `cancel`."""
        raise NotImplementedError

    def insert_each(self, whens: Sequence[float], call: Call, arguments: Iterable[Args]) -> list[Any]:
        """One call after the other, on whichever thread this scheduler wants that."""
        call_at = self.call_at
        return [call_at(when, call, *args) for when, args in zip(whens, arguments, strict=False)]

    def insert_all(self, whens: Sequence[float], call: Call, arguments: Iterable[Args]) -> list[Any]:
        """The fastest way that there is to insert many."""
        return self.insert_each(whens, call, arguments)

    def cancel(self, handle: Any) -> None:
        """Take one back."""
        raise NotImplementedError

    def cancel_each(self, handles: Sequence[Any]) -> None:
        """Take them back, one after the other."""
        cancel = self.cancel
        for handle in handles:
            cancel(handle)

    def every(self, interval: float, call: Call) -> float:
        """Call it again and again. Returns the instant from which the intervals count."""
        raise NotImplementedError

    def settle(self) -> None:
        """Return when everything that was inserted or cancelled has reached the scheduler."""

    @property
    def thread(self) -> int | None:
        """The system's number of the thread that waits for what is due."""
        return None
