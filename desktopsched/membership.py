"""Membership: this home's part in a shared list, from the opening of the program to its end. Free of Qt.

Loaded only where a list is shared. A thread of its own asks the store whether it is there, what time it has, what it
promises, and whether it is the one of before: at the start, each hour, and whenever the list is within reach again.
"""

import threading
from collections.abc import Callable, Mapping, Sequence

from desktopsched import keeping_claims
from desktopsched.claiming.events import FinishRefused, HoldLost
from desktopsched.claiming.keeper import Engine
from desktopsched.claiming.shared import SharedList
from desktopsched.engine.events import ClaimsGoOn, Event, RunElsewhere
from desktopsched.engine.memory import Memory
from desktopsched.model import Run, Task
from desktopsched.phrases import span
from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.claim import Claim
from desktopsched.sharing.safety import Promise, Safety
from desktopsched.storage.history import History

LOOK_EVERY = 3_600.0
"""Seconds between two looks at the store's clock: a computer's own drifts by less than a second in that time."""

_END_WITHIN = 1.0  # seconds that a look under way may hold up the end of the program

_NAMESAKE = (
    "Another computer that shares the list is called {!r} too, as this one is. Give each a name of its own in the"
    " preferences: else nobody can tell where something runs."
)

_FORGOT = (
    "The shared list has forgotten what was claimed: its server was emptied, made anew, or is another one than before."
    " A start that another computer has performed, and this one has not heard of, may happen once more. If you moved"
    " the list yourself, all is well."
)


class Membership:
    """Of one program. `hear` comes from the engine's threads, one event at a time; the others from any thread."""

    def __init__(
        self,
        shared: SharedList,
        history: History,
        notice: Callable[[str], None],
        clocks: Callable[[str], None],
        *,
        place: str = "",
    ) -> None:
        """`notice` hears what the person is to be told; `clocks` that they differ, in words; empty: not any more.

        `place`: the address, under which the history remembers what was found there.
        """
        self.shared = shared
        self.clock_words = ""
        self._history, self._notice, self._clocks, self._place = history, notice, clocks, place
        self._known = keeping_claims.known_store(history, place)
        self._wake, self._ending, self._warned = threading.Event(), False, False
        self._has_namesake = False
        self._thread: threading.Thread | None = None

    # --- its life ------------------------------------------------------------------------------------------

    def serve(self, engine: Engine, memory: Mapping[str, Memory], tasks: Sequence[Task]) -> None:
        """Go on where an earlier program stopped. Before the engine has its tasks."""
        self.shared.serve(engine)
        left = keeping_claims.left_claims(self._history, memory, tasks)
        self.shared.go_on(left, handed_over=keeping_claims.has_handed_over(self._history))

    def start(self) -> None:
        """Everything is open."""
        self.shared.start()
        self._thread = threading.Thread(target=self._watch, name="shared list", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Nothing runs here any more. Asks the store."""
        self._ending = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_END_WITHIN)
        self.shared.close()

    def hear(self, event: Event) -> None:
        """Keep what must survive, and let the list know what it is to know."""
        keeping_claims.keep(event, self._history)
        self.shared.hear(event)
        match event:
            case ClaimsGoOn():
                self._wake.set()
            case RunElsewhere(owner=owner) if (
                owner == self.shared.identity.computer and not self._has_namesake
            ):
                self._has_namesake = True
                self._notice(_NAMESAKE.format(owner))
            case FinishRefused() | HoldLost():
                self._notice(event.words)
            case _:
                pass

    # --- looking at the store ------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._ending:
            self._wake.clear()
            self._look()
            self._wake.wait(LOOK_EVERY)

    def _look(self) -> None:
        offset = self.shared.offset()
        if self._ending:
            return
        if isinstance(offset, Unknown):
            self.shared.unreached(offset.reason)
            return
        if offset.words != self.clock_words:
            self.clock_words = offset.words
            self._clocks(offset.words)
        if isinstance(safety := self.shared.check(), Safety):
            self._judge(safety)

    def _judge(self, safety: Safety) -> None:
        if safety.promise is Promise.NONE and not self._warned:
            self._warned = True
            self._notice(f"The shared list: {safety.words}")
        if safety.identity in {"", self._known}:  # empty: it would not say
            return
        if self._known:
            self._notice(_FORGOT)
        self._known = safety.identity
        keeping_claims.keep_store(self._history, self._place, self._known)

    # --- what people ask -----------------------------------------------------------------------------------

    def owner_words(self, run: Run) -> str:
        """Who has a start, in a sentence; empty where that is not known. Asks the store, unless it is out of reach."""
        if self.shared.trouble:
            return ""
        claim = self.shared.claim_of(run)
        return owner_sentence(claim) if isinstance(claim, Claim) else ""


def owner_sentence(claim: Claim) -> str:
    """Owner, token, lease: "desk-2 has it: token 1, and its lease ends in 41 s unless it is renewed."."""
    if not claim.state.open:
        return f"{claim.owner} had it (token {claim.token}), and it has just ended: {claim.state.value}."
    head = f"{claim.owner} has it (token {claim.token})"
    if claim.abandoned:
        return f"{head}, and has given no sign of life for a whole lease."
    return f"{head}; its lease ends in {span(claim.lease_left)} unless it is renewed."
