"""What a tournament says, as values. In this order they are its JSON, `result.json`."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from claimeven.arena.play.schedule import Settings

FORMAT, VERSION = "claimeven-tournament", 1
Bounds = tuple[float, float]  # between which a value lies with 95 % confidence


@dataclass(frozen=True)
class Ends:
    """How games ended for somebody."""

    wins: int
    draws: int
    losses: int

    @property
    def all(self) -> tuple[int, int, int]:
        return self.wins, self.draws, self.losses

    @property
    def words(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


@dataclass(frozen=True)
class Rated:
    """Elo, with the interval in which it lies with 95 % confidence."""

    value: float
    interval: Bounds


@dataclass(frozen=True)
class Difference:
    """Elo, with its error by the normal law."""

    value: float
    error: float


@dataclass(frozen=True)
class Part:
    """So many of the moves that were judged."""

    count: int
    share: float
    interval: Bounds


@dataclass(frozen=True)
class Quality:
    """How good the moves of an agent were (measure.py says what the words mean)."""

    moves: int  # judged
    unknown: int  # out of the solver's reach
    optimal: Part
    decisive: int
    keeping: Part  # of the decisive ones


@dataclass(frozen=True)
class Faults:
    """Games lost by the agent's own fault."""

    illegal: int
    crash: int
    time: int

    @property
    def failed(self) -> int:
        return self.crash + self.time


@dataclass(frozen=True)
class AgentResult:
    name: str
    wins: int
    draws: int
    losses: int
    score: float  # points per game
    interval: Bounds
    as_first: Ends
    as_second: Ends
    faults: Faults
    is_reliable: bool
    rating: Rated
    spec: str
    quality: Quality | None

    @property
    def ends(self) -> Ends:
        return Ends(self.wins, self.draws, self.losses)

    @property
    def games(self) -> int:
        return sum(self.ends.all)


@dataclass(frozen=True)
class PairingResult:
    """Two agents, from the view of the first."""

    agents: tuple[int, int]
    wins: int
    draws: int
    losses: int
    score: float
    interval: Bounds
    pairs: tuple[int, int, int, int, int]  # that brought 0, 1/2, 1, 3/2 and 2 points
    elo: Difference | None  # none when it cannot be told
    normalized_elo: Difference | None
    superiority: float
    p: float
    as_first: Ends
    as_second: Ends
    distinct: int  # different games
    p_holm: float

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class SprtResult:
    elo0: float
    elo1: float
    alpha: float
    beta: float
    bounds: tuple[float, float]
    llr: float
    verdict: Literal["elo0", "elo1", "none"]

    @property
    def words(self) -> str:
        """What the test found. To accept one hypothesis is to rule out the other, no more."""
        return {
            "elo0": f"the difference is less than {self.elo1:g} Elo",
            "elo1": f"the difference is more than {self.elo0:g} Elo",
            "none": "no verdict within the games allowed",
        }[self.verdict]


@dataclass(frozen=True)
class TournamentResult:
    format: Literal["claimeven-tournament"]
    version: Literal[1]
    plan: Settings
    games: int
    agents: tuple[AgentResult, ...]
    pairings: tuple[PairingResult, ...]
    first_player: Ends
    first_move: Rated
    endings: dict[str, int]
    sprt: SprtResult | None
    FORBIDS_OTHERS: ClassVar = True

    @property
    def names(self) -> list[str]:
        return [agent.name for agent in self.agents]

    @property
    def ranking(self) -> list[int]:
        """The numbers of the agents, the best one first."""
        return sorted(range(len(self.agents)), key=lambda number: -self.agents[number].rating.value)
