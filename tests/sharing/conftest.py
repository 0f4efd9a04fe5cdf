"""Stores for the suites. A server is started once for all tests of its kind, which run one after another."""

from collections.abc import Callable, Iterator

import pytest

from desktopsched.sharing.store import Store
from tests.sharing.places import KINDS, SERVERS, Place, new_list, place_of

Join = Callable[[], Store]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every kind of store in turn. The one in memory is for other rooms' tests; a file is behind no network."""
    chosen = any(mark.args[0] == "place" for mark in metafunc.definition.iter_markers("parametrize"))
    if "place" in metafunc.fixturenames and not chosen:
        module = metafunc.module.__name__.rpartition(".")[2]
        kinds = {"test_contract": ("memory", *KINDS), "test_network": tuple(SERVERS)}.get(module, KINDS)
        metafunc.parametrize("place", kinds, indirect=True, scope="session")


@pytest.fixture(scope="session")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One kind of store. For the session: a server that came with a test would be left behind by it."""
    with place_of(request.param, tmp_path_factory.mktemp(request.param)) as one:
        yield one


@pytest.fixture
def list_id() -> str:
    """A list of the test's own."""
    return new_list()


@pytest.fixture
def join(place: Place) -> Iterator[Join]:
    """Open the store once more, as another computer would."""
    opened: list[Store] = []

    def one_more() -> Store:
        opened.append(place.open())
        return opened[-1]

    yield one_more
    for store in opened:
        store.close()


@pytest.fixture
def store(join: Join) -> Store:
    """The store, as one computer has it."""
    return join()


@pytest.fixture
def other(join: Join) -> Store:
    """The same, as another has it."""
    return join()
