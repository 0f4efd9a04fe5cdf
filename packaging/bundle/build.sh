#!/bin/sh
# build.sh PYTHON: makes dist/desktopsched (macOS: Desktopsched.app as well) with the PyInstaller of this Python.
# On Debian and its relatives it installs the two things that PyInstaller needs there, when root, or names the command.
set -eu
cd "$(dirname "$0")/../.."
python=$1

if [ "$(uname -s)" = Linux ]; then
    # A bundle brings the interpreter as a library; Debian has that in a package of its own.
    library=$("$python" -c 'import sysconfig; print("libpython%s.so" % sysconfig.get_python_version())')
    folder=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))')
    missing=
    command -v objdump >/dev/null || missing=binutils
    ls "$folder/$library".1.0 "$folder"/*/"$library".1.0 >/dev/null 2>&1 ||
        [ "$(ldconfig -p 2>/dev/null | grep -c "$library")" != 0 ] || missing="$missing ${library%.so}"
    if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing $missing"
        apt-get update -qq
        # shellcheck disable=SC2086  # a list of names
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 $missing >/dev/null
    elif [ -n "$missing" ]; then
        echo "Install first:  sudo apt-get install $missing" >&2
        exit 3
    fi
fi

QT_QPA_PLATFORM=offscreen "$python" packaging/pictures.py build/icons
rm -rf dist/desktopsched build/desktopsched dist/Desktopsched.app
# Not from the folder that this is called in: a checkout keeps the resources where an installed program has them not.
PYTHONSAFEPATH=1 "$python" -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging/bundle/desktopsched.spec
if [ "$(uname -s)" = Linux ]; then
    # What debuggers read: two thirds of some Pythons, and of SQLAlchemy.
    find dist/desktopsched/_internal \( -name 'libpython*' -o -path '*/lib-dynload/*' -o -path '*/sqlalchemy/*' \) -type f \
        -exec strip --strip-unneeded {} +
fi
echo "dist/desktopsched: $(du -sh dist/desktopsched | cut -f1)"
