"""What a tournament consists of: who meets whom, from which openings, under which limit.

The plan is made once; every pair of games follows from it and from the pair's number alone, so it does not
matter who plays a pair, when, or how often.
"""

import hashlib
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Literal, get_args

from claimeven.arena.play.clock import Control
from claimeven.arena.play.entrants import Entrant, names
from claimeven.arena.play.game import GRACE
from claimeven.arena.play.openings import layer, suite
from claimeven.arena.sprt import Sprt
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position

MOST_GAMES = 10_000_000  # of a pairing; the whole schedule lies in memory
Format = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True)
class PairItem:
    """One task: an opening played twice with the colours swapped."""

    entrants: tuple[Entrant, Entrant]  # the first one moves first in the first game
    names: tuple[str, str]
    specs: tuple[str, str]
    start: Position
    limit: Limit
    clock: Control | None
    grace: float
    patience: float | None
    pie: bool = False


@dataclass(frozen=True)
class Settings:
    """A plan as text and numbers: two plans are the same when these are."""

    agents: tuple[str, ...]
    games: int
    format: str
    openings: str
    openings_digest: str
    limit: str
    clock: str | None
    seed: int
    board: str
    sprt: str | None
    pie: bool = False

    def named(self) -> dict[str, object]:
        """By name; without the pie rule as before there was one, so that what was begun then goes on."""
        return {name: value for name, value in asdict(self).items() if name != "pie" or value}


@dataclass(frozen=True)
class Plan:
    """A tournament. The games of all pairings start from the same openings."""

    entrants: tuple[Entrant, ...]
    games: int = 100  # per pairing
    format: Format = "round-robin"
    openings: str | tuple[Position, ...] = "short"  # a suite, or positions
    limit: Limit = field(default_factory=Limit)
    clock: Control | None = None
    seed: int = 0
    board: Board = field(default_factory=Board)
    sprt: Sprt | None = None
    pie: bool = False  # the second player may take the first disc
    grace: float = GRACE
    patience: float | None = None  # seconds for a move that has no limit of time
    names: tuple[str, ...] = field(init=False)
    starts: tuple[Position, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise InputError("tournament.agents")
        if not isinstance(self.games, int) or self.games < 2 or self.games % 2:
            raise InputError("tournament.games", games=self.games)
        if self.games > MOST_GAMES:
            raise InputError("tournament.most_games", most=MOST_GAMES, games=self.games)
        if self.format not in get_args(Format):
            raise InputError(
                "tournament.format", known=" or ".join(get_args(Format)), format=f"{self.format!r:.60}"
            )
        if self.sprt is not None and len(self.entrants) != 2:
            raise InputError("sprt.agents", n=len(self.entrants))
        object.__setattr__(self, "names", names(self.entrants))
        object.__setattr__(self, "starts", self._starts())

    def _starts(self) -> tuple[Position, ...]:
        if self.pie and self.openings == "short":  # there must be a first disc to come, or to be taken
            return (Position(self.board), *layer(self.board, 1))[: self.games // 2]
        starts = self._drawn_starts()
        if self.pie and (late := max(start.ply for start in starts)) > 1:
            raise InputError("record.pie_start", stones=late)
        return starts

    def _drawn_starts(self) -> tuple[Position, ...]:
        if isinstance(self.openings, str):
            return tuple(suite(self.openings, self.board, self.games // 2, self.seed))
        if not self.openings:
            raise InputError("match.no_opening")
        if over := next((position for position in self.openings if position.is_over), None):
            raise InputError("match.opening_over", opening=over.text)
        return self.openings[: self.games // 2]

    @property
    def specs(self) -> tuple[str, ...]:
        """As text; an agent that was made elsewhere has only its name."""
        return tuple(
            entrant if isinstance(entrant, str) else name
            for entrant, name in zip(self.entrants, self.names, strict=True)
        )

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, by number: everyone everyone, or the first everyone."""
        everyone = range(len(self.entrants))
        if self.format == "gauntlet":
            return [(0, other) for other in everyone[1:]]
        return list(combinations(everyone, 2))

    @property
    def pairs(self) -> int:
        return len(self.pairings) * (self.games // 2)

    def pairing_of(self, pair: int) -> tuple[int, int]:
        """Pairings take turns, so that at any moment all have played about as much."""
        return self.pairings[pair % len(self.pairings)]

    def items(self) -> list[PairItem]:
        specs = self.specs
        return [
            PairItem(
                (self.entrants[one], self.entrants[other]),
                (self.names[one], self.names[other]),
                (specs[one], specs[other]),
                self.starts[number % len(self.starts)],
                self.limit,
                self.clock,
                self.grace,
                self.patience,
                self.pie,
            )
            for number in range(self.games // 2)
            for one, other in self.pairings
        ]

    def settings(self) -> Settings:
        starts = "\n".join(start.text for start in self.starts)
        return Settings(
            agents=self.specs,
            games=self.games,
            format=self.format,
            openings=self.openings if isinstance(self.openings, str) else "given",
            openings_digest=hashlib.blake2b(starts.encode(), digest_size=8).hexdigest(),
            limit=str(self.limit),
            clock=None if self.clock is None else str(self.clock),
            seed=self.seed,
            board=str(self.board),
            sprt=None if self.sprt is None else str(self.sprt),
            pie=self.pie,
        )
