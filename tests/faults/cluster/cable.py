"""A cable between a server and what it stands on, which can be pulled: NATS, PostgreSQL."""

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter
from pathlib import Path


class Cable:
    """While it hangs nothing comes through, and nobody is told: neither end of a line, nor who begins one."""

    def __init__(self, target: int | Path, place: int | Path) -> None:
        """Ports of this machine, or files of sockets."""
        self._target = target
        self._place = place
        self._there, self._back = asyncio.Event(), asyncio.Event()
        self.plug()
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None] | None] = set()

    async def __aenter__(self) -> "Cable":
        if isinstance(self._place, Path):
            self._server = await asyncio.start_unix_server(self._meet, self._place)
            self._place.chmod(0o777)
        else:
            self._server = await asyncio.start_server(self._meet, "127.0.0.1", self._place)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        lines = [line for line in self._lines if line is not None]
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)
        await asyncio.sleep(0)  # for their sockets to be closed

    def pull(self, there: bool = True, back: bool = True) -> None:
        """In both directions, or in one: what is said is heard, and the answer is not, or the other way."""
        for is_cut, way in ((there, self._there), (back, self._back)):
            if is_cut:
                way.clear()

    def plug(self) -> None:
        self._there.set()
        self._back.set()

    async def _meet(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        self._lines.add(task)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            try:
                await self._there.wait()
                await self._join(reader, writer)
            finally:
                writer.transport.abort()
                self._lines.discard(task)

    async def _join(self, reader: StreamReader, writer: StreamWriter) -> None:
        if isinstance(self._target, Path):
            far_reader, far_writer = await asyncio.open_unix_connection(self._target)
        else:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        pumps = [
            asyncio.create_task(self._pump(reader, far_writer, self._there)),
            asyncio.create_task(self._pump(far_reader, writer, self._back)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            far_writer.transport.abort()
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump(self, reader: StreamReader, writer: StreamWriter, goes_on: asyncio.Event) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await goes_on.wait()
                writer.write(data)
                await writer.drain()
