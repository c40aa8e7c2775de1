"""An explanation as a picture: the values of all columns, the line, the plan, and the winning cells."""

from typing import Protocol

from claimeven.overlay import Overlay, overlay_svg
from claimeven.position import Cell, Position
from claimeven.reasons.told.contrast import WhyNot
from claimeven.reasons.told.line import Line
from claimeven.solver import Score


class Drawable(Protocol):
    """What is drawn of an explanation."""

    @property
    def position(self) -> Position: ...
    @property
    def column(self) -> int: ...
    @property
    def score(self) -> Score | None: ...
    @property
    def line(self) -> Line | None: ...
    @property
    def why_not(self) -> tuple[WhyNot, ...]: ...


def explanation_svg(explanation: Drawable, size: int = 56) -> str:
    """The position before the move; the move is disc 1, and the winning cells are those after the line."""
    position, column = explanation.position, explanation.column
    line = explanation.line.columns if explanation.line is not None else (column,)
    plan = explanation.line.plan if explanation.line is not None else None
    scores = {other.column: other.score for other in explanation.why_not}
    if explanation.score is not None:
        scores[column] = explanation.score
    end = position
    for following in line:
        end = end.play(following)
    overlay = Overlay(
        scores=dict(sorted(scores.items())),
        chosen=column,
        threats=() if end.is_over else threats(end),
        line=line,
        pairs=plan.pairs if plan is not None else (),
        swaps=plan.swaps if plan is not None else (),
        keys=plan.keys if plan is not None else (),
        fours=tuple(end.board.four_ends(end.theirs)),
    )
    return overlay_svg(position, overlay, size)


def threats(position: Position) -> tuple[tuple[Cell, int], ...]:
    """The winning cells of the first side, then of the second; a cell where both would win is there twice."""
    board, stones = position.board, (position.mine, position.theirs)
    return tuple(
        (cell, side)
        for side in (0, 1)
        for cell in board.cells_of(board.winning_cells(stones[side ^ position.side], position.mask))
    )
