"""Which runs are under way, as the events tell it. Values, no Qt."""

from collections.abc import Sequence

from desktopsched.engine.events import Event, RunFinished, RunRetrying, RunStarted


class UnderWay:
    """A run goes on until it is finished; between two attempts it goes on, but nothing of it runs."""

    def __init__(self) -> None:
        self._runs: dict[int, tuple[str, bool]] = {}  # by run: its task, and whether an attempt runs

    def apply(self, events: Sequence[Event]) -> None:
        """Take what happened."""
        for event in events:
            match event:
                case RunStarted(run=run):
                    self._runs[run.id] = run.task_id, True
                case RunRetrying(run=run):
                    self._runs[run.id] = run.task_id, False
                case RunFinished(run=run):
                    self._runs.pop(run.id, None)

    def goes_on(self, run: int) -> bool:
        """Whether this run is not finished."""
        return run in self._runs

    def runs(self, task_id: str = "", run: int = 0) -> bool:
        """Whether something may be printed: by this run, by this task, or by any."""
        return any(
            running and (not task_id or task_id == own_task) and (not run or run == own)
            for own, (own_task, running) in self._runs.items()
        )
