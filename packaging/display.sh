#!/bin/sh
# display.sh: is there a screen to open a window on? If not, says what works without one (exit 3).
set -eu
[ "$(uname -s)" = Linux ] && [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}${QT_QPA_PLATFORM-}" ] || exit 0
cat >&2 <<'WORDS'
There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set.
The scheduler runs without a window too:

  .venv/bin/desktopsched serve

Run 'make run' again in a terminal of your desktop to see the window.
WORDS
exit 3
