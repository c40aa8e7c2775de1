"""A real `claimeven serve` in a process of its own, on a port that stays the same when it starts again."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


class ServerProcess:
    def __init__(self, folder: Path, tcp: bool = False, database: str | None = None) -> None:
        self.port = free_port()
        self.tcp_port = free_port() if tcp else 0
        self.file = folder / "games.db"
        self.database = database or f"sqlite:///{self.file}"
        self.log = folder / "server.log"
        self.starts = 0
        self._process: subprocess.Popen[bytes] | None = None

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
        command = [
            sys.executable,
            "-m",
            "claimeven",
            "serve",
            "--log",
            "warning",
            "--database",
            self.database,
        ]
        command += ["--port", str(self.port), "--tcp-port", str(self.tcp_port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.starts += 1
        if wait:
            self.wait()

    def wait(self) -> None:
        """Until it answers."""
        while not self.answers():
            assert self.is_alive, self.log.read_text()
            time.sleep(0.05)

    def answers(self) -> bool:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{self.address}/api/health", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """As a power cut would: nothing is said or written any more."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """As an operator would."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(timeout=30)

    def resident(self) -> int:
        """Bytes of memory."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise ProcessLookupError(self.pid)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self.is_alive:
            self.kill()
