"""A solve that is saved: what is proved so far in words, and an end at any moment."""

import signal
import sys
from dataclasses import replace

from claimeven import notation
from claimeven.commands.shown.verdict import Judged, Solved, SolvedJson, known, score_words
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.runner import Bar
from claimeven.solver import Bounds, SavingSolver, Score, score_of


class Unfinished(Judged):
    """What is proved of the position itself, while columns are still open."""

    def data(self) -> SolvedJson:
        score = _score(self.position, self.bounds)
        data: SolvedJson = {**super().data(), "bounds": [self.bounds.low, self.bounds.high]}
        if score is not None:
            data["score"], data["winner_moves"] = int(score), score.moves
        return data

    def verdict(self) -> str:
        return f"not finished: {proved(self.position, self.bounds)}"


def proved(position: Position, bounds: Bounds) -> str:
    """As "first player wins in 12 moves or more, or it is a draw"."""
    score = _score(position, bounds)
    return known(position, bounds.low, bounds.high) if score is None else score_words(position, score)


def sitting(solver: SavingSolver, position: Position, limit: Limit, *, outcome: bool) -> Solved | Judged:
    """First the score, then every column; nodes and seconds are those of all sittings."""
    cells = position.board.cells
    bounds = Bounds(-cells, cells, 0)

    def tell(column: int | None, found: Bounds) -> None:
        nonlocal bounds
        if column is None:
            bounds = found
            about = proved(position, found)
        else:
            below = proved(position.play(column), found)
            about = f"{proved(position, bounds)}; column {notation.column_digit(column)}: {below}"
        bar.tell(lambda seconds: f"{about}; {solver.nodes:,} nodes, {solver.seconds:.0f} seconds")

    solver.told = tell
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        with solver, Bar() as bar:
            solver.solve(position, limit, only_outcome=outcome)
            if outcome:
                return Judged(position, bounds._replace(nodes=solver.nodes), solver.seconds)
            if bounds.low == bounds.high:
                analysis = solver.analyse(position, limit)
                if analysis.is_complete or position.is_over:
                    return Solved(replace(analysis, nodes=solver.nodes, seconds=solver.seconds))
            return Unfinished(position, bounds._replace(nodes=solver.nodes), solver.seconds)
    except (KeyboardInterrupt, SystemExit):
        what = proved(position, bounds)
        print(f"claimeven: stopped and saved; so far: {what}; the same command goes on", file=sys.stderr)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _score(position: Position, bounds: Bounds) -> Score | None:
    if bounds.low != bounds.high:
        return None
    return score_of(bounds.low, position.board.cells, position.ply)
