"""Positions as numpy arrays: one as a grid, many of one board as words.

A *grid* is the board as one sees it, the top row first: 0 empty, 1 the first side, 2 the second.

*Words* are what `Solver.scores` takes in millions. Each row is one position: `mine`, `mask`, as unsigned
64-bit words. Boards of more than 64 bits (board.py) take two words for each, the lower one first: `mine`,
`mine`, `mask`, `mask`.

numpy is needed by those who call this, and by nobody else.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from claimeven.board import Board
from claimeven.errors import InputError, PositionError
from claimeven.position import Position, all_needed

if TYPE_CHECKING:
    import numpy as np

    Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
    Values: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
    Grid: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]


def position_of_grid(grid: "Grid | Sequence[Sequence[int]]", connect: int) -> Position:
    rows = grid.tolist() if hasattr(grid, "tolist") else grid  # lists of lists are welcome, too
    is_grid = isinstance(rows, Sequence) and all(isinstance(row, list | tuple) for row in rows)
    if not is_grid or len({len(row) for row in rows}) != 1:
        raise PositionError("array.shape")
    board = Board(len(rows[0]), len(rows), connect)
    sides = [0, 0]
    for row, stones in enumerate(reversed(rows)):
        for column, stone in enumerate(stones):
            if stone not in (0, 1, 2, -1):
                raise PositionError("no_cell.array", row=row + 1, column=column + 1, text=repr(stone))
            if stone:
                sides[stone != 1] |= board.bit(column, row)
    return Position.from_stones(board, *sides)


def grid_of(position: Position) -> "Grid":
    import numpy as np

    height = position.board.rows + 1
    second = position.theirs if position.side == 0 else position.mine
    bits = b"".join(stones.to_bytes(16, "little") for stones in (position.mask, second))
    stones, seconds = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little").reshape(2, 128)
    cells = (stones + seconds)[: position.board.columns * height].reshape(position.board.columns, height)
    return np.ascontiguousarray(cells[:, -2::-1].T).view(np.int8)


def words_each(board: Board) -> int:
    """How many words hold the stones of one side."""
    return 1 if board.columns * (board.rows + 1) <= 64 else 2


def words_of(positions: Iterable[Position]) -> "Words":
    """The words of positions of one board."""
    import numpy as np

    positions = all_needed(positions)
    board = positions[0].board if positions else Board()
    if any(position.board != board for position in positions):
        raise InputError("array.boards")
    size = 8 * words_each(board)
    parts = (
        stones.to_bytes(size, "little") for position in positions for stones in (position.mine, position.mask)
    )
    return np.frombuffer(b"".join(parts), "<u8").reshape(len(positions), 2 * words_each(board))


def positions_of(words: "Words", board: Board | None = None) -> list[Position]:
    """The positions of such an array, each checked."""
    board = board or Board()
    mine, mask = halves(words, board)
    size = 8 * words_each(board)
    pairs = zip(*(_numbers(half.tobytes(), size) for half in (mine, mask)), strict=True)
    found = []
    for index, (one, all_stones) in enumerate(pairs):
        try:
            found.append(Position(board, one, all_stones))
        except PositionError as error:
            raise error.wrapped("array.row", index=index) from None
    return found


def halves(words: "Words", board: Board) -> tuple["Words", "Words"]:
    """`mine` and `mask` of every row, each in one piece; what is no such array is refused."""
    import numpy as np

    words, width = np.asarray(words), 2 * words_each(board)
    if words.ndim != 2 or words.shape[1] != width or not np.issubdtype(words.dtype, np.integer):
        raise PositionError("array.words", board=board, width=width, dtype=words.dtype, shape=words.shape)
    words = words.astype("<u8", copy=False)
    half = width // 2
    return np.ascontiguousarray(words[:, :half]), np.ascontiguousarray(words[:, half:])


def _numbers(data: bytes, size: int) -> Iterable[int]:
    return (int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size))
