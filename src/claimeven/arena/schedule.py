"""What a tournament consists of: who meets whom, from which openings, under which limit.

The plan is made once; every pair of games follows from it and from the pair's number alone, so it does not
matter who plays a pair, when, or how often.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal, TypedDict, get_args

from claimeven.agents import close, make_agent
from claimeven.arena.clock import Control
from claimeven.arena.openings import suite
from claimeven.arena.sprt import Sprt
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position

MOST_GAMES = 10_000_000  # of a pairing; the whole schedule lies in memory
Format = Literal["round-robin", "gauntlet"]
NAME_LENGTH = 100


class PairItem(TypedDict):
    """One task: an opening played twice with the colours swapped. All of it is JSON."""

    agents: list[str]  # two specs
    names: list[str]
    board: str
    start: str
    limit: str
    clock: str


@dataclass(frozen=True)
class Plan:
    """A tournament. The games of all pairings start from the same openings."""

    specs: tuple[str, ...]
    games: int = 100  # per pairing
    format: Format = "round-robin"
    openings: str = "short"
    limit: Limit = field(default_factory=Limit)
    clock: Control | None = None
    seed: int = 0
    board: Board = field(default_factory=Board)
    sprt: Sprt | None = None
    names: tuple[str, ...] = field(init=False)
    starts: tuple[Position, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise InputError("a tournament needs at least two agents")
        if self.games < 2 or self.games % 2:
            raise InputError(f"the games of a pairing are an even number, at least 2, not {self.games}")
        if self.games > MOST_GAMES:
            raise InputError(f"the games of a pairing are at most {MOST_GAMES:,}, not {self.games:.3g}")
        if self.format not in get_args(Format):
            raise InputError(f"a tournament is {' or '.join(get_args(Format))}, not {self.format!r:.60}")
        if self.sprt is not None and len(self.specs) != 2:
            raise InputError(f"SPRT compares two agents, not {len(self.specs)}")
        object.__setattr__(self, "names", _names(self.specs))
        object.__setattr__(
            self, "starts", tuple(suite(self.openings, self.board, self.games // 2, self.seed))
        )

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, by number: everyone everyone, or the first everyone."""
        everyone = range(len(self.specs))
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
        pairings, starts = self.pairings, [start_text(start) for start in self.starts]
        return [
            {
                "agents": [self.specs[one], self.specs[other]],
                "names": [self.names[one], self.names[other]],
                "board": str(self.board),
                "start": starts[number % len(starts)],
                "limit": str(self.limit),
                "clock": "" if self.clock is None else str(self.clock),
            }
            for number in range(self.games // 2)
            for one, other in pairings
        ]

    def parameters(self) -> dict[str, Any]:
        """The plan as JSON: two plans are the same when these are."""
        starts = "\n".join(map(start_text, self.starts))
        return {
            "agents": list(self.specs),
            "games": self.games,
            "format": self.format,
            "openings": self.openings,
            "openings_digest": hashlib.blake2b(starts.encode(), digest_size=8).hexdigest(),
            "limit": str(self.limit),
            "clock": None if self.clock is None else str(self.clock),
            "seed": self.seed,
            "board": str(self.board),
            "sprt": None if self.sprt is None else str(self.sprt),
        }


def start_text(start: Position) -> str:
    """How it was reached, if that is known: the solver can do more with it."""
    return str(start) if start.moves is None else start.moves


def _names(specs: tuple[str, ...]) -> tuple[str, ...]:
    """The agents' own names, numbered where several are alike. A wrong spec is found out here, not later."""
    names = []
    for spec in specs:
        agent = make_agent(spec, 0)
        names.append(agent.name if len(agent.name) <= NAME_LENGTH else f"{agent.name[: NAME_LENGTH - 1]}…")
        close(agent)
    total, seen = Counter(names), Counter[str]()
    for i, name in enumerate(names):
        seen[name] += 1
        if total[name] > 1:
            names[i] = f"{name} #{seen[name]}"
    return tuple(names)
