"""Desktopsched: runs people's tasks when they are due, and can be trusted to."""

__version__ = "0.1.0"
