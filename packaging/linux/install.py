"""Puts what a Linux desktop wants to know of the program below a prefix, such as /usr: menu, icons, manual and more.

`python packaging/linux/install.py PREFIX ICONS`; ICONS is the folder that `pictures.py` wrote. For packagers; the
program itself comes from a bundle or a wheel.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DRAWINGS = HERE.parents[1] / "resources" / "icons"
APP_ID = "org.desktopsched.desktopsched"

PLACES = {
    "desktopsched.desktop": "share/applications",
    f"{APP_ID}.metainfo.xml": "share/metainfo",
    "desktopsched.xml": "share/mime/packages",
    "desktopsched.1": "share/man/man1",
    "desktopsched.service": "lib/systemd/user",
}
COMPLETIONS = {
    "bash": "share/bash-completion/completions/desktopsched",
    "zsh": "share/zsh/vendor-completions/_desktopsched",
    "fish": "share/fish/vendor_completions.d/desktopsched.fish",
}


def put(file: Path, place: Path) -> None:
    """Copy it, with the folders above it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def completion(shell: str) -> str:
    """What makes a shell complete commands and tasks, as the command line itself says it."""
    words = {**os.environ, "_DESKTOPSCHED_COMPLETE": f"{shell}_source"}
    done = subprocess.run(
        [sys.executable, "-m", "desktopsched"], env=words, capture_output=True, check=True, text=True
    )
    # Click's script for fish ends the words beside a command at their first comma.
    return done.stdout.replace('(string split "," ', '(string split --max 1 "," ')


def main(prefix: Path, icons: Path) -> None:
    """All of it."""
    for name, folder in PLACES.items():
        put(HERE / name, prefix / folder / name)
    hicolor = prefix / "share/icons/hicolor"
    for picture in icons.glob("*.png"):
        put(picture, hicolor / f"{picture.stem}x{picture.stem}" / "apps/desktopsched.png")
    put(DRAWINGS / "mark.svg", hicolor / "scalable/apps/desktopsched.svg")
    put(DRAWINGS / "mark-symbolic.svg", hicolor / "symbolic/apps/desktopsched-symbolic.svg")
    for shell, name in COMPLETIONS.items():
        place = prefix / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(completion(shell), encoding="utf-8")
    manual = prefix / PLACES["desktopsched.1"] / "desktopsched.1"
    subprocess.run(["gzip", "-9nf", str(manual)], check=True)  # noqa: S607


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
