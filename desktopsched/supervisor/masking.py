"""Hides secrets in a stream of bytes, also when they come in pieces. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MASK = b"***"


class Masker:
    """Replaces each secret by `***`.

    Holds back only what may still become one, until more comes or `finish`.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        # Without its line end too: a secret that was kept with one is shown without it by `echo $SECRET`.
        words = {form.encode(errors="replace") for text in secrets for form in (text, text.strip()) if form}
        self._words = sorted(words, key=len, reverse=True)
        self._held = b""
        if self._words:
            import re  # slow to load, and most runs have no secrets

            self._pattern = re.compile(b"|".join(map(re.escape, self._words)))

    def feed(self, data: bytes) -> bytes:
        """The part of what came so far that is certain now."""
        if not self._words:
            return data
        data, at, out = self._held + data, 0, bytearray()
        while True:
            unsure = self._first_unsure(data, at)
            match = self._pattern.search(data, at)
            if match is None or match.start() >= unsure:
                break
            out += data[at : match.start()] + MASK
            at = match.end()
        self._held = data[unsure:]
        return bytes(out + data[at:unsure])

    def finish(self) -> bytes:
        """What was held back, when nothing more comes."""
        held, self._held = self._held, b""
        return self._pattern.sub(MASK, held) if held else b""

    def _first_unsure(self, data: bytes, at: int) -> int:
        """Where the first tail begins that is the beginning of a secret."""
        for start in range(max(at, len(data) - len(self._words[0]) + 1), len(data)):
            tail = data[start:]
            if any(word.startswith(tail) and len(word) > len(tail) for word in self._words):
                return start
        return len(data)
