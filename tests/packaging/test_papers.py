"""What a Linux desktop is told of the program, beside what the program says itself."""

import configparser
import re
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from desktopsched import __version__
from desktopsched.cli.commands import desktopsched
from desktopsched.model.extras import how_to_get

ROOT = Path(__file__).parents[2]
LINUX = ROOT / "packaging" / "linux"
METAINFO = LINUX / "org.desktopsched.desktopsched.metainfo.xml"


def entry() -> configparser.SectionProxy:
    reader = configparser.RawConfigParser()
    reader.optionxform = str  # type: ignore[assignment,method-assign]  # keys are told apart by their case
    reader.read(LINUX / "desktopsched.desktop")
    return reader["Desktop Entry"]


@pytest.mark.parametrize("name", desktopsched.list_commands(desktopsched.make_context("", ["list"])))
def test_the_manual_has_each_command(name: str) -> None:
    manual = (LINUX / "desktopsched.1").read_text().replace("\\-", "-")
    commands = manual.partition(".SH COMMANDS")[2].partition(".SH EXIT STATUS")[0]
    heads = [line for line in commands.splitlines() if line.startswith((".B", ".BR", ".BI"))]
    assert any(re.search(rf"\b{re.escape(name)}\b", head) for head in heads)


def test_the_software_centre_and_the_program_itself_are_told_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    release = ET.parse(METAINFO).find("releases/release")
    assert release is not None
    assert release.get("version") == __version__ == version


def test_menu_software_centre_and_file_manager_mean_the_same_program_and_the_same_files() -> None:
    metainfo = ET.parse(METAINFO)
    kinds = ET.parse(LINUX / "desktopsched.xml").getroot()
    kind = kinds[0].get("type")
    assert entry()["MimeType"] == f"{kind};"
    assert metainfo.findtext("provides/mediatype") == kind
    assert metainfo.findtext("launchable") == "desktopsched.desktop"
    assert metainfo.findtext("provides/binary") == entry()["TryExec"] == "desktopsched"


@pytest.mark.parametrize("recipe", ["Makefile", "packaging/windows/build.ps1"])
def test_a_bundle_brings_each_extra_of_which_it_does_not_say_that_it_is_left_out(
    recipe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    left_out = {name for name in extras if "does not bring it" in how_to_get(name)}
    brought = re.search(r"postgres(,\w+)+", (ROOT / recipe).read_text())
    assert brought is not None
    assert set(brought[0].split(",")) == set(extras) - left_out - {"test", "dev"}
