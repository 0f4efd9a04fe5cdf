"""Opening a connection to a cluster, and what can be said of it. The first call imports Dask, which takes a second.

For any thread but a window's.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from desktopsched.cluster.errors import ClusterError
from desktopsched.cluster.relay import relay
from desktopsched.model.extras import how_to_get

if TYPE_CHECKING:
    from distributed import Client

CONNECT = 10.0
"""Seconds that a scheduler has to answer."""


def open_client(address: str) -> "Client":
    """A connection to the scheduler at this address. ClusterError: it is not there, or not of our version."""
    client = _connected(address, _library())
    try:
        _check_versions(client, address)
    except BaseException:
        close(client)
        raise
    return client


def close(client: "Client") -> None:
    """Let go of it. One that is lost already has nothing more to say; one that was refused lacks most of its parts."""
    with contextlib.suppress(OSError, TimeoutError, RuntimeError, AttributeError):
        client.close(timeout=2)
    client.desktopsched_loop.close()


def describe(address: str) -> str:
    """What is at this address, in a sentence. ClusterError."""
    client = open_client(address)
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        threads = sum(worker["nthreads"] for worker in workers)
        versions = _versions(client, address)["scheduler"]
    finally:
        close(client)
    if not workers:
        return "Connected. The cluster has no worker at present: what is sent there waits for one."
    count = "1 worker" if len(workers) == 1 else f"{len(workers):,} workers"
    room = "one run" if threads == 1 else f"{threads:,} runs"
    return f"Connected: {count} with room for {room} at once; distributed {_of(versions, 'distributed')}."


def carried_relay() -> Callable[..., str]:
    """`relay`, as a function that travels by value: workers need not have this program."""
    import cloudpickle

    from desktopsched.cluster import relay as module

    cloudpickle.register_pickle_by_value(module)
    try:
        packed = cloudpickle.dumps(relay)
    finally:
        cloudpickle.unregister_pickle_by_value(module)

    # What is defined inside a function is not looked for by its name where it arrives.
    def carried(*arguments: object) -> str:
        import pickle

        return str(pickle.loads(packed)(*arguments))  # noqa: S301 - packed ten lines above

    return carried


def mismatch(versions: Mapping[str, Any]) -> str:
    """What keeps these from working together; empty: nothing. `versions` is as Dask's client tells them."""
    ours = versions["client"]
    others = {"its scheduler": versions["scheduler"], **_named(versions["workers"])}
    for who, said in others.items():
        for name, parts in (("python", 2), ("distributed", 2)):
            here, there = _of(ours, name), _of(said, name)
            if here.split(".")[:parts] != there.split(".")[:parts]:
                return (
                    f"{who} has {_TITLES[name]} {there}, and this program {here}. Have the same on both sides, for"
                    " example by installing that version here."
                )
    return ""


_TITLES = {"python": "Python", "distributed": "the package distributed in version"}


def _named(workers: Mapping[str, Any]) -> dict[str, Any]:
    return {f"its worker {address}": said for address, said in workers.items()}


def _of(said: Mapping[str, Any], name: str) -> str:
    version = str((said.get("packages") or {}).get(name) or "unknown")
    return version.removesuffix(".final.0")


def _check_versions(client: "Client", address: str) -> None:
    if problem := mismatch(_versions(client, address)):
        raise ClusterError(f"The Dask cluster at {address} cannot be used: {problem}")


def _library() -> type["Client"]:
    try:
        import distributed
    except ImportError as error:
        raise ClusterError(
            f"Running on a Dask cluster needs the Python package {error.name or 'distributed'!r}, which is not"
            f" installed. {how_to_get('dask')}"
        ) from error
    # Said in our own words by `mismatch`.
    warnings.filterwarnings("ignore", category=distributed.versions.VersionMismatchWarning)
    client: type[Client] = distributed.Client
    return client


def _connected(address: str, library: Any) -> "Client":
    from desktopsched.cluster.loop import Loop  # brings asyncio

    # In hand before it connects: one that could not is to be closed as well.
    client: Client = library.__new__(library)
    client.desktopsched_loop = Loop()  # they end together
    try:
        _begin(client, address)
    except BaseException:
        close(client)
        raise
    return client


def _begin(client: "Client", address: str) -> None:
    loop = client.desktopsched_loop.loop
    try:
        client.__init__(address, timeout=CONNECT, set_as_default=False, name="desktopsched", loop=loop)
    except (OSError, TimeoutError) as error:
        raise ClusterError(
            f"There is no Dask scheduler at {address}: {_short(error)}. See that it runs and can be reached, or change"
            " the address in the preferences."
        ) from error
    except (ValueError, TypeError, RuntimeError) as error:  # an address, or a certificate, that Dask refuses
        raise ClusterError(
            f"A connection to the Dask scheduler at {address} cannot be made: {_short(error)}. Change the address in"
            " the preferences, or Dask's own configuration."
        ) from error


def _versions(client: "Client", address: str) -> dict[str, Any]:
    try:
        said: dict[str, Any] = client.get_versions()
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"The Dask scheduler at {address} does not answer: {_short(error)}.") from error
    return said


def _short(error: Exception) -> str:
    """The first line of an error, or of what is behind it where it only says that time is over."""
    lines: Iterable[str] = str(error.__cause__ or error).splitlines() or [type(error).__name__]
    text = next(iter(lines)).strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[:2] != text[:2].upper() else text
