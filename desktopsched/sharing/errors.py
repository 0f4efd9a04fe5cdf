"""What can be wrong with a shared list's address or server, for people to read."""

from desktopsched.model import DesktopschedError


class SharingError(DesktopschedError):
    """A shared list that cannot be used as it is; says which, why, and what to do. Never holds a password."""


class AddressError(SharingError):
    """An address that names no store."""


class MissingPackageError(SharingError):
    """The Python package that speaks to this kind of store is not installed."""


class UnusableStoreError(SharingError):
    """The store is there, but keeps no promise: claims in it would not be safe."""
