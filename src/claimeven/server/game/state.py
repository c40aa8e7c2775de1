"""A game as it stands: who sits where, what was played, what is asked. What may be done: session.py."""

import hmac
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from claimeven.game import Clock, Game, Player, Record, Result
from claimeven.position import Position
from claimeven.server.game.clock import GameClock
from claimeven.server.game.events import (
    GameBegun,
    Replaced,
    Seat,
    SidesChanged,
    Standing,
    Successor,
    Unrated,
)
from claimeven.server.game.granted import Granted

BOTH = (0, 1)


class Who(NamedTuple):
    """Somebody at the game: which sides are theirs, and whether the game is."""

    sides: tuple[int, ...] = ()
    is_owner: bool = False


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
    known: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # (take, ply): column, seq
    offers: dict[str, int] = field(default_factory=dict)  # kind: side that asks
    successor: Successor | None = None  # to the seat of the side that offers it
    rematch: str | None = None
    turn_since: int | None = None
    replaced: list[Replaced] = field(default_factory=list)  # in the middle of the game
    granted: Granted = field(default_factory=Granted)
    has_pie: bool = False  # the second player may take the first disc
    is_rated: bool = False
    event: str | None = None  # the tournament it belongs to
    unrated: Unrated | None = None
    rated_before: int = 0  # games of these two that counted for ratings within a day before, if it is rated
    game: Game = field(init=False)  # moves, their times, what was taken back, the result

    def __post_init__(self) -> None:
        clock = None if self.clock is None else Clock(self.clock.initial, self.clock.increment)
        self.game = Game(
            start=self.start, clock=clock, id=self.id, created=moment(self.created), pie=self.has_pie
        )

    # What stands -----------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def result(self) -> Result | None:
        return self.game.result

    @property
    def ply(self) -> int:
        """Moves made since the start of the game."""
        return self.game.ply - self.start.ply

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
        first, second = self.seats
        if first.agent is None and second.agent is None:
            return None  # in games of people, without a look at the board: it is asked after every move
        turn = self.turn
        return None if turn is None else self.seats[turn].agent

    @property
    def waits_for_first_move(self) -> bool:
        """A timed game between people whose clock does not run yet: somebody has not moved at all."""
        if self.event is not None or self.clock is None or not self.is_between_people:
            return False
        return self.status == "playing" and not self.have_both_acted

    @property
    def have_both_acted(self) -> bool:
        """Each side has moved, or one has dropped the first disc and the other taken it."""
        return self.ply >= 2 or self.game.pie == "swapped"

    @property
    def is_between_people(self) -> bool:
        """Two people, each with a seat of their own."""
        first, second = self.seats
        return first.kind != "agent" and second.kind != "agent" and first.owner != second.owner

    @property
    def is_strict(self) -> bool:
        """A game that counts: nothing is taken back, given or whispered, and seats stay whose they are."""
        return self.is_rated or self.event is not None

    @property
    def waits_for_no_show(self) -> bool:
        """A person of a tournament has not made their first move, though it is their turn."""
        if self.event is None or self.turn is None:
            return False
        return self.ply < 2 and self.seats[self.turn].kind == "human"

    @property
    def is_between_agents(self) -> bool:
        first, second = self.seats
        return first.kind == second.kind == "agent"

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

    def own_name(self, who: Who, side: int) -> str:
        """What somebody calls themselves here, or did when they sat at a side last."""
        names = [self.seats[own].name for own in who.sides]
        names += [
            one.seat.name for one in reversed(self.replaced) if (one.side, one.seat.kind) == (side, "human")
        ]
        return next(iter(names), "")

    def is_alone(self, own: tuple[int, ...]) -> bool:
        """Whether nobody else ever played in it: an agent may have taken over from a person."""
        seats = all(self.seats[side].kind == "agent" or side in own for side in BOTH)
        return seats and not any(one.is_agreed for one in self.replaced)

    def _is_alone(self, who: Who) -> bool:
        """Nobody else has to be asked."""
        return all(self.seats[s].kind == "agent" or s in who.sides for s in BOTH)

    def _speaker(self, who: Who) -> int:
        """The side that asks: one's own; with both, the one to move."""
        return who.sides[0] if len(who.sides) == 1 else self.position.side

    def _sit(self, side: int, seat: Seat) -> Seat:
        first, second = self.seats
        self.seats = (seat, second) if side == 0 else (first, seat)
        return seat

    def _change_sides(self) -> SidesChanged:
        """Both take their time along."""
        self.seats = self.seats[1], self.seats[0]
        if self.clock is not None:
            self.clock.left.reverse()
            self.clock.credit.reverse()
        return SidesChanged(self.id, self.seats)

    # Time --------------------------------------------------------------------------------------------

    def run_clock(self, now: int) -> None:
        if self.clock is not None:
            # In a tournament nobody waits for who does not come.
            runs = self.result is None and (self.have_both_acted or self.event is not None)
            self.clock.run(self.position.side if runs else None, now)

    def forgive(self, moved_at: int, delay: int) -> bool:
        """The last move was told so much later than it was made: the clock of the other side began then."""
        if self.turn_since != moved_at:
            return False
        self.turn_since += delay
        if self.clock is None or self.clock.running is None or self.clock.since != moved_at:
            return False
        self.clock.since += delay
        return True

    # As values -----------------------------------------------------------------------------------------

    def record(self) -> Record:
        """The game as a record, as it stands now."""
        first, second = (
            Player(seat.name, "agent", seat.agent) if seat.agent else Player(seat.name) for seat in self.seats
        )
        self.game.players = first, second
        if self.replaced:  # the players are those at the end; who played before is not forgotten
            self.game.tags["Replaced"] = "; ".join(map(_in_words, self.replaced))
        return self.game.record()

    def standing(self) -> Standing:
        return Standing(
            self.id,
            seq=self.seq,
            owner=self.owner,
            take=self.take,
            redo=self.game.undone,
            left=None if self.clock is None else self.clock.reading().left,
            offers=tuple(self.offers.items()),
            successor=self.successor if "seat" in self.offers else None,
            result=self.result,
            rematch=self.rematch,
            pie=self.game.pie,
        )

    def begun(self) -> GameBegun:
        """A game that just began."""
        clock = None if self.clock is None else self.clock.reading()
        standing = self.standing()
        return GameBegun(
            self.id,
            self.created,
            self.start,
            self.seats,
            self.think,
            clock,
            self.invite,
            standing,
            self.is_rated,
            self.event,
            self.unrated,
        )


def _in_words(one: Replaced) -> str:
    agreed = " by agreement" if one.is_agreed else ""
    return f"{one.side + 1} {one.seat.agent or one.seat.name} until {one.ply}{agreed}"


def moment(ms: int) -> str:
    """UTC, like 2026-11-15T06:30:00Z."""
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
