"""What performing a process needs from the rest of the program. Pure values and callables."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from desktopsched.model import Run
from desktopsched.supervisor.faces import LogSink


class Places(Struct, frozen=True, kw_only=True):
    """Where supervised runs keep what must outlive the program. All may raise OSError and any DesktopschedError."""

    new_folder: Callable[[Run], Path]  # of this attempt, for its owner alone
    begin_log: Callable[
        [str, int], Path | None
    ]  # by task id and run id: made ready for a supervisor; None: no log
    end_log: Callable[[str, int], None]
    outlive: Callable[[Run], bool]  # whether it goes on when the program dies


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a process needs from the rest of the program."""

    open_log: Callable[[str, int], LogSink]  # by task id and run id
    on_output: Callable[[Run, str], None]
    read_secret: Callable[[str], str]
    grace: float  # seconds between the polite stop and the hard one
    environ: Mapping[str, str]  # the session's; what is the program's own is taken out of it
