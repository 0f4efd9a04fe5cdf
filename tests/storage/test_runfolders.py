"""The folders of attempts: private, by number, and nothing but our own is touched."""

import stat
from pathlib import Path

from desktopsched.storage.runfolders import RunFolders


def test_a_new_folder_is_empty_and_its_owners_alone(tmp_path: Path) -> None:
    folders = RunFolders(tmp_path / "state" / "runs")
    path = folders.new(7, 2)
    assert path == folders.path(7, 2)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    (path / "result").write_text("of a life before")
    assert list(folders.new(7, 2).iterdir()) == []


def test_all_are_found_in_their_order_and_what_is_no_folder_of_ours_is_left(tmp_path: Path) -> None:
    folders = RunFolders(tmp_path)
    assert list(RunFolders(tmp_path / "none").all()) == []
    for key in ((10, 1), (9, 2), (9, 1)):
        folders.new(*key)
    (tmp_path / "notes").mkdir()
    (tmp_path / "1-1").write_text("a file")
    (tmp_path / "2-1").symlink_to(tmp_path / "notes")
    assert [key for key, _ in folders.all()] == [(9, 1), (9, 2), (10, 1)]
    folders.remove(9, 1)
    folders.remove(9, 1)
    assert [key for key, _ in folders.all()] == [(9, 2), (10, 1)]
    assert (tmp_path / "notes").is_dir()
