#!/bin/sh
# system-libraries.sh PYTHON: are the system's libraries there that Qt in this Python's PySide6 needs?
# Asks the dynamic linker, which knows exactly. Missing ones are installed when root on Debian and its
# relatives, else named with the command (exit 3). Elsewhere than on Linux Qt brings all that it needs.
# shellcheck disable=SC2086  # lists of names are meant to be split
set -eu
[ "$(uname -s)" = Linux ] || exit 0
pyside=$("$1" -c 'import importlib.util; print(importlib.util.find_spec("PySide6").submodule_search_locations[0])')

plugins=$pyside/Qt/plugins/platforms
files="$pyside/QtWidgets.abi3.so $pyside/QtNetwork.abi3.so $plugins/libqxcb.so $plugins/libqoffscreen.so"
[ -z "${WAYLAND_DISPLAY-}" ] || files="$files $(ls "$plugins"/libqwayland*.so)"

missing_libraries() {
    ldd $files 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p' | sort -u | grep -v '^libQt6' || true
}

# Debian names a library's package after it: libEGL.so.1 is in libegl1, libX11.so.6 in libx11-6. A few differ.
packages() {
    sed -e 's/^libbrotli.*/libbrotli1/' -e 's/^libz\.so\.1$/zlib1g/' -e 's/^lib\(glib\|gthread\)-2\.0\.so\.0$/libglib2.0-0/' \
        -e 's/\([0-9]\)\.so\./\1-/' -e 's/\.so\.//' | tr '[:upper:]_' '[:lower:]-' | sort -u | tr '\n' ' '
}

missing=$(missing_libraries)
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "Qt needs libraries that this system does not have:" $missing >&2
    echo "Install the packages of your distribution that hold them, and try again." >&2
    exit 3
fi
wanted=$(echo "$missing" | packages)
if [ "$(id -u)" != 0 ]; then
    echo "Qt needs libraries that this system does not have. Install them, and try again:" >&2
    echo "  sudo apt-get install $wanted" >&2
    exit 3
fi
echo "Installing libraries that Qt needs: $wanted"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 $wanted >/dev/null
missing=$(missing_libraries)
[ -z "$missing" ] || {
    echo "Qt still misses:" $missing >&2
    exit 3
}
