"""Games in the memory of a server that loses them while it reads or begins one, or inherits them."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from claimeven.position import Position
from claimeven.server.cluster.cluster import Cluster
from claimeven.server.cluster.shared import Shared
from claimeven.server.errors import RefusedError
from claimeven.server.game.session import Seat, Session
from claimeven.server.hub import Hub
from claimeven.server.storage.cluster import SharedStore
from claimeven.server.storage.members import Members, now
from claimeven.server.storage.store import Lease
from claimeven.server.thinking import Thinkers
from kit.databases import postgres
from kit.serving import PATIENCE


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as address:
        yield address


def game(id: str) -> Session:
    seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
    return Session(id, Position(), seats, 0, 1000, owner="one")


class Gate:
    """Keeps what a function of another thread has found, until it is opened."""

    def __init__(self, work: Any) -> None:
        self._work = work
        self.is_reached = threading.Event()
        self.opens = threading.Event()

    def __call__(self, *arguments: Any) -> Any:
        found = self._work(*arguments)
        self.is_reached.set()
        assert self.opens.wait(PATIENCE)
        return found


@pytest.mark.parametrize("verb", ["load", "write"])
def test_what_was_under_way_when_a_server_was_buried_is_not_its_own(
    url: str, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """It was shown as it had been, while it went on at another server."""
    id = f"game-{verb}"

    async def run() -> None:
        store = SharedStore(url)
        store.claim()
        shared = Shared(store, url, "here")
        shared._sure_until = now() + 3600
        hub = Hub(store, Thinkers((), 1), tenure=shared)
        if verb == "load":
            begun = await hub.create(game(id))
            hub.rooms.clear()
            shared.held.clear()
            assert begun.session.id == id
        gate = Gate(getattr(store, verb))
        monkeypatch.setattr(store, verb, gate)
        asked = asyncio.create_task(hub.room(id) if verb == "load" else hub.create(game(id)))
        await asyncio.to_thread(gate.is_reached.wait, PATIENCE)
        with closing(store):
            members = Members(url)
            shared._begin_anew(members.enter("here"))
            members.hang_up()
            gate.opens.set()
            with pytest.raises(RefusedError, match="on its way to another server"):
                await asked
            assert id not in hub.rooms
            assert id not in shared.held
            shared._members.hang_up()
            await hub.close()

    asyncio.run(run())


def test_an_inherited_game_that_cannot_be_read_is_read_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its time would run nowhere. What is another server's by then is left to it."""

    async def run() -> None:
        store = SharedStore(url)
        store.claim()
        cluster = Cluster(store, url, "nats://127.0.0.1:1", "here")
        shared = cluster.shared
        shared._sure_until = now() + 3600
        hub = cluster._hub = Hub(store, Thinkers((), 1), tenure=shared)
        names = [f"inherited-{number}" for number in range(8)]
        for name in names:
            await hub.create(game(name))
        hub.rooms.clear()
        shared.held.clear()
        members = Members(url)
        other = members.enter("there")
        store.release([(await asyncio.to_thread(taken, store, names[0], shared.id))])
        assert isinstance(await asyncio.to_thread(store.take, names[0], other), Lease)
        failures = iter(range(12))
        load = store.load

        def failing(name: str) -> Session | None:
            if next(failures, None) is not None:
                raise RuntimeError("the database is gone")
            return load(name)

        monkeypatch.setattr(store, "load", failing)
        with closing(store):
            cluster._wake(names)
            cluster._wake([*names, "nothing"])  # told again with the next sign of life
            async with asyncio.timeout(PATIENCE):
                while cluster._waking:
                    await asyncio.sleep(0.05)
            assert set(hub.rooms) == set(names[1:])
            assert (shared.counters["inherited"], next(failures, None)) == (7, None)
            for member, id in ((members, other), (shared._members, shared.id)):
                member.leave(id)
                member.hang_up()
            await hub.close()

    asyncio.run(run())


def taken(store: SharedStore, name: str, server: int) -> Lease:
    lease = store.take(name, server)
    assert isinstance(lease, Lease)
    return lease
