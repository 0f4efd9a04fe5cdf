"""The job: what a worker is to run, as one message. Pure. The worker's own paths and shell are not known here."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PATIENCE = 30.0
"""Seconds without a sign of life from the program after which what it runs on a worker is ended."""


class Job:
    """One process to be run. Spans are seconds. One of `argv`, `shell` and `interpreter` is given."""

    __slots__ = (
        "argv",
        "cwd",
        "env",
        "grace",
        "interpreter",
        "mark",
        "patience",
        "secrets",
        "shell",
        "text",
        "timeout",
    )

    def __init__(
        self,
        *,
        argv: Sequence[str] = (),
        shell: str = "",
        interpreter: str = "",
        text: str = "",
        cwd: str,
        env: Mapping[str, str],
        mark: str,
        secrets: Sequence[str],
        timeout: float | None,
        grace: float,
        patience: float,
    ) -> None:
        self.argv = list(argv)
        self.shell = shell
        self.interpreter, self.text = interpreter, text
        self.cwd = cwd  # empty: the home folder of whom the worker belongs to
        self.env = dict(env)  # what the task says, and what a run is told; the rest is the worker's
        self.mark = mark  # the value by which the run's processes are found again
        self.secrets = list(secrets)
        self.timeout = timeout
        self.grace = grace
        self.patience = patience  # without a sign of life from the program, after which it is ended

    def encode(self) -> bytes:
        """As one message."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}).encode()

    @classmethod
    def decode(cls, data: bytes) -> Job:
        """The job of a message."""
        return cls(**json.loads(data))
