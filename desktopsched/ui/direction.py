"""The direction of sentences that name tasks. Pure, no Qt.

Qt lays a text out as its first letter says: a sentence that begins with a Hebrew name would turn round as a whole.
"""

import unicodedata

_STRONG = frozenset({"L", "R", "AL"})
_MARK = "\u200e"  # as a letter from left to right, but nothing is seen of it


def left_to_right(sentence: str) -> str:
    """A sentence of ours, which goes from left to right, whatever the name that it begins with does."""
    kinds = (unicodedata.bidirectional(letter) for letter in sentence)
    first = next((kind for kind in kinds if kind in _STRONG), "L")
    return sentence if first == "L" else _MARK + sentence
