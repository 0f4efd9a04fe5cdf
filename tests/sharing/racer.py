"""One computer of a race: a process of its own, told what to do a line at a time, on its standard input.

    claim <key> <due or -> <at>   `at`: the instant of the monotonic clock, in ns, to begin at (0: now)
    start | beat | finish <key>   of what it claimed
    fence <key>                   whether it trusts its own lease

Each line is answered by one: what came of it, and for claims when the question was asked and answered. `--wrong` makes
it look first and insert then, under no common key: the mistake that the races have to be able to see.
"""

import sys
import time

from msgspec import structs

from desktopsched.model import Outcome, State
from desktopsched.sharing.answers import ClaimAnswer, Claimed, Kept, Taken, Unknown
from desktopsched.sharing.claim import Hold, Wish
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.fence import Fence
from desktopsched.sharing.key import Key
from desktopsched.sharing.store import Store
from tests.sharing.places import nonce


class Racer:
    """What it holds, by nominal."""

    def __init__(self, store: Store, list_id: str, name: str, lease: float, *, wrong: bool) -> None:
        self._store, self._list, self._name, self._lease, self._wrong = store, list_id, name, lease, wrong
        self._holds: dict[str, Hold] = {}
        self._fences: dict[str, Fence] = {}

    def do(self, verb: str, nominal: str, *more: str) -> str:
        """One line."""
        match verb:
            case "claim":
                return self._claim(nominal, *more)
            case "start":
                answer: object = self._store.start(self._holds[nominal], nonce())
            case "beat":
                asked = time.monotonic()
                answer = self._store.heartbeat(self._holds[nominal])
                if isinstance(answer, Kept):
                    self._fences[nominal] = Fence(self._holds[nominal].lease, asked)
            case "fence":
                return str(self._fences[nominal].holds(time.monotonic()))
            case _:
                answer = self._store.finish(self._holds[nominal], Outcome(State.SUCCEEDED, "", 0))
        return type(answer).__name__

    def _claim(self, nominal: str, due: str, at: str) -> str:
        wish = Wish(
            key=Key(self._list, "race", nominal),
            due=None if due == "-" else float(due),
            owner=self._name,
            nonce=nonce(),
            lease=self._lease,
        )
        while time.perf_counter_ns() < int(at):
            pass  # both computers begin at the same moment: a sleep is not as exact
        asked = time.perf_counter_ns()
        answer = self._look_then_insert(wish) if self._wrong else self._store.claim(wish)
        answered = time.perf_counter_ns()
        if isinstance(answer, Claimed):
            self._holds[nominal] = answer.hold
        return f"{type(answer).__name__} {asked} {answered}"

    def _look_then_insert(self, wish: Wish) -> ClaimAnswer:
        for name in ("attic", "cellar"):
            found = self._store.read(structs.replace(wish.key, nominal=f"{wish.key.nominal} {name}"))
            if found is not None:
                return found if isinstance(found, Unknown) else Taken(found)
        own = structs.replace(wish.key, nominal=f"{wish.key.nominal} {self._name}")
        return self._store.claim(structs.replace(wish, key=own))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """URL, list, name, lease."""
    url, list_id, name, lease, *wrong = sys.argv[1:]
    store = open_store(url, lease=float(lease))
    racer = Racer(store, list_id, name, float(lease), wrong="--wrong" in wrong)
    _say(type(store.now()).__name__)
    for line in sys.stdin:
        _say(racer.do(*line.split()))
    store.close()


if __name__ == "__main__":
    main()
