"""A list in a file: private, on a disk of this computer, and never opened behind SQLite's back."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from msgspec import Struct

from desktopsched.sharing.answers import Claimed, Unknown
from desktopsched.sharing.claim import Claim, Wish
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.errors import UnusableStoreError
from desktopsched.sharing.key import Key
from desktopsched.sharing.sqlite import network_file_system
from tests.sharing.places import known, until

WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "claims.db"


@pytest.mark.skipif(os.name != "posix", reason="modes of files are a thing of POSIX")
def test_the_file_is_its_owners_alone_from_the_beginning(file: Path) -> None:
    store = open_store(f"sqlite:///{file}")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    known(store.now())
    store.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_opening_the_list_once_more_takes_no_lock_away(file: Path) -> None:
    open_store(f"sqlite:///{file}").close()
    step = sqlite3.connect(file, isolation_level=None)
    step.execute("BEGIN IMMEDIATE")  # a step is under way
    open_store(f"sqlite:///{file}").close()
    other = subprocess.run((sys.executable, "-c", WRITE, file), capture_output=True, text=True, check=True)
    step.close()
    assert other.stdout == "database is locked\n"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere what is open cannot be deleted")
def test_a_file_that_was_deleted_is_left_by_those_who_have_it_open(file: Path) -> None:
    one = open_store(f"sqlite:///{file}")
    known(one.now())
    file.unlink()
    two = open_store(f"sqlite:///{file}")
    wished = Wish(key=Key("list", "a", "1"), due=None, owner="attic", nonce="1" * 32)
    assert isinstance(two.claim(wished), Claimed)
    assert isinstance(until(lambda: found if (found := one.read(wished.key)) else None), Claim)
    file.unlink()
    until(lambda: not isinstance(one.now(), Unknown) or None)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    one.close()
    two.close()


def test_what_is_no_file_is_refused(file: Path) -> None:
    file.mkdir()
    with pytest.raises(UnusableStoreError, match="is no file that can be read and written"):
        open_store(f"sqlite:///{file}")


class Mounted(Struct):
    """As psutil tells it."""

    mountpoint: str
    fstype: str
    opts: str = "rw"


MOUNTED = [
    Mounted("/", "ext4"),
    Mounted("/net", "autofs"),
    Mounted("/net", "nfs4"),
    Mounted("/net/local", "xfs"),
    Mounted("/mnt/share", "fuse.sshfs"),
    Mounted("/mnt/drive", "NTFS", "rw,remote"),
]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ann/claims.db", ""),
        ("/net/claims.db", "nfs4"),
        ("/net/local/claims.db", ""),
        ("/network/claims.db", ""),
        ("/mnt/share/deep/claims.db", "fuse.sshfs"),
        ("/mnt/drive/claims.db", "NTFS"),
    ],
)
def test_a_network_is_recognised_by_what_is_mounted_there_last(
    monkeypatch: pytest.MonkeyPatch, path: str, kind: str
) -> None:
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: MOUNTED)
    assert network_file_system(Path(path)) == kind


def test_a_share_of_windows_is_a_network() -> None:
    assert network_file_system(Path(r"\\server\share\claims.db")) == "a share of Windows"


def test_a_file_on_a_network_is_refused_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: [Mounted("/", "cifs")])
    with pytest.raises(UnusableStoreError, match="starts could happen twice"):
        open_store(f"sqlite:///{file}")
    assert not file.exists()
