"""Where a run's output goes: masked, to the log as it came, and a bounded copy to whoever looks on.

On the one thread of the run. Neither a full disk nor a failing listener may stop the draining of the pipe: the child
would wait for ever.
"""

from __future__ import annotations

import errno

from desktopsched.supervisor.live import HALF, Live, always
from desktopsched.supervisor.masking import Masker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktopsched.supervisor.faces import LogSink


def os_words(error: Exception) -> str:
    """An error of the system, in a word or two."""
    if not isinstance(error, OSError):
        return str(error)
    full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    return "no space" if full else error.strerror or str(error)


class Output:
    """Takes the bytes of one run. `failures` is what the log may raise, `words` says it in a word or two.

    `half`: of a batch of the live copy, in bytes.
    """

    def __init__(
        self,
        open_log: Callable[[], LogSink | None],
        show: Callable[[str], None],
        secrets: Iterable[str],
        *,
        ready: Callable[[], bool] = always,
        failures: tuple[type[Exception], ...] = (OSError,),
        words: Callable[[Exception], str] = os_words,
        half: int = HALF,
    ) -> None:
        self.note = ""  # "log cut: no space", once that happened
        self.live = Live(show, ready=ready, half=half)
        self._masker = Masker(secrets)
        self._failures = failures
        self._words = words
        self._sink: LogSink | None = None
        try:
            self._sink = open_log()
        except failures as error:
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
            except self._failures as error:
                self._cut(error)

    def _pass_on(self, data: bytes) -> None:
        if self._sink is not None and data:
            try:
                self._sink.write(data)
            except self._failures as error:
                self._cut(error)
        self.live.add(data)

    def _cut(self, error: Exception) -> None:
        """Go on without the log (L13)."""
        self.note = f"log cut: {self._words(error)}"
        self.live.say(self.note)
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.close()
            except self._failures:
                return  # what it cannot do is said already
