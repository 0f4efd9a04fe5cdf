"""A shared list in Redis, by redis-py: a hash for each row, and a script for each step."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from desktopsched.model import Outcome
from desktopsched.sharing import verdicts
from desktopsched.sharing.address import Address
from desktopsched.sharing.answers import (
    ClaimAnswer,
    Claimed,
    FinishAnswer,
    Finished,
    HeartbeatAnswer,
    Kept,
    LoseAnswer,
    Lost,
    Refused,
    ReleaseAnswer,
    Released,
    StartAnswer,
    Started,
    TakeOverAnswer,
    Unknown,
)
from desktopsched.sharing.claim import Claim, ClaimState, Hold, Wish, reason_of
from desktopsched.sharing.errors import AddressError
from desktopsched.sharing.key import Key
from desktopsched.sharing.redis_judgement import judge
from desktopsched.sharing.redis_scripts import SCRIPTS
from desktopsched.sharing.safety import Safety
from desktopsched.sharing.silence import silence
from desktopsched.sharing.store import CONNECT_WITHIN, KEEP, REPLY_WITHIN, SETTLE

_T = TypeVar("_T")

_MICRO = 1_000_000
_AT_A_TIME = 1_000
"""Rows that one script looks at: the server answers nobody else meanwhile."""


class RedisStore:
    """Claims in a Redis server, 5 or newer. Any thread may ask."""

    def __init__(self, address: Address) -> None:
        address.options("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname")
        if not re.fullmatch(r"\d{0,4}", address.path):
            raise AddressError(f"{address} must end in the number of a database, as redis://host/0 does.")
        self._address = address
        self._server = redis.Redis.from_url(
            address.url,
            decode_responses=True,
            socket_connect_timeout=CONNECT_WITHIN,
            socket_timeout=REPLY_WITHIN,
            socket_keepalive=True,
            retry=Retry(NoBackoff(), 0),  # whoever asks asks again, and knows for how long
        )
        self._scripts = {name: self._server.register_script(text) for name, text in SCRIPTS.items()}

    # --- the steps -----------------------------------------------------------------------------------------

    def claim(self, wish: Wish) -> ClaimAnswer:
        """See `Store`."""
        due = "" if wish.due is None else _write(wish.due)
        answer = self._step("CLAIM", wish.key, due, wish.owner, wish.nonce, _write(wish.lease))
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Claimed(wish.hold(1)) if done else verdicts.of_claim(wish, seen)

    def start(self, hold: Hold, stamp: str) -> StartAnswer:
        """See `Store`."""
        answer = self._step("START", hold.key, *_ours(hold), stamp, _write(hold.lease))
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Started(hold) if done else Refused(seen.claim)

    def heartbeat(self, hold: Hold, *, lasts: float | None = None) -> HeartbeatAnswer:
        """See `Store`."""
        lease = _write(hold.lease if lasts is None else lasts)
        answer = self._step("HEARTBEAT", hold.key, *_ours(hold), lease)
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Kept(hold) if done else Refused(seen.claim)

    def finish(self, hold: Hold, outcome: Outcome) -> FinishAnswer:
        """See `Store`."""
        state = ClaimState.of(outcome.state).value
        code = "" if outcome.exit_code is None else str(outcome.exit_code)
        answer = self._step("FINISH", hold.key, *_ours(hold), state, code, reason_of(outcome))
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Finished(hold) if done else verdicts.of_finish(hold, outcome, seen)

    def release(self, hold: Hold) -> ReleaseAnswer:
        """See `Store`."""
        answer = self._step("RELEASE", hold.key, *_ours(hold))
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Released(hold) if done else Refused(seen.claim)

    def take_over(self, wish: Wish, token: int, *, started: bool) -> TakeOverAnswer:
        """See `Store`."""
        given = (str(token), wish.owner, wish.nonce, _write(wish.lease), "1" if started else "0")
        answer = self._step("TAKE_OVER", wish.key, *given)
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Claimed(wish.hold(token + 1)) if done else verdicts.of_take_over(wish, seen)

    def lose(self, key: Key, token: int) -> LoseAnswer:
        """See `Store`."""
        answer = self._step("LOSE", key, str(token))
        if isinstance(answer, Unknown):
            return answer
        done, seen = answer
        return Lost(seen.claim) if done and seen.claim else verdicts.of_lose(token, seen)

    # --- looking -------------------------------------------------------------------------------------------

    def read(self, key: Key) -> Claim | Unknown | None:
        """See `Store`."""
        answer = self._step("READ", key)
        return answer if isinstance(answer, Unknown) else answer[1].claim

    def unfinished(self, list_id: str) -> tuple[Claim, ...] | Unknown:
        """See `Store`."""
        answer: Any = self._ask(lambda: self._scripts["UNFINISHED"](keys=_places(list_id, "")))
        if isinstance(answer, Unknown):
            return answer
        now, rows = answer
        found = [_claim(_key(list_id, member), _fields(flat), now) for member, flat in rows]
        return tuple(sorted(found, key=lambda claim: claim.key))

    def now(self) -> float | Unknown:
        """See `Store`."""

        def ask() -> float:
            seconds, micro = self._server.time()
            return seconds + micro / _MICRO

        return self._ask(ask)

    def check(self) -> Safety | Unknown:
        """See `Store`."""

        def ask() -> Safety:
            promise, reasons = judge(self._server)
            place = f"{_list('about')}:identity"
            with suppress(redis.ReadOnlyError):  # it was judged already
                self._server.set(place, secrets.token_hex(16), nx=True)
            return Safety(promise, reasons, str(self._server.get(place) or ""))

        return self._ask(ask)

    # --- tidying -------------------------------------------------------------------------------------------

    def prune(self, list_id: str, *, keep: float = KEEP, settle: float = SETTLE) -> int | Unknown:  # noqa: ARG002
        """See `Store`. A script sees floors and rows at one moment: nothing has to settle."""
        if keep < KEEP:
            raise ValueError(f"rows are kept for {KEEP:g} s at least, not {keep:g}")
        deleted, passed = 0, 0
        while True:
            answer = self._prune(list_id, keep, passed)
            if isinstance(answer, Unknown):
                return answer
            deleted, passed = deleted + answer[0], passed + answer[1]
            if sum(answer) < _AT_A_TIME:
                return deleted

    def _prune(self, list_id: str, keep: float, passed: int) -> tuple[int, int] | Unknown:
        """A part of it: how many were deleted, and how many are open and stay. `passed`: those of the parts before."""
        given = (_write(keep), str(_AT_A_TIME), str(passed))
        places = _places(list_id, "")
        return self._ask(lambda: tuple(self._scripts["PRUNE"](keys=places, args=given)))

    def close(self) -> None:
        """See `Store`."""
        self._server.close()

    # --- asking the server ---------------------------------------------------------------------------------

    def _ask(self, question: Callable[[], _T]) -> _T | Unknown:
        """Whatever the server refuses or fails to say: nobody knows then whether the step happened."""
        try:
            return question()
        except (redis.RedisError, OSError) as error:
            return silence(self._address, str(error) or type(error).__name__)

    def _step(self, name: str, key: Key, *values: str) -> tuple[bool, verdicts.Seen] | Unknown:
        member = _member(key)
        places, given = _places(key.list_id, member), (key.task_id, member, *values)
        answer: Any = self._ask(lambda: self._scripts[name](keys=places, args=given))
        if isinstance(answer, Unknown):
            return answer
        done, now, flat, floor = answer
        claim = _claim(key, _fields(flat), now) if flat else None
        return done == 1, verdicts.Seen(claim, _instant(floor), _seconds(now))


def _fields(flat: Sequence[str]) -> dict[str, str]:
    """Of a hash, which comes as one row of names and values."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _list(list_id: str) -> str:
    """Braces: in a cluster all of a list is on one server, so that one script may touch it."""
    return f"desktopsched:{{{list_id}}}"


def _member(key: Key) -> str:
    """A task's id has no space."""
    return f"{key.task_id} {key.nominal}"


def _key(list_id: str, member: str) -> Key:
    task_id, _, nominal = member.partition(" ")
    return Key(list_id, task_id, nominal)


def _places(list_id: str, member: str) -> tuple[str, ...]:
    whole = _list(list_id)
    return f"{whole}:claim:{member}", f"{whole}:open", f"{whole}:due", f"{whole}:floors", whole


def _ours(hold: Hold) -> tuple[str, str]:
    return str(hold.token), hold.nonce


def _write(seconds: float) -> str:
    return str(round(seconds * _MICRO))


def _seconds(micro: str) -> float:
    return int(micro) / _MICRO


def _instant(micro: str | None) -> float | None:
    return _seconds(micro) if micro else None


def _claim(key: Key, fields: Mapping[str, str], now: str) -> Claim:
    code = fields.get("exit_code")
    return Claim(
        key=key,
        due=_seconds(fields["due"]),
        owner=fields["owner"],
        nonce=fields["nonce"],
        token=int(fields["token"]),
        state=ClaimState(fields["state"]),
        stamp=fields["stamp"],
        lease_end=_seconds(fields["lease_end"]),
        claimed_at=_seconds(fields["claimed_at"]),
        started_at=_instant(fields.get("started_at")),
        finished_at=_instant(fields.get("finished_at")),
        exit_code=int(code) if code else None,
        reason=fields["reason"],
        read_at=_seconds(now),
    )
