"""Plain text, whatever a task is called: Qt takes labels, boxes and tool tips for markup unless it is told not to.

UI thread. Everything that shows words of a task goes through here or paints them itself.
"""

import html

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget

from desktopsched.ui import message

SELECTABLE = message.SELECTABLE

_UNBROKEN = 90  # characters of a line of a tool tip that stands as it is
_LONGEST = 2_000  # characters of a tool tip


def label(text: str = "", font: QFont | None = None, name: str = "") -> QLabel:
    """A label that shows its text as it is."""
    found = QLabel()
    found.setTextFormat(Qt.TextFormat.PlainText)
    found.setText(text)
    found.setObjectName(name)
    if font is not None:
        found.setFont(font)
    return found


def tip(text: str, dim: str = "") -> str:
    """A tool tip that shows this text as it is: Qt guesses, so it is given markup in which the text is escaped.

    `dim`: the colour of all lines but the first, if they have one of their own.
    """
    first, _, rest = html.escape(text[:_LONGEST]).partition("\n")
    if rest and dim:
        rest = f"<span style='color:{dim}'>{rest}</span>"
    longest = max(map(len, text[:_LONGEST].split("\n")), default=0)
    space = "pre" if longest <= _UNBROKEN else "pre-wrap"  # left to itself, Qt breaks short lines as well
    return f"<div style='white-space:{space}'>{first}{chr(10) if rest else ''}{rest}</div>" if text else ""


def button(text: str, font: QFont, name: str = "") -> QPushButton:
    """A button that shows its text as it is."""
    found = QPushButton(button_text(text))
    found.setFont(font)
    found.setObjectName(name)
    return found


def named(widget: QWidget, name: str) -> QWidget:
    """The widget, under a name that the style sheet knows."""
    widget.setObjectName(name)
    return widget


def button_text(text: str) -> str:
    """A text for a button or a menu, where `&` would mark a letter."""
    return text.replace("&", "&&")


def box(
    parent: QWidget | None, icon: QMessageBox.Icon, text: str, more: str = "", details: str = ""
) -> message.MessageBox:
    """A message that shows its texts as they are. The caller opens it; it deletes itself when it is closed."""
    found = message.MessageBox(parent, icon)
    found.setWindowTitle("Desktopsched")
    found.setText(text)
    found.setInformativeText(more)
    for label_ in found.findChildren(QLabel):  # the one of `more` too: whether it follows depends on the Qt
        label_.setTextFormat(Qt.TextFormat.PlainText)
    if details:
        found.setDetailedText(details)
    return found
