"""A server with defects, to see whether the harness sees them: python planted.py DEFECT … -- serve …"""

import asyncio
import contextlib
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from nats.aio.client import Client
from nats.errors import Error

from claimeven import cli
from claimeven.server import run
from claimeven.server.cluster import shared
from claimeven.server.cluster.shared import Shared
from claimeven.server.events import director, rows
from claimeven.server.house import keeper
from claimeven.server.lobby.pairing import Pairing
from claimeven.server.storage import database, hold
from claimeven.server.storage.cluster import SharedStore
from claimeven.server.storage.hold import Hold
from claimeven.server.storage.members import Members
from claimeven.server.storage.store import Store


def no_fence() -> None:
    """It writes on after another server took the database."""
    Store.claim = lambda self: None  # type: ignore[method-assign]


def no_hold() -> None:
    """It takes a database that another server has."""

    @contextlib.contextmanager
    def held(database: str, address: str, is_shared: bool = False) -> Iterator[Hold]:
        yield Hold()

    run.held = held  # type: ignore[attr-defined]


def no_lease() -> None:
    """One of a cluster that writes without looking whether the game is still its own."""

    def check(self: Any, connection: Any, needed: Any, leases: Any) -> int | None:
        return next((lease.server for lease in leases), None)

    SharedStore._check = check  # type: ignore[method-assign]


def trusting() -> None:
    """One that never thinks that others may have taken its games, even when it is told so."""
    beat = Members.beat
    shared.SURE_SECONDS = 1e9  # type: ignore[attr-defined]
    Members.beat = lambda self, id, wired: beat(self, id, wired) or ()  # type: ignore[method-assign]


def bent() -> None:
    """A director of tournaments that writes results down for the other one."""
    write = rows.write_result
    other = {"1-0": "0-1", "0-1": "1-0"}

    def write_result(connection: Any, event: str, table: Any) -> None:
        write(connection, event, replace(table, score=other.get(table.score, table.score)))

    director.write_result = write_result  # type: ignore[attr-defined]


def twice() -> None:
    """One that pairs the first table of a round twice."""
    write = rows.write_pairing

    def write_pairing(connection: Any, event: str, table: Any) -> None:
        write(connection, event, table)
        if table.board == 1:
            write(connection, event, replace(table, board=100, game=None, score="1-0"))

    director.write_pairing = write_pairing  # type: ignore[attr-defined]


def deaf() -> None:
    """It finds nobody for those who wait in the lobby."""
    seek = Pairing.seek
    Pairing.seek = lambda self, wish, mine: seek(self, wish, mine) and None  # type: ignore[method-assign]


def remembering() -> None:
    """It forgets players on disk, and not what other servers have in memory."""
    Shared.elsewhere = lambda self, connection, names: set()  # type: ignore[method-assign]


def stormy() -> None:
    """What is said over NATS comes twice, late and in another order: words, questions and answers."""
    rng = random.Random(0)
    publish = Client.publish
    under_way: set[asyncio.Task[None]] = set()

    async def late(seconds: float, *said: Any) -> None:
        await asyncio.sleep(seconds)
        with contextlib.suppress(Error, OSError):  # the wire is another one by now
            await publish(*said)

    async def scatter(
        self: Client, subject: str, payload: bytes = b"", reply: str = "", headers: Any = None
    ) -> None:
        # Words of a line that are late for longer end it; who asks gives up, sooner or later.
        seconds = rng.choice((0.1, 0.1, 1.0)) if reply else 0.1
        times = [0.0] if rng.random() < 0.9 else [rng.uniform(0, seconds)]
        times += [rng.uniform(0, seconds)] if rng.random() < 0.1 else []
        for time in times:
            if time:
                task = asyncio.get_running_loop().create_task(
                    late(time, self, subject, payload, reply, headers)
                )
                under_way.add(task)
                task.add_done_callback(under_way.discard)
            else:
                await publish(self, subject, payload, reply, headers)

    Client.publish = scatter  # type: ignore[method-assign]


def blind() -> None:
    """It does not look whether the database is still its own."""
    hold._Session.is_still_ours = lambda self: True  # type: ignore[method-assign]


def early() -> None:
    """It acknowledges before the commit."""
    store = keeper.Keeper.store

    def told(self: Any, chain: Any, events: Any, done: Any) -> None:
        store(self, chain, events, lambda error: None)
        self._loop.call_soon(done, None)

    keeper.Keeper.store = told  # type: ignore[method-assign]


def lazy() -> None:
    """It leaves it to the system when its commits reach the disk."""
    make = database.make_engine

    def make_engine(*arguments: Any, **options: Any) -> sa.Engine:
        engine = make(*arguments, **options)
        if engine.dialect.name == "sqlite":
            sa.event.listen(
                engine, "connect", lambda line, _: line.execute("PRAGMA synchronous=NORMAL") and None
            )
        return engine

    database.make_engine = make_engine
    database.check = lambda url, connection: None


if __name__ == "__main__":
    end = sys.argv.index("--")
    for defect in sys.argv[1:end]:
        globals()[defect]()
    sys.exit(cli.main(sys.argv[end + 1 :]))
