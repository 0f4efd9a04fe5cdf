"""What ZooKeeper promises, as far as it tells: neither its settings nor, behind a chroot, how many servers it has."""

from desktopsched.sharing.safety import Judgement, Promise
from desktopsched.sharing.zookeeper_session import Session

_CONFIG = "/zookeeper/config"
_DISKS = "This holds as long as zoo.cfg does not say forceSync=no, which ZooKeeper does not tell."


def judge(session: Session) -> Judgement:
    """By its configuration, where that can be read. KazooException, KazooTimeoutError."""
    found = session.call_all([("get", _CONFIG)])[0]
    servers = 0 if isinstance(found, Exception) else found[0].decode().count("server.")
    if servers > 2:
        most = f"{servers} ZooKeeper servers: a claim is on the disks of most of them before it is confirmed."
        return Promise.STRICT, (most, _DISKS)
    one = "While the one ZooKeeper server is down, nothing starts; of three, one may be down."
    return Promise.STRICT, (
        one if servers else "While most ZooKeeper servers are down, nothing starts.",
        _DISKS,
    )
