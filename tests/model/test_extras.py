"""What is left out, and how people get it."""

import sys

import pytest

from desktopsched.model.extras import how_to_get


def test_an_installed_program_gets_what_is_left_out_added() -> None:
    assert how_to_get("redis") == "Install it with: pip install 'desktopsched[redis]'"


def test_a_bundle_cannot_get_anything_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert how_to_get("dask") == (
        "This package of Desktopsched does not bring it; install this one instead: pipx install 'desktopsched[dask]'"
    )


def test_a_bundle_that_lacks_what_it_brought_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert how_to_get("redis") == (
        "This package of Desktopsched brings it, so a part of the package is lost: install it again."
    )
