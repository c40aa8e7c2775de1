"""What the routes of players answer. These types *are* the format."""

from typing import Literal

from msgspec import Struct

from claimeven.game import Reason
from claimeven.server.messages import Count, Milliseconds, Side


class PlayerRating(Struct, frozen=True):
    """As people read it; `provisional` while the deviation is large."""

    shown: int
    deviation: int
    provisional: bool


class Me(Struct, frozen=True):
    id: str
    name: str
    rating: PlayerRating


class MovingCode(Struct, frozen=True):
    code: str
    until: Milliseconds


class PlayerGame(Struct, frozen=True):
    game: str
    at: Milliseconds
    board: str
    side: Side
    opponent: str  # the name
    opponent_player: str | None
    opponent_agent: str | None
    rated: bool
    event: str | None
    result: Literal["won", "drawn", "lost", "none"] | None  # None: it is being played
    reason: Reason | None
    change: int | None  # of the rating


class RatingPoint(Struct, frozen=True):
    at: Milliseconds
    rating: int


class PlayerPage(Struct, frozen=True):
    id: str
    name: str
    rating: PlayerRating
    since: Milliseconds
    won: Count  # rated games, like the next two
    drawn: Count
    lost: Count
    curve: tuple[RatingPoint, ...]
    games: tuple[PlayerGame, ...]  # the newest first
    more: bool  # whether there are older ones


class Muted(Struct, frozen=True):
    player: str
    name: str


class MutedPlayers(Struct, frozen=True):
    """Whom one does not want to meet."""

    players: tuple[Muted, ...]


class BestGame(Struct, frozen=True):
    """The game to watch now, if there is one."""

    game: str | None
    names: tuple[str, ...] = ()
    ratings: tuple[int | None, ...] = ()
    people: Count = 0  # at the table: games of people go before games of levels
    watchers: Count = 0


class Report(Struct, frozen=True):
    """What somebody told the operator of somebody."""

    at: Milliseconds
    game: str
    reporter: str  # the name
    player: str  # who it is about
    name: str
    reason: str


class Reports(Struct, frozen=True):
    reports: tuple[Report, ...]


class GameForgotten(Struct, frozen=True):
    gone: bool  # False: somebody else played, too; it stays, without the name


class Done(Struct, frozen=True):
    done: bool = True
