"""What the window showed when it was closed, kept for the next time. Values, no Qt."""

import msgspec
from msgspec import Struct

from desktopsched.ui.choice import Choice, View
from desktopsched.ui.graph.plan import EVERYTHING
from desktopsched.ui.graph.plan import Choice as GraphChoice

SELECTED_MOST = 200
"""Selected tasks that are kept."""


class Shown(Struct, frozen=True, kw_only=True):
    """The line of the sidebar, the selected tasks, and what the graph showed."""

    view: View = View.ALL
    group: str | None = None
    selected: tuple[str, ...] = ()
    graph: GraphChoice = EVERYTHING

    @property
    def choice(self) -> Choice:
        """For the sidebar."""
        return Choice(view=self.view, group=self.group)


_decoder = msgspec.json.Decoder(Shown)


def write_shown(shown: Shown) -> bytes:
    """As it is kept."""
    return msgspec.json.encode(shown)


def read_shown(kept: bytes) -> Shown:
    """As it was; what cannot be read is as good as none."""
    try:
        return _decoder.decode(kept)
    except msgspec.DecodeError:
        return Shown()
