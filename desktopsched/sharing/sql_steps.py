"""The steps as statements, made once for each database. Their parameters are named `the_…`, apart from the columns."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Delete,
    Executable,
    String,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import Update

from desktopsched.sharing.claim import OPEN, ClaimState
from desktopsched.sharing.sql_dialect import Dialect
from desktopsched.sharing.sql_tables import CLAIMS, FLOORS

_C, _F = CLAIMS.c, FLOORS.c
_CLAIMED, _STARTED, _LOST = (one.value for one in (ClaimState.CLAIMED, ClaimState.STARTED, ClaimState.LOST))
_OPEN = tuple(sorted(state.value for state in OPEN))


def _text(name: str) -> ColumnElement[str]:
    return bindparam(f"the_{name}", type_=String)


def _number(name: str) -> ColumnElement[int]:
    return bindparam(f"the_{name}", type_=BigInteger)


_THIS = and_(_C.list_id == _text("list_id"), _C.task_id == _text("task_id"), _C.nominal == _text("nominal"))
_OURS = and_(_THIS, _C.token == _number("token"), _C.nonce == _text("nonce"))


class Steps:
    """Every statement of a store. The condition of each is in the statement itself: it holds or nothing changes."""

    def __init__(self, dialect: Dialect) -> None:
        now = dialect.now
        self.time = select(now.label("now"))
        self.claim = _claim(dialect)
        again = and_(_C.state == _STARTED, _C.stamp == _text("stamp"))  # the answer was lost
        self.start = _change(_OURS, or_(_C.state == _CLAIMED, again)).values(
            state=_STARTED,
            stamp=_text("stamp"),
            started_at=func.coalesce(_C.started_at, now),
            lease_end=now + _number("lease"),
        )
        self.heartbeat = _change(_OURS, _C.state.in_(_OPEN)).values(lease_end=now + _number("lease"))
        self.finish = _change(_OURS, _C.state == _STARTED).values(
            state=_text("state"), finished_at=now, exit_code=_number("exit_code"), reason=_text("reason")
        )
        self.release = _change(_OURS, _C.state == _CLAIMED).values(lease_end=now)
        abandoned = and_(_THIS, _C.token == _number("token"), _C.lease_end <= now)
        self.take_over = _change(abandoned, _C.state == _CLAIMED).values(self._newly_owned(now))
        self.take_over_started = _change(abandoned, _C.state.in_(_OPEN)).values(self._newly_owned(now))
        self.lose = _change(abandoned, _C.state.in_(_OPEN)).values(state=_LOST, finished_at=now)
        self.read = select(CLAIMS, now.label("now")).where(_THIS)
        self.floor = select(_F.floor).where(_F.list_id == _text("list_id"), _F.task_id == _text("task_id"))
        self.unfinished = (
            select(CLAIMS, now.label("now"))
            .where(_C.list_id == _text("list_id"), _C.state.in_(_OPEN))
            .order_by(_C.task_id, _C.nominal)
        )
        self.prune = _prune(now)
        self.prunable = (
            select(_C.task_id, func.max(_C.due).label("floor"))
            .where(_C.list_id == _text("list_id"), _C.state.not_in(_OPEN), _C.due <= now - _number("keep"))
            .group_by(_C.task_id)
        )
        self.raise_floor = (
            update(FLOORS)
            .where(
                _F.list_id == _text("list_id"),
                _F.task_id == _text("task_id"),
                _F.floor < _number("floor"),
                _F.raised_at <= now - _number("settle"),  # or rows below it never go
            )
            .values(floor=_number("floor"), raised_at=now)
        )
        self.first_floor = dialect.insert(FLOORS).from_select(
            ["list_id", "task_id", "floor", "raised_at"],
            select(_text("list_id"), _text("task_id"), _number("floor"), now).where(literal(1) == 1),
        )

    @staticmethod
    def _newly_owned(now: ColumnElement[int]) -> dict[str, object]:
        return {
            "token": _C.token + 1,
            "owner": _text("owner"),
            "nonce": _text("nonce"),
            "state": _CLAIMED,
            "stamp": "",
            "lease_end": now + _number("lease"),
            "claimed_at": now,
            "started_at": None,
        }


def _change(*conditions: ColumnElement[bool]) -> Update:
    return update(CLAIMS).where(*conditions)


def _claim(dialect: Dialect) -> Executable:
    """Insert the row, if it is due and the task's floor is below it: one statement, one commit."""
    now = dialect.now
    due = case((_number("due").is_(None), now), else_=_number("due"))
    values: dict[str, ColumnElement[Any]] = {
        "list_id": _text("list_id"),
        "task_id": _text("task_id"),
        "nominal": _text("nominal"),
        "due": due,
        "owner": _text("owner"),
        "nonce": _text("nonce"),
        "token": literal(1),
        "state": literal(_CLAIMED),
        "stamp": literal(""),
        "lease_end": now + _number("lease"),
        "claimed_at": now,
        "reason": literal(""),
    }
    pruned = exists().where(
        _F.list_id == _text("list_id"), _F.task_id == _text("task_id"), _F.floor >= _number("due")
    )
    allowed = or_(_number("due").is_(None), and_(_number("due") <= now, ~pruned))
    return dialect.insert(CLAIMS).from_select(list(values), select(*values.values()).where(allowed))


def _prune(now: ColumnElement[int]) -> Delete:
    """Rows below a floor that was raised so long ago that no claim can be under way that has not seen it."""
    refused = exists().where(
        _F.list_id == _C.list_id,
        _F.task_id == _C.task_id,
        _F.floor >= _C.due,
        _F.raised_at <= now - _number("settle"),
    )
    return delete(CLAIMS).where(_C.list_id == _text("list_id"), _C.state.not_in(_OPEN), refused)
