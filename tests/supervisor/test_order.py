"""What goes over the line, and what is written into a run's folder: whole, or not at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.frames import ORDER, STOP, Frames, frame
from desktopsched.supervisor.order import Order, bytes_of
from desktopsched.supervisor.result import Processes, decode_ending, encode_ending, put

TEXTS = st.binary(max_size=20).map(lambda data: data.replace(b"\0", b""))
NAMES = TEXTS.map(lambda data: data.replace(b"=", b"") or b"A")


@given(
    argv=st.lists(TEXTS, min_size=1),
    env=st.dictionaries(NAMES, TEXTS),
    secrets=st.lists(st.text(st.characters(exclude_characters="\0"), min_size=1)),
    timeout=st.none() | st.floats(0, 1e9),
    stop=st.booleans(),
)
def test_an_order_comes_over_as_it_was(
    argv: list[bytes], env: dict[bytes, bytes], secrets: list[str], timeout: float | None, stop: bool
) -> None:
    order = Order(
        argv=argv,
        env=env,
        cwd=b"/home/\xff",
        folder=b"/runs/1-1",
        log=b"",
        mark=b"DESKTOPSCHED_RUN=0",
        secrets=secrets,
        grace=10.0,
        timeout=timeout,
        stop_when_left=stop,
    )
    assert vars(Order.decode(order.encode())) == vars(order)


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_no_program_can_be_given_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"null byte|surrogates"):
        bytes_of(text)


@given(st.lists(st.integers(1, 9)))
def test_messages_are_the_same_in_whatever_pieces_they_come(cuts: list[int]) -> None:
    sent = [(ORDER, b"x" * 30), (STOP, b""), (STOP, "gestoppt é".encode())]
    stream = b"".join(frame(kind, data) for kind, data in sent)
    frames, heard = Frames(), []
    for cut in [*cuts, len(stream)]:
        piece, stream = stream[:cut], stream[cut:]
        heard += list(frames.feed(piece))
    assert heard == sent


ENDINGS = [
    Ending(code=0, at=1_700_000_000.25),
    Ending(code=-9, note="log cut: no space"),
    Ending(stopped="stopped by you", killed=True, survivors=(7, 8)),
    Ending(stopped="", left=True),
    Ending(timed_out=True),
    Ending(unstarted=2, file="/no/such: file"),
]


def facts(ending: Ending | None) -> dict[str, object]:
    assert ending is not None
    return {name: getattr(ending, name) for name in ending.__slots__}


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_is_read_as_it_was_written(ending: Ending) -> None:
    assert facts(decode_ending(encode_ending(ending))) == facts(ending)


def test_a_reason_of_several_lines_stays_one() -> None:
    ending = decode_ending(encode_ending(Ending(stopped="a\nb: c\r\ncomplete\n")))
    assert facts(ending)["stopped"] == "a b: c complete"


def test_a_result_that_is_not_whole_is_none() -> None:
    data = encode_ending(ENDINGS[2])
    for end in range(len(data)):
        assert decode_ending(data[:end]) is None
    assert decode_ending(b"\0" * 4096) is None
    assert decode_ending(data.replace(b"killed: 1", b"killd: 1")) is None


def test_who_a_run_is_about_is_read_as_it_was_written() -> None:
    who = Processes(boot="b", supervisor=10, supervisor_ticks=20, child=11, child_ticks=21)
    data = who.encode()
    read = Processes.decode(data)
    assert read is not None
    assert [getattr(read, name) for name in who.__slots__] == [getattr(who, name) for name in who.__slots__]
    assert all(Processes.decode(data[:end]) is None for end in range(len(data)))


def test_a_file_of_the_folder_is_replaced_whole_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "1-1"
    folder.mkdir()
    put(bytes(folder), b"result", b"one")
    put(bytes(folder), b"result", b"two")
    assert [(one.name, one.read_bytes(), one.stat().st_mode & 0o777) for one in folder.iterdir()] == [
        ("result", b"two", 0o600)
    ]
