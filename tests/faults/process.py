"""A real `claimeven serve` in a process of its own, on a port that stays the same when it starts again."""

import errno
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from kit.forked import Forked

PLANTED = Path(__file__).with_name("planted.py")


def free_port() -> int:
    """A port that is ours while this process lives, also when no server listens at it for a moment.

    It is below those that the system gives to outgoing lines, and other rounds of games see that it is taken.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_768)
        sign = socket.socket(socket.AF_UNIX)
        try:
            sign.bind(f"\0claimeven-tests-{port}")
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", port))
        except OSError as error:
            sign.close()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            sign.detach()  # open until the process ends
            return port


class NotStartedError(RuntimeError):
    """It ended instead; its last words."""


class ServerProcess:
    def __init__(
        self,
        folder: Path,
        tcp: bool = False,
        database: str | None = None,
        variables: Mapping[str, str] | None = None,
        defects: Sequence[str] = (),
        python: str = sys.executable,
        log_level: str = "warning",
    ) -> None:
        """`variables` are of its environment, `defects` those of planted.py that it has; another `python` may
        have another version of the server."""
        self.port = free_port()
        self.tcp_port = free_port() if tcp else 0
        self.file = folder / "games.db"
        self.database = database or f"sqlite:///{self.file}"
        self.log = folder / "server.log"
        self.starts = 0
        self._folder = folder
        self._variables = dict(variables or {})
        self._defects = list(defects)
        self._python = python
        self._log_level = log_level
        self._process: subprocess.Popen[bytes] | None = None

    def second(self) -> "ServerProcess":
        """Another one on the same database, at other ports; not started."""
        return ServerProcess(self._folder, self.tcp_port != 0, self.database, self._variables, self._defects)

    @property
    def is_on_sqlite(self) -> bool:
        return self.database.startswith("sqlite:")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, wait: bool = True) -> None:
        program = [str(PLANTED), *self._defects, "--"] if self._defects else ["-m", "claimeven"]
        command = [self._python, *program, "serve", "--log", self._log_level, "--database", self.database]
        command += ["--port", str(self.port), "--tcp-port", str(self.tcp_port)]
        with self.log.open("ab") as log:
            self._process = Forked(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self._variables},
            )
        self.starts += 1
        if wait:
            self.wait()

    def wait(self) -> None:
        """Until it answers."""
        while not self.answers():
            if not self.is_alive:
                raise NotStartedError(self.log.read_text(errors="replace")[-1000:])
            time.sleep(0.05)

    def answers(self, path: str = "/api/health") -> bool:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{self.address}{path}", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def listens(self) -> bool:
        """Whether anybody is let in at its port."""
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Nothing is said or written any more; what was written stays, for the system lives."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """As an operator would."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(timeout=30)

    def ended(self, seconds: float) -> int | None:
        """Its exit code, if it ends within so many seconds."""
        assert self._process is not None
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def resident(self, kind: str = "VmRSS") -> int:
        """Bytes of memory."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(f"{kind}:"):
                return int(line.split()[1]) * 1024
        raise ProcessLookupError(self.pid)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self.is_alive:
            self.kill()
