"""Failing disks. Permissions mean nothing to root, so errors are injected where the code meets the system."""

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest


def failing(
    error: int, call: Callable[..., Any], *, when: Callable[..., bool] = lambda *_: True
) -> Callable[..., Any]:
    """`call`, which raises an OSError of this number when its arguments fit."""

    def instead(*arguments: Any, **named: Any) -> Any:
        if when(*arguments):
            raise OSError(error, os.strerror(error))
        return call(*arguments, **named)

    return instead


def read_only_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """No name can be made, changed or removed."""
    making = os.O_CREAT
    monkeypatch.setattr(os, "open", failing(errno.EACCES, os.open, when=lambda *a: bool(a[1] & making)))
    for name in ("replace", "rename", "unlink", "link"):
        monkeypatch.setattr(os, name, failing(errno.EACCES, getattr(os, name)))
