"""The cluster: performs commands and scripts there. The face of this room; `perform` is called on pool threads."""

import contextlib
from collections.abc import Callable, Iterator

from desktopsched.actions.ending import outcome_of_ending, with_note
from desktopsched.actions.environment import own_environment
from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.launch import NO_COMMAND
from desktopsched.actions.output import new_output
from desktopsched.actions.surroundings import Surroundings
from desktopsched.cluster.connections import LINGER, Connections
from desktopsched.cluster.errors import ClusterError
from desktopsched.cluster.job import PATIENCE, Job
from desktopsched.model import Command, Outcome, Run, Script, Secret, State
from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.output import Output

NO_ADDRESS = (
    "The task runs on a Dask cluster, and the preferences have no address of one. Write the address of its scheduler"
    " there, such as tcp://10.0.0.5:8786, or let the task run on this computer."
)
NOT_ENCRYPTED = (
    "The task has secrets, and the connection to the Dask cluster at {} is not encrypted. Use a scheduler with a tls://"
    " address, or let the task run on this computer."
)


class Cluster:
    """Holds the connections. Nothing of Dask is imported before the first run, or test, that needs it."""

    def __init__(
        self, address: Callable[[], str], *, linger: float = LINGER, patience: float = PATIENCE
    ) -> None:
        """`address`: of the scheduler, as the preferences have it now; empty: there is none."""
        self._address = address
        self._patience = patience
        self._connections = Connections(linger=linger)

    def perform(self, action: Command | Script, run: Run, around: Surroundings) -> Outcome:
        """Run it there, and say how it ended. Raises any DesktopschedError: then it failed, or never began."""
        address = self._address()
        if not address:
            raise ClusterError(NO_ADDRESS)
        if not address.startswith("tls://") and any(
            isinstance(value, Secret) for value in action.env.values()
        ):
            raise ClusterError(NOT_ENCRYPTED.format(address))
        job = job_of(action, run, around, self._patience)
        try:
            ending = self._follow(address, job, run, around)
        except ClusterError as error:
            if run.stop.reason is None:
                raise
            return with_note(
                Outcome(State.CANCELLED, run.stop.reason), str(error)
            )  # it is not to be tried again
        return outcome_of_ending(
            ending, success_codes=action.success_codes, timeout=action.timeout, grace=around.grace
        )

    def _follow(self, address: str, job: Job, run: Run, around: Surroundings) -> Ending:
        from desktopsched.cluster.follow import Follower  # brings asyncio: 15 ms of each start of the program

        with self._connections.borrow(address) as client, _output(run, around) as output:
            follower = Follower(client, job, run, output)
            with contextlib.closing(follower):
                ending = follower.follow()
        ending.note = output.note or ending.note
        return ending

    def close(self) -> None:
        """Let go of all connections. Nothing runs there for this program any more."""
        self._connections.close()


@contextlib.contextmanager
def _output(run: Run, around: Surroundings) -> Iterator[Output]:
    output = new_output(
        lambda: around.open_log(run.task_id, run.id), lambda text: around.on_output(run, text), ()
    )
    try:
        yield output
    finally:
        output.close()


def job_of(action: Command | Script, run: Run, around: Surroundings, patience: float) -> Job:
    """What a worker needs to know. Raises CannotStartError."""
    env = own_environment(action.env, run, around.read_secret)
    script = action if isinstance(action, Script) else None
    command = action if isinstance(action, Command) else None
    if command is not None and not command.shell and not (command.argv and command.argv[0]):
        raise CannotStartError(NO_COMMAND)
    return Job(
        argv=command.argv if command else (),
        shell=command.shell if command else "",
        interpreter=script.interpreter if script else "",
        text=script.text if script else "",
        cwd=action.cwd,
        env=env.variables,
        mark=env.token,
        secrets=env.secrets,
        timeout=action.timeout,
        grace=around.grace,
        patience=patience,
    )
