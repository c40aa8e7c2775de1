"""A program in a process of its own that answers one line with one line."""

import collections
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping, Sequence

from claimeven.agents.agent import AgentError, AgentNonsenseError, AgentTimeoutError
from claimeven.notation import quote

LONGEST = 10_000  # characters of an answer; more is nonsense
_PATIENCE = 0.02  # seconds between two looks at the stop event


class Child:
    """Started when it is made. Whatever goes wrong is an AgentError, and then the program is gone."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **(environment or {})},
                start_new_session=True,  # so that what it starts can be ended with it
            )
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise AgentError(f"{quote(command[0])} cannot be started: {reason}") from None
        self._answers: queue.Queue[bytes | None] = queue.Queue(maxsize=100)  # None: there will be no more
        self._complaints: collections.deque[bytes] = collections.deque(maxlen=5)
        threading.Thread(target=self._read_answers, daemon=True).start()
        self._listener = threading.Thread(target=self._read_complaints, daemon=True)
        self._listener.start()
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def ask(self, line: str, seconds: float | None, stop: threading.Event | None = None) -> str:
        """Send a line, wait for one. After an error the program is ended."""
        try:
            return self._ask(line, seconds, stop)
        except AgentError:
            self.close()
            raise

    def close(self) -> None:
        self._end()

    def _ask(self, line: str, seconds: float | None, stop: threading.Event | None) -> str:
        deadline = None if seconds is None else time.monotonic() + seconds
        with contextlib.suppress(queue.Empty):
            for _ in range(self._answers.maxsize):  # what it said without being asked
                if self._answers.get_nowait() is None:
                    raise AgentError(self._obituary())
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except OSError:
            raise AgentError(self._obituary()) from None
        while True:
            left = _PATIENCE if deadline is None else min(_PATIENCE, deadline - time.monotonic())
            try:
                answer = self._answers.get(timeout=max(left, 0.001))
                break
            except queue.Empty:
                if deadline is not None and time.monotonic() >= deadline:
                    raise AgentTimeoutError(f"no answer within {seconds:g} s") from None
                if stop is not None and stop.is_set():
                    raise AgentTimeoutError("told to stop before it had answered") from None
        if answer is None:
            raise AgentError(self._obituary())
        if not answer.endswith(b"\n"):
            raise AgentNonsenseError(f"the answer has no end: {quote(answer.decode(errors='replace'))}")
        return answer.decode(errors="replace").strip()

    def _read_answers(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while answer := stream.readline(LONGEST):
                self._answers.put(answer)
        self._answers.put(None)

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            while complaint := stream.readline(LONGEST):
                self._complaints.append(complaint)

    def _obituary(self) -> str:
        """How it ended, with the last line that it complained of."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
            self._listener.join(timeout=1)  # what it said last may still be on its way
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with exit code {code}"
        last = next((line for line in reversed(self._complaints) if line.strip()), b"")
        said = last.decode(errors="replace").strip()
        return f"the program {how}" + (f": {quote(said, 200)}" if said else "")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and all that it started, and forget it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    process.wait()
