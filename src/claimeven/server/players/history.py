"""What is told of a player: rating, curve and games."""

from collections.abc import Sequence
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.practice import Rating
from claimeven.server.players.answers import PlayerGame, PlayerPage, PlayerRating, RatingPoint
from claimeven.server.players.book import Player
from claimeven.server.storage.club import ratings, sittings, terms
from claimeven.server.storage.schema import games, seats

LISTED = 50  # games of a page
POINTS = 200  # of a curve: the newest


def rating_of(rating: Rating) -> PlayerRating:
    return PlayerRating(rating.shown, round(rating.deviation), rating.is_provisional)


def page_of(connection: Connection, player: Player, before: int | None) -> PlayerPage:
    newest = (
        sa.select(ratings.c.at, ratings.c.rating, ratings.c.game)
        .where(ratings.c.player == player.id)
        .order_by(ratings.c.at.desc(), ratings.c.game)
        .limit(POINTS)
    )
    curve = connection.execute(newest).all()[::-1]
    ends = sa.select(ratings.c.score, sa.func.count()).where(ratings.c.player == player.id)
    counts = dict(map(tuple, connection.execute(ends.group_by(ratings.c.score))))
    found = _games(connection, player.id, before)
    return PlayerPage(
        id=player.id,
        name=player.name,
        rating=rating_of(player.rating),
        since=player.created,
        won=counts.get(1.0, 0),
        drawn=counts.get(0.5, 0),
        lost=counts.get(0.0, 0),
        curve=tuple(RatingPoint(row.at, round(row.rating)) for row in curve),
        games=tuple(_game(row) for row in found[:LISTED]),
        more=len(found) > LISTED,
    )


def _games(connection: Connection, player: str, before: int | None) -> Sequence[Any]:
    own, other, across = sittings.alias("own"), sittings.alias("other"), seats.alias("across")
    asked = (
        sa.select(
            games.c.id,
            games.c.created,
            games.c.board,
            games.c.score,
            games.c.reason,
            own.c.side,
            across.c.name,
            across.c.agent,
            other.c.player.label("opponent"),
            terms.c.rated,
            terms.c.event,
            ratings.c.before,
            ratings.c.rating,
        )
        .join(own, own.c.game == games.c.id)
        .join(across, (across.c.game == games.c.id) & (across.c.side != own.c.side))
        .outerjoin(other, (other.c.game == games.c.id) & (other.c.side != own.c.side))
        .outerjoin(terms, terms.c.game == games.c.id)
        .outerjoin(ratings, (ratings.c.game == games.c.id) & (ratings.c.player == player))
        .where(own.c.player == player, across.c.kind != "free")
        .order_by(games.c.created.desc(), games.c.id)
        .limit(LISTED + 1)
    )
    if before is not None:
        asked = asked.where(games.c.created < before)
    return connection.execute(asked).all()


def _game(row: Any) -> PlayerGame:
    return PlayerGame(
        game=row.id,
        at=row.created,
        board=row.board,
        side=row.side,
        opponent=row.name,
        opponent_player=row.opponent,
        opponent_agent=row.agent,
        rated=bool(row.rated),
        event=row.event,
        result=None if row.score is None else _result(row.score, row.side),
        reason=row.reason,
        change=None if row.rating is None else round(row.rating) - round(row.before),
    )


def _result(score: str, side: int) -> Literal["won", "drawn", "lost", "none"]:
    if score not in ("1-0", "0-1"):
        return "drawn" if score == "1/2-1/2" else "none"
    return "won" if score == ("1-0" if side == 1 else "0-1") else "lost"
