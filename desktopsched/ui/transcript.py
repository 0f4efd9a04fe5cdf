"""The transcript: what happened, as lines of the live log. No Qt; the UI thread takes it a little at a time.

A run's output is read by one `TextReader`, which takes out what could fool a reader, and comes in slices so small that
none holds the window up. What comes faster than anybody reads is left out with a mark that says how much: the run's own
log has it all.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from msgspec import Struct

from desktopsched import phrases
from desktopsched.actions.text import Line, Span, TextReader
from desktopsched.engine import words
from desktopsched.engine.events import (
    ClaimsGoOn,
    ClaimsWithheld,
    ClockChanged,
    Event,
    Paused,
    Resumed,
    RunElsewhere,
    RunFinished,
    RunGoesOn,
    RunOutput,
    RunRetrying,
    RunSkipped,
    RunsMissed,
    RunStarted,
    TaskAdded,
    TaskDisabled,
    TaskEdited,
    ZoneChanged,
)
from desktopsched.model import CatchUp, Cause, Outcome, Run, State, Task

LONGEST = 8_192  # characters of a line in the window; the rest goes on in the next
BURST, RATE = (
    5_000,
    4_000,
)  # lines that are shown at once, and a second in the long run: more is not read anyway
QUEUED_MOST = 64 * 1_024  # characters of one run that wait to be shown
SLICE_LINES, SLICE = 16, 2_048  # lines and characters that are read between two looks at the clock
_ENDS_KEPT = 1_000  # runs whose end is remembered for what follows
_WORTH_SAYING = 0.1  # seconds that a run took
_KEPT_LEAST = 40  # lines that are shown of a piece, however fast it comes

_CAUSES = {
    Cause.SCHEDULE: "",
    Cause.MANUAL: ", by hand",
    Cause.DEPENDENCY: ", as what it waits for has ended",
    Cause.CATCH_UP: ", to catch up",
    Cause.QUEUED: ", which had waited for the run before it",
}


class Entry(Struct, frozen=True, kw_only=True):
    """A line of the log: a run's output, or words of the scheduler's own."""

    at: float | None  # None: of a past run, whose log does not say
    tag: str = ""  # the task's name, before its output
    task_id: str = ""
    run: int = 0
    line: Line | None = None  # output
    words: str = ""  # the scheduler's
    state: State | None = None  # whose icon stands before them
    open: bool = False  # has no newline yet: the next line of this run takes its place


class _Piece(Struct):
    """Output that waits to be read."""

    at: float
    run: Run
    text: str
    place: int = 0


class _End(Struct):
    """An attempt has ended: what has no newline yet is a line."""

    at: float
    run: Run


class Transcript:
    """Takes events; gives entries. Told the time, in seconds of any clock that never goes back."""

    def __init__(self) -> None:
        self._queue: deque[_Piece | Entry | _End] = deque()
        self._queued: dict[int, int] = {}  # by run: characters in it
        self._readers: dict[int, TextReader] = {}
        self._names: dict[str, str] = {}
        self._begun: dict[int, float] = {}
        self._ends: dict[int, str] = {}  # by run: what came of it, as a reason for what follows
        self._left_out: dict[int, int] = {}  # by run: characters that found no room
        self._allowed, self._refilled = float(BURST), 0.0

    @property
    def waiting(self) -> bool:
        """Whether `next` has something."""
        return bool(self._queue)

    def take(self, events: Sequence[Event], now: float) -> None:
        """Queue what happened."""
        for event in events:
            if isinstance(event, RunOutput):
                self._take_output(event, now)
            else:
                self._take_other(event)

    def next(self) -> list[Entry]:
        """The next few entries: one step's worth."""
        if not self._queue:
            return []
        first = self._queue[0]
        if isinstance(first, _Piece):
            return list(self._read(first))
        self._queue.popleft()
        return [first] if isinstance(first, Entry) else list(self._finish(first))

    # --- output --------------------------------------------------------------------------------------------

    def _take_output(self, event: RunOutput, now: float) -> None:
        run = event.run
        text = self._thin(event.text, now)
        queued = self._queued.get(run.id, 0)
        if queued and queued + len(text) > QUEUED_MOST:
            self._left_out[run.id] = self._left_out.get(run.id, 0) + len(text)
            return
        if missing := self._left_out.pop(run.id, 0):
            text = _mark(f"{missing:,} characters") + text
        self._put(_Piece(event.at, run, text))

    def _put(self, piece: _Piece) -> None:
        self._queued[piece.run.id] = self._queued.get(piece.run.id, 0) + len(piece.text)
        self._queue.append(piece)

    def _thin(self, text: str, now: float) -> str:
        """The text; its beginning and its end where it has more lines than are allowed now."""
        self._allowed = min(self._allowed + (now - self._refilled) * RATE, BURST)
        self._refilled = now
        count = text.count("\n")
        kept = max(int(self._allowed), _KEPT_LEAST)
        self._allowed = max(self._allowed - min(count, kept), 0)
        if count <= kept:
            return text
        lines = text.split("\n")
        head, tail = lines[: kept // 2], lines[-(kept // 2) :]
        return "\n".join(head) + _mark(f"{len(lines) - 2 * (kept // 2):,} lines") + "\n".join(tail)

    def _read(self, piece: _Piece) -> Iterator[Entry]:
        """Read a slice of the first piece, and drop it when it is read."""
        reader = self._readers.setdefault(piece.run.id, TextReader())
        end = _slice_end(piece.text, piece.place)
        lines = reader.feed(piece.text[piece.place : end])
        self._queued[piece.run.id] -= end - piece.place
        piece.place = end
        for line in lines:
            yield from self._lines(piece.at, piece.run, line)
        if end == len(piece.text):
            self._queue.popleft()
            if (line := reader.open_line()).spans:
                yield from self._lines(piece.at, piece.run, _shortened(line), open_=True)

    def _lines(self, at: float, run: Run, line: Line, *, open_: bool = False) -> Iterator[Entry]:
        tag = self.name(run.task_id)
        for part in _parts(line):
            yield Entry(at=at, tag=tag, task_id=run.task_id, run=run.id, line=part, open=open_)

    def _finish(self, end: _End) -> Iterator[Entry]:
        reader = self._readers.pop(end.run.id, None)
        self._queued.pop(end.run.id, None)
        for line in reader.finish() if reader is not None else ():
            yield from self._lines(end.at, end.run, line)

    # --- the scheduler's own lines -------------------------------------------------------------------------

    def _take_other(self, event: Event) -> None:
        match event:
            case TaskAdded(task=task) | TaskEdited(task=task):
                self._names[task.id] = task.name
            case RunStarted(run=run, at=at):
                self._begun.setdefault(run.id, at)
            case RunFinished(run=run) | RunRetrying(run=run):
                if missing := self._left_out.pop(run.id, 0):
                    self._put(_Piece(event.at, run, _mark(f"{missing:,} characters")))
                self._queue.append(_End(event.at, run))
        said, state = self._words(event)
        if said:
            self._queue.append(Entry(at=event.at, words=said, state=state, task_id=_task_of(event)))
        if isinstance(event, RunFinished):
            self._begun.pop(event.run.id, None)

    def _words(self, event: Event) -> tuple[str, State | None]:  # noqa: PLR0911 - one for each kind
        """What the log says of an event, and with which icon; nothing of those that are no news."""
        match event:
            case RunGoesOn(run=run):
                return f"{self.name(run.task_id)} goes on, run {run.id}", State.RUNNING
            case RunStarted(run=run):
                return f"{self.name(run.task_id)} started, run {run.id}{self._cause(run)}", State.RUNNING
            case RunElsewhere(run=run, owner=owner):
                return f"{self.name(run.task_id)} started on {owner}. Its output is there", State.RUNNING
            case RunRetrying(run=run, outcome=outcome, at=at, retry_at=retry_at):
                again = phrases.until(retry_at, at)
                return (
                    f"{self.name(run.task_id)} failed: {outcome.reason}. It tries again {again}",
                    State.FAILED,
                )
            case RunFinished(outcome=outcome):
                return self._end(event), outcome.state
            case RunSkipped(run=run, outcome=outcome):
                count = f" {run.count} times" if run.count > 1 else ""
                return f"{self.name(run.task_id)} was skipped{count}: {outcome.reason}", outcome.state
            case RunsMissed(task_id=task_id, count=count, policy=policy):
                asks = ", and waits for your answer" if policy is CatchUp.ASK else ""
                return f"{self.name(task_id)} missed {_runs(count)}{asks}", State.SKIPPED
            case TaskDisabled(reason=reason):
                return reason, State.FAILED
        return _of_everything(event) or _of_sharing(event), None

    def _end(self, event: RunFinished) -> str:
        """How a run ended; remembered as the reason of the runs that follow from it."""
        state, reason = event.outcome.state, event.outcome.reason
        computer = words.computer_of(reason) if event.run.owner else ""
        if computer:
            reason = reason.removeprefix(words.ran_on(computer, Outcome(state))).removeprefix(": ")
        said = {State.CANCELLED: "was cancelled", State.SKIPPED: "was skipped"}.get(state, state.value)
        end = self._ends[event.run.id] = f"{self.name(event.run.task_id)} {said}"
        if computer:
            end = f"{end} on {computer}"
        if len(self._ends) > _ENDS_KEPT:
            del self._ends[next(iter(self._ends))]
        if state is not State.SUCCEEDED:
            return f"{end}: {reason}" if reason else end
        begun = self._begun.get(event.run.id, event.at)
        return f"{end} in {phrases.took(event.at - begun)}" if event.at - begun >= _WORTH_SAYING else end

    def _cause(self, run: Run) -> str:
        if run.attempt > 1:
            return f", attempt {run.attempt}"
        known = [self._ends[parent] for parent in run.parents if parent in self._ends]
        if run.cause is Cause.DEPENDENCY and known:
            more = f" and {len(run.parents) - 1} more ended" if len(run.parents) > 1 else ""
            return f", because {known[0]}{more}"
        return _CAUSES[run.cause]

    def name(self, task_id: str) -> str:
        """The name of a task, as far as it is known."""
        return self._names.get(task_id, task_id)


def _task_of(event: Event) -> str:
    """The task that an event is about; empty: none."""
    run, task = getattr(event, "run", None), getattr(event, "task", None)
    if isinstance(run, Run):
        return run.task_id
    return task.id if isinstance(task, Task) else str(getattr(event, "task_id", ""))


def _of_everything(event: Event) -> str:
    """What the log says of an event that is about no single task."""
    match event:
        case Paused():
            return "All tasks are paused: nothing new starts"
        case Resumed():
            return "Tasks start again"
        case ClockChanged(step=step):
            direction = "forward" if step > 0 else "back"
            return f"The clock was set {direction} by {phrases.span(abs(step))}"
        case ZoneChanged(zone=zone):
            return f"The computer's time zone is {zone} now"
    return ""


def _of_sharing(event: Event) -> str:
    """What the log says of the list that other computers have too."""
    match event:
        case ClaimsWithheld(reason=reason):
            return f"Nothing new starts here: {words.at_present(reason)}"
        case ClaimsGoOn():
            return "Starts are claimed again"
    return ""


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count:,} runs"


def _mark(what: str) -> str:
    """A line of its own, in faint letters whatever the output was about to do."""
    return f"\n\x1b[0;2m… {what} are not shown here; the run's log has them …\x1b[0m\n"


def _slice_end(text: str, place: int) -> int:
    """Where the slice that begins at `place` ends: after so many lines, or so many characters."""
    end = min(place + SLICE, len(text))
    at = place - 1
    for _ in range(SLICE_LINES):
        at = text.find("\n", at + 1, end)
        if at < 0:
            return end
    return at + 1


def _shortened(line: Line) -> Line:
    """The last part of a line that goes on: it is shown again and again as it grows."""
    return list(_parts(line))[-1]


def _parts(line: Line) -> Iterator[Line]:
    """The line in parts that a window lays out without a pause."""
    if sum(len(span.text) for span in line.spans) <= LONGEST:
        yield line
        return
    spans: list[Span] = []
    room = LONGEST
    for span in line.spans:
        rest = span.text
        while rest:
            spans.append(Span(rest[:room], span.style))
            rest, room = rest[room:], room - len(rest[:room])
            if not room:
                yield Line(tuple(spans))
                spans, room = [], LONGEST
    if spans:
        yield Line(tuple(spans))
