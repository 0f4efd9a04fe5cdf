"""Garbage: when Python looks for what nobody needs any more. On the UI thread alone, a little at a time.

Left to itself it would look through everything that there is, with a list of 30,000 tasks for a quarter of a second, in
which all threads stand still; and it would do so in whichever thread comes by: a QObject that is taken away in another
thread than its own ends the process.
"""

import gc
import time

from PySide6.QtCore import QObject

_YOUNG = 10_000
"""New objects after which those are looked at: it takes a millisecond or two."""

_MANY = 50_000
"""So many new objects are no garbage, but a list that was read: they stay, and nobody looks."""

_OLDER = 20
"""So many such looks make up one at what outlived them."""

_LONG = 600.0
"""Seconds from one look at everything to the next. What stayed until then is not looked at again."""


class Garbage(QObject):
    """`look` is called now and then, by whatever happens anyway: nothing wakes up for it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looked = time.monotonic()

    def start(self) -> None:
        """From now on nobody else looks."""
        gc.disable()
        self.settle()

    def settle(self) -> None:
        """What there is now stays: it need not be looked at again."""
        gc.freeze()
        self._looked = time.monotonic()

    def look(self) -> None:
        """Take away what is to be taken away, if enough has come together."""
        young, older, _ = gc.get_count()
        if young < _YOUNG:
            return
        if young > _MANY:
            self.settle()
        elif time.monotonic() - self._looked > _LONG:
            gc.collect()
            self.settle()
        else:
            gc.collect(1 if older >= _OLDER else 0)

    def stop(self) -> None:
        """As Python does it by itself."""
        gc.unfreeze()
        gc.enable()
