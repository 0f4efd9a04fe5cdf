"""The wire: real sockets, since they are the subject."""

import os
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from desktopsched.control import wire
from desktopsched.control.wire import LONGEST, Message, NobodyThereError, Server, SilentProgramError, ask
from desktopsched.model import InvalidTaskError


def answer(request: Message) -> Iterator[Message]:
    if request.get("do") == "fail":
        raise InvalidTaskError("This cannot be done.")
    for number in range(int(request.get("times", 1))):
        yield {"number": number, "said": request}


@pytest.fixture
def path(home: Path) -> Path:
    return home / "run" / "x.sock"


@pytest.fixture
def server(path: Path) -> Iterator[Server]:
    found = Server(path, answer)
    found.start()
    yield found
    found.close()
    assert not path.exists()


def test_a_request_gets_its_answers_in_order(server: Server, path: Path) -> None:
    assert [message["number"] for message in ask(path, {"times": 1000})] == list(range(1000))


def test_many_ask_at_once(server: Server, path: Path) -> None:
    found: list[int] = []

    def one() -> None:
        found.append(len(list(ask(path, {"times": 50}))))

    threads = [threading.Thread(target=one) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [50] * 20


def test_a_failure_is_an_answer(server: Server, path: Path) -> None:
    assert list(ask(path, {"do": "fail"})) == [{"error": "This cannot be done.", "mistake": True}]


def test_nobody_there_is_said(path: Path) -> None:
    with pytest.raises(NobodyThereError):
        list(ask(path, {"do": "ping"}))


def test_a_program_that_stands_still_is_said_to_but_a_run_may_take_its_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "_ANSWER", 0.05)
    go_on = threading.Event()

    def silent(request: Message) -> Iterator[Message]:
        yield {"number": 1}
        go_on.wait()
        yield {"number": 2}

    found = Server(path, silent, go_on.set)
    found.start()
    answers = ask(path, {"do": "list"})
    assert next(answers) == {"number": 1}
    with pytest.raises(SilentProgramError, match="does not answer"):
        next(answers)
    threading.Timer(0.2, go_on.set).start()
    assert list(ask(path, {"do": "run"})) == [{"number": 1}, {"number": 2}]
    found.close()


def test_a_socket_file_left_by_a_dead_program_is_nobody_and_no_obstacle(path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    with pytest.raises(NobodyThereError):
        list(ask(path, {}))
    found = Server(path, answer)
    found.start()
    assert list(ask(path, {"a": 1})) == [{"number": 0, "said": {"a": 1}}]
    found.close()


def test_only_the_owner_may_use_it(server: Server, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"nonsense\n", b"[1]\n", b"{" * 1000, b"\xff\n", b"x" * (LONGEST + 10)]
)
def test_what_is_no_request_is_dropped_and_the_next_is_answered(
    server: Server, path: Path, data: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(path))
        with suppress(OSError):  # it may hang up on us, which is as good
            peer.sendall(data)
            peer.shutdown(socket.SHUT_WR)
            assert peer.recv(10) == b""
    assert len(list(ask(path, {"times": 2}))) == 2


def test_a_peer_that_goes_away_disturbs_nobody(server: Server, path: Path) -> None:
    messages = ask(path, {"times": 100_000})
    next(messages)
    messages.close()  # type: ignore[attr-defined]
    assert len(list(ask(path, {"times": 2}))) == 2


def test_closing_ends_a_peer_that_says_nothing(path: Path) -> None:
    found = Server(path, answer)
    found.start()
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(path))
        found.close()
        with suppress(ConnectionResetError):
            assert peer.recv(10) == b""


def test_closing_lets_an_answer_under_way_be_said_to_its_end(path: Path) -> None:
    ended, heard = threading.Event(), list[Message]()

    def last_words(_request: Message) -> Iterator[Message]:
        yield {"first": True}
        ended.wait()
        yield from ({"last": number} for number in range(100))

    server = Server(path, last_words, ended.set)
    server.start()
    answers = ask(path, {"do": "follow"})
    heard.append(next(answers))
    listener = threading.Thread(target=lambda: heard.extend(answers))
    listener.start()
    server.close()
    listener.join()
    assert heard == [{"first": True}, *({"last": number} for number in range(100))]


def test_closing_does_not_wait_for_who_does_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_LAST_WORDS", 0.1)
    server = Server(path, answer)
    server.start()
    unread = ask(path, {"times": 10**9})
    next(unread)
    server.close()


def test_without_unix_sockets_a_port_and_a_secret_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.delattr(socket, "AF_UNIX")
    monkeypatch.setattr("sys.platform", "win32")
    found = Server(path, answer)
    found.start()
    assert [message["number"] for message in ask(path, {"times": 3})] == [0, 1, 2]
    port, _ = path.read_text().split()
    with socket.create_connection(("127.0.0.1", int(port))) as stranger:
        stranger.sendall(b'{"times": 1}\n')
        assert stranger.recv(100) == b""
    found.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_moment_without_descriptors_is_not_the_end_of_listening(server: Server, path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    peer, hoard = socket.socket(socket.AF_UNIX), list[int]()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, limits[1]))
        with suppress(OSError):
            while True:
                hoard.append(os.dup(peer.fileno()))
        peer.connect(str(path))
        moment = threading.Event()
        moment.wait(0.3)  # in which the server tries
    finally:
        for descriptor in hoard:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    with peer:
        peer.settimeout(10)
        peer.sendall(b'{"times": 1}\n')
        assert b"number" in peer.recv(100)
    assert len(list(ask(path, {"times": 2}))) == 2
