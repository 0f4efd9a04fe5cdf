r"""Reads terminal output as it comes and gives lines that can be shown. Pure; any thread, one at a time.

The result does not depend on where the input was cut into pieces. Rules:

* Bytes are UTF-8; what is not becomes U+FFFD, never a surrogate (L01, L17). NUL is shown as ␀ (L07).
* Only a newline ends a line (L16). `\r` before one is part of it (L04); before anything else the line
  begins anew, so that a progress bar is its last state (L03).
* Colours are kept as `Style`; window titles and every other escape sequence are dropped (L05). An
  unfinished one never swallows more than its own line.
* Other controls and bidi overrides are shown as codes: they could hide what a command printed.
* A shown line has at most `LONGEST` characters and says how many more there were (L08); the log has them all.
"""

import codecs
import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from desktopsched.actions.style import PLAIN, Style, restyle

LONGEST = 10_000
"""Characters of a shown line: laying out a longer one takes a window more than a second."""

_LONGEST_SEQUENCE = 64  # characters of an escape sequence that is still read as a style

_SPECIAL = re.compile("[\0-\x08\n-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_STRING_END = re.compile("[\x07\x18\x1a\x1b\n]")


class Span(Struct, frozen=True):
    """A piece of a line in one style."""

    text: str
    style: Style = PLAIN


class Line(Struct, frozen=True):
    """A line that is ready to be shown."""

    spans: tuple[Span, ...] = ()

    @property
    def plain(self) -> str:
        """Its text without styles."""
        return "".join(span.text for span in self.spans)


class TextReader:
    """Takes output in pieces.

    `feed` gives the lines that were finished; `open_line` is the one that is not.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._state: Callable[[str, int], int] = (
            self._in_text
        )  # takes text and a place in it, gives the next place
        self._lines: list[Line] = []
        self._style = PLAIN
        self._sequence = ""
        self._returned = False  # a `\r` came: the next character begins the line anew
        self._begin_line()

    def feed(self, data: bytes | str) -> list[Line]:
        """Read some more; text, where it is decoded already."""
        text = data if isinstance(data, str) else self._decoder.decode(data)
        at = 0
        while at < len(text):
            at = self._state(text, at)
        done, self._lines = self._lines, []
        return done

    def finish(self) -> list[Line]:
        """Nothing more comes: the last line, if it had no newline."""
        done = self.feed(self._decoder.decode(b"", final=True))
        if self._spans:
            done.append(self.open_line())
            self._begin_line()
        return done

    def open_line(self) -> Line:
        """The line that has no newline yet."""
        if not self._more:
            return Line(tuple(Span("".join(parts), style) for style, parts in self._spans))
        mark = Span(f" … {self._more:,} more characters", Style(faint=True))
        return Line((*(Span("".join(parts), style) for style, parts in self._spans), mark))

    def _begin_line(self) -> None:
        self._spans: list[tuple[Style, list[str]]] = []
        self._length = 0
        self._more = 0
        self._returned = False

    def _end_line(self) -> None:
        self._lines.append(self.open_line())
        self._begin_line()

    def _write(self, text: str) -> None:
        if self._returned:
            self._begin_line()
        fits = text[: LONGEST - self._length]
        self._length += len(fits)
        self._more += len(text) - len(fits)
        if not fits:
            return
        if not self._spans or self._spans[-1][0] != self._style:
            self._spans.append((self._style, []))
        self._spans[-1][1].append(fits)

    def _in_text(self, text: str, at: int) -> int:
        special = _SPECIAL.search(text, at)
        end = special.start() if special else len(text)
        if end > at:
            self._write(text[at:end])
            return end
        match text[at]:
            case "\n":
                self._end_line()
            case "\r":
                self._returned = True
            case "\x1b":
                self._state = self._in_escape
            case char:
                self._write(_code(char))
        return at + 1

    def _in_escape(self, text: str, at: int) -> int:
        """After ESC: what kind of sequence it is."""
        char = text[at]
        self._state, self._sequence = self._in_text, ""
        if char == "[":
            self._state = self._in_control
        elif char in "]PX^_":  # titles, links and other strings for the terminal
            self._state = self._in_string
        elif " " <= char <= "/":
            self._state = self._in_charset
        elif not "0" <= char <= "~":
            self._write(_code("\x1b"))  # no sequence at all
            return at
        return at + 1

    def _in_control(self, text: str, at: int) -> int:
        """After ESC [: parameters, then one letter that says what is asked for."""
        char = text[at]
        if not " " <= char <= "~":
            self._state = self._in_text
            return at
        if char < "@":
            self._sequence += char if len(self._sequence) < _LONGEST_SEQUENCE else ""
            return at + 1
        if char == "m" and len(self._sequence) < _LONGEST_SEQUENCE:
            self._style = restyle(self._style, self._sequence)
        self._state = self._in_text
        return at + 1

    def _in_charset(self, text: str, at: int) -> int:
        """After ESC and a blank or a mark such as `(`: more of these, then one character."""
        if " " <= text[at] <= "/":
            return at + 1
        self._state = self._in_text
        return at + 1 if "0" <= text[at] <= "~" else at

    def _in_string(self, text: str, at: int) -> int:
        """After ESC ].

        Dropped up to BEL, to an ESC, which begins the closing sequence, or to the line's end.
        """
        end = _STRING_END.search(text, at)
        if end is None:
            return len(text)
        self._state = self._in_escape if end[0] == "\x1b" else self._in_text
        return end.start() if end[0] == "\n" else end.end()


def plain_text(lines: Sequence[Line]) -> str:
    """The lines as they would be copied."""
    return "\n".join(line.plain for line in lines)


def _code(char: str) -> str:
    """A control character as something that can be seen."""
    number = ord(char)
    if number < 0x20:
        return chr(0x2400 + number)
    if number == 0x7F:
        return "␡"
    return "\ufffd" if 0xD800 <= number <= 0xDFFF else f"<U+{number:04X}>"
