"""The wire of one server: there is a new line whatever became of the last one."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from nats.aio.client import Client

from claimeven.server.cluster.bus import Bus, Reply
from claimeven.server.cluster.words import Words
from kit.cluster import Nats

PATIENCE = 20.0


class Listener:
    def __init__(self) -> None:
        self.runs: list[int] = []

    def heard(self, word: Words, reply: Reply) -> None: ...

    def wired(self, run: int) -> None:
        self.runs.append(run)


async def drop(bus: Bus, client: Client) -> None:
    """As after a word that could not be told."""
    bus._drop()


async def close(bus: Bus, client: Client) -> None:
    """As when NATS has gone."""
    await client.close()


@pytest.mark.parametrize("lose", [drop, close])
def test_a_line_whose_end_nobody_tells_is_followed_by_another(
    lose: Callable[[Bus, Client], Awaitable[None]],
) -> None:
    async def visit(address: str) -> list[int]:
        bus, listener = Bus(address, "1"), Listener()
        bus.start(1, listener)
        async with asyncio.timeout(PATIENCE):
            while bus.run != 1:
                await asyncio.sleep(0.01)
            assert bus._client is not None
            bus._client._closed_cb = None
            await lose(bus, bus._client)
            while bus.run != 2:
                await asyncio.sleep(0.01)
        await bus.close()
        return listener.runs

    with Nats() as nats:
        assert asyncio.run(visit(nats.url)) == [1, 0, 2]
