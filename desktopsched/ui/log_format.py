"""How the log's text looks: a terminal's styles, in the colours of the window. UI thread."""

from PySide6.QtGui import QColor, QFont, QFontMetrics, QTextCharFormat, QTextFormat

from desktopsched.actions.style import PLAIN, Colour, Style
from desktopsched.model import State
from desktopsched.ui.look import Look

LINE = 18  # pixels of a line, as drawn
_GROUND = 64  # of 255: how strongly a ground colour shows
HEAD = QTextFormat.Property.UserProperty
"""The property of what stands before the text of a line: it is not copied with it."""

_CUBE = (0, 95, 135, 175, 215, 255)


class LogFormat:
    """The formats for one set of tokens; made anew when they change."""

    def __init__(self, look: Look, turns: dict[str, int]) -> None:
        """`turns`: of each task that has printed, as which one it did so first; they are added to."""
        self._turns = turns
        self._tokens = tokens = look.tokens
        ink = {state: colours.ink for state, colours in tokens.states.items()}
        self._named = (
            tokens.text,
            ink[State.FAILED],
            ink[State.SUCCEEDED],
            tokens.yellow,
            ink[State.RUNNING],
            tokens.magenta,
            tokens.cyan,
            tokens.text,
        )
        self._tags = (tokens.groups[0], tokens.magenta, tokens.cyan, tokens.yellow)
        self._mono = look.mono()
        self._interface = look.font(11.5, QFont.Weight.Medium)
        self._made: dict[Style, QTextCharFormat] = {}
        self.time = _head(_format(self._mono, tokens.text3))
        self.words = _format(look.font(12), tokens.text2)
        self.gap = _head(_format(look.font(12), tokens.text2))
        self.strut = _head(_format(_strut(look), tokens.text3))
        """Of the tab after the time: it gives each line its height, whatever else stands in it."""

    def tag(self, task_id: str) -> QTextCharFormat:
        """Of a task's name: always the same colour for the same task, and in turn, so that neighbours differ."""
        turn = self._turns.setdefault(task_id, len(self._turns))
        return _head(_format(self._interface, self._tags[turn % len(self._tags)]))

    def text(self, style: Style) -> QTextCharFormat:
        """Of a span of output."""
        if style not in self._made:
            self._made[style] = self._make(style)
        return self._made[style]

    def _make(self, style: Style) -> QTextCharFormat:
        front, ground = self._colour(style.foreground), self._colour(style.background)
        if style.inverse:
            front, ground = ground or self._tokens.log, front or self._tokens.text
        found = _format(self._mono, front or (self._tokens.text3 if style.faint else self._tokens.text))
        if ground:
            colour = QColor(ground)
            colour.setAlpha(255 if style.inverse else _GROUND)
            found.setBackground(colour)
        bright = isinstance(style.foreground, int) and 8 <= style.foreground < 16
        if style.bold or bright:
            found.setFontWeight(QFont.Weight.Bold)
        found.setFontItalic(style.italic)
        found.setFontUnderline(style.underline)
        found.setFontStrikeOut(style.struck)
        return found

    def _colour(self, colour: Colour) -> str:
        if colour is None or isinstance(colour, str):
            return colour or ""
        if colour < 16:
            return self._named[colour % 8]
        if colour < 232:
            red, green, blue = ((colour - 16) // size % 6 for size in (36, 6, 1))
            return QColor(_CUBE[red], _CUBE[green], _CUBE[blue]).name()
        grey = 8 + 10 * (colour - 232)
        return QColor(grey, grey, grey).name()


def plain(formats: LogFormat) -> QTextCharFormat:
    """Of output without any style."""
    return formats.text(PLAIN)


def _format(font: QFont, colour: str) -> QTextCharFormat:
    found = QTextCharFormat()
    found.setFont(font)
    found.setForeground(QColor(colour))
    return found


def _head(found: QTextCharFormat) -> QTextCharFormat:
    found.setProperty(HEAD, True)
    return found


def _strut(look: Look) -> QFont:
    """The interface's font in the size in which a line of it is as high as lines should be."""
    height = look.px(LINE)
    return next(
        (font for size in range(40, 8, -1) if QFontMetrics(font := look.font(size / 2)).height() <= height),
        look.font(),
    )
