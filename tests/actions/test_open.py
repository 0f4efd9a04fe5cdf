"""Things to open. The desktop is a fake `xdg-open` on PATH."""

from pathlib import Path

import pytest

from desktopsched.actions import open as opening
from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.open import checked_target, open_on_desktop, perform_open
from desktopsched.model import Open, Outcome, State


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment with a screen and an `xdg-open` that notes its arguments and ends as the target says."""
    monkeypatch.setattr(opening, "_SOON", 60.0)  # however slow the computer is
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    opener = bin_folder / "xdg-open"
    opener.write_text(
        f'#!/bin/sh\nprintf "%s|" "$#" "$@" >{tmp_path}/opened\n'
        'case "$1" in *fail-*) exit "${1##*-}";; *stay) sleep 0.3;; esac\n'
    )
    opener.chmod(0o755)
    return {
        "PATH": f"{bin_folder}:/usr/bin:/bin",
        "DISPLAY": ":7",
        "DESKTOPSCHED_HOME": str(Path.home() / "desktopsched"),
    }


@pytest.mark.parametrize(
    "target", ["https://a.org/?q=$(x)&y=1", "http://a.org", "mailto:a@b.org", "file:///etc", "HTTPS://A"]
)
def test_allowed_addresses_go_to_the_desktop_as_one_argument(
    desktop: dict[str, str], target: str, tmp_path: Path
) -> None:
    assert perform_open(Open(target=target), lambda it: open_on_desktop(it, desktop)) == Outcome(
        State.SUCCEEDED
    )
    assert (tmp_path / "opened").read_text() == f"1|{target}|"


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "ssh://host", "data:text/html,x", "ms-cxh:x", "smb://a/b"]
)
def test_other_addresses_are_refused(target: str) -> None:
    with pytest.raises(
        CannotStartError, match=r"addresses are not opened. Allowed are http, https, mailto, file"
    ):
        checked_target(target)


@pytest.mark.parametrize("name", ["-x é b.txt", "notes: today.txt", "folder"])
def test_files_and_folders_are_given_by_their_whole_path(name: str) -> None:
    file = Path.home() / name
    file.mkdir()
    assert checked_target(name) == checked_target(f"~/{name}") == checked_target(str(file)) == str(file)


@pytest.mark.parametrize(
    "target", ["", "gone.txt", "/no/such", "~nobody-of-this-name/x", "www.a.org", "a\0b"]
)
def test_what_is_not_there_is_named(target: str) -> None:
    with pytest.raises(CannotStartError, match="There is no file or folder"):
        checked_target(target)


@pytest.mark.parametrize(
    ("code", "words"),
    [(3, "no program for it was found"), (4, "the program for it failed"), (9, "xdg-open ended with 9")],
)
def test_opener_that_fails_fails_the_run(desktop: dict[str, str], code: int, words: str) -> None:
    with pytest.raises(CannotStartError, match=words):
        open_on_desktop(f"http://fail-{code}", desktop)


def test_opener_that_stays_is_left_running_and_reaped(
    desktop: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_SOON", 0.05)
    assert open_on_desktop("http://stay", desktop)


def test_without_an_opener_the_run_fails_in_plain_words() -> None:
    with pytest.raises(CannotStartError, match="There is no program 'xdg-open'"):
        open_on_desktop("http://a", {"PATH": "/no", "WAYLAND_DISPLAY": "wayland-0"})


def test_without_a_screen_it_is_skipped() -> None:
    skipped = Outcome(State.SKIPPED, "There is no desktop to show it on")
    assert (
        perform_open(Open(target="http://a"), lambda target: open_on_desktop(target, {"PATH": "/bin"}))
        == skipped
    )
    assert perform_open(Open(target="http://a"), None) == skipped
