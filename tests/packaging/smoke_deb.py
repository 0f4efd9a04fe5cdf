"""The Debian package, in dist: `make test-deb` makes it and runs this. No part of `make test`.

It is looked at, not installed. What a desktop shows of it, nobody but a person sees.
"""

import configparser
import gzip
import stat
import subprocess
import tarfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
(PACKAGE,) = (ROOT / "dist").glob(f"desktopsched_{VERSION}_*.deb")
PROGRAM = "usr/lib/desktopsched"
MEBI = 1024**2

Parts = Mapping[str, tarfile.TarInfo]
"""What will lie below /, by its path there."""


class Contents:
    """All of it, and the text of what is small and not the program's own."""

    def __init__(self) -> None:
        self.parts: dict[str, tarfile.TarInfo] = {}
        self._read: dict[str, bytes] = {}
        with (
            subprocess.Popen(("dpkg-deb", "--fsys-tarfile", PACKAGE), stdout=subprocess.PIPE) as unpacked,
            tarfile.open(fileobj=unpacked.stdout, mode="r|") as tar,
        ):
            for part in tar:
                path = part.name.removeprefix("./").rstrip("/")
                self.parts[path] = part
                if part.isfile() and not path.startswith(PROGRAM):
                    found = tar.extractfile(part)
                    assert found is not None
                    self._read[path] = found.read()
        assert unpacked.returncode == 0

    def text(self, path: str) -> str:
        data = self._read[path]
        return (gzip.decompress(data) if path.endswith(".gz") else data).decode()


@pytest.fixture(scope="module")
def contents() -> Contents:
    return Contents()


@pytest.fixture
def parts(contents: Contents) -> Parts:
    return contents.parts


def field(name: str) -> str:
    done = subprocess.run(("dpkg-deb", "--field", PACKAGE, name), capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_menu_the_file_manager_and_the_software_centre_are_told_of_it(contents: Contents) -> None:
    entry = configparser.RawConfigParser()
    entry.read_string(contents.text("usr/share/applications/desktopsched.desktop"))
    assert entry["Desktop Entry"]["Exec"] == "desktopsched %f"
    metainfo = ET.fromstring(contents.text("usr/share/metainfo/org.desktopsched.desktopsched.metainfo.xml"))
    assert metainfo.findtext("launchable") == "desktopsched.desktop"
    kinds = ET.fromstring(contents.text("usr/share/mime/packages/desktopsched.xml"))
    assert kinds[0].get("type") == entry["Desktop Entry"]["MimeType"].rstrip(";")


def test_its_icon_is_there_in_all_sizes(contents: Contents, parts: Parts) -> None:
    icons = "usr/share/icons/hicolor"
    for size in (16, 22, 24, 32, 48, 64, 128, 256, 512):
        assert parts[f"{icons}/{size}x{size}/apps/desktopsched.png"].size > 300
    for drawing in ("scalable/apps/desktopsched.svg", "symbolic/apps/desktopsched-symbolic.svg"):
        assert ET.fromstring(contents.text(f"{icons}/{drawing}")).tag.endswith("svg")


def test_the_manual_and_what_completes_commands_in_three_shells_are_there(contents: Contents) -> None:
    assert ".SH COMMANDS" in contents.text("usr/share/man/man1/desktopsched.1.gz")
    for place, asked in (
        ("bash-completion/completions/desktopsched", "_DESKTOPSCHED_COMPLETE=bash_complete"),
        ("zsh/vendor-completions/_desktopsched", "_DESKTOPSCHED_COMPLETE=zsh_complete"),
        ("fish/vendor_completions.d/desktopsched.fish", "_DESKTOPSCHED_COMPLETE=fish_complete"),
    ):
        assert asked in contents.text(f"usr/share/{place}")


def test_the_program_of_the_path_and_of_the_unit_is_the_one_in_the_package(
    contents: Contents, parts: Parts
) -> None:
    assert "ExecStart=/usr/bin/desktopsched serve" in contents.text(
        "usr/lib/systemd/user/desktopsched.service"
    )
    link = parts["usr/bin/desktopsched"]
    assert (link.issym(), link.linkname) == (True, "../lib/desktopsched/desktopsched")
    for program in ("desktopsched", "desktopsched-supervisor"):
        assert parts[f"{PROGRAM}/{program}"].mode & stat.S_IXOTH


def test_licences_and_changes_are_told(contents: Contents, parts: Parts) -> None:
    papers = "usr/share/doc/desktopsched"
    assert "Permission is hereby granted" in contents.text(f"{papers}/copyright")
    assert contents.text(f"{papers}/CHANGELOG.md.gz") == (ROOT / "CHANGELOG.md").read_text()
    assert contents.text(f"{papers}/changelog.gz").startswith(f"desktopsched ({VERSION}) ")
    folders = {path.split("/")[4].lower() for path in parts if path.endswith(".dist-info/METADATA")}
    told = {folder.partition("-")[0] for folder in folders}
    assert {
        "pyside6_essentials",
        "cryptography",
        "sqlalchemy",
        "psycopg",
        "pymysql",
        "redis",
        "kazoo",
    } <= told


def test_what_it_needs_of_the_system_is_named(parts: Parts) -> None:
    needed = {one.split()[0] for one in field("Depends").split(",")}
    assert {"libc6", "libegl1", "libxcb-cursor0", "libwayland-client0", "hicolor-icon-theme"} <= needed
    brought = [path for path in parts if path.startswith(f"{PROGRAM}/_internal/lib")]
    assert not [
        path for path in brought if "/libssl." in path or "/libz." in path
    ]  # so they have Debian's updates


def test_its_size_is_what_it_says_and_no_more_than_expected(parts: Parts) -> None:
    installed = sum(part.size for part in parts.values())
    assert 80 * MEBI < installed < 200 * MEBI
    assert abs(int(field("Installed-Size")) * 1024 - installed) < installed / 20
    assert 20 * MEBI < PACKAGE.stat().st_size < 60 * MEBI


def test_all_of_it_belongs_to_root_and_is_changed_by_nobody_else(parts: Parts) -> None:
    assert {(part.uid, part.gid) for part in parts.values()} == {(0, 0)}
    open_to_others = [path for path, part in parts.items() if part.mode & 0o022 and not part.issym()]
    assert open_to_others == []


def test_removing_it_takes_back_the_start_at_login() -> None:
    done = subprocess.run(
        ("dpkg-deb", "--info", PACKAGE, "postrm"), capture_output=True, text=True, check=True
    )
    assert "autostart/desktopsched" in done.stdout
