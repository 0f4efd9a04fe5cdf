"""A network between a store and its server that can be told to fail: one thread for all of its connections."""

import random
import selectors
import socket
import threading
from contextlib import suppress
from typing import Self

_CHUNK = 65_536


class Proxy:
    """Forwards to `port` of the loopback until it is told otherwise. Enter it to begin; connect to its `port`."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._peers: dict[socket.socket, socket.socket] = {}  # each end, by the other
        self._clients: set[socket.socket] = set()
        self._stop_out, self._stop_in = socket.socketpair()
        self._random = random.Random(7)  # the same each time
        self._thread = threading.Thread(target=self._run, name="proxy")
        self.cut_replies = 0.0  # the part of what servers say that is thrown away, and the connection with it
        self.swallow = False  # take everything and pass on nothing: both ends believe that they are connected
        self._broken: set[socket.socket] = set()  # what had something swallowed: nothing follows it any more
        self.cuts = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_out.close()
        self._thread.join()

    def heal(self) -> None:
        """Pass on again; what had something swallowed is cut off."""
        self.swallow = False
        for one in tuple(self._broken):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._stop_in, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._stop_in:
                    self._end()
                    return
                if key.fileobj is self._listener:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._peers:
                    self._pass_on(key.fileobj)

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        try:
            server = socket.create_connection(("127.0.0.1", self._target), timeout=5)
        except OSError:
            client.close()  # the server is down
            return
        self._clients.add(client)
        for one, other in ((client, server), (server, client)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._peers[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _pass_on(self, source: socket.socket) -> None:
        try:
            data = source.recv(_CHUNK)
            if not data:
                self._hang_up(source)
            elif source not in self._clients and self._random.random() < self.cut_replies:
                self.cuts += 1
                self._hang_up(source)
            elif self.swallow or source in self._broken:
                self._broken |= {source, self._peers[source]}
            else:
                self._peers[source].sendall(data)
        except OSError:
            self._hang_up(source)

    def _hang_up(self, one: socket.socket) -> None:
        other = self._peers.pop(one)
        self._peers.pop(other)
        for end in (one, other):
            self._selector.unregister(end)
            self._clients.discard(end)
            self._broken.discard(end)
            end.close()

    def _end(self) -> None:
        while self._peers:
            self._hang_up(next(iter(self._peers)))
        self._selector.close()
        self._listener.close()
        self._stop_in.close()
