import re
from importlib import resources
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Open, Reminder, Script, State
from desktopsched.storage.preferences import Theme
from desktopsched.ui import icons, row
from desktopsched.ui.look import Look
from desktopsched.ui.tokens import DARK, LIGHT, Tokens


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As WCAG has it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_every_text_can_be_read_on_every_ground_it_stands_on(tokens: Tokens) -> None:
    grounds = (tokens.base, tokens.sel, tokens.hover, tokens.alt, tokens.win, tokens.log)
    inks = {state.value: ink.ink for state, ink in tokens.states.items()}
    texts = {"text": tokens.text, "text2": tokens.text2, "text3": tokens.text3, **inks}
    weak: dict[tuple[str, str], float] = {
        (name, ground): contrast(text, ground)
        for name, text in texts.items()
        for ground in grounds
        if contrast(text, ground) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_the_log_can_be_read(tokens: Tokens) -> None:
    for colour in (tokens.yellow, tokens.cyan, tokens.magenta, tokens.groups[0], tokens.text3):
        assert contrast(colour, tokens.log) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_the_ink_of_a_banner_can_be_read_on_its_tint(tokens: Tokens) -> None:
    for ink in tokens.states.values():
        assert contrast(ink.ink, ink.tint) >= 4.5
        assert contrast(tokens.text, ink.tint) >= 4.5
        assert contrast(tokens.accent, ink.tint) >= 4.5


def test_the_theme_can_be_fixed_and_says_when_it_changes(qtbot: QtBot) -> None:
    look = Look(Theme.LIGHT)
    with qtbot.waitSignal(look.changed):
        look.set_theme(Theme.DARK)
    assert look.tokens is DARK
    assert look.palette().color(QPalette.ColorRole.Base) == QColor(DARK.base)
    with qtbot.assertNotEmitted(look.changed):
        look.set_theme(Theme.DARK)


def test_the_style_sheet_has_no_token_left(look: Look) -> None:
    assert not re.search(r"@|\d+u\b", look.sheet().split("*/")[1])


def test_there_is_an_icon_for_each_state_and_each_action(qtbot: QtBot) -> None:
    names = [f"state-{state.value}" for state in State]
    names += [row._ACTION_ICONS[kind] for kind in (Command, Script, Reminder, Open)]
    for name in names:
        assert not icons.pixmap(name, "#123456", 16, 2.0).toImage().isNull()


def test_an_icon_has_its_colour_and_the_pixels_of_the_screen(qtbot: QtBot) -> None:
    picture = icons.pixmap("stop", "#112233", 16, 2.0)
    assert (picture.width(), picture.devicePixelRatio()) == (32, 2.0)
    assert picture.toImage().pixelColor(16, 16).name() == "#112233"


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 2.5, 3.0])
def test_an_icon_of_a_button_is_drawn_for_the_screen_and_never_enlarged_or_shrunk(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, ratio: float
) -> None:
    monkeypatch.setattr(QGuiApplication, "screens", lambda: [SimpleNamespace(devicePixelRatio=lambda: ratio)])
    picture = icons.icon("repeat", "#112233", "#999999").pixmap(QSize(16, 16), ratio)
    assert picture.toImage() == icons.pixmap("repeat", "#112233", 16, ratio).toImage()


def test_the_mark_has_its_own_drawing_for_small_sizes(qtbot: QtBot) -> None:
    for size in (16, 22, 24):
        edge = icons.mark_picture(size).toImage().pixelColor(size // 2, 0)
        assert (edge.name(), edge.alpha()) == ("#3650c4", 255)  # a whole pixel, not half of one


def test_icons_differ_without_colour(qtbot: QtBot) -> None:
    pictures = [
        bytes(icons.pixmap(f"state-{state.value}", "#000000", 16).toImage().constBits()) for state in State
    ]
    assert len(set(pictures)) == len(State)


def test_every_icon_file_is_one_colour_but_the_mark() -> None:
    folder = resources.files("desktopsched.resources").joinpath("icons")
    for file in folder.iterdir():
        colours = set(re.findall(r'"(#\w+)"', file.read_text(encoding="utf-8")))
        assert not colours or file.name in {"mark.svg", "mark-small.svg"}
