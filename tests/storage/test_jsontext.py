"""JSON, read strictly, with the place of what is refused (F11, F16)."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.model import StorageError
from desktopsched.storage.errors import UnreadableFileError
from desktopsched.storage.jsontext import dump, parse

FILE = Path("tasks.json")

REFUSED: list[tuple[bytes, int, int, str]] = [
    (b"", 0, 0, "is empty"),
    (b" \n\t", 0, 0, "is empty"),
    (b"[1,]", 1, 3, "a comma too many before the ']'"),
    (b'{\n  "a": 1,\n}', 2, 9, "a comma too many before the '}'"),
    (b'{"a": 1', 1, 8, "ends too early"),
    (b"{'a': 1}", 1, 2, "this is not JSON"),
    (b"[1] x", 1, 5, "this is not JSON"),
    (b"[1,\n NaN]", 2, 2, "NaN is not a number"),
    (b"[1, -Infinity]", 1, 5, "-Infinity is not a number"),
    (b'{"a": "NaN", "b": [Infinity]}', 1, 20, "Infinity is not a number"),
    (b'{"a": "1e999",\n "b": 1e999}', 2, 7, "the number 1e999 is too large"),
    (b"[" + b"9" * 5000 + b"]", 1, 2, "this number is too long"),
    (b'{"a": 1,\n "b": {"a": 1},\n "a": 2}', 3, 2, "the key 'a' is there twice"),
    (b'{"a": 1, "\\u0061": 2}', 1, 10, "the key 'a' is there twice"),
    (b'["a\\ud800"]', 1, 2, "half a character"),
    (b'{"\\udfff": 1}', 1, 2, "half a character"),
    (b'["a\xff"]', 1, 4, "is not UTF-8"),
    ('["é\x00"]'.encode(), 1, 4, "has a NUL character"),
    (b"[" * 100_000 + b"]" * 100_000, 1, 65, "nested more than 64 deep"),
    (b"[" * 100_000, 1, 65, "nested more than 64 deep"),
    (b"[" * 70 + b"]" * 70, 1, 65, "nested more than 64 deep"),
    ('{"a": 1}'.encode("utf-16"), 1, 1, "is not UTF-8"),
]


@pytest.mark.parametrize(("data", "line", "column", "words"), REFUSED, ids=lambda value: repr(value)[:30])
def test_f16_what_python_would_let_pass_is_refused_with_its_place(
    data: bytes, line: int, column: int, words: str
) -> None:
    with pytest.raises(UnreadableFileError, match=words) as caught:
        parse(data, FILE)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert ("line" in str(caught.value)) == bool(line)


def test_f11_the_message_names_file_line_and_column() -> None:
    with pytest.raises(StorageError) as caught:
        parse(b'{"tasks": [\n  1,\n]}', FILE)
    assert str(caught.value) == "tasks.json, line 2, column 4: there is a comma too many before the ']'."


def test_a_byte_order_mark_is_tolerated() -> None:
    assert parse(b'\xef\xbb\xbf{"a": [1]}', FILE) == {"a": [1]}


def test_what_is_right_is_read_though_it_looks_suspicious() -> None:
    text = b'{"a": "\\ud83d\\ude00", "b": {"a": "NaN"}, "c": ["a", "a"], "d": "1e999"}'
    expected = {"a": "\U0001f600", "b": {"a": "NaN"}, "c": ["a", "a"], "d": "1e999"}
    assert parse(text, FILE) == expected
    assert parse(b"[" * 64 + b"]" * 64, FILE)


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), ["\ud800"], object(), {"n": float("inf")}])
def test_f05_what_json_has_not_is_refused_before_a_file_is_touched(value: object) -> None:
    with pytest.raises(StorageError, match="nothing was written"):
        dump(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_what_is_written_reads_back(value: object) -> None:
    assert parse(dump(value), FILE) == value


@given(st.binary(max_size=60) | st.text(alphabet='[]{}:,"\\u0e9 ', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(UnreadableFileError):
        parse(data, FILE)
