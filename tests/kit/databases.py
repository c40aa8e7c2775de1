"""A real PostgreSQL server for tests, from what the system has installed."""

import fcntl
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from kit.places import ROOT

LANGUAGE = ("LANG", "LC_")  # so begin the names of the variables that initdb reads
ROOM = 2**32  # bytes, for a dozen servers at once
REVIVAL_SECONDS = 60.0  # on a machine that others use too


def _programs() -> Path | None:
    """Where Debian puts them, which is not on the path; or else on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    beside = shutil.which("initdb")
    return found[-1].parent if found else Path(beside).resolve().parent if beside is not None else None


@cache
def place() -> Path:
    """Of all their folders, with a short path: sockets need it. In memory, where there is room: a server is a
    thousand files, and on ext4 making them costs up to a second where as many were removed a minute ago."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or shutil.disk_usage(memory).free < ROOM:
        return Path("/tmp")
    ours = memory / f"claimeven-{os.geteuid()}"
    ours.mkdir(exist_ok=True)
    ours.chmod(0o755)  # PostgreSQL has an account of its own
    return ours


class Postgres:
    """A server of its own, which lives in a temporary folder and listens there only."""

    def __init__(self, *settings: str, variables: Mapping[str, str] | None = None) -> None:
        """`variables` are of its environment."""
        programs = _programs()
        if programs is None:
            pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
        self._programs = programs
        self._variables = dict(variables or {})
        self._folder = tempfile.mkdtemp(prefix="pg-", dir=place())
        self._user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(self._folder, self._user)
        self._options = " ".join(
            [f"-c listen_addresses='' -k {self._folder}", *(f"-c {text}" for text in settings)]
        )
        self.url = f"postgresql://{self._user}@/games?host={self._folder}"

    def __enter__(self) -> "Postgres":
        subprocess.run(["cp", "-a", _made(), self._data], check=True)
        self._start()
        return self

    @property
    def kind(self) -> str:
        """What `make` depends on: the programs, whose they are, the language."""
        told = subprocess.check_output([self._programs / "initdb", "--version"], text=True)
        spoken = (f"{name} {os.environ[name]}" for name in sorted(os.environ) if name.startswith(LANGUAGE))
        return re.sub(r"[^\w.]+", "-", " ".join([told, self._user, *spoken]))

    def make(self, to: Path) -> None:
        """What all others are copies of: so it is as small as can be."""
        self._run("initdb", "-D", self._data, "-U", self._user, "-A", "trust", "--no-sync", "--wal-segsize=1")
        self._start()
        renamed = "ALTER DATABASE postgres RENAME TO games"
        self._run("psql", "-h", self._folder, "-U", self._user, "-q", "-c", renamed, "template1")
        self._control("stop", "-m", "fast")
        half = to.with_name("half")
        shutil.rmtree(half, ignore_errors=True)
        subprocess.run(["cp", "-a", self._data, half], check=True)
        half.rename(to)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> None:
        self._control("start", "-o", self._options, "-l", f"{self._folder}/log", "-w")

    def __exit__(self, *_: object) -> None:
        try:
            self._control("stop", "-m", "immediate")
        finally:
            self.remove()

    @property
    def _data(self) -> str:
        return f"{self._folder}/data"

    def _run(self, program: str, *arguments: str) -> None:
        # The server refuses to be run by root.
        command = [str(self._programs / program), *arguments]
        account = self._user if os.geteuid() == 0 else None
        done = subprocess.run(
            command,
            user=account,
            cwd=self._folder,
            env={**os.environ, **self._variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def _control(self, verb: str, *arguments: str) -> None:
        self._run("pg_ctl", verb, "-D", self._data, *arguments)

    def restart(self) -> None:
        """As after a crash: no session ends kindly, and what was written is recovered from its log."""
        self._control("restart", "-m", "immediate", "-o", self._options, "-l", f"{self._folder}/log", "-w")

    def dump(self, to: Path) -> None:
        """As an operator would, while servers use it."""
        kept = f"{self._folder}/dump"
        self._run("pg_dump", "-Fc", "-h", self._folder, "-U", self._user, "-f", kept, "games")
        shutil.copyfile(kept, to)

    def restore(self, dumped: Path) -> None:
        """Into a database that is empty."""
        kept = f"{self._folder}/dump"
        shutil.copyfile(dumped, kept)
        Path(kept).chmod(0o644)
        self._run("pg_restore", "--exit-on-error", "-h", self._folder, "-U", self._user, "-d", "games", kept)

    def revive(self) -> None:
        """As whoever watches over it does: if it ended by itself it starts again. Then it is of use."""
        end = time.monotonic() + REVIVAL_SECONDS
        while not self._answers():
            assert time.monotonic() < end, Path(self._folder, "log").read_text(errors="replace")[-3000:]
            if not self._lives():
                with suppress(AssertionError):  # it may need another try
                    self._start()
            time.sleep(0.1)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _lives(self) -> bool:
        try:
            self._control("status")
        except AssertionError:
            return False
        return True

    @contextmanager
    def hung(self) -> Iterator[None]:
        """None of its processes goes on, as if the line to it were dead."""
        master = int(Path(self._data, "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        pids = [master, *map(int, children)]
        _signal(pids, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal(pids, signal.SIGCONT)


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@cache
def _made() -> Path:
    """The empty database, at rest, kept for all processes: a copy costs a tenth of another one."""
    first = Postgres()
    kept = ROOT / "build" / "postgres" / first.kind
    kept.parent.mkdir(parents=True, exist_ok=True)
    try:
        with (kept.parent / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.is_dir():
                first.make(kept)
    finally:
        first.remove()
    return kept


@contextmanager
def postgres(*settings: str) -> Iterator[str]:
    """The URL of such a server."""
    with Postgres(*settings) as server:
        yield server.url


_numbers = count()


def another(server: str) -> str:
    """The URL of one more database of a server, an empty one: it costs a third of another server."""
    import psycopg

    name = f"another{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f"CREATE DATABASE {name}".encode())
    return server.replace("/games?", f"/{name}?")
