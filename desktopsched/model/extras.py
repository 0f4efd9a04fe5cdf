"""Python packages that few people need, and that are left out: how to get them."""

import sys

_OF_NO_BUNDLE = frozenset({"dask"})
"""A cluster wants the version that it has itself, and nothing can be added to a bundle. All others are in it."""


def how_to_get(extra: str) -> str:
    """A sentence. `extra` is a name in brackets: `postgres` of `desktopsched[postgres]`."""
    wanted = f"'desktopsched[{extra}]'"
    if not getattr(sys, "frozen", False):
        return f"Install it with: pip install {wanted}"
    if extra in _OF_NO_BUNDLE:
        return (
            f"This package of Desktopsched does not bring it; install this one instead: pipx install {wanted}"
        )
    return "This package of Desktopsched brings it, so a part of the package is lost: install it again."
