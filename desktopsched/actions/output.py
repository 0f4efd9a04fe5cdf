"""Where a run's output goes: masked, to the log as it came, and a bounded copy to whoever looks on.

Lives on the run's pool thread. Neither a full disk nor a failing listener may stop the draining of the
pipe: the child would wait for ever.
"""

import errno
import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from desktopsched.actions.live import Live
from desktopsched.actions.masking import Masker
from desktopsched.model import DesktopschedError

_log = logging.getLogger(__name__)


class LogSink(Protocol):
    """A run's log; bounding its size is its own affair."""

    def write(self, data: bytes, /) -> object:
        """Append the bytes. May raise OSError or DesktopschedError: the log is cut there."""

    def close(self) -> None:
        """Nothing more comes."""


class Output:
    """Takes the bytes of one run."""

    def __init__(
        self, open_log: Callable[[], LogSink], show: Callable[[str], None], secrets: Iterable[str]
    ) -> None:
        self.note = ""  # "log cut: no space", once that happened
        self.live = Live(self._guarded(show))
        self._masker = Masker(secrets)
        self._sink: LogSink | None = None
        try:
            self._sink = open_log()
        except (OSError, DesktopschedError) as error:
            self._cut(error)

    def write(self, data: bytes) -> None:
        """Take a chunk as it came out of the pipe."""
        if data := self._masker.feed(data):
            self._pass_on(data)

    def close(self) -> None:
        """Write what was held back, and close the log."""
        self._pass_on(self._masker.finish())
        self.live.finish()
        if self._sink is not None:
            try:
                self._sink.close()
            except (OSError, DesktopschedError) as error:
                self._cut(error)

    def _pass_on(self, data: bytes) -> None:
        if self._sink is not None and data:
            try:
                self._sink.write(data)
            except (OSError, DesktopschedError) as error:
                self._cut(error)
        self.live.add(data)

    def _cut(self, error: Exception) -> None:
        """Go on without the log (L13)."""
        self.note = f"log cut: {_why(error)}"
        _log.warning("%s", self.note, extra={"action": "log_cut"})
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.close()
            except (OSError, DesktopschedError):
                _log.debug("the log that was cut could not be closed either")
        self.live.say(self.note)

    def _guarded(self, show: Callable[[str], None]) -> Callable[[str], None]:
        """`show`, whose failure never reaches the run. One traceback is enough: a flood may follow."""
        failed = False

        def guarded(text: str) -> None:
            nonlocal failed
            try:
                show(text)
            except Exception:  # noqa: BLE001  a listener
                if not failed:
                    _log.exception("a listener of the output failed", extra={"action": "listener_failed"})
                failed = True

        return guarded


def _why(error: BaseException) -> str:
    """In a word or two; the reason behind a StorageError says more than its sentence."""
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    if not isinstance(cause, OSError):
        return str(cause)
    full = cause.errno in {errno.ENOSPC, errno.EDQUOT}
    return "no space" if full else cause.strerror or str(cause)
