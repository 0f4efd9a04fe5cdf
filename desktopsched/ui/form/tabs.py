"""The order in which Tab goes through a window: that of its layouts, which is that in which it is read. UI thread."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLayout, QScrollArea, QWidget


def order_tabs(window: QWidget, known: list[QWidget]) -> list[QWidget]:
    """Set the order, if other widgets take the focus than the `known` ones; those that do now."""
    found = list(_focusable(window))
    if found != known:
        for one, following in pairwise(found):
            QWidget.setTabOrder(one, following)
    return found


def _focusable(widget: QWidget) -> Iterator[QWidget]:
    if isinstance(widget, QScrollArea) and (inner := widget.widget()) is not None:
        yield from _focusable(inner)
        return
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus or _can_be_chosen(widget):
        yield widget
    if (layout := widget.layout()) is not None:
        yield from _in_layout(layout)


def _can_be_chosen(widget: QWidget) -> bool:
    """Of a group of buttons Tab passes over those that are not chosen; each has its place for when it is."""
    return isinstance(widget, QAbstractButton) and widget.group() is not None


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    for at in range(layout.count()):
        item = layout.itemAt(at)
        if item is None:
            continue
        if (inside := item.layout()) is not None:
            yield from _in_layout(inside)
        elif (widget := item.widget()) is not None:
            yield from _focusable(widget)
