"""The pictures of docs/concepts/evaluation.md: `python docs/evaluation_pictures.py` draws them anew.

tests/house/test_evaluation_page.py holds them, and the tables of the page, against evaluator and solver.
"""

from pathlib import Path

from claimeven import Position, Solver, make_agent
from claimeven.agents.kinds.weights import PRESETS, Evaluation
from claimeven.overlay import Overlay, overlay_svg
from claimeven.position import Cell

FOLDER = Path(__file__).parent / "images"
MOVES = "452231444"
GREEDY = 4  # the column with the best static value
SPEC = "minimax:preset=b,depth=5,values"


def run_values(position: Position, side: int, evaluation: Evaluation) -> dict[Cell, int]:
    """What each free cell is worth: by the runs of stones that end beside it, seen by a side."""
    board, found = position.board, dict[Cell, int]()
    for column in range(board.columns):
        for row in range(position.height(column), board.rows):
            worth = 0.0
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                for way in (1, -1):
                    worth += _beside(position, Cell(column, row), way * right, way * up, side, evaluation)
            if worth:
                found[Cell(column, row)] = int(worth)
    return found


def _beside(position: Position, cell: Cell, right: int, up: int, side: int, evaluation: Evaluation) -> float:
    """The weights of the runs of 1, 2, … stones of one colour that go away from a cell."""
    board, worth, colour = position.board, 0.0, None
    for length in range(1, board.connect):
        at = Cell(cell.column + length * right, cell.row + length * up)
        if not (0 <= at.column < board.columns and 0 <= at.row < board.rows):
            break
        stone = position.stone(*at)
        colour = colour or stone
        if stone is None or stone != colour:
            break
        weights = evaluation.own_runs if stone == "xo"[side] else evaluation.their_runs
        worth += weights[length - 1]
    return worth


def pictures() -> dict[str, str]:
    position = Position.parse(MOVES)
    after, side = position.play(GREEDY), position.side
    drawn = {}
    for name, each in (("evaluation.svg", position), ("evaluation-after.svg", after)):
        notes = {cell: f"{worth:+d}" for cell, worth in run_values(each, side, PRESETS["b"]).items()}
        drawn[name] = overlay_svg(each, Overlay(notes=notes))
    chosen = make_agent(SPEC).choose(position).column
    scores = Solver().analyse(position).scores
    drawn["evaluation-exact.svg"] = overlay_svg(position, Overlay(scores=scores, chosen=chosen))
    return drawn


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg)
