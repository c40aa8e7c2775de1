"""`claimeven work` beside the servers: what it does not answer they think themselves."""

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from faults.process import PLANTED


class Worker:
    def __init__(self, nats: str, log: Path, defects: Sequence[str] = ()) -> None:
        program = [str(PLANTED), *defects, "--"] if defects else ["-m", "claimeven"]
        self._command = [sys.executable, *program, "work", "--nats", nats, "--threads", "2"]
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def faults(self) -> list[str]:
        """That it ended by itself, or said that something is wrong with it."""
        lines = self._log.read_text(errors="replace").splitlines()
        said = [line for line in lines if "Traceback" in line or '"trace"' in line]
        is_gone = self._process is not None and self._process.poll() is not None
        return [*(["the worker ended by itself"] if is_gone else []), *(f"worker: {line}" for line in said)]
