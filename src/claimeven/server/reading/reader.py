"""The reader as the server sees it. A thread would hold the interpreter while it reads: games need it too."""

import subprocess
import sys
import threading
from collections import Counter

import msgspec

from claimeven.server.errors import RefusedError
from claimeven.server.numbers import lines
from claimeven.server.reading.talk import Answer
from claimeven.server.reading.texts import Text
from claimeven.server.shares import Asker, Crew, Rank

MAX_SECONDS = 20.0  # for one text; then the program is ended, and the next text starts another
COMMAND = (sys.executable, "-P", "-m", "claimeven.server.reading.worker")


class Reader:
    """Started when it is first needed. One text at a time, and visitors take turns."""

    def __init__(self) -> None:
        self.turns = Crew(1, "reader")
        self.counters: Counter[str] = Counter()
        self._process: subprocess.Popen[bytes] | None = None

    async def ask(self, wish: Text, visitor: str) -> Answer:
        """RefusedError if the text cannot be read, or not in time."""
        question = msgspec.json.encode(wish)
        answer = await self.turns.run(lambda: self._talk(question), Asker(Rank.ASIDE, visitor))
        if answer.refused is not None:
            raise RefusedError.told(answer.refused.code, answer.refused.message, answer.refused.detail)
        if answer == Answer():
            raise RuntimeError("the reader failed")
        return answer

    def close(self) -> None:
        self.turns.close()
        self._end()

    def _talk(self, question: bytes) -> Answer:
        """In the thread of its own, which only waits."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        alarm = threading.Timer(MAX_SECONDS, process.kill)
        alarm.start()
        try:
            process.stdin.write(question + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):  # it was ended, or the server ends
            line = b""
        finally:
            alarm.cancel()
        self.counters["read" if line else "given_up"] += 1
        if not line:
            self._end()
            raise RefusedError("too_long.reading")
        return msgspec.json.decode(line, type=Answer)

    def _start(self) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, MemoryError):  # no memory, no files
            raise RefusedError("busy.asking") from None

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def numbers(reader: Reader | None) -> list[str]:
    """For Prometheus, also before there was a text to read."""
    busy, waiting = (0, 0) if reader is None else (reader.turns.busy, reader.turns.waiting)
    count: Counter[str] = Counter() if reader is None else reader.counters
    found: dict[str, tuple[float, str]] = {
        "busy": (busy, "long texts being read"),
        "waiting": (waiting, "long texts that wait to be read"),
        "read_total": (count["read"], "long texts read"),
        "given_up_total": (count["given_up"], "long texts that could not be read in time"),
    }
    return lines("claimeven_reader", found)
