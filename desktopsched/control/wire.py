"""The wire: one request and its answers, as lines of JSON over a local socket. Nothing is unpickled.

A Unix socket in a folder that only its owner may enter; where the system has none, a loopback port and a secret, both
written in a file there. The peer must be the same user. A request is one line; the answers are lines until the socket
is closed. No answer is longer than `LONGEST`.
"""

import json
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BufferedRWPair
from pathlib import Path
from typing import Any

from desktopsched.model import MISTAKES, DesktopschedError

LONGEST = 1024 * 1024
"""Bytes of one line."""

_CONNECT = 5.0  # seconds: a program that lives accepts at once
_READ = 5.0  # seconds in which a peer must say what it wants
_ANSWER = 20.0  # seconds without a word: a store that is asked on the way has answered by then, or will not
_AGAIN = 0.1  # seconds, before one that could not be accepted is tried again
_LAST_WORDS = 3.0  # seconds for answers under way, when the program ends

Message = dict[str, Any]
_Stream = BufferedRWPair
Answer = Callable[[Message], Iterator[Message]]


class NobodyThereError(DesktopschedError):
    """No program listens there."""


class SilentProgramError(DesktopschedError):
    """A program listens there, and says nothing."""


class Server:
    """Accepts requests from `start` to `close`, and answers each on a thread of its own."""

    def __init__(self, path: Path, answer: Answer, end: Callable[[], None] = lambda: None) -> None:
        """`end` is called by `close`: answers that wait for something then end."""
        self._path = path
        self._answer = answer
        self._end = end
        self._secret = ""
        self._socket: socket.socket | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._accept, name="control", daemon=True)
        self._open: set[socket.socket] = set()
        self._busy: set[threading.Thread] = set()

    def start(self) -> None:
        """Begin to listen. The caller holds the home's lock, so what lies there was left by a program that died."""
        self._path.unlink(missing_ok=True)
        if hasattr(socket, "AF_UNIX"):
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.bind(str(self._path))
            self._path.chmod(0o600)
        else:
            import secrets  # where anybody on this computer could connect

            self._socket = socket.create_server(("127.0.0.1", 0))
            self._secret = secrets.token_hex(32)
            self._path.write_text(f"{self._socket.getsockname()[1]} {self._secret}")
        self._socket.listen()
        self._thread.start()

    def close(self) -> None:
        """Listen no more. Answers under way are said to their end, but to those who do not read them."""
        if self._socket is None:
            return
        self._closing.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # a close alone does not end an `accept` under way
        self._socket.close()
        self._path.unlink(missing_ok=True)
        self._thread.join()
        self._shut(socket.SHUT_RD)  # those that wait for a request
        self._end()
        patience = time.monotonic() + _LAST_WORDS
        for thread in tuple(self._busy):
            thread.join(max(patience - time.monotonic(), 0.0))
        self._shut(socket.SHUT_RDWR)  # those who do not read what they are told
        for thread in tuple(self._busy):
            thread.join()
        self._socket = None

    def _shut(self, how: int) -> None:
        for peer in tuple(self._open):
            with suppress(OSError):
                peer.shutdown(how)

    def _accept(self) -> None:
        assert self._socket is not None  # noqa: S101 - `start` made it
        while not self._closing.is_set():
            try:
                peer, _ = self._socket.accept()
            except OSError:  # closed; or there is no descriptor left, which may change
                self._closing.wait(_AGAIN)
                continue
            thread = threading.Thread(target=self._serve, args=(peer,), name="control request", daemon=True)
            self._open.add(peer)
            self._busy.add(thread)
            thread.start()

    def _serve(self, peer: socket.socket) -> None:
        try:
            with (
                suppress(OSError),
                peer,
                peer.makefile("rwb") as stream,
            ):  # the peer may go away at any moment
                peer.settimeout(_READ)
                if _same_user(peer):
                    request = _receive(stream)
                    peer.settimeout(None)
                    if request is not None and request.pop("secret", "") == self._secret:
                        self._reply(stream, request)
        finally:
            self._open.discard(peer)
            self._busy.discard(threading.current_thread())

    def _reply(self, stream: _Stream, request: Message) -> None:
        try:
            for message in self._answer(request):
                _send(stream, message)
        except DesktopschedError as error:
            _send(stream, {"error": str(error), "mistake": isinstance(error, MISTAKES)})


def ask(path: Path, request: Message) -> Iterator[Message]:
    """The answers to one request, as they come. NobodyThereError when no program listens.

    SilentProgramError when it says nothing: but of a run, which takes its time.
    """
    with _connect(path, request) as peer, peer.makefile("rwb") as stream:
        peer.settimeout(None if request.get("do") == "run" else _ANSWER)
        try:
            _send(stream, request)
            while (message := _receive(stream)) is not None:
                yield message
        except TimeoutError as error:
            raise SilentProgramError(
                "The program that has this home does not answer. If its window does not either, end that program, and"
                " start it again."
            ) from error


def _connect(path: Path, request: Message) -> socket.socket:
    try:
        if not hasattr(socket, "AF_UNIX"):
            port, request["secret"] = path.read_text().split()
            peer = socket.create_connection(("127.0.0.1", int(port)), timeout=_CONNECT)
        else:
            peer = _connect_unix(path)
    except (OSError, ValueError) as error:
        raise NobodyThereError(
            "No program runs for this home. Start one: desktopsched (a window), or desktopsched serve."
        ) from error
    return peer


def _connect_unix(path: Path) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        peer.settimeout(_CONNECT)
        peer.connect(str(path))
    except OSError:
        peer.close()
        raise
    return peer


def _send(stream: _Stream, message: Message) -> None:
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def _receive(stream: _Stream) -> Message | None:
    """The next message; None at the end, and for what is none."""
    line = stream.readline(LONGEST)
    with suppress(ValueError):
        message = json.loads(line)
        if isinstance(message, dict):
            return message
    return None


def _same_user(peer: socket.socket) -> bool:
    """Whether the process at the other end belongs to this user, where the system says."""
    if sys.platform != "linux":
        return True  # the folder of the socket lets nobody else in
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, uid, _ = struct.unpack("3i", credentials)
    return bool(uid == os.geteuid())
