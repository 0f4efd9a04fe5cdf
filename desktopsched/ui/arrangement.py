"""The arrangement of the window: what was where, how large and chosen, from one time to the next. UI thread."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray

from desktopsched.ui.keepsake import Keepsake
from desktopsched.ui.shown import SELECTED_MOST, Shown, read_shown, write_shown

if TYPE_CHECKING:
    from desktopsched.ui.main_window import MainWindow


class Arrangement:
    """Of one window. Places and sizes come back at once, what was chosen once there are tasks."""

    def __init__(self, window: "MainWindow", keepsake: Keepsake) -> None:
        self._window, self._keepsake = window, keepsake

    def restore(self) -> None:
        """Places and sizes, as they were."""
        window, kept = self._window, self._keepsake
        window.restoreGeometry(kept.get("geometry"))
        window.sidebar.restore_groups(kept.get("groups"))
        window.frame.restore(kept, window.width())
        window.table.columns.restore(kept.get("columns"))
        window.table.restore_folded(kept.get("folded"))

    def show_again(self) -> None:
        """What was shown when the window was closed, as far as it is still there."""
        window = self._window
        shown = read_shown(bytes(self._keepsake.get("shown").data()))
        window.sidebar.choose(shown.choice)
        window.table.select_all_of(shown.selected)
        window.graph.head.pick_again(shown.graph)

    def keep(self) -> None:
        """Write all of it down."""
        window = self._window
        self._keepsake.keep(
            geometry=window.saveGeometry(),
            columns=window.table.columns.state(),
            folded=window.table.folded(),
            groups=window.sidebar.made_groups(),
            shown=QByteArray(write_shown(self._shown())),
        )
        window.frame.keep(self._keepsake)

    def _shown(self) -> Shown:
        window = self._window
        choice = window.sidebar.choice()
        return Shown(
            view=choice.view,
            group=choice.group,
            selected=tuple(window.table.selected_tasks()[:SELECTED_MOST]),
            graph=window.graph.head.choice,
        )
