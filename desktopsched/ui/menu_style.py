"""How menus are drawn: rows of 28, keys and less important words grey at the right. UI thread.

Where a panel draws the tray's menu by itself, it gets the same words in one line.
"""

import re

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QIcon, QPainter, QPen
from PySide6.QtWidgets import QMenu, QProxyStyle, QStyle, QStyleOption, QStyleOptionMenuItem, QWidget

from desktopsched.ui import icons
from desktopsched.ui.look import Look

_ROW, _LABEL, _RULE = 28, 24, 11
_PAD, _ICON, _GAP = 9, 15, 9
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextHideMnemonic
INK, STRONG_AFTER = "ink", "strongAfter"
"""Properties of an action: the colour of its words; the first words, after which the others are bold."""

_Kind = QStyleOptionMenuItem.MenuItemType


def dressed(menu: QMenu, look: Look) -> QMenu:
    """The menu, drawn in this style."""
    style = MenuStyle(look)
    style.setParent(menu)  # a menu does not own its style
    menu.setStyle(style)
    return menu


class MenuStyle(QProxyStyle):
    """Draws menu items; leaves all else to the application's style."""

    def __init__(self, look: Look) -> None:
        super().__init__("Fusion")
        self._look = look

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Room between the items and the edge."""
        if metric in {QStyle.PixelMetric.PM_MenuHMargin, QStyle.PixelMetric.PM_MenuVMargin}:
            return self._look.px(5)
        if metric is QStyle.PixelMetric.PM_MenuPanelWidth:
            return 1
        return super().pixelMetric(metric, option, widget)

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        """What an item needs."""
        if kind is not QStyle.ContentsType.CT_MenuItem or not isinstance(option, QStyleOptionMenuItem):
            return super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]  # the stub forgets None
        px = self._look.px
        if option.menuItemType is _Kind.Separator:
            return QSize(px(60), px(_LABEL if option.text else _RULE))
        main, aside = parts(option)
        wide = QFontMetrics(self._bold(option)).horizontalAdvance(main)
        if aside:
            wide += px(20) + QFontMetrics(self._look.font(12)).horizontalAdvance(aside)
        arrow = px(17) if option.menuItemType is _Kind.SubMenu else 0
        wide += 2 * px(_PAD) + px(_ICON) + px(_GAP) + arrow
        return QSize(max(wide, px(200)), px(_ROW))

    def _bold(self, option: QStyleOptionMenuItem) -> QFont:
        return self._look.font(weight=QFont.Weight.DemiBold if option.font.bold() else QFont.Weight.Normal)

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """The ground of the menu."""
        if element in {QStyle.PrimitiveElement.PE_PanelMenu, QStyle.PrimitiveElement.PE_FrameMenu}:
            tokens = self._look.tokens
            if element is QStyle.PrimitiveElement.PE_PanelMenu:
                painter.fillRect(option.rect, QColor(tokens.base))
            painter.setPen(QPen(QColor(tokens.line2), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
            return
        super().drawPrimitive(element, option, painter, widget)

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """An item."""
        if element is QStyle.ControlElement.CE_MenuEmptyArea:
            return
        if element is not QStyle.ControlElement.CE_MenuItem or not isinstance(option, QStyleOptionMenuItem):
            super().drawControl(element, option, painter, widget)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.menuItemType is _Kind.Separator:
            self._paint_rule(painter, option)
        else:
            action = widget.actionAt(option.rect.center()) if isinstance(widget, QMenu) else None
            self._paint_item(painter, option, action)
        painter.restore()

    def _paint_rule(self, painter: QPainter, option: QStyleOptionMenuItem) -> None:
        look, tokens = self._look, self._look.tokens
        if option.text:
            painter.setFont(look.font(11.5, QFont.Weight.DemiBold))
            painter.setPen(QColor(tokens.text3))
            painter.drawText(option.rect.adjusted(look.px(_PAD), 0, 0, 0), int(_MIDDLE), option.text)
            return
        middle = option.rect.center().y()
        inset = look.px(4)
        painter.fillRect(
            QRect(option.rect.left() + inset, middle, option.rect.width() - 2 * inset, 1), QColor(tokens.line)
        )

    def _paint_item(self, painter: QPainter, option: QStyleOptionMenuItem, action: QAction | None) -> None:
        look, tokens, px = self._look, self._look.tokens, self._look.px
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        chosen = enabled and bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.sel))
            painter.drawRoundedRect(QRectF(option.rect), px(5), px(5))
        place = option.rect.adjusted(px(_PAD), 0, -px(_PAD), 0)
        self._paint_icon(painter, option, place, enabled=enabled)
        place.setLeft(place.left() + px(_ICON) + px(_GAP))
        if option.menuItemType is _Kind.SubMenu:
            self._paint_arrow(painter, place, tokens.accent if chosen else tokens.text3)
            place.setRight(place.right() - px(17))
        main, aside = parts(option)
        asides = look.font(12)
        painter.setFont(asides)
        painter.setPen(QColor(tokens.text2 if chosen else tokens.text3 if enabled else tokens.off))
        painter.drawText(place, int(_MIDDLE | Qt.AlignmentFlag.AlignRight), aside)
        if aside:
            place.setRight(place.right() - QFontMetrics(asides).horizontalAdvance(aside) - px(12))
        ink = (action.property(INK) if action is not None else None) or tokens.text
        painter.setPen(QColor(ink if enabled else tokens.off))
        strong = (action.property(STRONG_AFTER) if action is not None else None) or ""
        self._paint_main(painter, place, main, self._bold(option), strong)

    def _paint_main(self, painter: QPainter, place: QRect, main: str, font: QFont, strong: str) -> None:
        """The words; those after `strong` in bold."""
        flags = int(_MIDDLE | Qt.AlignmentFlag.AlignLeft)
        painter.setFont(font)
        if strong and main.startswith(strong):
            painter.drawText(place, flags, strong)
            place.setLeft(place.left() + QFontMetrics(font).horizontalAdvance(strong))
            painter.setFont(self._look.font(weight=QFont.Weight.DemiBold))
            main = main.removeprefix(strong)
        painter.drawText(place, flags, main)

    def _paint_icon(
        self, painter: QPainter, option: QStyleOptionMenuItem, place: QRect, *, enabled: bool
    ) -> None:
        size = self._look.px(_ICON)
        if option.checkType is not QStyleOptionMenuItem.CheckType.NotCheckable:
            if option.checked:
                ink = self._look.tokens.text2 if enabled else self._look.tokens.off
                tick = icons.pixmap("check", ink, size, painter.device().devicePixelRatio())
                painter.drawPixmap(place.left(), place.center().y() - size // 2 + 1, tick)
            return
        if option.icon.isNull():
            return
        spot = QRect(place.left(), place.center().y() - size // 2 + 1, size, size)
        option.icon.paint(
            painter,
            spot,
            Qt.AlignmentFlag.AlignCenter,
            QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled,
        )

    def _paint_arrow(self, painter: QPainter, place: QRect, colour: str) -> None:
        size = self._look.px(12)
        picture = icons.pixmap("chevron-right", colour, size, painter.device().devicePixelRatio())
        painter.drawPixmap(place.right() - size + 1, place.center().y() - size // 2 + 1, picture)


def parts(option: QStyleOptionMenuItem) -> tuple[str, str]:
    """The words of an item and what stands at its right; keys are written apart: "Shift F5"."""
    main, _, aside = option.text.partition("\t")
    return main, re.sub(r"(?<=\w)\+(?=.)", " ", aside)
