"""What the columns say of each task at a moment, made once and kept until something may read otherwise. No Qt."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from zoneinfo import ZoneInfo

from desktopsched.model import State
from desktopsched.ui import row
from desktopsched.ui.expected import Expectations, only_on_failure
from desktopsched.ui.roles import Column
from desktopsched.ui.row import Cell, Row
from desktopsched.ui.rows import Rows


class Cells:
    """Told the instant and the zone by `look_again`."""

    def __init__(self, rows: Rows, now: float, zone: ZoneInfo) -> None:
        self._rows = rows
        self.look_again(now, zone)

    def look_again(self, now: float, zone: ZoneInfo) -> None:
        """Time has passed, or rows have changed: of tasks that wait for them, too."""
        self._now, self._zone = now, zone
        self._made: dict[tuple[str, Column], Cell] = {}
        self._expected = Expectations(self._rows.get, now)
        self._soon: dict[str, list[State]] | None = None  # looked at when it is first asked for
        self._states: dict[str, Counter[State]] = {}

    def cell(self, found: Row, column: Column) -> Cell:
        """What a column says."""
        key = found.task.id, column
        cell = self._made.get(key)
        if cell is None:
            cell = self._expected_cell(found, column) or _CELLS[column](found, self._now, self._zone)
            self._made[key] = cell
        return cell

    def state(self, found: Row) -> State:
        """What a row shows; while what it waits for is under way, it is its next run that counts."""
        return row.shown_state(found, soon=found.task.id in self._rows.turns.soon)

    def states(self, group: str, tasks: Iterable[str] | None) -> Counter[State]:
        """How many of these tasks are in each state; None: of all tasks of the group, which are counted already."""
        if group not in self._states:
            known = self._rows.tally.groups.get(group)
            if tasks is None and known is not None:
                self._states[group] = self._corrected(group, known.states)
            else:
                found = (self._rows.get(one) for one in tasks or ())  # one may be gone, and its line not yet
                self._states[group] = Counter(self.state(one) for one in found if one is not None)
        return self._states[group]

    def _corrected(self, group: str, counted: Counter[State]) -> Counter[State]:
        """The counts of what the rows show; the tally has what they are."""
        found = Counter(counted)
        for state in self._idle_soon().get(group, ()):
            found[state] -= 1
            found[State.PENDING] += 1
        return found

    def _idle_soon(self) -> Mapping[str, list[State]]:
        """By group: the states of those whose turn it is soon."""
        if self._soon is None:
            self._soon = {}
            for found in (self._rows[one] for one in self._rows.turns.soon):
                if found.idle:
                    self._soon.setdefault(found.task.group, []).append(found.state)
        return self._soon

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
