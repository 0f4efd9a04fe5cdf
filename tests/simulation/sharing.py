"""A random history of one seed on three computers that share a list, and the account of it.

They die at any step, stand still past their leases, lose the store and its answers, hand over and take back, and their
clocks are wrong by a minute and a half. Then all is well again, and everything that was due has its end.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from desktopsched.engine.events import RunFinished, RunSkipped, RunStarted
from desktopsched.engine.fates import Ended, Fate, StillRunning
from desktopsched.engine.occurrences import newest
from desktopsched.model import CatchUp, Cause, Cron, Edge, Every, IfLost, Join, On, Overlap, Retry, Run, Task
from desktopsched.sharing.claim import LEASE
from tests.claiming.town import Computer, Town
from tests.engine.world import FAIL, NOON, OK, task
from tests.simulation.history import WrongError, moment

NAMES = ("desk", "attic", "cellar")
STEPS = (1.0, 5.0, 20.0, 60.0, 150.0, 400.0)


def a_task(rng: random.Random, number: int) -> Task:
    """A task of any kind that shared lists have; it may wait for those before it."""
    fields: dict[str, Any] = {
        "schedule": rng.choice(
            [
                Cron("* * * * *"),
                Cron("*/3 * * * *"),
                Every(interval=45.0, start=moment(7)),
                Every(interval=100.0, start=moment(0)),
            ]
        ),
        "overlap": rng.choice(list(Overlap)),
        "catch_up": rng.choice(list(CatchUp)),
        "grace": rng.choice([0.0, 20.0, 60.0, 200.0]),
        "retry": rng.choice([Retry(), Retry(), Retry(attempts=2, delay=rng.choice([0.0, 10.0, 80.0]))]),
        "if_lost": rng.choice(list(IfLost)),
        "prefers": rng.choice(["", "", "", "attic"]),
        "random_delay": rng.choice([0.0, 0.0, 3.0]),
    }
    if number and rng.random() < 0.4:
        parents = rng.sample(range(number), rng.randint(1, min(number, 2)))
        fields["waits_for"] = tuple(Edge(f"t{parent}", rng.choice(list(On))) for parent in parents)
        fields["join"] = rng.choice(list(Join))
        fields["schedule"] = None
    return task(f"t{number}", **fields)


class SharedHistory:
    """`play` it, then `account` for it. `calm`: nothing goes wrong."""

    def __init__(self, seed: int, *, calm: bool = False) -> None:
        self.rng = random.Random(seed)
        self.calm = calm
        self.tasks = {one.id: one for one in (a_task(self.rng, n) for n in range(self.rng.randint(2, 4)))}
        self.town = Town()
        skews = [0.0, 0.0, 0.0] if calm else [0.0, self.rng.uniform(-90, 90), self.rng.uniform(-90, 90)]
        self.dying = 0.0  # how likely a computer dies at a step
        self.spawned: list[tuple[str, Run]] = []  # processes, ever: where, and of which run
        self.computers = [
            self._computer(name, skew, workers=self.rng.choice([1, 2, 8]))
            for name, skew in zip(NAMES, skews, strict=True)
        ]

    def _computer(self, name: str, skew: float, workers: int) -> Computer:
        one = self.town.computer(name, *self.tasks.values(), skew=skew, workers=workers)
        one.about_to = lambda run: self._spawn(one, run)
        one.line.cut = self._weather_of()
        return one

    def _spawn(self, one: Computer, run: Run) -> None:
        if self.rng.random() < self.dying / 2:
            one.crash()  # its history has the start, and there is no process
        if (run.id, run.attempt) not in one.followed:
            self.spawned.append((one.name, run))
        if self.rng.random() < self.dying / 2:
            one.crash()

    def _weather_of(self) -> Callable[[str], str]:
        lossy = [0.0]
        self.lossy = getattr(self, "lossy", [])
        self.lossy.append(lossy)

        def cut(step: str) -> str:
            luck = self.rng.random()
            if luck < lossy[0]:
                return "after" if luck < lossy[0] / 2 else "before"
            dies = step in {"claim", "start", "finish", "take_over"} and self.rng.random() < self.dying
            return self.rng.choice(["die before", "die after"]) if dies else ""

        return cut

    # --- what can happen

    def play(self, steps: int) -> None:
        """Let things happen, and then let all be well."""
        for _ in range(steps):
            for one in self.computers:
                if one.world is not None:
                    for name in self.tasks:
                        one.world.lasts[name] = self.rng.choice([0, 0, 3, 30, 90])
                        if not self.calm:
                            one.world.outcomes[name] = self.rng.choices([OK, FAIL], [3, 1], k=3)
            if not self.calm:
                self.rng.choice(self._ACTS)(self)
            self.town.advance(self.rng.choice(STEPS))
        self._come_to_rest()

    def _some(self) -> Computer:
        return self.rng.choice(self.computers)

    def _die(self) -> None:
        one = self._some()
        if one.world is not None:
            one.still = False
            one.die()

    def _come_back(self) -> None:
        for one in self.computers:
            if one.world is None and self.rng.random() < 0.7:
                one.come_back(self._fates(one))

    def _fates(self, one: Computer) -> dict[int, Fate]:
        fates: dict[int, Fate] = {}
        died = one._dead.clock.time
        for memory in one._dead.last.values():
            for run in memory.live:
                if run.id in memory.retry_at:
                    continue
                going = sum(isinstance(fate, StillRunning) for fate in fates.values())
                options: list[Fate | None] = [None, Ended(self.rng.choice([OK, FAIL]), died)]
                if going < one.workers and any(
                    run.id == spawned.id for name, spawned in self.spawned if name == one.name
                ):
                    options.append(StillRunning(died))
                fate = self.rng.choice(options)
                if fate is not None:
                    fates[run.id] = fate
        return fates

    def _stand_still(self) -> None:
        one = self._some()
        if one.world is not None:
            one.stop()

    def _go_on(self) -> None:
        for one in self.computers:
            one.resume()

    def _cut_off(self) -> None:
        self._some().line.down = True

    def _store_down(self) -> None:
        for one in self.computers:
            one.line.down = True

    def _store_up(self) -> None:
        for one in self.computers:
            one.line.down = False

    def _lose_answers(self) -> None:
        self.rng.choice(self.lossy)[0] = self.rng.choice([0.05, 0.3])

    def _lose_none(self) -> None:
        for lossy in self.lossy:
            lossy[0] = 0.0

    def _be_fragile(self) -> None:
        self.dying = self.rng.choice([0.02, 0.1])

    def _be_solid(self) -> None:
        self.dying = 0.0

    def _hand_over(self) -> None:
        one = self._some()
        if one.world is not None and not one.still and one.world.shared is not None:
            one.world.shared.hand_over()

    def _take_back(self) -> None:
        for one in self.computers:
            if one.world is not None and not one.still and one.world.shared is not None:
                one.world.shared.take_back()

    def _run_now(self) -> None:
        one = self._some()
        if one.world is not None and not one.still:
            name = self.rng.choice(list(self.tasks))
            one.world.dispatcher.run_now(name, downstream=self.rng.random() < 0.3)

    def _stop_run(self) -> None:
        one = self._some()
        if one.world is not None and not one.still:
            one.world.dispatcher.cancel(self.rng.choice(list(self.tasks)))

    def _decide(self) -> None:
        one = self._some()
        if one.world is not None and not one.still:
            choice = self.rng.choice([CatchUp.ALL, CatchUp.LATEST, CatchUp.SKIP])
            rerun = self.rng.random() < 0.3
            one.world.dispatcher.decide(self.rng.choice(list(self.tasks)), choice, rerun=rerun)

    _ACTS: tuple[Callable[["SharedHistory"], None], ...] = (
        *(_die, _stand_still, _cut_off, _store_down, _lose_answers, _be_fragile),
        *(_come_back, _go_on, _store_up) * 2,
        *(_lose_none, _be_solid, _hand_over, _take_back, _run_now, _stop_run, _decide),
    )

    def _come_to_rest(self) -> None:
        self._be_solid()
        self._lose_none()
        self._store_up()
        self._go_on()
        while any(one.world is None for one in self.computers):
            for one in self.computers:
                if one.world is None:
                    one.come_back(self._fates(one))
        self._take_back()
        for _ in range(3):
            for one in self.computers:
                for name in self.tasks:
                    one.now.lasts[name] = 0
                    one.now.outcomes[name] = []
                    one.now.dispatcher.decide(name, CatchUp.ALL)
            self.town.advance(2 * LEASE + 200)

    # --- the account

    def account(self) -> None:
        """No start twice, no outcome twice, and each due instant has one end on every computer."""
        self._account_grants()
        self._account_starts()
        self._account_rows()
        self._account_rest()
        for one in self.computers:
            for name in self.tasks:
                self._account_dues(one, name)

    def _account_grants(self) -> None:
        for key, stamps in self.town.ledger.started.items():
            if len(stamps) > 1:
                raise WrongError(f"{key} was granted to {len(stamps)} starts")

    def _account_starts(self) -> None:
        attempts: Counter[tuple[str, str, int, int]] = Counter()
        where: defaultdict[tuple[str, str, int], set[str]] = defaultdict(set)
        tokens: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        for name, run in self.spawned:
            if not run.token:
                raise WrongError(f"{run.task_id} {run.nominal} started without a claim")
            attempts[run.task_id, run.nominal, run.token, run.attempt] += 1
            where[run.task_id, run.nominal, run.token].add(name)
            tokens[run.task_id, run.nominal].add(run.token)
        for start, times in attempts.items():
            if times > 1:
                raise WrongError(f"{start} began {times} times")
        for one, names in where.items():
            if len(names) > 1:
                raise WrongError(f"{one} began on {sorted(names)}")
        for (task_id, nominal), found in tokens.items():
            if len(found) > 1 and self.tasks[task_id].if_lost is IfLost.NEVER_TWICE:
                raise WrongError(f"{task_id} {nominal} is never twice, and began under {sorted(found)}")

    def _account_rows(self) -> None:
        rows = {row.key: row for row in self.town.rows()}
        for key, ends in self.town.ledger.finished.items():
            if len(ends) > 1:
                raise WrongError(f"{key} was finished as {sorted(ends)}")
            if {token for token, _ in ends} != {rows[key].token}:
                raise WrongError(f"{key} was finished under a token that is not its last")

    def _account_rest(self) -> None:
        """Nobody has anything under way, or waits for what nobody has."""
        for row in self.town.rows():
            if row.state.open and not row.abandoned:
                raise WrongError(f"{row.key} is {row.state} by {row.owner}, who has nothing under way")
        for one in self.computers:
            for task_, status in one.now.dispatcher.tasks():
                if status.running or status.elsewhere:
                    raise WrongError(f"{one.name}: {task_.id} still goes on")

    def _account_dues(self, one: Computer, name: str) -> None:
        """Each due instant is named once: a run, a record that counts it, or what is owed."""
        task_ = self.tasks[name]
        if task_.waits_for:
            return
        slot = one.now.dispatcher._agenda.board.slots[name]
        mine = [
            event
            for event in one.events
            if isinstance(event, RunFinished | RunSkipped)
            and event.run.task_id == name
            and event.run.cause is not Cause.MANUAL
            and not event.run.nominal.startswith("by hand")
        ]
        spans = [
            (event.run.scheduled_for if event.run.first is None else event.run.first, event.run.scheduled_for)
            for event in mine
        ]
        spans += [(owed.after + 1e-3, owed.until) for owed in slot.owed]
        live = {live.run.scheduled_for for live in slot.live}
        dues, _ = newest(
            task_, slot.first_seen, slot.cursor, 10**6, zone=one.now.clock.place, anchor=slot.first_seen
        )
        total = sum(event.run.count for event in mine) + sum(owed.count for owed in slot.owed) + len(live)
        if total != len(dues):
            raise WrongError(f"{one.name}: {name} has {total} ends of {len(dues)} due instants")
        for due in dues:
            if due not in live and not any(first <= due <= last for first, last in spans):
                raise WrongError(f"{one.name}: {name}: nothing says what became of {due - NOON:g}")

    def figures(self) -> tuple[int, int, int]:
        """Starts by schedule that were due, and of those: how many began, how many never did."""
        due: set[tuple[str, str]] = set()
        for one in self.computers:
            for event in one.events:
                if (
                    isinstance(event, RunFinished | RunSkipped | RunStarted)
                    and event.run.cause is not Cause.MANUAL
                ):
                    due.add((event.run.task_id, event.run.nominal))
        began = {(run.task_id, run.nominal) for _, run in self.spawned}
        return len(due), len(due & began), len(due - began)

    def end(self) -> None:
        """All of them end."""
        for one in self.computers:
            if one.world is not None:
                one.world.kill()
