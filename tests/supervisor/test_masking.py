"""Secrets in a stream, however it is cut."""

from hypothesis import given
from hypothesis import strategies as st

from desktopsched.supervisor.masking import Masker


def masked(secrets: list[str], *pieces: bytes) -> bytes:
    masker = Masker(secrets)
    return b"".join(map(masker.feed, pieces)) + masker.finish()


def test_secret_cut_in_two_is_masked() -> None:
    assert masked(["hunter2"], b"a hun", b"ter2 b") == b"a *** b"


def test_secret_that_ends_in_its_own_beginning_is_not_shown_in_part() -> None:
    assert masked(["aba"], b"xaba", b"b") == b"x***b"


def test_longer_secret_wins_over_one_that_it_begins_with() -> None:
    assert masked(["abc", "abcdef"], b"abc", b"def abc") == b"*** ***"


def test_what_cannot_become_a_secret_is_passed_on_at_once() -> None:
    masker = Masker(["hunter2"])
    assert masker.feed(b"password: hu") == b"password: "
    assert masker.feed(b"man") == b"human"


def test_secret_with_a_line_end_is_masked_without_it_too() -> None:
    assert masked(["key\n"], b"[key] key\n") == b"[***] ***"


def test_no_secrets_no_change() -> None:
    assert masked([""], b"abc") == b"abc"


@given(
    st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=3),
    st.lists(st.text("abc", max_size=6).map(str.encode), max_size=8),
)
def test_pieces_do_not_matter_and_no_secret_remains(secrets: list[str], pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    assert masked(secrets, *pieces) == masked(secrets, whole)
    assert not any(
        secret.encode() in part for part in masked(secrets, whole).split(b"***") for secret in secrets
    )
