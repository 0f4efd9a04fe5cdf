"""What workers are sent: it is whole, it is the same each time, and it works where this program is not installed."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from desktopsched.cluster.baggage import baggage
from desktopsched.cluster.errand import UNSTARTED
from desktopsched.cluster.job import Job
from desktopsched.supervisor.frames import ENDED, ORDER, OUTPUT, Frames, frame
from desktopsched.supervisor.result import decode_ending

# As `relay` begins it, with no package of others in reach: -I and -S leave the standard library.
_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from desktopsched.cluster.errand import main; main()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As a worker has it."""
    zipfile.ZipFile(io.BytesIO(baggage()[1])).extractall(tmp_path / "there")
    return tmp_path / "there"


def job(*argv: str, patience: float = 60.0) -> Job:
    return Job(
        argv=argv,
        cwd="",
        env={"WHO": "me"},
        mark="m",
        secrets=["hush-hush"],
        timeout=None,
        grace=1.0,
        patience=patience,
    )


def errand(folder: Path, data: bytes, *, leave: bool = False) -> list[tuple[bytes, bytes]]:
    """Everything that it says; with `leave` its worker is gone at once."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _BEGIN, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdin, process.stdout, process.stderr:
        process.stdin.write(data)
        process.stdin.flush()
        if leave:
            process.stdin.close()
        said = process.stdout.read()
        errors = process.stderr.read()
    assert process.wait() == 0
    assert errors == b""
    return list(Frames().feed(said))


def test_it_is_small_and_the_same_each_time() -> None:
    name, packed = baggage()
    baggage.cache_clear()
    assert baggage() == (name, packed)
    assert len(packed) < 60_000


def test_an_errand_needs_nothing_but_the_standard_library(folder: Path) -> None:
    said = errand(folder, frame(ORDER, job("sh", "-c", "echo $WHO says hush-hush").encode()))
    assert [kind for kind, _ in said] == [OUTPUT, ENDED]
    assert said[0][1] == b"me says ***\n"
    ending = decode_ending(said[1][1])
    assert ending is not None
    assert ending.code == 0


def test_an_errand_says_why_it_could_not_begin(folder: Path) -> None:
    ((kind, words),) = errand(folder, frame(ORDER, job("no-such-program").encode()))
    assert kind == UNSTARTED
    assert words.startswith(b"There is no program 'no-such-program'")


def test_an_errand_whose_worker_is_gone_ends_what_it_runs(folder: Path) -> None:
    said = errand(folder, frame(ORDER, job("sleep", "300").encode()), leave=True)
    ending = decode_ending(said[-1][1])
    assert ending is not None
    assert ending.stopped == "its worker, or the program that wanted it, is gone"


def test_an_errand_whose_worker_is_silent_ends_what_it_runs(folder: Path) -> None:
    """It lives, but what the program says does not come through it."""
    said = errand(folder, frame(ORDER, job("sleep", "300", patience=0.2).encode()))
    ending = decode_ending(said[-1][1])
    assert ending is not None
    assert ending.stopped == "its worker, or the program that wanted it, is gone"


def test_an_errand_without_a_whole_job_starts_nothing(folder: Path) -> None:
    order = frame(ORDER, job("touch", str(folder / "started")).encode())
    assert errand(folder, order[:-1], leave=True) == []
    assert not (folder / "started").exists()


def test_a_job_comes_back_from_its_message() -> None:
    one = Job(
        interpreter="bash",
        text="echo 'ü'\n",
        cwd="~",
        env={"A": "ß"},
        mark="m",
        secrets=["x"],
        timeout=1.5,
        grace=10.0,
        patience=30.0,
    )
    again = Job.decode(one.encode())
    assert {name: getattr(again, name) for name in Job.__slots__} == {
        name: getattr(one, name) for name in Job.__slots__
    }
