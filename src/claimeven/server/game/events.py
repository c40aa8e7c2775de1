"""What happened at a game, as values: made by a session, stored as rows (rows.py), told by wire.py.

They never change, so any thread may hold them.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from claimeven.game import Result
from claimeven.game.record import Pie, Score
from claimeven.position import Position


class Seat(NamedTuple):
    kind: Literal["human", "agent", "free"]
    name: str = ""
    agent: str | None = None  # its spec
    owner: str | None = None  # hash of the token of the person
    player: str | None = None  # the public id of a person who has one
    rating: int | None = None  # theirs when they sat down


# Why a game that was to be rated is not: both come from one address, or met often enough for a day.
Unrated = Literal["address", "often"]


class Sitter(NamedTuple):
    """A player who sits down."""

    name: str
    player: str  # the public id
    rating: int


class Replaced(NamedTuple):
    """Somebody who left their seat in the middle of a game, to somebody else."""

    seq: int  # of the event
    ply: int  # moves before it
    side: int
    seat: Seat  # as it was
    is_agreed: bool = False  # with the other player; else there was nobody to ask


class Successor(NamedTuple):
    """Who shall sit at a side, if the other player agrees."""

    name: str
    agent: str | None  # its spec; None: the owner of the game


class Reading(NamedTuple):
    """A clock as it stands: `left` is what was left at `since`."""

    initial: int
    increment: int
    left: tuple[int, int]
    running: int | None  # the side whose time runs
    since: int | None


@dataclass(frozen=True, slots=True)
class Event:
    game: str


@dataclass(frozen=True, slots=True)
class Standing(Event):
    """What moves alone do not tell, as of event `seq`. It follows everything but a plain move."""

    seq: int
    owner: str | None
    take: int
    redo: tuple[int, ...]  # the next one first
    left: tuple[int, int] | None  # on the clock
    offers: tuple[tuple[str, int], ...]  # kind and side that asks
    successor: Successor | None  # of the side that offers its seat
    result: Result | None
    rematch: str | None
    pie: Pie = "no"


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    created: int
    start: Position
    seats: tuple[Seat, Seat]
    think: int
    clock: Reading | None
    invite: str | None
    standing: Standing
    is_rated: bool = False
    event: str | None = None  # the tournament it belongs to
    unrated: Unrated | None = None


@dataclass(frozen=True, slots=True)
class GameUnrated(Event):
    """It counts for no rating after all."""

    why: Unrated


@dataclass(frozen=True, slots=True)
class GameRated(Event):
    """A game that counts for ratings has ended."""

    score: Score
    at: int


@dataclass(frozen=True, slots=True)
class GameRemoved(Event):
    """The operator wants it gone."""


@dataclass(frozen=True, slots=True)
class MoveMade(Event):
    seq: int
    take: int
    ply: int  # moves before it
    column: int
    side: int
    position: Position  # after it
    is_last: bool  # the game is over
    ms: int | None  # that it took
    clock: Reading | None  # after it
    at: int
    by_agent: bool = False
    may_swap: bool = False  # who is to move now may take the first disc


@dataclass(frozen=True, slots=True)
class MovesReplayed(Event):
    """Moves that had been taken back, together one event."""

    moves: tuple[MoveMade, ...]


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """A new take begins after `ply` moves."""

    take: int
    ply: int


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """Somebody came to the free seat; the database decides who was first."""

    side: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatChanged(Event):
    side: int
    seat: Seat
    replaced: Replaced | None = None


@dataclass(frozen=True, slots=True)
class SidesChanged(Event):
    """By the pie rule somebody took the first disc, or took that back: both sit at the other side now."""

    seats: tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class Renamed(Event):
    side: int
    name: str


@dataclass(frozen=True, slots=True)
class RequestGranted(Event):
    """A request that was no move: should it come again, it was event `seq`."""

    who: str  # hash of the token
    number: int  # counts the requests of a player
    id: str  # given by the client
    asked: str  # the request without its id
    seq: int
    forgotten: int | None = None  # the number of one too old to be kept
