"""A position as pixels, drawn with numpy alone: what `render_mode="rgb_array"` gives."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from claimeven.notation import FIRST, SECOND
from claimeven.picture import FILL, FRAME, HOLE, INK, OUTLINE, squares
from claimeven.position import Position

Pixels = NDArray[np.uint8]
CELL = 48  # pixels


def pixels(position: Position) -> Pixels:
    """(rows * CELL, columns * CELL, 3): x a cross on red, o a ring on yellow, white rims around what won."""
    return np.vstack(
        [np.hstack([_cell(square.stone, square.is_four) for square in row]) for row in squares(position)]
    )


@lru_cache(maxsize=8)
def _cell(stone: str | None, is_four: bool) -> Pixels:
    y, x = np.mgrid[:CELL, :CELL] - (CELL - 1) / 2
    distance = np.hypot(x, y) / CELL
    drawn = np.empty((CELL, CELL, 3), np.uint8)
    drawn[:] = _colour(FRAME)
    drawn[distance < 0.42] = _colour(HOLE if stone is None else OUTLINE[stone])
    if stone is not None:
        drawn[distance < 0.38] = _colour(FILL[stone])
    if stone == FIRST:
        is_near = np.abs(np.abs(x) - np.abs(y)) < 0.06 * CELL
        drawn[is_near & (distance < 0.2)] = _colour(INK)
    if stone == SECOND:
        drawn[np.abs(distance - 0.18) < 0.035] = _colour(OUTLINE[stone])
    if is_four:
        drawn[np.abs(distance - 0.42) < 0.04] = _colour(INK)
    return drawn


def _colour(text: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(text.removeprefix("#")))
