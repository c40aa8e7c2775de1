"""People who are there and do nothing."""

import asyncio
from typing import Any

from faults.process import ServerProcess
from lines import HANDSHAKE, Line, post

GAMES = 50  # that are watched
AT_ONCE = 50  # connections being opened
HELLO = b'{"t":"hello","protocol":1}'


class Crowd:
    """Watchers that only answer pings; people at the text door who never move; and lines on which nothing is
    ever said: the server must cut these."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.counts = {"watching": 0, "at the text door": 0, "silent": 0}
        self.lost = dict.fromkeys(self.counts, 0)
        self._told = 0
        self._memory = [0, 0]
        self._lines: list[asyncio.BaseTransport] = []

    async def come(self, count: int) -> None:
        if not count:
            return
        port = self.server.port
        wish = {"seats": [{"kind": "me"}, {"kind": "friend"}]}
        games = [(await post(port, "/api/games", wish))["game"] for _ in range(GAMES)]
        self._memory[0] = self.server.resident()
        gate = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._watch(games[n % GAMES], gate) for n in range(count)))
        while self._told < count:  # until all have been told their game
            await asyncio.sleep(0.1)
        self._memory[1] = self.server.resident()
        await asyncio.gather(
            *(self._stand("at the text door", self.server.tcp_port, gate) for _ in range(count // 10)),
            *(self._stand("silent", port, gate) for _ in range(count // 10)),
        )

    async def _watch(self, game: str, gate: asyncio.Semaphore) -> None:
        request = HANDSHAKE.format(game=game, port=self.server.port).encode()
        is_told = False

        def hear(line: Line, text: bytes) -> None:
            nonlocal is_told
            self._told += not is_told
            is_told = True

        async with gate:
            await self._open(
                self.server.port,
                "watching",
                lambda: Line(request, HELLO, hear, lambda: self._lose("watching")),
            )

    async def _stand(self, where: str, port: int, gate: asyncio.Semaphore) -> None:
        async with gate:
            await self._open(port, where, lambda: Idle(lambda: self._lose(where)))

    async def _open(self, port: int, where: str, make: Any) -> None:
        transport, _ = await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port)
        self._lines.append(transport)
        self.counts[where] += 1

    def _lose(self, where: str) -> None:
        self.lost[where] += 1

    def report(self) -> str:
        each = (self._memory[1] - self._memory[0]) / max(1, self.counts["watching"]) / 1024
        here = ", ".join(f"{self.counts[w] - self.lost[w]:,} of {self.counts[w]:,} {w}" for w in self.counts)
        return f"idle: {here}; {each:.1f} KiB for each who watches"


class Idle(asyncio.Protocol):
    """Reads what it must and says nothing."""

    def __init__(self, lost: Any) -> None:
        self._lost = lost

    def connection_lost(self, error: Exception | None) -> None:
        self._lost()
