"""A match: a tournament of two in this process. By command the same agents and seed play the same games."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from claimeven.arena.play import tournament
from claimeven.arena.play.clock import Control
from claimeven.arena.play.entrants import Entrant
from claimeven.arena.play.game import GRACE
from claimeven.arena.play.played import Played, pair_points
from claimeven.arena.play.schedule import Plan
from claimeven.limit import Limit
from claimeven.position import Board, Position


@dataclass(frozen=True)
class MatchResult:
    """All games of a match; totals are counted from them, from the view of the first entrant."""

    names: tuple[str, str]
    games: tuple[Played, ...]  # 2i and 2i + 1 are a pair: the same opening with the colours swapped

    @property
    def wins(self) -> int:
        return sum(game.winner == 0 for game in self.games)

    @property
    def draws(self) -> int:
        return sum(game.winner is None for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.winner == 1 for game in self.games)

    @property
    def score(self) -> float:
        """Points per game: 1 for a win, a half for a draw."""
        return sum(game.points(0) for game in self.games) / len(self.games)

    @property
    def pairs(self) -> tuple[int, int, int, int, int]:
        """How many pairs brought 0, 1/2, 1, 3/2 and 2 points."""
        points = Counter(pair_points(pair, 0) for pair in zip(self.games[::2], self.games[1::2], strict=True))
        none, half, one, three_halves, two = (points[n] for n in range(5))
        return none, half, one, three_halves, two

    def by_seat(self, seat: int) -> tuple[int, int, int]:
        """Wins, draws and losses of the first entrant when it moved first, or second."""
        winners = Counter(game.winner for game in self.games if game.first_is == seat)
        return winners[0], winners[None], winners[1]

    @property
    def endings(self) -> dict[str, int]:
        """How often the games ended for each reason."""
        return dict(Counter(game.reason for game in self.games))

    def faults(self, entrant: int) -> dict[str, int]:
        """How often an entrant lost by its own fault: time, an illegal move, a crash."""
        return dict(Counter(game.fault for game in self.games if game.fault and game.winner == 1 - entrant))

    @property
    def distinct(self) -> int:
        """Different games: identical ones are one observation."""
        return len({(game.record.start, game.record.moves, game.players) for game in self.games})


def play_match(
    first: Entrant,
    second: Entrant,
    games: int = 100,
    openings: str | Sequence[str | Position] | None = None,
    limit: Limit | None = None,
    seed: int = 0,
    *,
    board: Board | None = None,
    clock: Control | None = None,
    grace: float = GRACE,
    patience: float | None = None,
    pie: bool = False,
    report: Callable[[Played], None] | None = None,
) -> MatchResult:
    """Play an even number of games, the same as `claimeven arena` with these agents and this seed.

    Openings are positions, or the name of a suite (`"balanced"`); without them, different short ones are
    drawn by the seed. Specs make fresh agents for every game. The same seed gives the same games, if the
    limit is not time. With `patience`, an agent that does not answer within so many seconds loses, whatever
    its limit is. `report` hears of every game as soon as its pair is played.
    """
    if openings is not None and not isinstance(openings, str):
        openings = tuple(Position.parse(text, board) if isinstance(text, str) else text for text in openings)
        board = openings[0].board if openings else board
    plan = Plan(
        (first, second),
        games=games,
        openings="short" if openings is None else openings,
        limit=limit or Limit(),
        clock=clock,
        seed=seed,
        board=board or Board(),
        grace=grace,
        patience=patience,
        pie=pie,
    )

    def watch(standing: tournament.Standing) -> None:
        for game in standing.latest:
            if report is not None:
                report(game)

    played = tournament.play(plan, watch=watch)
    return MatchResult((plan.names[0], plan.names[1]), tuple(played))
