"""The order: what a supervisor is to do. It comes over a line, so that no argument list has it, or its secrets."""

from __future__ import annotations

import os

_FIELDS = 8  # before the lists


class Order:
    """One process to be run. Texts are bytes as the system has them; spans are seconds."""

    def __init__(
        self,
        *,
        argv: list[bytes],
        env: dict[bytes, bytes],
        cwd: bytes,
        folder: bytes,
        log: bytes,
        mark: bytes,
        secrets: list[str],
        grace: float,
        timeout: float | None,
        stop_when_left: bool,
    ) -> None:
        self.argv = argv
        self.env = env
        self.cwd = cwd
        self.folder = folder  # of the run: where the result goes
        self.log = log  # empty: none can be kept
        self.mark = mark  # the entry of the environment by which the run's processes are found again
        self.secrets = secrets
        self.grace = grace
        self.timeout = timeout
        self.stop_when_left = stop_when_left  # by the program, when it dies

    def encode(self) -> bytes:
        """As one message. Nothing in an order can have a NUL, which the system takes in no text."""
        limit = b"" if self.timeout is None else repr(self.timeout).encode()
        left = b"stop" if self.stop_when_left else b"go on"
        fields = [self.cwd, self.folder, self.log, self.mark, repr(self.grace).encode(), limit, left]
        counts = f"{len(self.argv)} {len(self.secrets)}".encode()
        secrets = [secret.encode("utf-8", "surrogatepass") for secret in self.secrets]
        variables = [name + b"=" + value for name, value in self.env.items()]
        return b"\0".join([*fields, counts, *self.argv, *secrets, *variables])

    @classmethod
    def decode(cls, data: bytes) -> Order:
        """The order of a message."""
        texts = data.split(b"\0")
        cwd, folder, log, mark, grace, limit, left, counts = texts[:_FIELDS]
        arguments, secrets = (_FIELDS + int(count) for count in counts.split())
        secrets += arguments - _FIELDS
        return cls(
            argv=texts[_FIELDS:arguments],
            env=dict([text.split(b"=", 1) for text in texts[secrets:]]),
            cwd=cwd,
            folder=folder,
            log=log,
            mark=mark,
            secrets=[text.decode("utf-8", "surrogatepass") for text in texts[arguments:secrets]],
            grace=float(grace),
            timeout=float(limit) if limit else None,
            stop_when_left=left == b"stop",
        )


def bytes_of(text: str) -> bytes:
    """A text as the system takes it. Raises ValueError for what no program can be given."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data
