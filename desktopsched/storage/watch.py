"""Watch: somebody else changed a file. The system reports it; nobody looks while nothing happens.

By watchdog: inotify, FSEvents, ReadDirectoryChangesW. Its threads call `changed`, which must return at once.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from watchdog.events import (
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

log = logging.getLogger(__name__)
logging.getLogger("watchdog").setLevel(
    logging.CRITICAL
)  # it calls an event that comes while it ends an error

LOCAL_ZONE = Path("/etc/localtime")
"""What says which time zone the computer is in, on Linux and macOS."""

SETTLE = 0.2
"""Seconds: editors write in several steps, and only the last of them is worth a look."""

_AT_MOST = 10
"""How many times as long it is waited for the last step: a file that never comes to rest is looked at all the same."""

# Where the system says that a writer is done, each single write before it is no news: a database beside the file
# would wake the program with every one of its own.
_DONE = FileClosedEvent if sys.platform == "linux" else FileModifiedEvent
_KINDS: list[type[FileSystemEvent]] = [FileMovedEvent, FileCreatedEvent, FileDeletedEvent, _DONE]


class Watch:
    """From the start on until `close`. Where the system cannot watch, it says so in the log and nothing is reported."""

    def __init__(
        self, paths: Collection[Path], changed: Callable[[], None], *, settle: float = SETTLE
    ) -> None:
        """`paths`: files that are there or may come; `changed` is told `settle` seconds after the last step.

        Where step follows step without end it is told now and then.
        """
        self._handler = _Handler(frozenset(map(os.fspath, paths)), changed, settle)
        self._observer: BaseObserver | None = None
        try:
            self._observer = self._watch({path.parent for path in paths})
        except OSError as error:  # no watches left, or no such folder
            names = ", ".join(map(str, paths))
            log.warning("Changes of %s by others are not noticed by themselves: %s", names, error)

    def _watch(self, folders: Iterable[Path]) -> BaseObserver:
        for folder in folders:
            folder.stat()  # before there are threads that would have to be ended
        observer = Observer()
        for folder in folders:
            observer.schedule(self._handler, os.fspath(folder), event_filter=_KINDS)
        observer.start()
        return observer

    def close(self) -> None:
        """Nothing is reported any more."""
        self._handler.close()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()


class _Handler(FileSystemEventHandler):
    """Gathers what happens to the paths, and tells once it is quiet."""

    def __init__(self, paths: frozenset[str], changed: Callable[[], None], settle: float) -> None:
        self._paths, self._changed, self._settle = paths, changed, settle
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._timer: threading.Timer | None = None
        self._first = 0.0  # when the first step was that nobody was told of; on the monotonic clock
        self._closed = False

    def on_any_event(self, event: FileSystemEvent) -> None:
        """On a thread of the observer."""
        if self._paths.isdisjoint((os.fsdecode(event.src_path), os.fsdecode(event.dest_path))):
            return
        with self._lock:
            now = time.monotonic()
            if self._timer is None:
                self._first = now
            elif now - self._first > _AT_MOST * self._settle:
                return  # it is about to be told
            else:
                self._timer.cancel()
            if not self._closed:
                self._timer = threading.Timer(self._settle, self._tell)
                self._timer.name, self._timer.daemon = "watch", True
                self._timer.start()

    def _tell(self) -> None:
        """On a thread of a timer. What comes from now on is told once more."""
        with self._telling:
            with self._lock:
                if self._timer is not threading.current_thread():
                    return  # it was put off, just now, or nobody listens any more
                self._timer = None
            self._changed()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
            timer.join()
        with self._telling:
            pass  # what was being told has been told
