"""What the routes of tournaments answer. These types *are* the format."""

from typing import Literal

from msgspec import Struct

from claimeven.event import Format
from claimeven.event.tiebreaks import TieBreak
from claimeven.server.doors.answers import OpenClock
from claimeven.server.messages import Count, Milliseconds

EventState = Literal["open", "running", "over"]


class EventEntrant(Struct, frozen=True):
    number: int
    name: str
    player: str | None
    agent: str | None
    rating: int
    away: bool


class EventPlace(Struct, frozen=True):
    place: int
    number: int
    points: float
    breaks: tuple[float, ...]


class EventTable(Struct, frozen=True):
    """Without a second it is a bye; without a score it is being played."""

    round: int
    board: int
    first: int
    second: int | None
    game: str | None
    score: str | None
    played: bool


class EventMatch(Struct, frozen=True):
    """Of a knock-out: the upper and the lower place of a bracket, null where nobody is known yet."""

    one: int | None
    two: int | None
    points: tuple[float, float]
    winner: int | None
    bye: bool


class EventPage(Struct, frozen=True):
    id: str
    name: str
    format: Format
    state: EventState
    organiser: str | None  # the player's id
    rated: bool
    clock: OpenClock
    round: int
    rounds: int
    minutes: int
    due: Milliseconds | None
    server_time: Milliseconds
    entrants: tuple[EventEntrant, ...]
    places: tuple[EventPlace, ...]
    breaks: tuple[TieBreak, ...]
    tables: tuple[EventTable, ...]  # the newest rounds
    bracket: tuple[tuple[EventMatch, ...], ...]  # of a knock-out that has begun: its rounds, the final last


class EventLine(Struct, frozen=True):
    id: str
    name: str
    format: Format
    state: EventState
    rated: bool
    clock: OpenClock
    entrants: Count


class EventList(Struct, frozen=True):
    events: tuple[EventLine, ...]


class FairLine(Struct, frozen=True):
    """How somebody's hard decisions went, against what people of their rating find. It proves nothing."""

    number: int
    decisions: Count
    right: Count
    share: float
    low: float  # of the share, with 95 % confidence
    high: float
    expected: float  # of people with this rating
    rating: int  # that was compared with
    games: Count


class FairPlay(Struct, frozen=True):
    lines: tuple[FairLine, ...]
    is_whole: bool  # else others waited for the server: the rest is asked for with `after`
