#!/bin/sh
# virtual-environment.sh FOLDER: makes a virtual environment with the first Python >= 3.11 that is found.
# On Debian and its relatives it installs what Python leaves out there, when root, or names the command.
set -eu
folder=$1

find_python() {
    for name in python3 python3.13 python3.12 python3.11; do
        # It is started, not only looked up: a name on PATH may be a launcher with nothing behind it.
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

install() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing $*"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@" >/dev/null
    elif command -v apt-get >/dev/null; then
        echo "Install first:  sudo apt-get install $*" >&2
        exit 3
    else
        echo "Install Python 3.11 or newer first, with its venv module: https://www.python.org/downloads/" >&2
        exit 3
    fi
}

if ! python=$(find_python); then
    echo 'Desktopsched needs Python 3.11 or newer, and there is none on PATH.' >&2
    install python3 python3-venv
    python=$(find_python) || {
        echo "The python3 of this system is older than 3.11: https://www.python.org/downloads/ has newer ones." >&2
        exit 3
    }
fi
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "$python has no venv module." >&2
    install "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
fi

echo "Making $folder with $("$python" --version)"
rm -rf "$folder"
"$python" -m venv "$folder" || {
    rm -rf "$folder"
    exit 3
}
