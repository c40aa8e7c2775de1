"""The wire of one server: there is a new line whatever became of the last one; no question is asked twice."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from nats.aio.client import Client

from claimeven.server.cluster.bus import Bus, Reply
from claimeven.server.cluster.words import Give, Words, Yes, written
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


class Doing:
    """Does what it is asked, later, and counts how often."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def heard(self, word: Words, reply: Reply) -> None:
        assert isinstance(word, Give)
        self.done.append(word.game)
        asyncio.get_running_loop().call_later(0.1, reply, Yes(len(self.done)))

    def wired(self, run: int) -> None: ...


def test_a_question_that_comes_twice_is_done_once_and_its_answer_is_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a move or a new entrant would be, who must not take part twice."""
    publish = Client.publish

    async def twice(
        self: Client, subject: str, payload: bytes = b"", reply: str = "", headers: None = None
    ) -> None:
        for _ in range(2):
            await publish(self, subject, payload, reply)

    async def visit(address: str) -> tuple[list[str], list[int]]:
        doing, asking = Doing(), Bus(address, "1")
        asked = Bus(address, "1")
        asked.start(1, doing)
        asking.start(2, Listener())
        async with asyncio.timeout(PATIENCE):
            while not (asked.run and asking.run):
                await asyncio.sleep(0.01)
            answers = await asyncio.gather(*(asking.ask(1, Give(game), PATIENCE) for game in "abc"))
            assert asking._client is not None
            for _ in range(2):  # without a name, as all words that nobody answers
                await publish(asking._client, asked.own, written(Give("word")))
            while len(doing.done) < 5:
                await asyncio.sleep(0.01)
        await asyncio.gather(asked.close(), asking.close())
        return doing.done, [answer.run for answer in answers if isinstance(answer, Yes)]

    monkeypatch.setattr(Client, "publish", twice)
    with Nats() as nats:
        done, answers = asyncio.run(visit(nats.url))
    assert done == ["a", "b", "c", "word", "word"]
    assert len(answers) == 3
