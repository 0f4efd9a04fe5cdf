"""A row as ZooKeeper keeps it: JSON in a node that stays, with a lease beside it that goes with its owner's session."""

from collections.abc import Sequence
from typing import Any

from kazoo.exceptions import NoNodeError
from msgspec import Struct, json

from desktopsched.sharing.claim import Claim, ClaimState, Wish
from desktopsched.sharing.key import Key
from desktopsched.sharing.verdicts import Seen
from desktopsched.sharing.zookeeper_paths import Places
from desktopsched.sharing.zookeeper_session import Session


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is written. Instants in seconds since 1970, UTC, by the server's time."""

    due: float
    owner: str
    nonce: str
    token: int = 1
    state: ClaimState = ClaimState.CLAIMED
    stamp: str = ""
    claimed_at: float
    started_at: float | None = None
    finished_at: float | None = None
    exit_code: int | None = None
    reason: str = ""
    lent_until: float = 0.0  # its owner left, and its run goes on: until then nobody takes it for abandoned

    @classmethod
    def of(cls, wish: Wish, now: float, token: int = 1) -> "Row":
        """A new claim."""
        due = now if wish.due is None else wish.due
        return cls(due=due, owner=wish.owner, nonce=wish.nonce, token=token, claimed_at=now)

    def encode(self) -> bytes:
        """As it is written."""
        return json.encode(self)

    def claim(self, key: Key, lease: float, now: float) -> Claim:
        """As it is told. `lease`: seconds that it lasts at least after its owner's death; 0: it is over."""
        return Claim(
            key=key,
            due=self.due,
            owner=self.owner,
            nonce=self.nonce,
            token=self.token,
            state=self.state,
            stamp=self.stamp,
            lease_end=now + lease,
            claimed_at=self.claimed_at,
            started_at=self.started_at,
            finished_at=self.finished_at,
            exit_code=self.exit_code,
            reason=self.reason,
            read_at=now,
        )


class Found(Struct, frozen=True):
    """A row and its lease, with what is needed to change exactly them."""

    row: Row
    version: int
    leased_by: int | None  # the session; None: nobody has the lease

    def is_abandoned(self, now: float) -> bool:
        """Whether its owner is gone, and it is not over."""
        return self.leased_by is None and self.row.lent_until <= now and self.row.state.open


def look(session: Session, places: Places) -> Found | None:
    """The row; None: there is none."""
    return look_at(session, [places])[0]


def look_at(session: Session, all_places: Sequence[Places]) -> list[Found | None]:
    """Many rows, in one journey."""
    asked = [one for places in all_places for one in (("get", places.row), ("exists", places.lease))]
    answers = session.call_all(asked)
    return [_found(row, lease) for row, lease in zip(answers[::2], answers[1::2], strict=True)]


def _found(row: Any, lease: Any) -> Found | None:
    if isinstance(row, NoNodeError):
        return None
    for answer in (row, lease):
        if isinstance(answer, Exception):
            raise answer
    return found_in(row[0], row[1], lease)


def found_in(data: bytes, stat: Any, lease: Any) -> Found:
    """Of what the server sent."""
    return Found(json.decode(data, type=Row), stat.version, lease.ephemeralOwner if lease else None)


def seen(session: Session, key: Key, found: Found | None, floor: float | None) -> Seen:
    """The same for the verdicts."""
    now = session.now()
    if found is None:
        return Seen(None, floor, now)
    lease = max(found.row.lent_until - now, 0.0 if found.leased_by is None else session.lease)
    return Seen(found.row.claim(key, lease, now), floor, now)
