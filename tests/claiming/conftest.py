"""Worlds end with their test here too."""

from tests.engine.conftest import worlds_end

__all__ = ["worlds_end"]
