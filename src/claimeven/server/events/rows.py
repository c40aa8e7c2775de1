"""A tournament as it stands in the database, and what is written of it."""

from dataclasses import dataclass, replace
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.event import Entrant, Format, Meeting
from claimeven.event.values import BYE
from claimeven.server.errors import RefusedError
from claimeven.server.storage.club import entrants, events, pairings
from claimeven.server.storage.schema import games, moves

POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "+": BYE, "0-0": (0.0, 0.0)}
GONE = "0-0"  # a game that the operator deleted: nobody's points


@dataclass(frozen=True)
class Person:
    """Who takes part: a player, or a level."""

    number: int
    player: str | None
    agent: str | None
    name: str
    rating: int
    is_away: bool

    @property
    def entrant(self) -> Entrant:
        return Entrant(self.number, self.rating, not self.is_away)


@dataclass(frozen=True)
class Table:
    """A pairing of a round."""

    round: int
    board: int
    first: int
    second: int | None
    game: str | None
    score: str | None
    is_played: bool

    @property
    def meeting(self) -> Meeting:
        points = None if self.score is None else POINTS[self.score]
        return Meeting(self.round, self.first, self.second, points, self.is_played)


@dataclass(frozen=True)
class Event:
    id: str
    created: int
    owner: str | None
    name: str
    format: Format
    is_rated: bool
    initial: int
    increment: int
    rounds: int
    minutes: int
    state: str
    round: int
    due: int | None
    people: tuple[Person, ...]
    tables: tuple[Table, ...]

    @property
    def entrants(self) -> list[Entrant]:
        return [person.entrant for person in self.people]

    @property
    def meetings(self) -> list[Meeting]:
        return [table.meeting for table in self.tables]

    def person(self, number: int) -> Person:
        return self.people[number - 1]


def load(connection: Connection, event: str, is_kept: bool = False) -> Event:
    """With results as the games themselves tell them, written down or not. `is_kept`: nobody else changes it
    until the transaction ends, for it is changed by what is found here."""
    asked_row = sa.select(events).where(events.c.id == event)
    row = connection.execute(asked_row.with_for_update() if is_kept else asked_row).first()
    if row is None:
        raise RefusedError("not_found.event")
    people = connection.execute(
        sa.select(entrants).where(entrants.c.event == event).order_by(entrants.c.number)
    ).all()
    made = sa.select(sa.func.count()).where(moves.c.game == pairings.c.game).scalar_subquery()
    ends = sa.case((pairings.c.score.is_(None), made), else_=0).label("made")
    asked = (
        sa.select(pairings, games.c.id.label("known"), games.c.score.label("ended"), games.c.reason, ends)
        .outerjoin(games, games.c.id == pairings.c.game)
        .where(pairings.c.event == event)
        .order_by(pairings.c.round, pairings.c.board)
    )
    return Event(
        row.id,
        row.created,
        row.owner,
        row.name,
        cast(Format, row.format),
        bool(row.rated),
        row.clock_initial,
        row.clock_increment,
        row.rounds,
        row.minutes,
        row.state,
        row.round,
        row.due,
        tuple(
            Person(one.number, one.player, one.agent, one.name, one.rating, bool(one.away)) for one in people
        ),
        tuple(_table(one) for one in connection.execute(asked)),
    )


def _table(row: Any) -> Table:
    table = Table(row.round, row.board, row.first, row.second, row.game, row.score, bool(row.played))
    if table.score is not None or table.game is None:
        return table
    if row.known is None:
        return replace(table, score=GONE, is_played=False)
    # Time ran out before the first move of somebody: they never came.
    is_played = row.made >= 2 or row.reason not in ("abandon", "time")
    return table if row.ended is None else replace(table, score=row.ended, is_played=is_played)


def write_result(connection: Connection, event: str, table: Table) -> None:
    """Once: a result that is written stays."""
    connection.execute(
        sa.update(pairings)
        .where(pairings.c.event == event, pairings.c.round == table.round, pairings.c.board == table.board)
        .where(pairings.c.score.is_(None))
        .values(score=table.score, played=int(table.is_played))
    )


def write_pairing(connection: Connection, event: str, table: Table) -> None:
    connection.execute(
        sa.insert(pairings).values(
            event=event,
            round=table.round,
            board=table.board,
            first=table.first,
            second=table.second,
            game=table.game,
            score=table.score,
            played=int(table.is_played),
        )
    )


def set_away(connection: Connection, event: str, number: int, is_away: bool) -> None:
    own = (entrants.c.event == event) & (entrants.c.number == number)
    connection.execute(sa.update(entrants).where(own).values(away=int(is_away)))


def set_event(connection: Connection, event: str, **values: Any) -> None:
    connection.execute(sa.update(events).where(events.c.id == event).values(**values))
