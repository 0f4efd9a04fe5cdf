"""A run's output where the program takes it itself: what fails is logged. Lives on the run's pool thread."""

import logging
from collections.abc import Callable, Iterable

from desktopsched.model import DesktopschedError
from desktopsched.supervisor.faces import LogSink
from desktopsched.supervisor.output import Output, os_words

_log = logging.getLogger(__name__)


def new_output(
    open_log: Callable[[], LogSink], show: Callable[[str], None], secrets: Iterable[str]
) -> Output:
    """The output of one run. A log that cannot be kept, and a listener that fails, never reach the run."""
    return Output(open_log, guarded(show), secrets, failures=(OSError, DesktopschedError), words=cut_words)


def cut_words(error: Exception) -> str:
    """Why a log was cut, in a word or two; the reason behind a StorageError says more than its sentence."""
    words = os_words(error.__cause__ if isinstance(error.__cause__, OSError) else error)
    say_cut(f"log cut: {words}")
    return words


def say_cut(note: str) -> None:
    """Tell the program's log that a run's was cut."""
    _log.warning("%s", note, extra={"action": "log_cut"})


def guarded(show: Callable[[str], None]) -> Callable[[str], None]:
    """`show`, whose failure never reaches the run. One traceback is enough: a flood may follow."""
    failed = False

    def guard(text: str) -> None:
        nonlocal failed
        try:
            show(text)
        except Exception:  # noqa: BLE001  a listener
            if not failed:
                _log.exception("a listener of the output failed", extra={"action": "listener_failed"})
            failed = True

    return guard
