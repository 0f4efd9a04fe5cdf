#!/bin/sh
# build.sh PYTHON: makes dist/desktopsched_VERSION_ARCHITECTURE.deb of dist/desktopsched and build/icons.
set -eu
cd "$(dirname "$0")/../.."
python=$1
for tool in dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null && continue
    if [ "$(id -u)" = 0 ]; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends dpkg-dev >/dev/null
    else
        echo "Install first:  sudo apt-get install dpkg-dev" >&2
        exit 3
    fi
done

version=$("$python" -c 'from desktopsched import __version__; print(__version__)')
architecture=$(dpkg --print-architecture)
tree=build/deb/tree
rm -rf build/deb
mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/lib" build/deb/debian

# --- the program, and the ways to it -----------------------------------------------------------------------

cp -a dist/desktopsched "$tree/usr/lib/desktopsched"
# What Debian has itself is taken from there, with its updates: the dependencies below name it.
for library in "$tree"/usr/lib/desktopsched/_internal/lib*.so*; do
    case $(basename "$library") in
    libpython* | libQt6* | libicu* | libpyside6* | libshiboken6*) ;;
    *) if dpkg -S "*/$(basename "$library")" >/dev/null 2>&1; then rm "$library"; fi ;;
    esac
done
ln -s ../lib/desktopsched/desktopsched "$tree/usr/bin/desktopsched"
"$python" packaging/linux/install.py "$tree/usr" build/icons

# --- what Debian wants to know of it -----------------------------------------------------------------------

papers=$tree/usr/share/doc/desktopsched
mkdir -p "$papers"
sed -e '/@LICENSE@/{r LICENSE' -e 'd}' packaging/debian/copyright | sed -e '/^License: Expat/,$ {/^License/!{s/^$/./;s/^/ /}}' >"$papers/copyright"
gzip -9n <CHANGELOG.md >"$papers/CHANGELOG.md.gz"
released=$(sed -n "s/.*<release version=\"$version\" date=\"\([^\"]*\)\".*/\1/p" packaging/linux/*.metainfo.xml)
printf 'desktopsched (%s) unstable; urgency=medium\n\n  * What is new stands in CHANGELOG.md.gz.\n\n -- %s  %s\n' \
    "$version" "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" "$(LC_ALL=C date -uRd "${released:?no release $version in the metainfo}")" |
    gzip -9n >"$papers/changelog.gz"
install -D -m 644 packaging/debian/lintian-overrides "$tree/usr/share/lintian/overrides/desktopsched"
touch build/deb/debian/control
# Qt's plugin for Wayland is in the bundle, also where nobody uses that: what it needs is to be found here, and named.
WAYLAND_DISPLAY=wanted sh packaging/system-libraries.sh "$python"
files=$(cd "$tree" && find usr/lib/desktopsched -type f \( -name '*.so' -o -name '*.so.*' -o -name 'desktopsched*' -perm /100 \) | sed 's,^,tree/,')
# shellcheck disable=SC2086  # a list of files
(cd build/deb && dpkg-shlibdeps -O --ignore-missing-info -ltree/usr/lib/desktopsched/_internal \
    -ltree/usr/lib/desktopsched/_internal/PySide6/Qt/lib -ltree/usr/lib/desktopsched/_internal/psycopg_binary.libs \
    -xdesktopsched $files >depends 2>shlibdeps.log) || {
    cat build/deb/shlibdeps.log >&2
    exit 1
}
depends=$(sed -n 's/^shlibs:Depends=//p' build/deb/depends)
size=$(du -sk "$tree/usr" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" -e "s/@DEPENDS@/$depends/" \
    packaging/debian/control >"$tree/DEBIAN/control"
install -m 755 packaging/debian/postrm "$tree/DEBIAN/postrm"
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$tree" -type d -exec chmod 755 {} +
find "$tree/usr/share" "$tree/usr/lib/desktopsched/_internal" -type f -exec chmod 644 {} +

package=dist/desktopsched_${version}_$architecture.deb
rm -f "$package"
dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
echo "$package: $(du -h "$package" | cut -f1)"
