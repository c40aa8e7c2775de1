"""Many positions of one board as a numpy array of words (`Position.to_array` makes a grid of one).

*Words* are what `Solver.scores` takes in millions. Each row is one position: `mine`, `mask`, as unsigned
64-bit words. Boards of more than 64 bits (board.py) take two words for each, the lower one first: `mine`,
`mine`, `mask`, `mask`.

numpy is needed by those who call this, and by nobody else.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from claimeven.board import Board
from claimeven.errors import InputError, PositionError
from claimeven.position import Position, all_needed

if TYPE_CHECKING:
    import numpy as np

    Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
    Values: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]


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
