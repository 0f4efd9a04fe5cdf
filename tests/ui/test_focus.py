"""Where the keyboard is: everything that Tab goes to shows its focus, and has a name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktopsched.storage.preferences import Theme
from desktopsched.ui.look import Look
from desktopsched.ui.phase import Phase
from tests.ui.test_colours import (
    Make,
    about,
    arguments,
    crontab,
    dressed,
    empty_window,
    failure,
    form,
    form_with_mistakes,
    list_of_keys,
    main_window,
    missed_runs,
    preferences,
    question,
    reminder,
    text,
)  # fmt: skip

__all__ = ["dressed"]  # a fixture

_LEAST = 40  # pixels that say "here", in the accent or cut out of it: less than round the smallest button
_ROUND = 8  # pixels round a widget in which its ring may be, beside the widget itself


def stops(window: QWidget) -> Iterator[QWidget]:
    """All that Tab goes to, from where the focus is until it is there again; the last one is the first."""
    first = window.focusWidget()
    assert first is not None
    for _ in range(100):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        yield window.focusWidget()
        if window.focusWidget() is first:
            return
    pytest.fail("Tab does not come back to where it began")


def said_of(widget: QWidget) -> str:
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name)


def changed(before: QImage, after: QImage, colours: set[int], where: QRect) -> int:
    """How many pixels here got one of these colours, or lost it."""
    pairs = (image.copy(where).convertToFormat(QImage.Format.Format_RGB32) for image in (before, after))
    old, new = (memoryview(image.constBits()).cast("I").tolist() for image in pairs)
    return sum((now in colours or was in colours) and now != was for was, now in zip(old, new, strict=True))


@pytest.mark.parametrize(
    "make",
    [
        preferences, arguments, missed_runs, text, about, form, form_with_mistakes, failure, reminder, question,
        main_window, empty_window, crontab, list_of_keys,
    ],
)  # fmt: skip
@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_all_that_tab_goes_to_shows_its_focus_and_has_a_name(
    qtbot: QtBot, dressed: Look, tmp_path: Path, make: Make, theme: Theme
) -> None:
    dressed.set_theme(theme)
    window = make(dressed, tmp_path)
    qtbot.addWidget(window, before_close_func=lambda one: setattr(one, "phase", Phase.CLOSED))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    if window.focusWidget() is None:
        QTest.keyClick(window, Qt.Key.Key_Tab)
    colours = {QColor(colour).rgb() for colour in (dressed.tokens.accent, dressed.tokens.accent_fill)}
    before, unseen, nameless = window.grab().toImage(), [], []
    for widget in stops(window):
        after = window.grab().toImage()
        where = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
        around = where.adjusted(-_ROUND, -_ROUND, _ROUND, _ROUND).intersected(window.rect())
        if changed(before, after, colours, around) < _LEAST:
            unseen.append(said_of(widget))
        if not said_of(widget):
            nameless.append(widget)
        before = after
    window.hide()  # a form with mistakes would ask whether it may be closed
    assert (unseen, nameless) == ([], [])
