"""What can be wrong with a cluster, for people to read. It becomes a FAILED attempt with the same words."""

from desktopsched.model import DesktopschedError


class ClusterError(DesktopschedError):
    """A cluster that cannot be used as it is; says which, why, and what to do."""
