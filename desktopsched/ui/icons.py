"""Icons: SVG files drawn in one colour, as sharp as the screen is. UI thread."""

import importlib.resources
from functools import lru_cache
from importlib.resources.abc import Traversable

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_RATIOS = (1.0, 2.0)  # what a QIcon is made of, whatever screens there are now
_SMALL = 24  # pixels up to which the mark is drawn with fewer and wider lines, on whole pixels


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


def icon(name: str, colour: str, off: str, size: int = 16, cut: str = "#ffffff", *, gap: int = 0) -> QIcon:
    """The icon for a button: in `off` while the button is disabled. `gap`: pixels that stay empty to its right."""
    found = QIcon()
    for ratio in _ratios():
        for ink, mode in ((colour, QIcon.Mode.Normal), (off, QIcon.Mode.Disabled)):
            found.addPixmap(_widened(pixmap(name, ink, size, ratio, cut), gap), mode)
    return found


def _ratios() -> list[float]:
    """Also those of the screens: Qt takes the nearest picture, and asks for no other."""
    return sorted({*_RATIOS, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())})


def _widened(picture: QPixmap, gap: int) -> QPixmap:
    """The picture with room beside it: a style sheet cannot set words further away from an icon."""
    if not gap:
        return picture
    ratio = picture.devicePixelRatio()
    wide = QPixmap(picture.size() + QSize(round(gap * ratio), 0))
    wide.setDevicePixelRatio(ratio)
    wide.fill(Qt.GlobalColor.transparent)
    painter = QPainter(wide)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    return wide


def mark() -> QIcon:
    """The product's mark, for windows and the tray."""
    found = QIcon()
    for size in (16, 22, 24, 32, 48, 64, 128, 256):
        found.addPixmap(mark_picture(size))
    return found


def mark_picture(size: int) -> QPixmap:
    """The mark, so many pixels wide."""
    return pixmap("mark-small" if size <= _SMALL else "mark", "", size)
