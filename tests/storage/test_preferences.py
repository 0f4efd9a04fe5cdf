"""Preferences: one table; a bad value heals to its default and is reported."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from desktopsched.model import InvalidTaskError, StorageError
from desktopsched.storage import atomic
from desktopsched.storage.preferences import (
    TABLE,
    Preferences,
    PreferencesFile,
    Theme,
    default_workers,
    scheduler_address,
)


@pytest.fixture
def file(tmp_path: Path) -> PreferencesFile:
    return PreferencesFile(tmp_path / "preferences.json")


def test_the_table_has_every_preference_once_with_its_words() -> None:
    assert [row.field.name for row in TABLE] == [*Preferences.__struct_fields__]
    assert all(row.words for row in TABLE)


def test_a_missing_file_is_all_defaults(file: PreferencesFile) -> None:
    assert file.load() == Preferences()
    assert file.problems == ()
    assert Preferences().workers == default_workers() >= 4


def test_what_differs_from_the_defaults_is_kept(file: PreferencesFile) -> None:
    chosen = Preferences(workers=3, settle_delay=90.0, trust_edits=False, theme=Theme.DARK)
    file.save(chosen)
    assert json.loads(file.path.read_bytes()) == {
        "workers": 3,
        "settle_delay": "1m30s",
        "trust_edits": False,
        "theme": "dark",
    }
    assert file.load() == chosen
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_each_bad_value_heals_alone_and_is_reported(file: PreferencesFile) -> None:
    bad = {"workers": True, "settle_delay": 30, "trust_edits": None, "theme": "pink", "log_age": "2d"}
    file.path.write_text(json.dumps(bad), encoding="utf-8")
    assert file.load() == Preferences(log_age=172_800.0)
    assert [problem.place for problem in file.problems] == ["workers", "settle_delay", "theme"]
    assert str(file.problems[0]) == "workers: must be a whole number from 1 to 256, without quotes, not true."


@pytest.mark.parametrize("value", [0, -1, 257, 1e18, 10**18, "4", 2.5, [4]])
def test_z11_a_limit_that_is_none_heals(file: PreferencesFile, value: object) -> None:
    file.path.write_text(json.dumps({"workers": value}), encoding="utf-8")
    assert file.load().workers == default_workers()
    assert len(file.problems) == 1


def test_a_key_of_a_newer_version_is_reported_and_kept(file: PreferencesFile) -> None:
    file.path.write_text('{"worker": 3, "hologram": [1]}', encoding="utf-8")
    preferences = file.load()
    assert "Did you mean 'workers'?" in str(file.problems[0])
    file.save(structs.replace(preferences, workers=5))
    assert json.loads(file.path.read_bytes()) == {"workers": 5, "worker": 3, "hologram": [1]}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000])
def test_a_file_that_is_none_gives_defaults_and_is_kept_as_a_copy(
    file: PreferencesFile, content: bytes
) -> None:
    file.path.write_bytes(content)
    assert file.load() == Preferences()
    assert len(file.problems) == 1
    file.save(Preferences(workers=3))
    assert file.path.with_name("preferences.json.1").read_bytes() == content
    assert file.load().workers == 3


def test_a_read_only_file_is_refused_in_plain_words(file: PreferencesFile) -> None:
    file.save(Preferences(workers=3))
    file.path.chmod(0o444)
    with pytest.raises(StorageError, match="read-only"):
        file.save(Preferences())


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.none() | st.booleans() | NUMBERS | st.text(max_size=5)


@given(st.dictionaries(st.sampled_from([*Preferences.__struct_fields__, "x"]), VALUES))
def test_any_object_gives_preferences(
    tmp_path_factory: pytest.TempPathFactory, raw: dict[str, object]
) -> None:
    file = PreferencesFile(tmp_path_factory.getbasetemp() / "any.json")
    file.path.write_text(json.dumps(raw), encoding="utf-8")
    preferences = file.load()
    assert 1 <= preferences.workers <= 256
    assert atomic.read_file(file.path)


@pytest.mark.parametrize(
    "address",
    ["", "tcp://10.0.0.5:8786", "tls://head.cluster.example:8786", "head:8786", "tcp://[fe80::1]:8786"],
)
def test_the_address_of_a_scheduler_is_taken_as_dask_writes_it(address: str) -> None:
    assert scheduler_address(f" {address}") == address


@pytest.mark.parametrize(
    "address", ["head", "http://head:8787", "tcp://:8786", "tcp://head:port", "a b:8786"]
)
def test_what_is_no_address_of_a_scheduler_is_refused(address: str) -> None:
    with pytest.raises(InvalidTaskError, match=r"such as tcp://10\.0\.0\.5:8786, or empty"):
        scheduler_address(address)
