"""Tokens: every colour that the window shows, light and dark, as data. No Qt here."""

from collections.abc import Mapping

from msgspec import Struct

from desktopsched.model import State


class Ink(Struct, frozen=True):
    """The colours of one state: of its icon and word, of what stands behind them, of its bars."""

    ink: str
    tint: str
    bar: str


class Tokens(Struct, frozen=True, kw_only=True):
    """One set of colours, `#rrggbb`."""

    dark: bool
    win: str  # tool bar, headers, status bar
    side: str  # the sidebar
    base: str  # tables, fields
    alt: str  # group rows, heads of panes
    sunk: str
    line: str  # below a row
    line2: str  # between panes, round a button
    ctl: str  # round a field
    text: str
    text2: str
    text3: str
    off: str  # disabled
    accent: str
    accent_fill: str
    accent_h: str
    on_accent: str
    sel: str
    sel_line: str
    hover: str
    now: str  # the line at the present moment
    mark: str  # behind what was searched for
    log: str
    tip: str
    tip_text: str
    cut: str  # what is cut out of a solid icon
    groups: tuple[str, str, str, str]
    cyan: str
    magenta: str
    yellow: str
    states: Mapping[State, Ink]


LIGHT = Tokens(
    dark=False,
    win="#F4F3F0",
    side="#EEEDE9",
    base="#FFFFFF",
    alt="#FAF9F7",
    sunk="#F0EFEB",
    line="#E4E3DE",
    line2="#D2D1CB",
    ctl="#858480",
    text="#1B1E23",
    text2="#4E535C",
    text3="#61666F",
    off="#A3A6AB",
    accent="#3650C4",
    accent_fill="#3650C4",
    accent_h="#2C43AA",
    on_accent="#FFFFFF",
    sel="#E8ECFB",
    sel_line="#C3CDF3",
    hover="#F6F5F2",
    now="#C2410C",
    mark="#FDE9A8",
    log="#FCFCFA",
    tip="#25282E",
    tip_text="#F4F5F6",
    cut="#FFFFFF",
    groups=("#3967A9", "#2F8C7A", "#B0741F", "#8A4F9E"),
    cyan="#0B6E75",
    magenta="#8A3D87",
    yellow="#8A5600",
    states={
        State.PENDING: Ink("#626975", "#EFF0F2", "#7F868F"),
        State.READY: Ink("#945B00", "#FAEFD8", "#B97A08"),
        State.RUNNING: Ink("#0A66C2", "#E1EEFB", "#1F86DE"),
        State.SUCCEEDED: Ink("#0B6640", "#DFF2E7", "#218055"),
        State.FAILED: Ink("#9E1B0C", "#FBE6E2", "#C23320"),
        State.SKIPPED: Ink("#722C88", "#F4E9F7", "#8E52A8"),
        State.CANCELLED: Ink("#33383E", "#E8E9EB", "#4A5058"),
    },
)

DARK = Tokens(
    dark=True,
    win="#1A1C21",
    side="#16181C",
    base="#1E2126",
    alt="#22252B",
    sunk="#15171A",
    line="#2D3037",
    line2="#3B3F48",
    ctl="#7A808B",
    text="#E7E9EC",
    text2="#B3B9C2",
    text3="#9CA2AD",
    off="#5E636C",
    accent="#9CAEFF",
    accent_fill="#4960D3",
    accent_h="#546BDD",
    on_accent="#FFFFFF",
    sel="#293256",
    sel_line="#43508A",
    hover="#252930",
    now="#FF9A5C",
    mark="#5C4B12",
    log="#191B1F",
    tip="#30343C",
    tip_text="#F1F2F4",
    cut="#16181C",
    groups=("#7AA5E8", "#5EC0AC", "#DDA24D", "#C58AD8"),
    cyan="#5CC7CE",
    magenta="#DB96D8",
    yellow="#F2BC4B",
    states={
        State.PENDING: Ink("#9AA2AE", "#2B2F36", "#7D8591"),
        State.READY: Ink("#F2BC4B", "#383019", "#E0AA3E"),
        State.RUNNING: Ink("#8CC8FC", "#1A3047", "#3F9CF0"),
        State.SUCCEEDED: Ink("#45D896", "#173628", "#3FCB8C"),
        State.FAILED: Ink("#FA7C5C", "#44251C", "#E8613E"),
        State.SKIPPED: Ink("#C284E4", "#352A3D", "#AB6CC8"),
        State.CANCELLED: Ink("#E6E8EB", "#33363C", "#C9CDD3"),
    },
)
