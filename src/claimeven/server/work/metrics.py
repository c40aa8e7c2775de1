"""What a worker tells Prometheus. It has no other door: this one knows one path, and keeps no line."""

import asyncio
import contextlib

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.server.numbers import lines
from claimeven.server.reading.reader import numbers as reading
from claimeven.server.work.worker import Worker

HEAD_SECONDS = 5.0  # for the question
HEAD_BYTES = 8192
HERE = "127.0.0.1"


def place_of(text: str) -> tuple[str, int]:
    """A port of this machine, or an address and a port."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise InputError("option.place", text=quote(text))
    return host.strip("[]") or HERE, int(port)


def told(worker: Worker) -> str:
    agents, studies, count = worker.thinkers.agents, worker.thinkers.studies, worker.counters
    found: dict[str, tuple[float, str]] = {
        "wired": (int(worker.bus.run > 0), "it is connected to NATS"),
        "jobs": (len(worker.jobs), "questions under way"),
        "agents_threads": (agents.threads, "threads for agents"),
        "agents_busy": (agents.busy, "agents thinking"),
        "agents_waiting": (agents.waiting, "agents waiting for a thread"),
        "studies_threads": (studies.threads, "threads for studies"),
        "studies_busy": (studies.busy, "studies under way"),
        "studies_waiting": (studies.waiting, "studies waiting for a thread"),
        "taken_total": (count["taken"], "questions taken"),
        "refused_total": (count["refused"], "questions for which there was no time"),
        "answered_total": (count["answered"], "questions answered"),
        "failed_total": (count["failed"], "questions that failed"),
        "late_total": (count["late"], "questions that took too long"),
        "dropped_total": (count["dropped"], "questions that nobody waited for any more"),
    }
    return "\n".join([*lines("claimeven_work", found), *reading(worker.reader)]) + "\n"


async def serve(worker: Worker, host: str, port: int) -> asyncio.Server:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(
            OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
        ):
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            is_asked = head.startswith((b"GET /metrics ", b"HEAD /metrics "))
            body = told(worker).encode() if is_asked else b""
            kind = "Content-Type: text/plain; version=0.0.4\r\nConnection: close\r\n"
            status = "200 OK" if is_asked else "404 Not Found"
            writer.write(f"HTTP/1.1 {status}\r\n{kind}Content-Length: {len(body)}\r\n\r\n".encode())
            writer.write(b"" if head.startswith(b"HEAD") else body)
            await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, host, port, limit=HEAD_BYTES)
