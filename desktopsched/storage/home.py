"""Where things live: the places of a home, the lock that lets one program have it, and where its socket is.

Nothing is made or read before `prepare`; looking for a home is pure.
"""

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from msgspec import Struct

from desktopsched.model import StorageError
from desktopsched.storage.lock import HomeLock

APP = "desktopsched"
SOCKET_PATH_MOST = 100
"""Bytes. The system's limit for the path of a socket is 104 to 108 with its final NUL."""


class Home(Struct, frozen=True, kw_only=True):
    """The places of one person's list."""

    folder: Path  # the one that is locked: it holds the task file
    tasks: Path
    history: Path
    logs: Path
    runs: Path  # what is under way, a folder for each attempt
    preferences: Path
    runtime: Path  # a folder for the socket; its path is short

    def prepare(self) -> None:
        """Make the folders, for their owner alone. Raises StorageError where a home is not safe to use."""
        for folder in dict.fromkeys(
            (self.folder, self.history.parent, self.logs, self.runs, self.preferences.parent)
        ):
            _make_private(folder)
        for place in (self.tasks, self.history, self.preferences):
            if place.is_symlink():
                raise StorageError(
                    f"{place} is a symbolic link. Put the file itself there; links are not followed."
                )

    def lock(self, kind: str) -> HomeLock:
        """Take the home for this program, a `window` or a `serve`. Raises HomeTakenError, saying who has it."""
        return HomeLock(self.folder / "lock", kind)

    @property
    def socket(self) -> Path:
        """Where the program of this home listens; short enough for a socket's path. `prepare_runtime` first."""
        name = hashlib.sha256(os.fsencode(self.folder.absolute())).hexdigest()[:16]
        return self.runtime / f"{name}.sock"

    def prepare_runtime(self) -> None:
        """Make the folder of the socket, for its owner alone. Raises StorageError if somebody else was first."""
        if self.runtime.is_symlink():  # in a temporary folder anybody can put one
            raise StorageError(f"{self.runtime} is a symbolic link. Remove it.")
        _make_private(self.runtime)


def find_home(root: Path | None = None, environ: Mapping[str, str] = os.environ) -> Home:
    """The home under `root`, or under DESKTOPSCHED_HOME, or where the platform keeps such things."""
    if root is None and environ.get("DESKTOPSCHED_HOME"):
        root = Path(environ["DESKTOPSCHED_HOME"])
    return _platform_home(environ) if root is None else _home_under(root.expanduser().absolute(), environ)


def _home_under(root: Path, environ: Mapping[str, str]) -> Home:
    return Home(
        folder=root,
        tasks=root / "tasks.json",
        history=root / "history.sqlite3",
        logs=root / "logs",
        runs=root / "runs",
        preferences=root / "preferences.json",
        runtime=_runtime(environ),
    )


def _platform_home(environ: Mapping[str, str]) -> Home:
    places = platformdirs.PlatformDirs(APP, appauthor=False)
    return Home(
        folder=places.user_data_path,
        tasks=places.user_data_path / "tasks.json",
        history=places.user_state_path / "history.sqlite3",
        logs=places.user_log_path,
        runs=places.user_state_path / "runs",
        preferences=places.user_config_path / "preferences.json",
        runtime=_runtime(environ),
    )


def _runtime(environ: Mapping[str, str]) -> Path:
    """A folder of the session, or one in the temporary folder where that is missing or its path too long."""
    session = environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(session, APP)
    if (
        Path(session).is_absolute()
        and len(os.fsencode(folder)) + 22 <= SOCKET_PATH_MOST
        and Path(session).is_dir()
    ):
        return folder
    import tempfile  # takes longer to load than all of this

    temporary = Path(tempfile.gettempdir())
    if len(os.fsencode(temporary)) > 50:
        temporary = Path("/tmp")  # noqa: S108 - the folder in it is checked to be ours alone
    return temporary / f"{APP}-{our_uid()}"


def our_uid() -> int:
    """Whose files these are; Windows has no numbers for that."""
    return getattr(os, "geteuid", lambda: 0)()


def _make_private(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError as error:
        raise StorageError(
            f"Cannot make the folder {folder}: {error.strerror or error}. Choose another one with --home."
        ) from error
    if os.name == "nt":
        return  # the folders of a user's profile are private there by inheritance
    if status.st_uid != our_uid():
        raise StorageError(f"{folder} belongs to somebody else. Choose another folder with --home.")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise StorageError(
            f"Others may write into {folder}, and so could have their programs run as you."
            f" Close it with: chmod go-w '{folder}'"
        )
