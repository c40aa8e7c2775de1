"""How hard a puzzle is, from what can be counted in it.

The weights were fitted to how often the agents of levels 1 to 9 solve the puzzles (bench/puzzles.py prints
the fit), so a rating is on the scale of the levels: an agent of that rating solves it about half of the time.
"""

from claimeven.position import Position
from claimeven.puzzles.puzzle import Puzzle
from claimeven.reasons.seen.move import Move
from claimeven.reasons.seen.rank import temptation

LOWEST, HIGHEST = 400, 2400
WEIGHTS: dict[str, float] = {
    "start": 325,
    "steps": 72,
    "distance": 21,
    "quiet": 102,
    "tempting": 74,
    "columns": 58,
    "draw": 242,
    "plan": -66,
}


def rate(puzzle: Puzzle) -> int:
    """The rating, rounded to tens: more would be pretence."""
    if puzzle.goal == "who":
        rating = _quiz(puzzle.position, len(puzzle.line))
    else:
        rating = sum(WEIGHTS[name] * value for name, value in features(puzzle).items())
    return int(10 * round(min(max(rating, LOWEST), HIGHEST) / 10))


def features(puzzle: Puzzle) -> dict[str, float]:
    """What is counted in a puzzle with columns to find."""
    position, quiet, tempting, columns = puzzle.position, 0, 0.0, 0.0
    for place, column in enumerate(puzzle.line):
        if place % 2 == 0:
            quiet += is_quiet(position, column)
            looks = temptation(position)
            tempting += sum(looks[other] >= looks[column] for other in position.legal if other != column)
            columns += len(position.legal)
        position = position.play(column)
    return {
        "start": 1,
        "steps": puzzle.steps,
        "distance": min(puzzle.score.moves or 0, 20),
        "quiet": quiet,
        "tempting": tempting,
        "columns": columns / puzzle.steps,
        "draw": puzzle.goal == "draw",
        "plan": puzzle.end == "plan",
    }


def is_quiet(position: Position, column: int) -> bool:
    """A column that neither wins, nor stops a win, nor threatens one."""
    move = Move(position, column)
    is_answer = bool(move.stone & move.their_old_wins)
    return not (move.is_won or is_answer or move.threatened)


# Agents cannot be asked who wins: more empty cells and more winning cells to weigh make it harder.
QUIZ_START, QUIZ_PER_EMPTY, QUIZ_PER_CELL, QUIZ_FOR_A_LINE = 500, 40, 60, 200


def _quiz(position: Position, moves_to_the_plan: int) -> float:
    board, mask = position.board, position.mask
    cells = sum(board.winning_cells(s, mask).bit_count() for s in (position.mine, position.theirs))
    empty = board.cells - position.ply
    return QUIZ_START + QUIZ_PER_EMPTY * empty + QUIZ_PER_CELL * cells + QUIZ_FOR_A_LINE * moves_to_the_plan
