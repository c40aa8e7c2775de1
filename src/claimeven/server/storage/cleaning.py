"""Games that nobody needs any more leave the database, in steps so small that nobody who plays feels them."""

import time
from collections.abc import Callable, Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.server.settings import DAY_MS
from claimeven.server.storage.club import entrants, players, sittings, terms
from claimeven.server.storage.schema import games, moves, replaced, seats
from claimeven.server.storage.store import Store

LOOKED_AT = 500  # games in one step, read without keeping anybody from writing
REMOVED = 50  # in one transaction
BREATH = 0.01  # seconds between two steps
PLAYED = sa.exists().where(moves.c.game == games.c.id)
_LAST_MOVE = sa.select(sa.func.max(moves.c.at)).where(moves.c.game == games.c.id).scalar_subquery()
_NAMED = sa.or_(
    sa.exists().where(sittings.c.game == games.c.id),
    sa.exists().where(terms.c.game == games.c.id, terms.c.event.is_not(None)),
)


class Cleaner:
    """Of one server. What it looked through before it does not look through again."""

    def __init__(
        self, store: Store, is_here: Callable[[str], bool], now: int, trusts_after: int = DAY_MS
    ) -> None:
        """`is_here` says of a game whether it is in memory: then it stays."""
        self._store = store
        self._is_here = is_here
        self._started = now
        self._trusts_after = trusts_after
        with store.engine.connect() as connection:
            newest = connection.execute(sa.select(sa.func.max(games.c.created))).scalar()
        self._newest: int = now if newest is None else newest
        self._unstarted_from = 0

    def time(self, now: int, wall: int) -> int:
        """What time it is for sure: a wall clock that was set ahead before the start is no reason to forget
        anything. If it still says so a day later it was right: nobody came while no server was there."""
        running = now - self._started
        sure = min(now, self._newest + running)
        return sure if running < self._trusts_after else max(sure, min(now, wall))

    def forget_unstarted(self, before: int) -> int:
        """Games from before in which nobody ever moved; how many."""
        count, self._unstarted_from = self._forget(~PLAYED, self._unstarted_from, before)
        return count

    def forget_old(self, before: int) -> int:
        """Games of strangers in which nobody moved since then; how many. Those of players, and of
        tournaments, are part of what is shown of them."""
        last = sa.func.coalesce(_LAST_MOVE, games.c.created)
        count, _ = self._forget(sa.and_(last < before, ~_NAMED), 0, before)
        return count

    def unseen(self, before: int) -> list[str]:
        """Players who were not here since then."""
        asked = sa.select(players.c.id).where(players.c.seen < before)
        return self._store.read(lambda connection: list(connection.execute(asked).scalars()))

    def _forget(self, is_due: sa.ColumnElement[bool], since: int, before: int) -> tuple[int, int]:
        """How many, and from when on to look the next time."""
        count, next_time = 0, before
        for created, due in self._steps(is_due, since, before):
            here = [game for game in due if self._is_here(game)]
            if here:
                next_time = min(next_time, created)
            gone = [game for game in due if game not in here]
            for start in range(0, len(gone), REMOVED):
                count += self._store.remove(gone[start : start + REMOVED], is_due)
                time.sleep(BREATH)
        return count, max(since, next_time)

    def _steps(
        self, is_due: sa.ColumnElement[bool], since: int, before: int
    ) -> Iterator[tuple[int, Sequence[str]]]:
        """Since when the games of a step are, and which of them are due."""
        last = ""
        while True:
            step = (
                sa.select(games.c.created, games.c.id, is_due)
                .where(games.c.created >= since, games.c.created < before)
                .where(sa.or_(games.c.created > since, games.c.id > last))
                .order_by(games.c.created, games.c.id)
                .limit(LOOKED_AT)
            )
            with self._store.engine.connect() as connection:
                found = connection.execute(step).all()
            if not found or self._store.is_ending:
                return
            yield found[0][0], [game for _, game, is_old in found if is_old]
            since, last = found[-1][0], found[-1][1]
            time.sleep(BREATH)


def sitting(connection: Connection, player: str) -> list[str]:
    """The games at which somebody sits, or sat before an agent took over. Until the transaction ends they sit
    down at no other, and no server takes one of these."""
    connection.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())
    own = sa.union(
        sa.select(sittings.c.game).where(sittings.c.player == player),
        sa.select(replaced.c.game).where(_was(player)),
    )
    kept = sa.select(games.c.id).where(games.c.id.in_(own)).order_by(games.c.id).with_for_update()
    return list(connection.execute(kept).scalars())


def forget_player(connection: Connection, player: str) -> None:
    """Name, keys, rating, reports, for ever; the games at which they sat stay, without the name."""
    own = sa.select(sittings.c.game, sittings.c.side).where(sittings.c.player == player)
    for game, side in connection.execute(own).all():
        chair = (seats.c.game == game) & (seats.c.side == side)
        connection.execute(sa.update(seats).where(chair).values(name=""))
    connection.execute(sa.update(replaced).where(_was(player)).values(name=""))
    connection.execute(sa.update(entrants).where(entrants.c.player == player).values(name="", away=1))
    connection.execute(sa.delete(players).where(players.c.id == player))


def forget_seats(connection: Connection, game: str, sides: Sequence[int]) -> None:
    """Whoever sat there is nobody any more, also where an agent played for them meanwhile."""
    numbers = [side + 1 for side in sides]
    own = seats.c.game == game, seats.c.side.in_(numbers)
    names = list(connection.execute(sa.select(seats.c.name).where(*own)).scalars())
    was = replaced.c.game == game, replaced.c.kind == "human", replaced.c.name.in_(names)
    connection.execute(sa.update(replaced).where(*was).values(name=""))
    connection.execute(sa.update(seats).where(*own).values(name=""))
    connection.execute(sa.delete(sittings).where(sittings.c.game == game, sittings.c.side.in_(numbers)))


def games_against_agents(connection: Connection, player: str) -> list[str]:
    """And nobody else: an agent may have taken over from a person."""
    other = seats.alias("other")
    asked = (
        sa.select(sittings.c.game)
        .join(other, (other.c.game == sittings.c.game) & (other.c.side != sittings.c.side))
        .outerjoin(terms, terms.c.game == sittings.c.game)
        .where(sittings.c.player == player, other.c.kind != "human", terms.c.event.is_(None))
        .where(~sa.exists().where(replaced.c.game == sittings.c.game, replaced.c.agreed == 1))
    )
    return list(connection.execute(asked).scalars())


def is_unseen(connection: Connection, player: str, since: int) -> bool:
    """Asked when the player is locked: they may have come back."""
    asked = sa.select(players.c.id).where(players.c.id == player, players.c.seen < since)
    return connection.execute(asked).first() is not None


def _was(player: str) -> sa.ColumnElement[bool]:
    """Of a seat that an agent took over: nothing but the name is known of who had it."""
    name = sa.select(players.c.name).where(players.c.id == player).scalar_subquery()
    return sa.and_(replaced.c.kind == "human", replaced.c.name == name)
