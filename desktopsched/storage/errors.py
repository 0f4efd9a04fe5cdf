"""The errors of this room that callers tell apart; each is a StorageError, and `str()` is what to show."""

from pathlib import Path

from desktopsched.model import StorageError


class UnreadableFileError(StorageError):
    """A file that is not what it should be. `line` and `column` count from one; 0 where there is no place."""

    def __init__(self, path: Path, message: str, line: int = 0, column: int = 0) -> None:
        self.path, self.line, self.column = path, line, column
        where = f", line {line}, column {column}" if line else ""
        super().__init__(f"{path}{where}: {message}")


class ChangedOutsideError(StorageError):
    """Somebody else changed the file since it was read; nothing was written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path} was changed by another program. Nothing was written over it; read it again first."
        )


class NewerFormatError(StorageError):
    """The file was written by a newer version of the program; it is left as it is."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        self.path, self.found, self.known = path, found, known
        super().__init__(
            f"{path} has format {found}; this version knows formats up to {known}."
            " It is left untouched. Install the newer version of Desktopsched."
        )


class HomeTakenError(StorageError):
    """Another program has this home open."""

    def __init__(self, folder: Path, pid: int, kind: str) -> None:
        self.folder, self.pid, self.kind = folder, pid, kind
        who = f" ({kind}, process {pid})" if pid else ""
        super().__init__(f"Desktopsched is already running for {folder}{who}.")
