"""People who meet in the lobby while everything goes wrong, and some who have themselves forgotten.

Their promises: all who come find somebody, each sits at one seat of one game, nobody comes to a game whose
host went elsewhere, and the games are as all others. Who was forgotten is so at once, at whatever server one
asks: no name, no player, no game against a level; who plays with them stays and keeps theirs.
"""

import asyncio
import contextlib
import itertools
import random
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import psycopg

from claimeven.client import Link
from claimeven.server.errors import RefusedError
from faults.cluster.asking import Asking
from faults.history import History, Observer
from faults.players import TIMING
from faults.table import Table

NAMES = (
    "Alfa",
    "Bravo",
    "Charlie",
    "Delta",
    "Echo",
    "Foxtrot",
    "Golf",
    "Hotel",
    "Juliett",
    "Kilo",
    "Lima",
    "Mike",
)
BOARDS = ((4, 4, 3), (5, 4, 3))  # as many want the one as the other
COMING_SECONDS = 15.0  # in which all come
REMINDER_SECONDS = 2.0  # between two times that one says that one waits
CALM_SECONDS = 120.0  # in which all must have met and played
GONE = ("seat_taken", "no_such_game")
FORGOTTEN = {"seated": "when they sat down", "played": "after the game"}


@dataclass
class Stranger:
    name: str
    board: tuple[int, int, int]
    forgotten: str | None  # when they have themselves forgotten
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    id: str = ""
    own: str = ""  # the game in which they wait
    game: str = ""  # the one that they play
    against_level: str = ""
    side: int = 0
    is_forgotten: bool = False
    is_done: bool = False


class Strangers:
    def __init__(self, address: str, rng: random.Random, calm: Callable[[], float]) -> None:
        """`address`: through the proxy. `calm`: seconds in which nothing happened to the servers."""
        self.counts: Counter[str] = Counter()
        self._rng = random.Random(rng.random())
        self._calm = calm
        self._asking = Asking(address, self._rng)
        times = (None, None, *FORGOTTEN)
        self._people = [
            Stranger(name, BOARDS[number % 2], self._rng.choice(times)) for number, name in enumerate(NAMES)
        ]
        self._tables: dict[str, Table] = {}
        self._faults: list[str] = []

    @property
    def histories(self) -> list[History]:
        """Of the games that were played."""
        played = {one.game for one in self._people}
        return [table.history for game, table in self._tables.items() if game in played]

    @property
    def left(self) -> set[str]:
        """Games in which somebody waited who went to another one; and those against levels."""
        own = {one.own for one in self._people if one.own != one.game}
        return own | {one.against_level for one in self._people}

    async def play(self) -> None:
        began = self._calm()
        coming = [asyncio.create_task(self._come(one)) for one in self._people]
        while not all(one.done() for one in coming) and self._calm() - began < CALM_SECONDS:
            await asyncio.wait(coming, timeout=1)
        for one in coming:
            one.cancel()
        for person, found in zip(
            self._people, await asyncio.gather(*coming, return_exceptions=True), strict=True
        ):
            if isinstance(found, RefusedError):
                self._faults.append(f"{person.name} was sent away: {found}")
            elif isinstance(found, Exception):
                raise found

    async def _come(self, me: Stranger) -> None:
        await asyncio.sleep(self._rng.uniform(0, COMING_SECONDS))
        made = await self._asking.until_answered("/api/players", {"name": me.name, "key": me.key})
        me.id = made["id"]
        if me.forgotten:
            level = [{"kind": "me"}, {"kind": "agent", "agent": "level:1"}]
            wish = {"seats": level, "key": secrets.token_urlsafe(32)}
            me.against_level = (await self._asking.until_answered("/api/games", wish, me.key))["game"]
        wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], "key": secrets.token_urlsafe(32)}
        wish["board"] = "x".join(map(str, me.board))
        mine = await self._asking.until_answered("/api/games", wish, me.key)
        me.own = mine["game"]
        async with self._sit(me, me.own, mine["token"]) as host:
            found = await self._wait(me, mine["invite"], host)
            if found is None:
                await self._play(me, me.own, host)
                return
        game, token = found
        async with self._sit(me, game, token) as guest:
            await self._play(me, game, guest)

    def _sit(self, me: Stranger, game: str, token: str) -> Observer:
        if game not in self._tables:
            history = History(game=game, board=me.board)
            self._tables[game] = Table(random.Random(self._rng.random()), history)
        return Observer(Link(self._asking.address, game), token, TIMING, self._tables[game].history)

    async def _wait(self, me: Stranger, invite: str, host: Observer) -> tuple[str, str] | None:
        """A game where one sat down; None if somebody sat down here."""
        for number in itertools.count(1):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REMINDER_SECONDS * self._rng.uniform(0.2, 1)):
                    await host.until(lambda: host.state is not None and host.state.status != "waiting")
                    return None
            if host.state is None:
                continue
            wish = {"game": me.own, "invite": invite, "mine": [me.own], "number": number}
            try:
                take = (await self._asking.until_answered("/api/lobby", wish, me.key))["take"]
            except RefusedError as error:
                if error.code not in GONE:
                    raise
                continue  # somebody came
            if take is not None and (token := await self._meet(me, take)) is not None:
                return take, token
        raise AssertionError

    async def _meet(self, me: Stranger, game: str) -> str | None:
        token = secrets.token_urlsafe(32)
        try:
            body = {"token": token, "name": me.name}
            await self._asking.until_answered(f"/api/lobby/{game}/join", body, me.key)
        except RefusedError as error:
            if error.code not in GONE:
                raise
            self.counts["strangers who came too late"] += 1
            return None
        self.counts["strangers who met"] += 2
        return token

    async def _play(self, me: Stranger, game: str, client: Observer) -> None:
        me.game = game
        await client.until(lambda: client.state is not None)
        assert client.state is not None
        me.side = client.state.you[0]
        if me.forgotten == "seated":
            await self._be_forgotten(me)
        table = self._tables[game]
        await table.sit_through(client, None)
        assert client.state is not None
        table.history.finals.append((me.name, client.state.take, client.state.moves))
        if me.forgotten == "played":
            await self._be_forgotten(me)
        me.is_done = True

    async def _be_forgotten(self, me: Stranger) -> None:
        with contextlib.suppress(RefusedError):  # it is done already, and the answer was lost
            await self._asking.until_answered("/api/me/delete", {"games": True}, me.key)
        me.is_forgotten = True
        self.counts["strangers forgotten"] += 1
        seat = (await self._asking.until_answered(f"/api/games/{me.game}"))["seats"][me.side - 1]
        if seat["name"] == me.name or seat["player"] is not None:
            self._faults.append(f"{me.game}: {me.name} is forgotten, and still there as {seat}")
        with contextlib.suppress(RefusedError):
            await self._asking.until_answered(f"/api/games/{me.against_level}")
            self._faults.append(f"{me.against_level}: {me.name} is forgotten, and the game is there")

    # The end ---------------------------------------------------------------------------------------------

    def verdict(self, url: str) -> list[str]:
        """Broken promises, in words."""
        faults = [
            *self._faults,
            *(f"{one.name} did not meet anybody" for one in self._people if not one.game),
        ]
        faults += [
            f"{one.game}: {one.name} did not end" for one in self._people if one.game and not one.is_done
        ]
        sat = Counter((one.game, one.side) for one in self._people if one.game)
        faults += [f"{game}: {n} strangers have seat {side}" for (game, side), n in sat.items() if n > 1]
        met = Counter(one.game for one in self._people if one.is_done)
        faults += [f"{game}: {n} strangers played" for game, n in met.items() if n != 2]
        with psycopg.connect(url) as look:
            names: dict[str, str] = dict(look.execute("SELECT id, name FROM players").fetchall())
            seats = look.execute("SELECT game, kind, name FROM seats").fetchall()
            before = look.execute("SELECT game, kind, name FROM replaced").fetchall()
            taken = {game for game, *_ in seats} - {game for game, kind, _ in seats if kind == "free"}
            shown = {name for _, _, name in (*seats, *before)}
        for one in self._people:
            if one.own and one.own != one.game and one.game and one.own in taken:
                faults.append(f"{one.own}: somebody came, and {one.name} had gone elsewhere")
            if one.is_forgotten:
                if one.id in names or one.name in shown:
                    faults.append(f"{one.name} is forgotten, and still in the database")
                if any(game == one.against_level for game, *_ in seats):
                    faults.append(f"{one.against_level}: {one.name} is forgotten, and their game is not")
            elif one.id and names.get(one.id) != one.name:
                faults.append(f"{one.name} is lost")
        return [f"strangers: {fault}" for fault in faults]
