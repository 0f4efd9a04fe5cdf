"""Mutants: what keeps a promise is taken away, one thing at a time, and the tests that hold the promise must fail.

Run by `make mutants`; a copy of the package is changed, never the package itself. Ends in 1 if a mutant lives. First
the tests must pass with nothing taken away: one that fails anyhow catches nothing.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parent.parent
PACKAGE = "desktopsched"
PATIENCE = 600
"""Seconds for the tests of one mutant."""


class Mutant(Struct, frozen=True, kw_only=True):
    """One change, and the tests that must notice it."""

    promise: str
    file: str
    was: str
    becomes: str
    tests: str
    select: str = ""  # an expression for -k


MUTANTS = (
    Mutant(
        promise="a file is durable before it takes the place of the old one",
        file="storage/atomic.py",
        was="        os.fsync(descriptor)\n\n\ndef _check_kind",
        becomes="\n\ndef _check_kind",
        tests="tests/faults/test_power.py",
        select="acknowledged_is_there",
    ),
    Mutant(
        promise="commits of the history are durable",
        file="storage/schema.py",
        was="PRAGMA synchronous = FULL",
        becomes="PRAGMA synchronous = OFF",
        tests="tests/faults/test_power.py",
        select="acknowledged_is_there",
    ),
    Mutant(
        promise="what others wrote into the task file is not written over",
        file="storage/atomic.py",
        was="if expected is not None and current_digest(path) not in expected:",
        becomes="if expected is None:",
        tests="tests/storage/test_taskfile.py",
    ),
    Mutant(
        promise="no process starts before its start is recorded",
        file="program.py",
        was="            self.history.wait_recorded(run.id, run.attempt)\n",
        becomes="            pass\n",
        tests="tests/faults/test_full_disk.py",
    ),
    Mutant(
        promise="no due instant starts twice: the unique key",
        file="storage/schema.py",
        was="CREATE UNIQUE INDEX one_start",
        becomes="CREATE INDEX one_start",
        tests="tests/storage/test_history.py",
    ),
    Mutant(
        promise="whatever woke the loop, it looks at the clock",
        file="engine/timetable.py",
        was="while heap and heap[0][0] <= now:",
        becomes="while heap and heap[0][0] <= now + 3600:",
        tests="tests/engine/test_rule_5_retries.py",
    ),
    Mutant(
        promise="a due instant that was decided is not decided again",
        file="engine/dues.py",
        was="            after, slot.cursor = slot.cursor, passed[-1]\n",
        becomes="            after = slot.cursor\n",
        tests="tests/simulation/test_histories.py",
    ),
    Mutant(
        promise="a decided start survives the end of the program",
        file="engine/slot.py",
        was="            if not one.begun and one.run.cause is not Cause.MANUAL:\n",
        becomes="            if one.run.id < 0:\n",
        tests="tests/simulation/test_histories.py",
    ),
    Mutant(
        promise="a clock of long ago is not believed",
        file="engine/agenda.py",
        was="        if alive - now > WRONG_CLOCK:",
        becomes="        if alive - now > 1e12:",
        tests="tests/engine/test_away.py",
    ),
    Mutant(
        promise="a woken computer is given time",
        file="engine/dues.py",
        was="if not at_once and self._board.pacing.holds(slot, now):",
        becomes="if False:",
        tests="tests/engine/test_away.py",
    ),
    Mutant(
        promise="a run has a session of its own, beyond which its signals do not reach",
        file="supervisor/spawn.py",
        was="setsid=True",
        becomes="setsid=False",
        tests="tests/actions/test_supervised.py",
        select="whole_group",
    ),
    Mutant(
        promise="what left the session of a run is found all the same",
        file="supervisor/system.py",
        was="prctl(_PR_SET_CHILD_SUBREAPER, 1,",
        becomes="prctl(_PR_SET_CHILD_SUBREAPER, 0,",
        tests="tests/supervisor tests/actions",
    ),
    Mutant(
        promise="a live run of a dead program is followed and not started again",
        file="engine/recall.py",
        was="            case StillRunning(started=started):\n                self._starts.go_on(live, started)\n",
        becomes="",
        tests="tests/system/test_adoption.py",
    ),
    Mutant(
        promise="on a shared list nothing is spawned before its start is confirmed",
        file="claiming/claimant.py",
        was="        if isinstance(answer, Unknown):\n            return self._unreached(answer.reason)\n        with",
        becomes="        with",
        tests="tests/claiming/test_out_of_reach.py",
    ),
    Mutant(
        promise="who could not be heard of while a shared list was out of reach is not taken for dead at once",
        file="claiming/reach.py",
        was="        return bool(self.reason) or boottime < self._all_back",
        becomes="        return False",
        tests="tests/claiming/test_owners.py",
    ),
    Mutant(
        promise="a claim without an answer is found to be one's own: the nonce",
        file="claiming/identity.py",
        was="        return blake2b(text.encode(), key=self.secret.encode()[:64], digest_size=16).hexdigest()",
        becomes="        return blake2b(text.encode(), key=__import__('os').urandom(8), digest_size=16).hexdigest()",
        tests="tests/claiming/test_out_of_reach.py",
    ),
    Mutant(
        promise="what changed hands is not the old owner's to finish: the token",
        file="sharing/claim.py",
        was="return self.token == hold.token and self.nonce == hold.nonce",
        becomes="return bool(self.nonce)",
        tests="tests/claiming/test_owners.py",
    ),
    Mutant(
        promise="another attempt asks whether the claim is still had",
        file="claiming/claimant.py",
        was="        if fence.holds(asked):",
        becomes="        if fence:",
        tests="tests/claiming/test_owners.py",
    ),
    Mutant(
        promise="who cannot trust his lease stops before another may begin: the fence",
        file="claiming/keeper.py",
        was="        for held in self._holds.untrusted(now):",
        becomes="        for held in ():",
        tests="tests/claiming/test_owners.py",
    ),
    Mutant(
        promise="a child on a shared list starts after its parents of one round",
        file="engine/outcomes.py",
        was="verdict = _WAIT if child.round.awaits(run.task_id, self._is_under_way) else _RUN",
        becomes="pass",
        tests="tests/claiming/test_two_computers.py",
        select="lost_half",
    ),
    Mutant(
        promise="who is cut off from a shared list and dies keeps no claim alive",
        file="claiming/shared.py",
        was="        if not run.token and self._holds.of(run.id) is None:\n",
        becomes="        if not run.token:\n",
        tests="tests/claiming/test_owners.py",
    ),
    Mutant(
        promise="what another computer of a shared list begins stops with the program",
        file="program.py",
        was="lambda run: at_once or not self._may_move(run)",
        becomes="lambda _run: True",
        tests="tests/claiming/test_programs.py",
        select="may_begin",
    ),
    Mutant(
        promise="the others wait for a shared start that goes on without the program",
        file="claiming/shared.py",
        was="            self._store.heartbeat(held.hold, lasts=LEFT_FOR)\n",
        becomes="            pass\n",
        tests="tests/claiming/test_programs.py",
        select="others_wait",
    ),
    Mutant(
        promise="a shared list that was made anew under the programs is used on",
        file="sharing/sql.py",
        was="            self._prepared = False\n            cause",
        becomes="            cause",
        tests="tests/sharing/test_forgetting.py",
        select="sqlite",
    ),
    Mutant(
        promise="a start that nobody could confirm is missed when its grace is over",
        file="engine/asking.py",
        was="        if live.asked is not None and now >= live.asked.until:",
        becomes="        if live.asked is None:",
        tests="tests/claiming/test_out_of_reach.py",
    ),
    Mutant(
        promise="an outcome that the store has not is remembered over a restart",
        file="storage/writes.py",
        was="    if run.token:",
        becomes="    if run.token < 0:",
        tests="tests/storage/test_history.py",
    ),
    Mutant(
        promise="the variables of this program do not reach the tasks",
        file="actions/environment.py",
        was="if not _OURS.fullmatch(name)",
        becomes="if name",
        tests="tests/actions/test_environment.py",
    ),
    Mutant(
        promise="secrets are masked in the output",
        file="actions/environment.py",
        was="return ChildEnvironment({**values, **told(run), MARKER: token}, token, hidden)",
        becomes="return ChildEnvironment({**values, **told(run), MARKER: token}, token, ())",
        tests="tests/actions",
    ),
    Mutant(
        promise="a shared start has one owner: the unique key",
        file="sharing/sql_tables.py",
        was='    *_key_columns(),\n    Column("nominal", _exact(NOMINAL_MOST), primary_key=True),\n',
        becomes='    *[Column(name, _exact(NOMINAL_MOST)) for name in ("list_id", "task_id", "nominal")],\n',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="a shared start has one owner: who comes second changes nothing",
        file="sharing/sqlite.py",
        was="return insert(table).on_conflict_do_nothing()",
        becomes='return insert(table).prefix_with("OR REPLACE")',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="a claim whose answer was lost is had by its nonce",
        file="sharing/verdicts.py",
        was="mine = claim.nonce == wish.nonce and claim.state is ClaimState.CLAIMED",
        becomes="mine = False",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="a claim under another nonce is somebody else's",
        file="sharing/verdicts.py",
        was="mine = claim.nonce == wish.nonce and claim.state is ClaimState.CLAIMED",
        becomes="mine = claim.state is ClaimState.CLAIMED",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="no computer starts what is not due by the clock of the store",
        file="sharing/sql_steps.py",
        was='and_(_number("due") <= now, ~pruned)',
        becomes="~pruned",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="what was pruned is claimed no more",
        file="sharing/sql_steps.py",
        was='and_(_number("due") <= now, ~pruned)',
        becomes='_number("due") <= now',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="the token is looked at when a shared start begins",
        file="sharing/sql_steps.py",
        was="_change(_OURS, or_(_C.state == _CLAIMED, again))",
        becomes='_change(_THIS, _C.nonce == _text("nonce"), or_(_C.state == _CLAIMED, again))',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="the token is looked at when a shared start ends",
        file="sharing/sql_steps.py",
        was="self.finish = _change(_OURS, _C.state == _STARTED)",
        becomes='self.finish = _change(_THIS, _C.nonce == _text("nonce"), _C.state == _STARTED)',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="the nonce is looked at when a shared start ends",
        file="sharing/sql_steps.py",
        was="self.finish = _change(_OURS, _C.state == _STARTED)",
        becomes='self.finish = _change(_THIS, _C.token == _number("token"), _C.state == _STARTED)',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="a shared start is confirmed to one process alone: the stamp",
        file="sharing/sql_steps.py",
        was='again = and_(_C.state == _STARTED, _C.stamp == _text("stamp"))',
        becomes="again = _C.state == _STARTED",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="what is alive is not taken over",
        file="sharing/sql_steps.py",
        was='abandoned = and_(_THIS, _C.token == _number("token"), _C.lease_end <= now)',
        becomes='abandoned = and_(_THIS, _C.token == _number("token"))',
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="of two heirs one has it: the token that was seen",
        file="sharing/sql_steps.py",
        was='abandoned = and_(_THIS, _C.token == _number("token"), _C.lease_end <= now)',
        becomes="abandoned = and_(_THIS, _C.lease_end <= now)",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="never twice: what was started is lost with its owner",
        file="sharing/rescue.py",
        was="claim.state is ClaimState.STARTED and policy is Policy.NEVER_TWICE",
        becomes="claim.state is ClaimState.LOST",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="rows of a shared list go in the end",
        file="sharing/sql_steps.py",
        was='                _F.raised_at <= now - _number("settle"),  # or rows below it never go\n',
        becomes="",
        tests="tests/sharing/test_contract.py",
        select="sqlite",
    ),
    Mutant(
        promise="opening a shared file again takes no lock away",
        file="sharing/sqlite.py",
        was="os.O_RDWR | os.O_CREAT | os.O_EXCL",
        becomes="os.O_RDWR | os.O_CREAT",
        tests="tests/sharing/test_sqlite.py",
    ),
    Mutant(
        promise="a lease is not trusted for longer than the store lends it",
        file="sharing/fence.py",
        was="return self.asked + max(self.lease - MARGIN, self.lease / 2)",
        becomes="return self.asked + self.lease + MARGIN",
        tests="tests/sharing/test_patience.py",
    ),
    Mutant(
        promise="what a cluster runs again starts nothing twice",
        file="cluster/relay.py",
        was="        if not program.permits():\n            return REFUSED\n",
        becomes="",
        tests="tests/cluster/test_lost.py",
        select="starts_nothing_again",
    ),
    Mutant(
        promise="what runs on a cluster ends when its program gives no sign of life",
        file="cluster/errand.py",
        was="    while signs.wait(patience):\n",
        becomes="    while signs.wait(patience) or True:\n",
        tests="tests/cluster/test_baggage.py",
    ),
    Mutant(
        promise="who has the pid of a process that is gone is not signalled",
        file="actions/member.py",
        was="            elif self.process.is_running():  # not somebody else who has its pid now",
        becomes="            else:",
        tests="tests/actions/test_stopping.py",
        select="stranger_with",
    ),
    Mutant(
        promise="secrets go to a cluster over TLS alone",
        file="cluster/cluster.py",
        was='if not address.startswith("tls://") and any(',
        becomes='if address.startswith("tls://") and any(',
        tests="tests/cluster/test_refusing.py",
    ),
)


def main(wanted: Sequence[str]) -> int:
    """Try each mutant whose promise holds one of the wanted words; all, where none is given."""
    lived = []
    tried = [one for one in MUTANTS if not wanted or any(word in one.promise for word in wanted)]
    for tests, select in sorted({(mutant.tests, mutant.select) for mutant in tried}):
        if _is_caught(
            Mutant(promise="nothing is taken away", file="", was="", becomes="", tests=tests, select=select)
        ):
            sys.exit(f"With nothing taken away these fail: {tests}")
    for mutant in tried:
        caught = _is_caught(mutant)
        sys.stdout.write(f"{'caught' if caught else 'LIVES '}  {mutant.promise}  ({mutant.file})\n")
        sys.stdout.flush()
        if not caught:
            lived.append(mutant)
    sys.stdout.write(f"{len(lived)} live\n" if lived else "every one was caught\n")
    return 1 if lived else 0


def _is_caught(mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        place = Path(folder)
        leave = shutil.ignore_patterns("__pycache__", "resources")
        for part in (PACKAGE, "tests"):
            shutil.copytree(ROOT / part, place / part, ignore=leave)
        shutil.copytree(ROOT / "resources", place / PACKAGE / "resources")
        shutil.copyfile(ROOT / "pyproject.toml", place / "pyproject.toml")
        if mutant.file:
            path = place / PACKAGE / mutant.file
            text = path.read_text(encoding="utf-8")
            if text.count(mutant.was) != 1:
                sys.exit(f"{mutant.file} has {text.count(mutant.was)} places that read:\n{mutant.was}")
            path.write_text(text.replace(mutant.was, mutant.becomes), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            *mutant.tests.split(),
        ]
        if mutant.select:
            command += ["-k", mutant.select]
        environ = os.environ | {
            "PYTHONPATH": folder,
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environ,
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return True  # it hangs, and a test that hangs has failed
        if done.returncode not in {0, 1}:
            sys.exit(f"{mutant.promise}: the tests did not run.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
