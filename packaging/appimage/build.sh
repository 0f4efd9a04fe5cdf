#!/bin/sh
# build.sh PYTHON RUNTIME: makes dist/Desktopsched-VERSION-ARCHITECTURE.AppImage of dist/desktopsched and build/icons.
# RUNTIME is the file `runtime-ARCHITECTURE` of the AppImage project's type2-runtime: an image is that, and then a
# squashfs. Without it only build/AppDir is made.
set -eu
cd "$(dirname "$0")/../.."
python=$1
version=$("$python" -c 'from desktopsched import __version__; print(__version__)')
folder=build/AppDir

rm -rf "$folder"
mkdir -p "$folder/usr/lib" "$folder/usr/bin"
cp -a dist/desktopsched "$folder/usr/lib/desktopsched"
ln -s ../lib/desktopsched/desktopsched "$folder/usr/bin/desktopsched"
ln -s usr/bin/desktopsched "$folder/AppRun"
"$python" packaging/linux/install.py "$folder/usr" build/icons
rm -r "$folder/usr/lib/systemd" # an image has no fixed place that a unit could name
cp "$folder/usr/share/applications/desktopsched.desktop" "$folder"
sed -i '/^TryExec=/d' "$folder/desktopsched.desktop" "$folder/usr/share/applications/desktopsched.desktop"
cp "$folder/usr/share/icons/hicolor/256x256/apps/desktopsched.png" "$folder"
ln -s desktopsched.png "$folder/.DirIcon"
[ $# -gt 1 ] || {
    echo "$folder; an image needs a runtime as second argument"
    exit 0
}

image=dist/Desktopsched-$version-$(uname -m).AppImage
rm -f build/squashfs "$image"
mksquashfs "$folder" build/squashfs -root-owned -noappend -quiet -comp zstd
cat "$2" build/squashfs >"$image"
chmod +x "$image"
echo "$image: $(du -h "$image" | cut -f1)"
