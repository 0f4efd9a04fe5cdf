"""Terminal text as it is shown."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.actions.style import PLAIN, Style
from desktopsched.actions.text import LONGEST, Line, Span, TextReader, plain_text


def read(*pieces: bytes | str) -> list[Line]:
    reader = TextReader()
    return [line for piece in pieces for line in reader.feed(piece)] + reader.finish()


def shown(*pieces: bytes | str) -> list[str]:
    return [line.plain for line in read(*pieces)]


def test_l03_progress_is_its_last_state() -> None:
    assert shown("".join(f"\r{percent:3}%" for percent in range(1, 101)) + "\n") == ["100%"]


def test_l03_shorter_state_leaves_nothing_of_the_longer_one() -> None:
    assert shown("downloading\rdone\n") == ["done"]


def test_open_line_shows_the_present_state() -> None:
    reader = TextReader()
    assert reader.feed("a\n 10%\r") == [Line((Span("a"),))]
    assert reader.open_line().plain == " 10%"
    reader.feed(" 20%")
    assert reader.open_line().plain == " 20%"


@pytest.mark.parametrize("text", ["a\r\nb\r\n", "a\r\r\nb\r\n"])
def test_l04_carriage_return_before_a_newline_is_part_of_it(text: str) -> None:
    assert shown(text) == ["a", "b"]
    assert shown(*text) == ["a", "b"]


def test_l05_colours_are_styles_and_titles_are_gone() -> None:
    text = b"\x1b[31mred\x1b[0m\x1b]0;title\x07\n"
    expected = [Line((Span("red", Style(foreground=1)),))]
    assert read(text) == expected
    for cut in range(len(text)):
        assert read(text[:cut], text[cut:]) == expected


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[2K", "\x1b[?25l", "\x1b[10;20H", "\x1b]8;;http://x\x1b\\", "\x1b]0;a\x07", "\x1bP1$q\x1b\\",
        "\x1b^x\x1b\\",
        "\x1b(B", "\x1b7", "\x1b=", "\x1bc", "\x1b#8", "\x1b]0;a\x1b[1m\x1b[m", "\x1b[>4;1m",
        "\x1b[" + "1;" * 200 + "m",
    ],
)  # fmt: skip
def test_l05_other_sequences_are_dropped(sequence: str) -> None:
    assert read(f"a{sequence}b\n") == [Line((Span("ab"),))]
    assert read(*f"a{sequence}b\n") == [Line((Span("ab"),))]


def test_unfinished_title_ends_with_its_line() -> None:
    assert shown("a\x1b]0;no end\nb\n") == ["a", "b"]


def test_unfinished_control_sequence_ends_at_what_cannot_belong_to_it() -> None:
    assert shown("a\x1b[31\nb\x1b[é\n") == ["a", "bé"]


def test_escape_that_begins_nothing_is_shown() -> None:
    assert shown("a\x1b\x1b[1mb\x1bé\n") == ["a␛b␛é"]


def test_l07_nul_is_visible_and_cuts_nothing() -> None:
    assert shown(b"a\0b\n") == ["a␀b"]


def test_l08_endless_line_is_cut_with_a_mark() -> None:
    (line,) = read(*["x" * 100_000] * 500)
    assert line.plain == "x" * LONGEST + " … 49,990,000 more characters"
    assert line.spans[-1].style == Style(faint=True)


def test_line_begins_anew_after_an_endless_one() -> None:
    assert shown("x" * 20_000 + "\rdone\n") == ["done"]


def test_l16_only_a_newline_ends_a_line() -> None:
    assert shown("a\u2028b\u2029c\vd\fe\x85f\x1cg\n") == ["a<U+2028>b<U+2029>c␋d␌e<U+0085>f␜g"]


def test_l17_l01_bad_bytes_become_replacements_and_never_surrogates() -> None:
    assert shown(b"\xff\xfecaf\xe9\n") == ["\ufffd\ufffdcaf\ufffd"]
    assert shown("a\udcffb\n") == ["a\ufffdb"]
    assert shown(b"caf\xc3") == ["caf\ufffd"]


def test_bidi_overrides_and_controls_are_visible() -> None:
    assert shown("a\u202eb\u2066c\x07\x08\x7f\x9b\n") == ["a<U+202E>b<U+2066>c␇␈␡<U+009B>"]


def test_tabs_and_scripts_stay() -> None:
    assert shown("a\tb עברית العربية 👩‍👩‍👧 \u200f\n") == ["a\tb עברית العربية 👩‍👩‍👧 \u200f"]


def test_empty_lines_stay() -> None:
    assert shown("\n\na\n\n") == ["", "", "a", ""]
    assert plain_text(read("a\n\nb\n")) == "a\n\nb"


def test_html_is_text() -> None:
    assert shown("<b>x</b>&amp;\n") == ["<b>x</b>&amp;"]


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("", PLAIN), ("0", PLAIN), ("1", Style(bold=True)), ("01;31", Style(bold=True, foreground=1)),
        ("97", Style(foreground=15)), ("100", Style(background=8)), ("38;5;208", Style(foreground=208)),
        ("48;2;255;0;16", Style(background="#ff0010")), ("38:2::255:0:16", Style(foreground="#ff0010")),
        ("38;5;4;1", Style(foreground=4, bold=True)), ("4:3", Style(underline=True)), ("4;4:0", PLAIN),
        ("38;2;1", PLAIN), ("38;5;999", PLAIN), ("38", PLAIN), ("5;8;53", PLAIN), ("1;22", PLAIN), ("31;39", PLAIN),
        ("2;3;7;9", Style(faint=True, italic=True, inverse=True, struck=True)), ("?1", PLAIN),
        ("1;;3", Style(italic=True)),
    ],
)  # fmt: skip
def test_style_of_codes(codes: str, style: Style) -> None:
    assert read(f"\x1b[{codes}mx") == [Line((Span("x", style),))]


def test_style_goes_on_over_lines() -> None:
    red = Style(foreground=1)
    assert read("\x1b[31ma\nb\x1b[mc\n") == [Line((Span("a", red),)), Line((Span("b", red), Span("c")))]


PIECES = st.one_of(
    st.sampled_from(
        [
            "\x1b",
            "[",
            "]",
            "m",
            "31",
            ";",
            "\x07",
            "\\",
            "\r",
            "\n",
            "(",
            "P",
            "\x18",
            "\0",
            "\u202e",
            "é",
            "ab",
            " ",
            "\x9c",
        ]
    ).map(str.encode),
    st.binary(max_size=4),
    st.just(b"x" * 6_000),
)


@given(st.lists(PIECES, max_size=30), st.data())
def test_where_the_input_is_cut_makes_no_difference(pieces: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    parts = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert read(*parts) == read(whole) == read(*(whole[n : n + 1] for n in range(len(whole))))


@given(st.lists(PIECES, max_size=30))
def test_nothing_dangerous_is_ever_shown(pieces: list[bytes]) -> None:
    for line in read(*pieces):
        assert not any(ord(char) < 0x20 and char != "\t" for char in line.plain)
        assert not set(line.plain) & set("\x7f\x85\x9b\u2028\u2029\u202e\u2066")
        line.plain.encode()


def test_megabytes_are_read_in_a_fraction_of_a_second() -> None:
    began = time.perf_counter()
    lines = read(
        b"\x1b[32mok\x1b[0m  1234567890 a line of a build log of some length, as they are\n" * 20_000
    )
    assert len(lines) == 20_000
    assert time.perf_counter() - began < 5.0  # some 0.3 s; the bound is for slow machines
