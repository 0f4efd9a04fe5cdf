"""What a task is. Frozen values: no I/O, no threads, no clock."""

from desktopsched.model.action import (
    Action,
    Command,
    EnvValue,
    Open,
    Reminder,
    Script,
    Secret,
    Where,
    needs_worker,
)
from desktopsched.model.duration import format_duration, parse_duration
from desktopsched.model.errors import (
    MISTAKES,
    CycleError,
    DesktopschedError,
    DuplicateTaskError,
    InvalidCronError,
    InvalidTaskError,
    NotSharedError,
    StorageError,
    UnknownTaskError,
)
from desktopsched.model.policy import CatchUp, Edge, IfLost, Join, On, OnFailure, Overlap, Retry
from desktopsched.model.run import Cause, LeftRunning, Outcome, Run, State, StopRequest
from desktopsched.model.schedule import After, At, Cron, Every, Schedule
from desktopsched.model.task import Task

__all__ = [
    "MISTAKES",
    "Action",
    "After",
    "At",
    "CatchUp",
    "Cause",
    "Command",
    "Cron",
    "CycleError",
    "DesktopschedError",
    "DuplicateTaskError",
    "Edge",
    "EnvValue",
    "Every",
    "IfLost",
    "InvalidCronError",
    "InvalidTaskError",
    "Join",
    "LeftRunning",
    "NotSharedError",
    "On",
    "OnFailure",
    "Open",
    "Outcome",
    "Overlap",
    "Reminder",
    "Retry",
    "Run",
    "Schedule",
    "Script",
    "Secret",
    "State",
    "StopRequest",
    "StorageError",
    "Task",
    "UnknownTaskError",
    "Where",
    "format_duration",
    "needs_worker",
    "parse_duration",
]
