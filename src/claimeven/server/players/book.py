"""The players of a server: found by their key, made, moved to another browser, forgotten."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError

from claimeven.practice import Rating
from claimeven.server.errors import RefusedError
from claimeven.server.hub import Hub
from claimeven.server.players.answers import Muted, Report
from claimeven.server.players.names import checked_name
from claimeven.server.settings import DAY_MS
from claimeven.server.storage.club import codes, keys, mutes, players, reports
from claimeven.server.storage.rating import NEWCOMER, rating_at
from claimeven.server.tokens import hash_of, new_id

Value = TypeVar("Value")
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that looks like another
CODE_LENGTH = 8  # 39 bits, alive for minutes
CODE_MS = 600_000
MOST_KEYS = 10  # browsers of one person: the oldest is forgotten
MOST_MUTED = 500  # that somebody sees
MOST_REPORTS = 500  # that the operator sees
SEEN_MS = DAY_MS  # how exactly it is known when somebody was last here


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    rating: Rating
    created: int
    seen: int


def as_player(row: "Row[tuple[object, ...]]", now: int) -> Player:
    return Player(row.id, row.name, rating_at(row, now), row.created, row.seen)


class Players:
    """Nothing is kept in memory: another server on the same database would know no less."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def read(self, look: Callable[[Connection], Value]) -> Value:
        try:
            return await asyncio.to_thread(self._hub.store.read, look)
        except (DBAPIError, MemoryError, RuntimeError) as error:
            self._hub.log.error("not read", extra={"error": repr(error)})
            raise RefusedError("busy.reading") from None

    async def by_key(self, key: str) -> Player:
        """Whose key it is; RefusedError if it is nobody's."""
        hashed, now = hash_of(key), self._hub.now()
        found = await self.read(lambda connection: _by_key(connection, hashed, now))
        if found is None:
            raise RefusedError("no_player.key")
        if now - found.seen > SEEN_MS:
            await self._hub.change(lambda connection: _see(connection, found.id, now))
        return found

    async def by_id(self, player: str) -> Player:
        found = await self.read(
            lambda connection: connection.execute(sa.select(players).where(players.c.id == player)).first()
        )
        if found is None:
            raise RefusedError("not_found.player")
        return as_player(found, self._hub.now())

    async def create(self, name: str, key: str) -> Player:
        """However often it is asked for with this key, it is one player."""
        name, looks = checked_name(name)
        hashed, now, id = hash_of(key), self._hub.now(), new_id()

        def make(connection: Connection) -> Player:
            if (known := _by_key(connection, hashed, now)) is not None:
                return known
            _check_free(connection, looks)
            row = {"id": id, "name": name, "looks": looks, "created": now, "seen": now}
            rating = {"rating": NEWCOMER.rating, "deviation": NEWCOMER.deviation}
            connection.execute(sa.insert(players).values(volatility=NEWCOMER.volatility, **row, **rating))
            connection.execute(sa.insert(keys).values(hash=hashed, player=id, created=now))
            return Player(id, name, NEWCOMER, now, now)

        return await self._hub.change(make)

    async def rename(self, player: str, name: str) -> Player:
        name, looks = checked_name(name)

        def write(connection: Connection) -> Player:
            _check_free(connection, looks, player)
            connection.execute(
                sa.update(players).where(players.c.id == player).values(name=name, looks=looks)
            )
            row = connection.execute(sa.select(players).where(players.c.id == player)).one()
            return as_player(row, self._hub.now())

        return await self._hub.change(write)

    async def code(self, player: str) -> tuple[str, int]:
        """A word that brings this player to another browser, and until when; the last one is void."""
        word = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))

        def write(connection: Connection) -> int:
            until = self._hub.tenure.time(connection, self._hub.now()) + CODE_MS
            connection.execute(
                sa.delete(codes).where(sa.or_(codes.c.player == player, codes.c.until < until - CODE_MS))
            )
            connection.execute(sa.insert(codes).values(hash=hash_of(word), player=player, until=until))
            return until

        return word, await self._hub.change(write)

    async def move(self, code: str, key: str) -> Player:
        """From now on this key, too, is the player's whose code it is."""
        word = "".join(code.upper().replace("-", "").split())
        hashed, now = hash_of(key), self._hub.now()

        def write(connection: Connection) -> Player:
            if (known := _by_key(connection, hashed, now)) is not None:
                return known  # asked again, because the answer was lost
            since = self._hub.tenure.time(connection, now)
            # Further ahead than a code is good it was made before a clock was set back.
            is_good = codes.c.until.between(since, since + CODE_MS)
            asked = sa.select(codes.c.player).where(codes.c.hash == hash_of(word), is_good)
            player = connection.execute(asked).scalar()
            if player is None:
                raise RefusedError("no_player.code")
            connection.execute(sa.delete(codes).where(codes.c.player == player))
            connection.execute(sa.insert(keys).values(hash=hashed, player=player, created=now))
            own = sa.select(keys.c.hash).where(keys.c.player == player).order_by(keys.c.created.desc())
            old = connection.execute(own.offset(MOST_KEYS)).scalars().all()
            connection.execute(sa.delete(keys).where(keys.c.hash.in_(old)))
            row = connection.execute(sa.select(players).where(players.c.id == player)).one()
            return as_player(row, self._hub.now())

        return await self._hub.change(write)

    async def mute(self, player: str, other: str, on: bool) -> None:
        """Never be paired with somebody by the lobby again, or perhaps again."""
        if player == other:
            raise RefusedError("not_allowed.oneself")
        await self.by_id(other)
        pair = (mutes.c.player == player) & (mutes.c.muted == other)

        def write(connection: Connection) -> None:
            connection.execute(sa.delete(mutes).where(pair))
            if on:
                connection.execute(sa.insert(mutes).values(player=player, muted=other))

        await self._hub.change(write)

    async def muted_by(self, player: str) -> list[Muted]:
        """Whom they muted themselves, by name."""
        asked = (
            sa.select(players.c.id, players.c.name)
            .join(mutes, mutes.c.muted == players.c.id)
            .where(mutes.c.player == player)
            .order_by(players.c.name, players.c.id)
            .limit(MOST_MUTED)
        )
        return [Muted(*row) for row in await self.read(lambda connection: connection.execute(asked).all())]

    async def muted(self, player: str) -> frozenset[str]:
        """Whom they do not meet: those whom they muted, and those who muted them."""
        either = sa.or_(mutes.c.player == player, mutes.c.muted == player)
        found = await self.read(lambda connection: connection.execute(sa.select(mutes).where(either)).all())
        return frozenset(one for row in found for one in row) - {player}

    async def report(self, game: str, reporter: str, reported: str, reason: str) -> None:
        """Tell the operator; of one game once, the last word counts."""
        row = {"game": game, "reporter": reporter, "reported": reported, "reason": reason}
        now = self._hub.now()

        def write(connection: Connection) -> None:
            said = (reports.c.game == game) & (reports.c.reporter == reporter)
            connection.execute(sa.delete(reports).where(said))
            connection.execute(sa.insert(reports).values(at=now, **row))

        await self._hub.change(write)

    async def reported(self) -> list[Report]:
        """What was told, the newest first."""
        one, two = players.alias("one"), players.alias("two")
        asked = (
            sa.select(
                reports.c.at, reports.c.game, one.c.name, reports.c.reported, two.c.name, reports.c.reason
            )
            .join(one, one.c.id == reports.c.reporter)
            .join(two, two.c.id == reports.c.reported)
            .order_by(reports.c.at.desc())
            .limit(MOST_REPORTS)
        )
        return [Report(*row) for row in await self.read(lambda connection: connection.execute(asked).all())]

    async def forget(self, player: str, with_games: bool) -> None:
        """For ever."""
        await self._hub.forget_player(player, with_games)


def _by_key(connection: Connection, hashed: str, now: int) -> Player | None:
    found = connection.execute(
        sa.select(players).join(keys, keys.c.player == players.c.id).where(keys.c.hash == hashed)
    ).first()
    return None if found is None else as_player(found, now)


def _see(connection: Connection, player: str, now: int) -> None:
    connection.execute(sa.update(players).where(players.c.id == player).values(seen=now))


def _check_free(connection: Connection, looks: str, own: str = "") -> None:
    taken = sa.select(players.c.id).where(players.c.looks == looks, players.c.id != own)
    if connection.execute(taken).first() is not None:
        raise RefusedError("bad_name.taken")
