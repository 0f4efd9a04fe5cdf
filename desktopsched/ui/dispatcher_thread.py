"""The thread on which the dispatcher waits for what is due. It touches no widget: what is said goes by the bridge."""

from PySide6.QtCore import QObject, QThread

from desktopsched.engine.dispatcher import Dispatcher


class DispatcherThread(QThread):
    """Runs `Dispatcher.loop` from `start` until `end`."""

    def __init__(self, dispatcher: Dispatcher, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dispatcher")
        self._dispatcher = dispatcher

    def run(self) -> None:
        """On the thread itself."""
        self._dispatcher.loop()

    def end(self) -> None:
        """Let the loop return, and wait until it has. Any thread but this one."""
        self._dispatcher.stop()
        self.wait()
