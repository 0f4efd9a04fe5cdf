"""The log may fail, the listener may fail; the run goes on."""

import errno
import logging

import pytest

from desktopsched.actions.perform import Performer
from desktopsched.model import Command, Outcome, Run, State, StorageError, Task
from desktopsched.supervisor.faces import LogSink
from desktopsched.supervisor.logfile import HEAD
from tests.actions.conftest import Log, Stage, a_run

NO_SPACE = OSError(errno.ENOSPC, "No space left on device")


class Full(Log):
    """A log on a disk that gets full."""

    def __init__(self, error: Exception = NO_SPACE, room: int = 2**20) -> None:
        super().__init__()
        self.error = error
        self.room = room

    def write(self, data: bytes) -> None:
        if len(self.data) + len(data) > self.room:
            raise self.error
        super().write(data)


class FullAtTheEnd(Log):
    def close(self) -> None:
        raise NO_SPACE


def perform(sink: LogSink | Exception, shell: str) -> tuple[Outcome, str]:
    shown: list[str] = []

    def open_log(task_id: str, run_id: int) -> LogSink:
        if isinstance(sink, Exception):
            raise sink
        return sink

    performer = Performer(open_log, on_output=lambda run, text: shown.append(text))
    return performer.perform(Task(id="task", name="Task", action=Command(shell=shell)), a_run()), "".join(
        shown
    )


def why_stored(cause: OSError) -> StorageError:
    error = StorageError("The log of run 7 cannot be written.")
    error.__cause__ = cause
    return error


@pytest.mark.logs_warnings
@pytest.mark.parametrize("error", [NO_SPACE, why_stored(NO_SPACE)])
def test_l13_full_disk_cuts_the_log_and_the_run_goes_on(error: Exception) -> None:
    sink = Full(error)
    outcome, text = perform(sink, "seq 1 500000; exit 3")
    assert outcome == Outcome(State.FAILED, "exit code 3; log cut: no space", 3)
    assert "\nlog cut: no space\n" in text
    assert text.endswith("\n500000\n")
    assert 0 < len(sink.data) <= 2**20
    assert sink.closed
    assert perform(Full(), "echo hi")[0] == Outcome(State.SUCCEEDED, exit_code=0)


@pytest.mark.logs_warnings
def test_l13_log_that_cannot_be_opened_does_not_stop_the_run() -> None:
    outcome, text = perform(NO_SPACE, "echo hi")
    assert outcome == Outcome(State.SUCCEEDED, "log cut: no space", 0)
    assert text.endswith("hi\n")


@pytest.mark.logs_warnings
def test_l13_log_that_cannot_be_closed_is_said() -> None:
    assert perform(FullAtTheEnd(), "echo hi")[0].reason == "log cut: no space"


@pytest.mark.logs_warnings
def test_another_failure_of_the_log_is_named() -> None:
    outcome, _ = perform(Full(OSError(errno.EIO, "Input/output error"), 0), "echo hi")
    assert outcome.reason == "log cut: Input/output error"
    assert perform(StorageError("Not here."), "true")[0].reason == "log cut: Not here."


def test_failing_listener_is_logged_once_and_disturbs_nothing(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(run: Run, text: str) -> None:
        raise RuntimeError("a bug of a listener")

    stage.set_up(on_output=fail)
    assert stage.shell("seq 1 100000").state is State.SUCCEEDED
    assert stage.log.data.endswith(b"\n100000\n")
    assert [record.getMessage() for record in caplog.records] == ["a listener of the output failed"]
    assert caplog.records[0].exc_info is not None
    assert caplog.records[0].levelno == logging.ERROR
    caplog.clear()


# --- the same, where a supervisor keeps the log ------------------------------------------------------------


@pytest.mark.logs_warnings
@pytest.mark.parametrize("error", [NO_SPACE, why_stored(NO_SPACE)])
def test_l13_a_supervised_run_goes_on_without_a_log_where_none_can_begin(
    supervised: Stage, error: Exception
) -> None:
    assert supervised.desk is not None
    supervised.desk.log_error = error
    assert supervised.shell("echo hi") == Outcome(State.SUCCEEDED, "log cut: no space", 0)
    assert supervised.text == "log cut: no space\nhi\n"


@pytest.mark.logs_warnings
def test_l13_a_supervised_run_goes_on_when_its_log_is_cut(supervised: Stage) -> None:
    assert supervised.desk is not None
    log = supervised.desk.folder / "log 2" / "run.log"
    block = (
        f"until test -s '{log}'; do sleep 0.01; done; mkdir '{log}.{HEAD}'"  # where it goes on after its head
    )
    outcome = supervised.shell(f"echo begin; {block}; head -c 3000000 /dev/zero; echo; echo end")
    assert outcome == Outcome(State.SUCCEEDED, "log cut: Is a directory", 0)
    assert supervised.desk.logs[-1].path.stat().st_size == HEAD
    assert "\nlog cut: Is a directory\n" in supervised.text
    assert supervised.text.endswith("\nend\n")
