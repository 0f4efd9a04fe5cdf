"""Worlds end with their test, and leave no thread."""

from collections.abc import Iterator

import pytest

from tests.engine.world import World


@pytest.fixture(autouse=True)
def worlds_end(home: object) -> Iterator[None]:
    """After `home`, so that threads are gone before it looks for them."""
    World.alive.clear()
    yield
    for world in World.alive:
        world.kill()
    World.alive.clear()
