"""A task list that somebody handed on: a file like the own one, which is only read. For any thread but a window's."""

import stat
from pathlib import Path

from desktopsched.model import StorageError
from desktopsched.model.document import Document, read_document
from desktopsched.storage import jsontext

LONGEST = 16 * 1024 * 1024
"""Bytes that are read; ten thousand tasks take about four million."""


def read_list(path: Path) -> Document:
    """What is in it, with every mistake. Raises StorageError where it is no task list at all."""
    document = read_document(jsontext.parse(_read(path), path))
    if document.head:
        raise StorageError(f"{path} is no task list that can be read here. {document.head[0]}")
    if not document.entries:
        raise StorageError(f"{path} is a task list without tasks.")
    return document


def _read(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # what waits for a writer would be waited for
            raise StorageError(f"{path} is no file that could be a task list.")
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}.") from error
    if len(data) > LONGEST:
        raise StorageError(f"{path} has more than {LONGEST:,} bytes. That is no task list.")
    return data
