"""How well a table plays, looked at again and again while it learns.

The opponents, the openings and the positions are the same at every point, so that the points differ by what
was learned and by nothing else.
"""

import random
from collections.abc import Sequence

from claimeven.agents.kinds.qcurve import Kept, Measured, Point
from claimeven.agents.kinds.qlearning import QLearningAgent
from claimeven.agents.kinds.qtable import Table
from claimeven.arena.elo import score_interval
from claimeven.arena.measure import Question, measure
from claimeven.arena.play.match import play_match
from claimeven.arena.statistics import Interval
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.runner import Progress
from claimeven.solver import Solver

AGAINST = ("random", "minimax:depth=4")
GAMES = 100  # against each opponent
POSITIONS = 300  # judged by the solver
# What takes longer to solve is left out; nodes, so that it is the same everywhere. On boards of more than
# 64 bits a node takes more than ten times as long.
REACH, WIDE_REACH = Limit(nodes=300_000), Limit(nodes=10_000)
OUT_OF_REACH = 400  # positions left out before the search for more is given up


class Curve:
    """Fixed opponents, and decisive positions with their exact scores."""

    def __init__(
        self,
        board: Board,
        against: Sequence[str] = AGAINST,
        *,
        games: int = GAMES,
        positions: int = POSITIONS,
        progress: Progress | None = None,  # of the search for the positions
    ) -> None:
        self.against = tuple(against)
        self._games = games
        self._questions = decisive_positions(board, positions, progress=progress)

    def point(self, table: Table) -> Point:
        """All of it follows from the table: no times."""
        agent = QLearningAgent("qlearning", table)
        scores = {}
        for opponent in self.against:
            match = play_match(agent, opponent, self._games, board=table.board, seed=1)
            scores[opponent] = Measured(round(match.score, 6), _rounded(score_interval(match.pairs)))
        kept = measure(agent, self._questions).keeping()
        return Point(
            games=table.games,
            states=table.states,
            epsilon=round(table.rule.native().epsilon_at(table.games), 6),
            scores=scores,
            kept=Kept(round(kept.value, 6), _rounded(kept.interval), kept.trials),
        )


def _rounded(interval: Interval) -> tuple[float, float]:
    return round(interval.low, 6), round(interval.high, 6)


def decisive_positions(
    board: Board, count: int, seed: int = 1, *, progress: Progress | None = None
) -> list[Question]:
    """Different positions of random games whose columns differ in outcome, with exact scores.

    Fewer when there are not enough on this board, or when too many are out of the solver's reach.
    """
    rng, solver = random.Random(f"positions/{seed}"), Solver(megabytes=16, book=False)
    reach = REACH if board.columns * (board.rows + 1) <= 64 else WIDE_REACH
    found: dict[int, Question] = {}
    seen: set[int] = set()
    missed = 0
    for _ in range(20 * count):
        if progress is not None:
            progress(len(found), count)
        if len(found) == count or missed == OUT_OF_REACH:
            break
        position = Position(board)
        for _ in range(rng.randrange(board.cells)):
            position = position.play(rng.choice(position.legal))
            if position.is_over:
                break
        key = position.canonical_key
        if position.is_over or key in seen:
            continue
        seen.add(key)
        solver.clear()  # what it has learned from others would stretch the reach
        analysis = solver.analyse(position, reach)
        if not analysis.is_complete:
            missed += 1
            continue
        scores = {column: score.value for column, score in analysis.scores.items()}
        question = Question("training", position, scores)
        if question.is_decisive:
            found[key] = question
    return list(found.values())
