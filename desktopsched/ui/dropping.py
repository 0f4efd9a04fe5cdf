"""Dropping: a script or a program that falls onto the window becomes a draft of a task. UI thread.

The window's parts take what is theirs, such as tasks; what they do not take comes here.
"""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from desktopsched.model import Command, Task

_ENDINGS = frozenset({".exe", ".com", ".bat", ".cmd"})  # what Windows starts by itself


class Dropping(QObject):
    """Watches the window; says which file fell, or what to drop instead."""

    wanted = Signal(str)
    """The path of one file."""

    refused = Signal(str)
    """Why nothing was made of what fell."""

    entered = Signal()
    """Files are held over the window."""

    left = Signal()
    """No longer: they fell, or went elsewhere."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is dragged over the window."""
        kind = event.type()
        if kind is QEvent.Type.DragLeave:
            self.left.emit()
            return False
        if kind not in {QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop}:
            return super().eventFilter(watched, event)
        if not isinstance(event, QDropEvent) or not event.mimeData().hasUrls():
            return False
        event.setDropAction(Qt.DropAction.CopyAction)  # the file stays where it is
        event.accept()
        if kind is QEvent.Type.Drop:
            self.left.emit()
            self._take(event.mimeData())
        else:
            self.entered.emit()
        return True

    def _take(self, data: QMimeData) -> None:
        paths = [url.toLocalFile() for url in data.urls()]
        if why_not := refusal(paths):
            self.refused.emit(why_not)
        else:
            self.wanted.emit(paths[0])


def refusal(paths: list[str]) -> str:
    """Why no task can be made of these; empty where one can. An empty path is no file of this computer."""
    if len(paths) > 1:
        return f"{len(paths)} files were dropped, and a task runs one. Drop them one at a time."
    if not paths or not paths[0]:
        return "Only files of this computer can be dropped. For an address, make a task that opens it."
    path = Path(paths[0])
    if path.is_dir():
        return f"{path.name} is a folder. Drop a script or a program, or make a task that opens the folder."
    return "" if path.exists() else f"{path} is not there any more. Drop it again from where it is now."


def is_runnable(path: str, draft: Task) -> bool:
    """Whether the draft's command can be started: its file is a program, or there is one that runs its kind."""
    action = draft.action
    if isinstance(action, Command) and len(action.argv) > 1:
        return True
    if sys.platform == "win32":
        return Path(path).suffix.lower() in _ENDINGS
    return os.access(path, os.X_OK)
