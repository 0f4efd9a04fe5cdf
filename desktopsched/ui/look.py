"""The look: tokens, fonts and sizes of the window, and one signal when they change. UI thread.

Widgets are given one and ask it when they paint; none of them knows whether it is light or dark.
"""

import importlib.resources
import re

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QIcon, QPalette, QPixmap

from desktopsched.model import State
from desktopsched.storage.preferences import Theme
from desktopsched.ui import icons
from desktopsched.ui.tokens import DARK, LIGHT, Tokens

_BODY = 13  # pixels of the interface's text, as drawn; a larger font of the system scales everything
_FIXED = "JetBrains Mono"
_INTERFACE = "Inter"
_TOKEN = re.compile(r"@([a-z_0-9]+)@")
_LENGTH = re.compile(r"\b(\d+)u\b")


class Look(QObject):
    """Colours, fonts and sizes as they are now."""

    changed = Signal()

    def __init__(self, theme: Theme = Theme.SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.tokens = self._wanted()
        self._scale = max(QFontInfo(QGuiApplication.font()).pixelSize(), _BODY) / _BODY
        self._families = set(QFontDatabase.families())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)

    def set_theme(self, theme: Theme) -> None:
        """Light, dark, or as the system has it."""
        self.theme = theme
        self._follow()

    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted is not self.tokens:
            self.tokens = wanted
            self.changed.emit()

    def _wanted(self) -> Tokens:
        if self.theme is Theme.SYSTEM:
            dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        else:
            dark = self.theme is Theme.DARK
        return DARK if dark else LIGHT

    # --- sizes and fonts -----------------------------------------------------------------------------------

    def px(self, drawn: float) -> int:
        """Pixels for what is `drawn` pixels in the design."""
        return round(drawn * self._scale)

    def font(self, size: float = _BODY, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The interface's font, with figures of one width, so that ticking times do not jump."""
        found = QFont(QGuiApplication.font())
        if _INTERFACE in self._families:
            found.setFamily(_INTERFACE)
        return self._sized(found, size, weight)

    def mono(self, size: float = 12, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The font of the log and of commands."""
        found = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        if _FIXED in self._families:
            found.setFamily(_FIXED)
        return self._sized(found, size, weight)

    def _sized(self, font: QFont, size: float, weight: QFont.Weight) -> QFont:
        font.setPixelSize(self.px(size))
        font.setWeight(weight)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    # --- colours -------------------------------------------------------------------------------------------

    def state_icon(self, state: State, size: int = 16, ratio: float = 1.0) -> QPixmap:
        """The icon of a state, in its ink."""
        ink = self.tokens.states[state].ink
        return icons.pixmap(f"state-{state.value}", ink, self.px(size), ratio, self.tokens.cut)

    def icon(self, name: str, colour: str = "", *, gap: int = 0) -> QIcon:
        """The icon for a button; `gap` drawn pixels to its right stay empty."""
        return icons.icon(name, colour or self.tokens.text2, self.tokens.off, self.px(16), gap=self.px(gap))

    def palette(self) -> QPalette:
        """The tokens as a palette: what Qt draws by itself fits in."""
        t, role = self.tokens, QPalette.ColorRole
        colours = {
            role.Window: t.win,
            role.WindowText: t.text,
            role.Base: t.base,
            role.AlternateBase: t.alt,
            role.Text: t.text,
            role.PlaceholderText: t.text3,
            role.Button: t.win,
            role.ButtonText: t.text,
            role.Highlight: t.sel,
            role.HighlightedText: t.text,
            role.Link: t.accent,
            role.ToolTipBase: t.tip,
            role.ToolTipText: t.tip_text,
            role.Mid: t.line2,
            role.Dark: t.ctl,
        }
        palette = QPalette(QColor(t.win))
        for place, colour in colours.items():
            palette.setColor(place, QColor(colour))
        for place in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, place, QColor(t.off))
        return palette

    def sheet(self, name: str = "window") -> str:
        """A style sheet, its tokens and lengths filled in: `@accent@`, `12u`."""
        folder = importlib.resources.files("desktopsched.resources").joinpath("style")
        text = folder.joinpath(f"{name}.qss").read_text(encoding="utf-8")
        text = _TOKEN.sub(lambda found: self._colour(found[1]), text)
        return _LENGTH.sub(lambda found: f"{self.px(int(found[1]))}px", text)

    def _colour(self, name: str) -> str:
        """A token, or the ink of a state: `@failed@`."""
        if name in {state.value for state in State}:
            return self.tokens.states[State(name)].ink
        return str(getattr(self.tokens, name))
