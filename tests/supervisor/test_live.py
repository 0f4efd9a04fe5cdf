"""The live copy: batches, and their bounds."""

from hypothesis import given
from hypothesis import strategies as st

from desktopsched.supervisor.live import EVERY, HALF, Live


class Hand:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def live() -> tuple[Live, Hand, list[str]]:
    clock, shown = Hand(), list[str]()
    return Live(shown.append, clock=clock), clock, shown


def test_first_output_is_shown_at_once_and_the_next_in_a_batch() -> None:
    copy, clock, shown = live()
    copy.add(b"a")
    copy.add(b"b")
    copy.add(b"c")
    assert (shown, copy.due) == (["a"], 100.0 + EVERY)
    clock.now += EVERY
    copy.flush()
    assert (shown, copy.due) == (["a", "bc"], None)


def test_l09_flood_drops_the_middle_visibly_at_line_ends() -> None:
    copy, clock, shown = live()
    copy.add(b"first\n")
    for number in range(100_000):
        copy.add(b"%d\n" % number)
    clock.now += EVERY
    copy.flush()
    head, _, tail = shown[1].partition("… ")
    dropped = int(tail.split()[0].replace(",", ""))
    rest = tail.partition(" bytes dropped …\n")[2]
    assert head.startswith("0\n1\n")
    assert head.endswith("\n")
    assert rest.endswith("\n99999\n")
    assert len(head) + dropped + len(rest) == sum(len(b"%d\n" % number) for number in range(100_000))
    assert len(shown[1]) < 2 * HALF + 100


def test_mark_stands_on_its_own_line_where_there_are_none() -> None:
    copy, _, shown = live()
    copy.add(b"!")
    copy.add("é".encode() * 10**6)
    copy.finish()
    before, mark, after = shown[1].split("\n")
    assert (set(before) | set(after)) == {"é"}
    assert mark == f"… {2 * 10**6 - 2 * len(before) - 2 * len(after):,} bytes dropped …"


def test_character_cut_between_two_batches_is_whole() -> None:
    copy, clock, shown = live()
    copy.add(b"caf\xc3")
    clock.now += EVERY
    copy.add(b"\xa9")
    assert shown == ["caf", "é"]


def test_unfinished_character_at_the_end_is_replaced() -> None:
    copy, _, shown = live()
    copy.add(b"caf\xc3")
    copy.finish()
    assert shown == ["caf", "\ufffd"]


def test_say_comes_after_the_output_before_it() -> None:
    copy, _, shown = live()
    copy.add(b"a\n")
    copy.add(b"b")
    copy.say("log cut: no space")
    assert "".join(shown) == "a\nb\nlog cut: no space\n"


@given(st.lists(st.tuples(st.binary(max_size=200), st.booleans()), max_size=20))
def test_l17_what_is_shown_is_what_came_and_never_a_surrogate(pieces: list[tuple[bytes, bool]]) -> None:
    copy, clock, shown = live()
    for data, wait in pieces:
        clock.now += EVERY if wait else 0
        copy.add(data)
    copy.finish()
    assert "".join(shown) == b"".join(data for data, _ in pieces).decode(errors="replace")
