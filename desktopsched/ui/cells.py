"""What the columns say of each task at a moment, made once and kept until something may read otherwise. No Qt."""

from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

from desktopsched.model import State
from desktopsched.ui import row
from desktopsched.ui.expected import Expectations, only_on_failure
from desktopsched.ui.roles import Column
from desktopsched.ui.row import Cell, Row


class Cells:
    """Told the instant and the zone by `look_again`."""

    def __init__(self, get: Callable[[str], Row | None], now: float, zone: ZoneInfo) -> None:
        self._get = get
        self._made: dict[tuple[str, Column], tuple[int, Cell]] = {}  # with the stamp they are of
        self._stamp = 0
        self.look_again(now, zone)

    def look_again(self, now: float, zone: ZoneInfo) -> None:
        """Time has passed, or rows have changed: of tasks that wait for them, too."""
        self._now, self._zone = now, zone
        self._stamp += 1
        self._expected = Expectations(self._get, now)

    def forget(self, task_id: str) -> None:
        """A task that is gone, or hidden."""
        for column in Column:
            self._made.pop((task_id, column), None)

    def cell(self, found: Row, column: Column) -> Cell:
        """What a column says."""
        key = found.task.id, column
        stamp, cell = self._made.get(key, (-1, None))
        if cell is None or stamp != self._stamp:
            cell = self._expected_cell(found, column) or _CELLS[column](found, self._now, self._zone)
            self._made[key] = self._stamp, cell
        return cell

    def state(self, found: Row) -> State:
        """What a row shows; while what it waits for is under way, it is its next run that counts."""
        waits = found.status.enabled and found.task.waits_for and not found.busy
        return State.PENDING if waits and self._expected.awaits(found) else found.state

    def _expected_cell(self, found: Row, column: Column) -> Cell | None:
        """State and next run of a task that waits for others, as far as their ends can be guessed."""
        if column is Column.STATE:
            return row.state_cell(self.state(found))
        status = found.status
        idle = status.enabled and status.due is None and status.state is State.PENDING
        if column is not Column.NEXT or not found.task.waits_for or not idle:
            return None
        if only_on_failure(found):
            return Cell(text="only on a failure", quiet=True)
        guess = self._expected.start(found)
        return row.child_cell(guess.at, guess.behind, self._now, self._zone) if guess is not None else None


_CELLS: Mapping[Column, Callable[[Row, float, ZoneInfo], Cell]] = {
    Column.STATE: lambda found, _now, _zone: row.state_cell(found.state),
    Column.NAME: lambda found, _now, _zone: row.name_cell(found),
    Column.SCHEDULE: lambda found, _now, _zone: row.schedule_cell(found),
    Column.NEXT: row.next_cell,
    Column.RESULT: row.result_cell,
    Column.STRIP: lambda found, now, _zone: row.strip_cell(found, now),
    Column.DURATION: lambda found, now, _zone: row.duration_cell(found, now),
}
