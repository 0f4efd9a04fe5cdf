"""Where the window is in its life. A value, no Qt."""

import enum


class Phase(enum.Enum):
    """One of them after the other."""

    OPENING = "opening"  # painted already; the files are being read
    OPEN = "open"
    CLOSING = "closing"  # runs are being stopped
    CLOSED = "closed"
