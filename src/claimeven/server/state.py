"""A game as it stands: who sits where, what was played, what is asked. What may be done with it: live.py."""

import hmac
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from claimeven import notation
from claimeven.game import Clock, Game, Player, Result
from claimeven.position import Position
from claimeven.server.clock import GameClock
from claimeven.server.granted import Granted
from claimeven.server.messages import Offers, ResultState

Write = tuple[str, dict[str, Any]]  # a statement of store.py and its parameters
BOTH = (0, 1)


class Who(NamedTuple):
    """Somebody at the game: which sides are theirs, and whether the game is."""

    sides: tuple[int, ...] = ()
    is_owner: bool = False


@dataclass
class Seat:
    kind: Literal["human", "agent", "free"]
    name: str = ""
    agent: str | None = None  # its spec
    owner: str | None = None  # hash of the token of the person


@dataclass
class GameState:
    id: str
    start: Position
    seats: tuple[Seat, Seat]
    created: int
    think: int
    clock: GameClock | None = None
    owner: str | None = None  # hash of the creator's token
    invite: str | None = None  # hash of the invitation to the free seat
    seq: int = 0
    take: int = 0
    columns: list[int] = field(default_factory=list)
    times: list[int | None] = field(default_factory=list)  # milliseconds each move took
    redo: list[int] = field(default_factory=list)  # the next one last
    known: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # (take, ply): column, seq
    offers: dict[str, int] = field(default_factory=dict)  # kind: side that asks
    result: Result | None = None
    rematch: str | None = None
    turn_since: int | None = None
    granted: Granted = field(default_factory=Granted)

    def __post_init__(self) -> None:
        self.positions = [self.start]
        for column in self.columns:
            self.positions.append(self.positions[-1].play(column))

    # What stands -----------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """Moves made since the start of the game."""
        return len(self.columns)

    @property
    def is_waiting(self) -> bool:
        first, second = self.seats
        return first.kind == "free" or second.kind == "free"

    @property
    def status(self) -> Literal["waiting", "playing", "over"]:
        return "over" if self.result else "waiting" if self.is_waiting else "playing"

    @property
    def turn(self) -> int | None:
        return self.position.side if self.status == "playing" else None

    @property
    def agent_to_move(self) -> str | None:
        return None if self.turn is None else self.seats[self.turn].agent

    @property
    def waits_for_first_move(self) -> bool:
        """A timed game between people whose clock does not run yet: somebody has not moved at all."""
        return self.clock is not None and self.is_between_people and self.status == "playing" and self.ply < 2

    @property
    def is_between_people(self) -> bool:
        """Two people, each with a seat of their own."""
        first, second = self.seats
        return first.kind != "agent" and second.kind != "agent" and first.owner != second.owner

    def side_at(self, ply: int) -> int:
        return (self.start.side + ply) % 2

    def who(self, token_hash: str | None) -> Who:
        if token_hash is None:
            return Who()
        sides = tuple(s for s in BOTH if self.seats[s].kind == "human" and self.seats[s].owner == token_hash)
        return Who(sides, token_hash == self.owner)

    def knows(self, token_hash: str) -> bool:
        """Whether a token belongs to this game; compared in constant time."""
        hashes = [self.owner, *(seat.owner for seat in self.seats)]
        return any(hmac.compare_digest(token_hash, known) for known in hashes if known is not None)

    @property
    def moves_text(self) -> str:
        return notation.moves_text(self.columns)

    @property
    def redo_text(self) -> str:
        return notation.moves_text(reversed(self.redo))

    def landing(self) -> dict[str, int]:
        """For every legal column the row a disc falls to, both counted from 1."""
        if self.status != "playing":
            return {}
        return {str(c + 1): self.position.height(c) + 1 for c in self.position.legal}

    def offers_state(self) -> Offers:
        return Offers(**{kind: side + 1 for kind, side in self.offers.items()})

    def result_state(self) -> ResultState | None:
        if self.result is None:
            return None
        winner = self.result.winner
        return ResultState(self.result.score, None if winner is None else winner + 1, self.result.reason)

    def record(self) -> Game:
        """The game as a record, as it stands now."""
        players = [
            Player(seat.name, "agent", seat.agent) if seat.agent else Player(seat.name) for seat in self.seats
        ]
        game = Game(
            start=self.start,
            players=(players[0], players[1]),
            clock=None if self.clock is None else Clock(self.clock.initial, self.clock.increment),
            id=self.id,
            created=moment(self.created),
        )
        for column, ms in zip(self.columns, self.times, strict=True):
            game.play(column, ms)
        if self.result is not None and game.result is None:
            game.end(self.result.winner, self.result.reason)
        return game

    # Rows of the database -----------------------------------------------------------------------------

    def row(self) -> Write:
        """What the table of games says of this one, as of `seq`."""
        result = self.result
        return "game", {
            "game": self.id,
            "seq": self.seq,
            "owner": self.owner,
            "take": self.take,
            "redo": self.redo_text,
            "left_first": None if self.clock is None else self.clock.left[0],
            "left_second": None if self.clock is None else self.clock.left[1],
            "offers": ",".join(f"{kind}:{side + 1}" for kind, side in self.offers.items()),
            "score": None if result is None else result.score,
            "reason": None if result is None else result.reason,
            "rematch": self.rematch,
        }

    def seat_row(self, side: int) -> Write:
        seat = self.seats[side]
        return "seat", {
            "game": self.id,
            "side": side + 1,
            "kind": seat.kind,
            "name": seat.name,
            "agent": seat.agent,
            "owner": seat.owner,
        }


def moment(ms: int) -> str:
    """UTC, like 2026-11-15T06:30:00Z."""
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
