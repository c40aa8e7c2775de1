"""Exact labels: the score of every column of many positions, by one call of the core."""

from typing import TYPE_CHECKING

from claimeven.learn.labels.bits import Geometry
from claimeven.solver import Solver

if TYPE_CHECKING:
    import numpy as np

    from claimeven.arrays import Words

ILLEGAL = -128  # no disc fits in
WON, LOST = 100, -100  # the outcome is known, how soon is not
VALUE = 64  # more than the score of the best column: all that is known of a position


def label(
    geometry: Geometry, mine: "Words", mask: "Words", solver: Solver, *, only_outcome: bool = False
) -> "np.ndarray":
    """A row of signed bytes for every position: what each column is worth to the side to move.

    The positions must have been reached by play and be unfinished. `only_outcome` is several times cheaper:
    then a value is WON, 0 or LOST.
    """
    import numpy as np

    board = geometry.board
    columns = np.array([geometry.column(c) for c in range(board.columns)], np.uint64)
    cells = geometry.landing(mask)[:, None] & columns
    is_open = cells != 0
    # Children of one position lie beside each other: what one of them has taught helps the next.
    mines = np.broadcast_to((mine ^ mask)[:, None], cells.shape)[is_open]
    masks = (mask[:, None] | cells)[is_open]
    values = solver.reached_values(mines, masks, board, only_outcome=only_outcome)
    found = np.full(cells.shape, ILLEGAL, np.int8)
    found[is_open] = -np.sign(values) * np.int8(WON) if only_outcome else -values
    return found


def label_value(geometry: Geometry, mine: "Words", mask: "Words", solver: Solver) -> "np.ndarray":
    """A row for every position in which each open column is VALUE more than the value of the position."""
    import numpy as np

    board = geometry.board
    columns = np.array([geometry.column(c) for c in range(board.columns)], np.uint64)
    is_open = (geometry.landing(mask)[:, None] & columns) != 0
    values = solver.reached_values(mine, mask, board) + np.int8(VALUE)
    return np.where(is_open, values[:, None], np.int8(ILLEGAL)).astype(np.int8)
