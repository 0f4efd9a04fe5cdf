"""Real servers for claims: on the loopback, in folders of their own, each a child of this process and ended by it.

`Missing` says what is not installed; packaging/test-servers.sh installs all of it on Debian and its relatives.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

START_WITHIN = 60.0
"""Seconds for a server to be ready: a Java machine on a busy computer takes its time."""


class Missing(Exception):  # noqa: N818 - nothing went wrong
    """A server is not installed here."""


class NotReadyError(Exception):
    """A server did not come up."""


def free_port() -> int:
    """A port of the loopback that nobody has at present; none of those that the system lends to whoever connects.

    Nor one that the other processes of a run look for: each of them has every sixteenth port for itself.
    """
    turn = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 16
    while True:
        port = 20_000 + secrets.randbelow(750) * 16 + turn
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server(ABC):
    """One server. `kill` is a crash: what it confirmed must be there after the next `start`."""

    kind: str

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"desktopsched-{self.kind}-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    @abstractmethod
    def url(self) -> str:
        """For `open_store`, by way of `port`."""

    @abstractmethod
    def prepare(self) -> None:
        """Once, before the first start. Missing."""

    @abstractmethod
    def command(self) -> Sequence[str]:
        """What is to be run."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it answers."""

    def url_at(self, port: int) -> str:
        """The same, at a proxy's port."""
        return self.url.replace(f":{self.port}", f":{port}")

    def start(self) -> None:
        """Run it, and wait until it answers."""
        log = (self.folder / "log").open("ab")
        with log:
            self._process = self.spawn(self.command(), stdout=log, stderr=log)
        until = time.monotonic() + START_WITHIN
        while not self.is_ready():
            if self._process.poll() is not None or time.monotonic() > until:
                raise NotReadyError((self.folder / "log").read_text(errors="replace")[-2000:])
            time.sleep(0.02)  # a real process is the subject

    def spawn(self, command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
        """Start one of its programs."""
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, **more)

    def send(self, number: int) -> None:
        """SIGSTOP, SIGCONT …"""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """A crash, of all of it."""
        assert self._process is not None
        all_of_it = psutil.Process(self._process.pid).children(recursive=True)
        self._process.kill()
        self._process.wait()
        for one in all_of_it:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        psutil.wait_procs(all_of_it, timeout=10)

    def close(self) -> None:
        """End it, and remove what it kept."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(getattr(signal, self.polite))
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    polite = "SIGTERM"


class PostgresServer(Server):
    """PostgreSQL, which refuses to be root: then it is the user `postgres`."""

    kind = "postgresql"
    polite = "SIGQUIT"  # nothing of it is wanted any more, so it need not write anything
    more: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return f"postgresql://postgres:s3cret@127.0.0.1:{self.port}/postgres"

    def prepare(self) -> None:
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        found = shutil.which(
            "initdb", path=os.pathsep.join([*map(str, reversed(programs)), os.environ.get("PATH", "")])
        )
        if found is None:
            raise Missing("PostgreSQL (Debian: postgresql)")
        self._programs = Path(found).parent
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self.folder, self._user, self._user)
        initdb = (
            str(self._programs / "initdb"),
            "-D",
            "data",
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "-N",
        )
        with self.spawn(initdb, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as made:
            _, errors = made.communicate()
        if made.returncode:
            raise NotReadyError(errors.decode(errors="replace"))

    def command(self) -> Sequence[str]:
        # No autovacuum: its workers come and go, and are taken for processes that a test left behind.
        settings = ("autovacuum=off", "shared_buffers=16MB", "listen_addresses=127.0.0.1", *self.more)
        options = [word for setting in settings for word in ("-c", setting)]
        place = ("-D", "data", "-p", str(self.port), "-k", str(self.folder))
        return (str(self._programs / "postgres"), *place, *options)

    def spawn(self, command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
        if self._user:
            more |= {"user": self._user, "group": self._user, "extra_groups": []}
        return super().spawn(command, **more)

    def is_ready(self) -> bool:
        asked = (str(self._programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port))
        return subprocess.run(asked, check=False).returncode == 0


class UnsafePostgres(PostgresServer):
    """One that does not care for the disk."""

    more = ("fsync=off", "synchronous_commit=off")


class MysqlServer(Server):
    """MariaDB or MySQL, whichever is here."""

    kind = "mysql"

    @property
    def url(self) -> str:
        return f"mysql://root:@127.0.0.1:{self.port}/claims"

    def prepare(self) -> None:
        path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/libexec"])
        server = shutil.which("mariadbd", path=path) or shutil.which("mysqld", path=path)
        if server is None:
            raise Missing("MariaDB (Debian: mariadb-server)")
        self._server = server
        self._me = ("--user=root",) if os.geteuid() == 0 else ()
        install = shutil.which("mariadb-install-db") or shutil.which("mysql_install_db")
        data = f"--datadir={self.folder / 'data'}"
        if install:
            make: tuple[str, ...] = (
                install,
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                data,
            )
        else:
            make = (server, "--no-defaults", "--initialize-insecure", data)
        subprocess.run((*make, *self._me), check=True, capture_output=True)

    def command(self) -> Sequence[str]:
        first = self.folder / "first.sql"
        first.write_text("CREATE DATABASE IF NOT EXISTS claims;\n")
        socket_ = f"--socket={self.folder / 's'}"
        place = (
            f"--datadir={self.folder / 'data'}",
            f"--port={self.port}",
            socket_,
            "--bind-address=127.0.0.1",
        )
        small = ("--innodb-buffer-pool-size=16M", "--skip-log-bin", f"--init-file={first}")
        return (self._server, "--no-defaults", *place, *small, *self._me)

    def is_ready(self) -> bool:
        import pymysql

        try:
            pymysql.connect(host="127.0.0.1", port=self.port, user="root", database="claims").close()
        except pymysql.Error:
            return False
        return True


class RedisServer(Server):
    """Redis with its append-only file."""

    kind = "redis"
    more: tuple[str, ...] = ("--appendonly", "yes", "--appendfsync", "everysec")

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def prepare(self) -> None:
        found = shutil.which("redis-server")
        if found is None:
            raise Missing("Redis (Debian: redis-server)")
        self._server = found

    def command(self) -> Sequence[str]:
        place = ("--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder))
        # A rewrite of the file is done by a child, which is taken for a process that a test left behind.
        return (self._server, *place, "--save", "", "--auto-aof-rewrite-percentage", "0", *self.more)

    def is_ready(self) -> bool:
        return said(self.port, b"PING\r\n").startswith(b"+PONG")


class ForgetfulRedis(RedisServer):
    """One that keeps nothing."""

    more = ("--appendonly", "no")


class ZooKeeperServer(Server):
    """ZooKeeper, alone."""

    kind = "zookeeper"
    polite = "SIGKILL"  # it takes its time otherwise, and nothing of it is wanted any more

    @property
    def url(self) -> str:
        return f"zookeeper://127.0.0.1:{self.port}/tests"

    def prepare(self) -> None:
        java = shutil.which("java")
        jars = [str(jar) for jar in Path("/usr/share/java").glob("zookeeper*.jar")]
        if java is None or not jars:
            raise Missing("ZooKeeper (Debian: zookeeper)")
        self._run = (java, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ":".join(jars))
        settings = {
            "tickTime": 500,  # so sessions of 1 to 10 s
            "dataDir": self.folder / "data",
            "clientPort": self.port,
            "clientPortAddress": "127.0.0.1",
            "admin.enableServer": "false",
            "4lw.commands.whitelist": "ruok,srvr",
            "maxClientCnxns": 0,
        }
        (self.folder / "zoo.cfg").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    def command(self) -> Sequence[str]:
        return (*self._run, "org.apache.zookeeper.server.quorum.QuorumPeerMain", str(self.folder / "zoo.cfg"))

    def is_ready(self) -> bool:
        return said(self.port, b"ruok") == b"imok" and b"Mode:" in said(self.port, b"srvr")


def said(port: int, question: bytes) -> bytes:
    """What a server says; nothing if it does not."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(question)
            return connection.recv(4096)
    except OSError:
        return b""
