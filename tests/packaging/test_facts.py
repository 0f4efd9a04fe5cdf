"""What bundles say of themselves to Windows and macOS, as far as it can be looked at elsewhere."""

import ast
import importlib.util
import plistlib
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def facts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("facts", ROOT / "packaging" / "bundle" / "facts.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_windows_is_told_the_version_of_the_project(facts: ModuleType, tmp_path: Path) -> None:
    said = Path(facts.version_resource(ROOT, tmp_path)).read_text(encoding="utf-8")
    ast.parse(said)  # PyInstaller reads it as Python
    version = facts.version(ROOT)
    numbers = ", ".join([*version.split("."), "0"])
    assert f"filevers=({numbers})" in said
    assert f"'ProductVersion', '{version}'" in said


def test_macos_opens_task_lists_by_both_of_their_names(facts: ModuleType) -> None:
    said = plistlib.loads(plistlib.dumps(facts.info_plist("0.1.0")))
    (kind,) = said["UTExportedTypeDeclarations"]
    assert kind["UTTypeTagSpecification"]["public.filename-extension"] == ["desktopsched"]
    opened = [one["LSItemContentTypes"] for one in said["CFBundleDocumentTypes"]]
    assert opened == [[kind["UTTypeIdentifier"]], ["public.json"]]


def test_the_installer_starts_and_associates_what_the_bundle_has() -> None:
    script = (ROOT / "packaging" / "windows" / "desktopsched.iss").read_text(encoding="utf-8")
    recipe = (ROOT / "packaging" / "bundle" / "desktopsched.spec").read_text(encoding="utf-8")
    started = set(re.findall(r"\{app\}\\([\w-]+)\.exe", script))
    assert started == {"desktopsched-window"}
    assert 'name="desktopsched-window"' in recipe
