"""A supervisor is started for every run: it must load little."""

import subprocess
import sys
from pathlib import Path

import desktopsched

ROOT = str(Path(desktopsched.__file__).parents[1])
SLOW = {
    "typing",
    "re",
    "json",
    "enum",
    "signal",
    "socket",
    "subprocess",
    "pathlib",
    "threading",
    "collections",
}
ABROAD = {"msgspec", "psutil"}


def test_a_supervisor_loads_nothing_that_is_slow() -> None:
    text = (
        "import sys; sys.path.append(sys.argv[1]); import desktopsched.supervisor.main; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", text, ROOT], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "desktopsched.supervisor.main" in loaded
    assert [name for name in loaded if name.split(".")[0] in SLOW | ABROAD] == []
    ours = [name for name in loaded if name.startswith("desktopsched.")]
    assert all(name.startswith("desktopsched.supervisor") for name in ours)
    assert "desktopsched.supervisor.faces" not in ours
