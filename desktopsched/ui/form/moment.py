"""A date and a time, typed as ISO 8601 or taken from a calendar. UI thread."""

from datetime import datetime

from msgspec import UNSET
from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtWidgets import QCalendarWidget

from desktopsched.model import InvalidTaskError
from desktopsched.model.times import instant
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.look import Look

_USUAL = "09:00"  # for a day that was taken from the calendar where there was no time yet


class Moment(FieldBox):
    """Wall time, unless an offset is written."""

    def __init__(self, look: Look, name: str, *, empty: str, width: int = 190) -> None:
        super().__init__(look, name, width=width)
        self.edit.setPlaceholderText(empty)
        self.calendar: QCalendarWidget | None = None  # made when it is first asked for: it has a dozen parts
        self.button = self.add_button("calendar", f"Calendar: {name}")
        self.button.clicked.connect(self.show_calendar)

    def raw(self) -> object:
        """With the T that the file has. What is no date and time stays as it was typed, and is named so."""
        text = self.edit.text().strip()
        if not text:
            return UNSET
        return text if self._written() is None else text.replace(" ", "T", 1)

    def set_raw(self, raw: object) -> None:
        """With a blank between date and time."""
        super().set_raw(UNSET if raw is UNSET else str(raw).replace("T", " ", 1))

    def show_calendar(self) -> None:
        """Below the field, at the day that is written."""
        calendar = self.calendar = self.calendar or self._make_calendar()
        if (now := self._written()) is not None:
            calendar.setSelectedDate(QDate(now.year, now.month, now.day))
        calendar.move(self.mapToGlobal(QPoint(0, self.height())))
        calendar.show()
        calendar.setFocus()

    def _make_calendar(self) -> QCalendarWidget:
        calendar = QCalendarWidget(self)
        calendar.setWindowFlags(Qt.WindowType.Popup)
        calendar.setAccessibleName(self.accessibleName())
        calendar.setGridVisible(False)
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        calendar.clicked.connect(self._take)
        calendar.activated.connect(self._take)
        return calendar

    def _written(self) -> datetime | None:
        try:
            found: datetime = instant(self.edit.text().strip())
        except InvalidTaskError:
            return None
        return found

    def _take(self, day: QDate) -> None:
        """The day, and the time of day that was there."""
        if self.calendar is not None:
            self.calendar.hide()
        text = self.edit.text().strip()
        rest = text[11:] if self._written() is not None else _USUAL
        self.edit.setText(f"{day.toString(Qt.DateFormat.ISODate)} {rest}")
        self.edit.setFocus()
        self.edited.emit()
