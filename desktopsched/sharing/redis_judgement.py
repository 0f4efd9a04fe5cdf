"""What a Redis server's settings promise. At best it forgets nothing that it confirmed a second ago."""

from typing import Any, cast

import redis

from desktopsched.sharing.safety import Judgement, Promise

OLDEST = 5
"""Version: scripts of older ones may not ask for the time and then write."""


def judge(server: redis.Redis) -> Judgement:
    """Read its settings. redis.RedisError."""
    info = server.info()
    hopeless = _hopeless(info)
    if hopeless:
        return Promise.NONE, hopeless
    fsync = _setting(server, "appendfsync")
    if fsync == "always":
        why = "Redis writes each claim to its disk before it confirms it (appendfsync always)"
        return Promise.BEST_EFFORT, (f"{why}, but a replica that takes over may not have it yet.",)
    often = "once a second (appendfsync everysec)" if fsync == "everysec" else "when the system likes"
    why = f"Redis writes claims to its disk {often}: a loss of power there forgets the last ones"
    return Promise.BEST_EFFORT, (f"{why}. With appendfsync always it forgets none.",)


def _hopeless(info: dict[str, Any]) -> tuple[str, ...]:
    """Why this server cannot be used at all."""
    reasons = []
    version = str(info.get("redis_version", "0"))
    if int(version.partition(".")[0]) < OLDEST:
        reasons.append(f"This Redis is version {version}; wanted is {OLDEST} or newer.")
    if info.get("role") != "master":
        reasons.append("This Redis server is a replica, and read-only. Give the address of the primary.")
    if not info.get("aof_enabled"):
        reasons.append(
            "Redis keeps no append-only file: when it ends, all claims are gone. Set 'appendonly yes' in redis.conf."
        )
    evicts = info.get("maxmemory_policy", "noeviction") != "noeviction" and info.get("maxmemory", 0)
    if evicts:
        reasons.append(
            f"Redis throws data away when its memory is full (maxmemory-policy {info['maxmemory_policy']}). Set it to"
            " noeviction."
        )
    return tuple(reasons)


def _setting(server: redis.Redis, name: str) -> str:
    """A setting; empty where the server does not tell (those of clouds do not)."""
    try:
        found = cast("dict[str, str]", server.config_get(name))
    except redis.ResponseError:
        return ""
    return found.get(name, "")
