"""What a game that is over does to the ratings of its players, within the transaction that ends it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.agents.kinds.level import RATINGS
from claimeven.people import AVERAGE
from claimeven.practice import Rating, rated
from claimeven.practice.glicko import SCALE
from claimeven.server.game.session import MOST_RATED
from claimeven.server.settings import DAY_MS
from claimeven.server.storage.club import players, ratings, sittings
from claimeven.server.storage.rows import Values
from claimeven.server.storage.schema import seats

NEWCOMER = Rating(AVERAGE, 350, 0.06)  # as likely an average person as anybody; 350 is Glickman's
LEVEL_DEVIATION, LEVEL_VOLATILITY = 30, 0.06  # the ladder was measured within about 35 points (95 %)
# A period of Glicko-2 for who does not play: so a deviation of 60 is 110, and provisional, after a year.
PERIOD_MS = 403_000_000  # 4.7 days
UNKNOWN = NEWCOMER.deviation  # nobody is less known than a newcomer
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


def level_rating(spec: str | None) -> Rating | None:
    """Of a level; None of any other agent, whose strength on this scale nobody knows."""
    kind, _, number = (spec or "").partition(":")
    if kind != "level" or not number.isdecimal() or int(number) not in RATINGS:
        return None
    return Rating(RATINGS[int(number)], LEVEL_DEVIATION, LEVEL_VOLATILITY)


def rested(rating: Rating, milliseconds: int) -> Rating:
    """After so long without a rated game: each period widens it by its volatility (Glickman 2013, step 6)."""
    periods = max(0, milliseconds) / PERIOD_MS
    wide = math.sqrt(rating.deviation**2 + periods * (SCALE * rating.volatility) ** 2)
    return replace(rating, deviation=max(rating.deviation, min(wide, UNKNOWN)))


def rating_at(row: Any, now: int) -> Rating:
    """That of a row of `players`, now."""
    rating = Rating(row.rating, row.deviation, row.volatility)
    return rating if row.rated_at is None else rested(rating, now - row.rated_at)


def rated_before(connection: Connection, game: str, ids: Sequence[str], at: int) -> int:
    """How many other games of the same two counted within a day before; none, where they are not two."""
    if len(ids) != 2:
        return 0
    one, two = ratings.alias("one"), ratings.alias("two")
    asked = (
        sa.select(sa.func.count())
        .select_from(one)
        .join(two, two.c.game == one.c.game)
        .where(one.c.player == ids[0], two.c.player == ids[1], one.c.game != game)
        .where(one.c.at > at - DAY_MS, one.c.at <= at)
    )
    return int(connection.execute(asked).scalar_one())


def rate(connection: Connection, ended: Values) -> None:
    """Count a game once, however often it is told."""
    game, at = ended["game"], ended["at"]
    if connection.execute(sa.select(ratings.c.game).where(ratings.c.game == game).limit(1)).first():
        return
    seated = (
        sa.select(seats.c.agent, sittings.c.player)
        .outerjoin_from(
            seats, sittings, (sittings.c.game == seats.c.game) & (sittings.c.side == seats.c.side)
        )
        .where(seats.c.game == game)
        .order_by(seats.c.side)
    )
    chairs = connection.execute(seated).all()
    ids = [chair.player for chair in chairs if chair.player is not None]
    # In one order, lest two servers wait for each other.
    found = sa.select(players).where(players.c.id.in_(ids)).order_by(players.c.id).with_for_update()
    known = {row.id: rating_at(row, int(at or 0)) for row in connection.execute(found)}
    before = [known[chair.player] if chair.player else level_rating(chair.agent) for chair in chairs]
    first, second = before
    if first is None or second is None or len(ids) != len(set(ids)):
        return  # somebody is gone for ever, or played against themselves
    # It was asked when the game began: this is about games that the same two play at the same time.
    if rated_before(connection, str(game), ids, int(at or 0)) >= MOST_RATED:
        return
    for chair, own, other, points in zip(
        chairs, (first, second), (second, first), POINTS[str(ended["score"])], strict=True
    ):
        if chair.player is None:
            continue
        after = rated(own, other, points)
        new = {"rating": after.rating, "deviation": after.deviation}
        played = {"player": chair.player, "game": game, "at": at, "score": points}
        compared = {"before": own.rating, "opponent_rating": other.rating}
        connection.execute(sa.insert(ratings).values(played | compared | new))
        connection.execute(
            sa.update(players)
            .where(players.c.id == chair.player)
            .values(volatility=after.volatility, seen=at, rated_at=at, **new)
        )
