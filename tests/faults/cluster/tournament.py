"""A tournament that goes on while everything goes wrong: people and levels, one of the formats.

Its promises: it ends once there is calm, nobody is paired twice in a round (or sits at two tables at once, in
an arena), or more often with the same opponent than the format has it, every game of it is in its table, and
every result there is that of the game, as its players saw it.
"""

import asyncio
import contextlib
import random
import secrets
from collections import Counter
from collections.abc import Callable
from http.client import HTTPException
from typing import Any

import psycopg
import psycopg.rows

from claimeven.client import Client, Link
from claimeven.server.errors import RefusedError
from faults.cluster.asking import Asking, Page
from faults.players import TIMING

PEOPLE = ("Ada", "Boris", "Cyril", "Dana", "Egon", "Fritz")
LEVELS = (1, 2)
ROUNDS = 3  # of a Swiss
FORMATS = ("swiss", "knockout", "arena", "round-robin")
# How often two may meet: a match is two games and one that decides; an arena pairs whoever is free.
MEETINGS = {"swiss": 1, "round-robin": 1, "knockout": 3, "arena": 1000}
LATE_MS = 20_000  # of an arena
CLOCK = {"initial": 60_000, "increment": 1_000}
VARIABLES = {"CLAIMEVEN_ROUND_PAUSE": "200", "CLAIMEVEN_EVENT_LOOK": "200"}
LOOK_SECONDS = 1.0
CALM_SECONDS = 180.0  # in which it must be over


class Tournament:
    def __init__(
        self, address: str, rng: random.Random, calm: Callable[[], float], format: str = "swiss"
    ) -> None:
        """`address`: through the proxy. `calm`: seconds in which nothing happened to the servers."""
        self.counts: Counter[str] = Counter()
        self._format = format
        self.event = ""
        self.is_late = asyncio.Event()  # the last round has begun
        self._address = address
        self._asking = Asking(address, rng)
        self._rng = rng
        self._calm = calm
        self._keys = {name: secrets.token_urlsafe(32) for name in PEOPLE}
        self._seen: dict[str, str] = {}  # by game: the score that its players saw
        self._faults: list[str] = []

    async def play(self) -> None:
        """From its first entrant to its end, or until it has had calm enough for that."""
        began = self._calm()
        playing = asyncio.ensure_future(self._play())
        while not playing.done() and self._calm() - began < CALM_SECONDS:
            await asyncio.wait((playing,), timeout=1)
        self.is_late.set()
        if playing.done():
            playing.result()
        else:
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing

    async def _play(self) -> None:
        for name, key in self._keys.items():
            await self._ask("/api/players", {"name": name, "key": key})
        rounds = ROUNDS if self._format == "swiss" else 1
        wish = {"name": "Storm", "format": self._format, "clock": CLOCK, "rounds": rounds, "minutes": 1}
        self.event = (await self._ask("/api/events", wish, PEOPLE[0]))["id"]
        place = f"/api/events/{self.event}"
        for name in PEOPLE:
            await self._ask(f"{place}/join", {}, name)
        for level in LEVELS:  # asked again after an answer that was lost, one would take part twice
            while f"level:{level}" not in [one["agent"] for one in (await self._look())["entrants"]]:
                with contextlib.suppress(OSError, HTTPException):
                    key = self._keys[PEOPLE[0]]
                    await asyncio.to_thread(self._asking.once, f"{place}/levels", {"level": level}, key)
                await asyncio.sleep(LOOK_SECONDS)
        while (page := await self._look())["state"] == "open":
            with contextlib.suppress(RefusedError):  # it has begun, and the answer was lost
                await self._ask(f"{place}/start", {}, PEOPLE[0])
        async with asyncio.TaskGroup() as group:
            sitting: set[tuple[str, str]] = set()
            while page["state"] != "over":
                if self._is_late(page):
                    self.is_late.set()
                for game, name in self._expected(page):
                    if (game, name) not in sitting:
                        sitting.add((game, name))
                        group.create_task(self._sit(game, name))
                for one in page["entrants"]:
                    if one["away"] and one["agent"] is None:
                        await self._ask(f"{place}/join", {}, one["name"])
                await asyncio.sleep(LOOK_SECONDS)
                page = await self._look()

    def _is_late(self, page: Page) -> bool:
        if self._format == "arena":
            return page["due"] is not None and bool(page["due"] - page["server_time"] < LATE_MS)
        return bool(page["round"] >= min(page["rounds"], ROUNDS))

    def _expected(self, page: Page) -> list[tuple[str, str]]:
        """Games that go on, and who of the people plays there."""
        names = {one["number"]: one["name"] for one in page["entrants"] if one["agent"] is None}
        return [
            (table["game"], names[number])
            for table in page["tables"]
            if table["score"] is None and table["game"] is not None
            for number in (table["first"], table["second"])
            if number in names
        ]

    async def _sit(self, game: str, name: str) -> None:
        """Play anything, and give up after a while."""
        token = secrets.token_urlsafe(32)
        rng = random.Random(f"{self._rng.random()}")
        try:
            await self._ask(f"/api/games/{game}/seat", {"token": token}, name)
            async with Client(Link(self._address, game), token, TIMING) as client:
                patience = rng.randrange(2, 8)
                while not client.is_over:
                    await client.until(lambda: client.is_over or client.is_my_turn)
                    if client.is_over:
                        break
                    with contextlib.suppress(RefusedError):
                        patience -= 1
                        await (
                            client.move(rng.choice(client.position.legal)) if patience else client.resign()
                        )
                assert client.state is not None
                assert client.state.result is not None
                self._see(game, client.state.result.score)
        except RefusedError as error:
            if error.code != "game_over":
                self._faults.append(f"{game}: {name} was sent away: {error}")

    def _see(self, game: str, score: str) -> None:
        self.counts["results of the tournament seen"] += 1
        if self._seen.setdefault(game, score) != score:
            self._faults.append(f"{game}: seen as {self._seen[game]} and as {score}")

    # Requests --------------------------------------------------------------------------------------------

    async def _look(self) -> Page:
        return await self._ask(f"/api/events/{self.event}")

    async def _ask(self, path: str, body: Any = None, name: str | None = None) -> Page:
        return await self._asking.until_answered(path, body, None if name is None else self._keys[name])

    # The end ---------------------------------------------------------------------------------------------

    def verdict(self, url: str) -> list[str]:
        """Broken promises, in words: the tables of the database against the games and what was seen."""
        with psycopg.connect(url, row_factory=psycopg.rows.dict_row) as look:
            event = look.execute("SELECT * FROM events WHERE id = %s", (self.event,)).fetchone()
            if event is None:
                return ["the tournament is lost" if self.event else "the tournament was never made"]
            tables = look.execute("SELECT * FROM pairings WHERE event = %s", (self.event,)).fetchall()
            games = look.execute(
                "SELECT id, score FROM games JOIN terms ON game = id WHERE event = %s", (self.event,)
            ).fetchall()
        self.counts["tournaments over"] += event["state"] == "over"
        self.counts[f"of them {self._format}"] += event["state"] == "over"
        self.counts["games of tournaments"] += len(games)
        faults = list(self._faults)
        if event["state"] != "over":
            faults.append(f"the tournament is {event['state']}, in round {event['round']}")
        faults += self._pairings(tables)
        scores = {row["id"]: row["score"] for row in games}
        listed = Counter(table["game"] for table in tables if table["game"] is not None)
        faults += [f"{game}: a game that is in no table" for game in scores if game not in listed]
        for table in tables:
            game, score = table["game"], table["score"]
            if game is None or (score is None and event["state"] != "over"):
                continue
            if scores.get(game) != score or self._seen.get(game, score) != score:
                told = f"ended {scores.get(game)}, seen as {self._seen.get(game)}, in the table {score}"
                faults.append(f"{game}: {told}")
        return [f"tournament: {fault}" for fault in faults]

    def _pairings(self, tables: list[Any]) -> list[str]:
        places = Counter(
            (table["round"], number)
            for table in tables
            for number in (table["first"], table["second"])
            if number is not None
        )
        met = Counter(
            frozenset((table["first"], table["second"])) for table in tables if table["second"] is not None
        )
        return [
            *(f"{who} is paired {n} times in round {round}" for (round, who), n in places.items() if n > 1),
            *(f"{sorted(pair)} meet {n} times" for pair, n in met.items() if n > MEETINGS[self._format]),
        ]
