"""Renders the product's icon for all systems: PNG files for Linux, one .ico for Windows, one .icns for macOS.

`python packaging/pictures.py FOLDER`, with the PySide6 that the program uses anyway. The one source of all of them are
the two drawings in resources/icons: `mark`, and `mark-small` for sizes at which its lines would blur.
"""

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).parents[1] / "resources" / "icons"
SMALL = 24
"""Pixels up to which the small drawing is used."""

PNG = (16, 22, 24, 32, 36, 48, 64, 72, 96, 128, 192, 256, 512)
ICO = (16, 20, 24, 32, 40, 48, 64, 128, 256)
ICNS = {
    b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
    b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512,
}  # fmt: skip
"""What macOS calls each size; the last four are for screens of twice the resolution."""


def png(size: int) -> bytes:
    """The icon, so many pixels wide and high."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    source = ICONS / ("mark-small.svg" if size <= SMALL else "mark.svg")
    QSvgRenderer(str(source)).render(painter, QRectF(image.rect()))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' container: a head, a line for each picture, the pictures."""
    head, place = struct.pack("<3H", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    lines = b""
    for size, data in pictures.items():
        side = size % 256  # 0 stands for 256
        lines += struct.pack("<4B2H2I", side, side, 0, 0, 1, 32, len(data), place)
        place += len(data)
    return head + lines + b"".join(pictures.values())


def icns(pictures: dict[bytes, bytes]) -> bytes:
    """The container of macOS: each picture with its kind and its length."""
    body = b"".join(kind + struct.pack(">I", 8 + len(data)) + data for kind, data in pictures.items())
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def main(folder: Path) -> None:
    """Write all of them."""
    application = QGuiApplication(sys.argv)
    folder.mkdir(parents=True, exist_ok=True)
    for size in PNG:
        (folder / f"{size}.png").write_bytes(png(size))
    (folder / "desktopsched.ico").write_bytes(ico({size: png(size) for size in ICO}))
    (folder / "desktopsched.icns").write_bytes(icns({kind: png(size) for kind, size in ICNS.items()}))
    application.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
