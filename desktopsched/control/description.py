"""A task as it is, for machines: what `list` answers, from the running program or from the files alone."""

from desktopsched.control.wire import Message
from desktopsched.engine.events import TaskStatus
from desktopsched.model import Task


def described(task: Task, status: TaskStatus) -> Message:
    """Instants are seconds since 1970, UTC."""
    outcome = status.outcome
    return {
        "id": task.id,
        "name": task.name,
        "group": task.group,
        "enabled": task.enabled,
        "state": status.state.value,
        "due": status.due,
        "waiting": status.waiting,
        "elsewhere": [one.owner for one in status.elsewhere],
        "missed": status.missed,
        "outcome": None if outcome is None else outcome.state.value,
        "reason": "" if outcome is None else outcome.reason,
        "ended": status.ended,
    }
