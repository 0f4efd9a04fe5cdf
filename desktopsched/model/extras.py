"""Python packages that few people need, and that are left out: how to get them."""

import sys


def how_to_get(extra: str) -> str:
    """A sentence. `extra` is a name in brackets: `postgres` of `desktopsched[postgres]`."""
    wanted = f"'desktopsched[{extra}]'"
    if getattr(sys, "frozen", False):  # nothing can be added to a bundle
        return (
            f"This package of Desktopsched does not bring it; install this one instead: pipx install {wanted}"
        )
    return f"Install it with: pip install {wanted}"
