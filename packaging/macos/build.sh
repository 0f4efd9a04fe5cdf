#!/bin/sh
# build.sh: makes dist/Desktopsched.app and dist/desktopsched-VERSION.dmg, on macOS.
# IDENTITY="Developer ID Application: …" signs them, and PROFILE=… (of `notarytool store-credentials`) has them notarised.
# Without them the app is signed ad hoc: it runs on this computer, and elsewhere after a right click and Open.
set -eu
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || {
    echo 'This needs macOS: codesign and hdiutil are there alone.' >&2
    exit 3
}
make bundle
version=$(.venv-bundle/bin/python -c 'from desktopsched import __version__; print(__version__)')
app=dist/Desktopsched.app
image=dist/desktopsched-$version.dmg
codesign --force --deep --timestamp --options runtime --entitlements packaging/macos/entitlements.plist \
    --sign "${IDENTITY:--}" "$app"
codesign --verify --deep --strict "$app"

folder=build/disk-image
rm -rf "$folder" "$image"
mkdir -p "$folder"
cp -R "$app" "$folder"
ln -s /Applications "$folder/Applications"
hdiutil create -quiet -volname Desktopsched -srcfolder "$folder" -format ULFO "$image"
if [ -n "${PROFILE-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$PROFILE" --wait
    xcrun stapler staple "$image"
fi
echo "$image"
