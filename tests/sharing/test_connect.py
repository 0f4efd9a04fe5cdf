"""Packages that speak to servers: loaded when their kind of address is used, and named when they are not installed."""

import subprocess
import sys

import pytest

from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.connect import open_store
from tests.sharing import places
from tests.sharing.servers import Missing, Server

SPEAKERS = {
    "postgresql": ("psycopg", "postgres"),
    "mysql": ("pymysql", "mysql"),
    "mariadb": ("pymysql", "mysql"),
    "sqlite": ("sqlalchemy", "sqlite"),
    "redis": ("redis", "redis"),
    "rediss": ("redis", "redis"),
    "zookeeper": ("kazoo", "zookeeper"),
}

WITHOUT = """
import sys
from desktopsched.sharing import connect, errors
_, package, url = sys.argv
sys.modules[package] = None  # as if it were not there
try:
    connect.open_store(url)
except errors.MissingPackageError as error:
    print(error)
"""

LOAD = """
import sys
from desktopsched.sharing import connect, store, rescue, fence, offset, persistence
found = {"sqlalchemy", "psycopg", "pymysql", "redis", "kazoo"} & set(sys.modules)
print(*sorted(found))
"""


@pytest.mark.parametrize("kind", SPEAKERS)
def test_a_package_that_is_not_installed_is_named_with_what_installs_it(kind: str) -> None:
    package, extra = SPEAKERS[kind]
    url = "sqlite:////x.db" if kind == "sqlite" else f"{kind}://host/0"
    told = subprocess.run(
        (sys.executable, "-c", WITHOUT, package, url), capture_output=True, text=True, check=True
    ).stdout
    assert f"the Python package '{package}'" in told
    assert f"pip install 'desktopsched[{extra}]'" in told


def test_nothing_that_speaks_to_a_server_is_loaded_before_it_is_used() -> None:
    told = subprocess.run((sys.executable, "-c", LOAD), capture_output=True, text=True, check=True)
    assert told.stdout == "\n"


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ann:s3cret@127.0.0.1:1/db?ssl_ca=/nowhere.pem",
        "rediss://:s3cret@127.0.0.1:1/0?ssl_ca_certs=/nowhere.pem",
    ],
)
def test_a_certificate_that_is_not_there_is_no_answer_and_not_the_end_of_who_asks(url: str) -> None:
    store = open_store(url)
    answer = store.now()
    store.close()
    assert isinstance(answer, Unknown)
    assert "s3cret" not in answer.reason


class Nowhere(Server):
    """A server that nobody has."""

    kind = "nowhere"
    url = ""

    def prepare(self) -> None:
        raise Missing("Nowhere")

    def command(self) -> tuple[str, ...]:
        return ()

    def is_ready(self) -> bool:
        return False


def test_without_its_server_a_test_is_skipped_for_a_person_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(places, "REQUIRED", False)
    with pytest.raises(pytest.skip.Exception, match=r"Nowhere is not installed: .*test-servers\.sh"):
        places.started(Nowhere)
    monkeypatch.setattr(places, "REQUIRED", True)
    with pytest.raises(pytest.fail.Exception, match="Nowhere is not installed"):
        places.started(Nowhere)
