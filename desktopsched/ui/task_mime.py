"""Tasks under way in a drag, by their ids. They stay within this program."""

import json
from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QMimeData

KIND = "application/x-desktopsched-tasks"


def pack(tasks: Sequence[str]) -> QMimeData:
    """The ids, for a drag."""
    data = QMimeData()
    data.setData(KIND, QByteArray(json.dumps(list(tasks)).encode()))
    return data


def unpack(data: QMimeData) -> tuple[str, ...]:
    """The ids in a drag; empty where it is another one's."""
    if not data.hasFormat(KIND):
        return ()
    try:
        found = json.loads(bytes(data.data(KIND).data()))
    except ValueError:  # another program calls its own so
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
