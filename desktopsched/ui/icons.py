"""Icons: SVG files drawn in one colour, as sharp as the screen is. UI thread."""

import importlib.resources
from functools import lru_cache
from importlib.resources.abc import Traversable

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_RATIOS = (1.0, 2.0)  # what a QIcon is made of: Qt takes the nearest, and asks for no other


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return _folder().joinpath(f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _folder() -> Traversable:
    """Looked for once: for each icon anew it would take longer than drawing it."""
    return importlib.resources.files("desktopsched.resources").joinpath("icons")


@lru_cache(maxsize=512)
def pixmap(name: str, colour: str, size: int = 16, ratio: float = 1.0, cut: str = "#ffffff") -> QPixmap:
    """The icon in this colour; `cut` is what shows through a solid one. `size` is in logical pixels."""
    text = _source(name).replace("currentColor", colour).replace("cutColor", cut)
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


def icon(name: str, colour: str, off: str, size: int = 16, cut: str = "#ffffff") -> QIcon:
    """The icon for a button: in `off` while the button is disabled."""
    found = QIcon()
    for ratio in _RATIOS:
        found.addPixmap(pixmap(name, colour, size, ratio, cut), QIcon.Mode.Normal)
        found.addPixmap(pixmap(name, off, size, ratio, cut), QIcon.Mode.Disabled)
    return found


def mark() -> QIcon:
    """The product's mark, for windows and the tray."""
    found = QIcon()
    for size in (16, 22, 24, 32, 48, 64, 128, 256):
        found.addPixmap(pixmap("mark", "", size))
    return found
