"""The rules on whole arrays of positions: what `native/board/board.hpp` does, for numpy's words at once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from claimeven.board import Board
from claimeven.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from claimeven.arrays import Words


@dataclass(frozen=True)
class Geometry:
    """A board of at most 64 bits; every method takes and gives arrays of words."""

    board: Board

    def __post_init__(self) -> None:
        if self.board.columns * (self.board.rows + 1) > 64:
            raise InputError("label.board", board=self.board)

    @property
    def height(self) -> int:
        return self.board.rows + 1

    @property
    def bottom(self) -> int:
        return sum(1 << column * self.height for column in range(self.board.columns))

    @property
    def full(self) -> int:
        return self.bottom * ((1 << self.board.rows) - 1)

    def column(self, column: int) -> int:
        return ((1 << self.board.rows) - 1) << column * self.height

    def landing(self, mask: "Words") -> "Words":
        import numpy as np

        found: Words = (mask + np.uint64(self.bottom)) & np.uint64(self.full)
        return found

    def winning(self, stones: "Words", mask: "Words") -> "Words":
        """The empty cells that complete a line of `stones`."""
        import numpy as np

        connect = self.board.connect
        cells = np.zeros_like(stones)
        for step in (1, self.height - 1, self.height, self.height + 1):
            d = np.uint64(step)
            before = [np.full_like(stones, 2**64 - 1)]
            for _ in range(connect - 1):
                before.append((stones & before[-1]) << d)
            after = before[0]
            for i in range(connect):
                cells |= before[connect - 1 - i] & after
                after = (stones & after) >> d
        return cells & np.uint64(self.full) & ~mask

    def is_won(self, stones: "Words") -> "np.ndarray[Any, np.dtype[np.bool_]]":
        import numpy as np

        starts = np.zeros_like(stones)
        for step in (1, self.height - 1, self.height, self.height + 1):
            run = stones
            for i in range(1, self.board.connect):
                run = run & (stones >> np.uint64(i * step))
            starts |= run
        found: np.ndarray[Any, np.dtype[np.bool_]] = starts != 0
        return found

    def mirror(self, words: "Words") -> "Words":
        import numpy as np

        turned = np.zeros_like(words)
        every = np.uint64((1 << self.height) - 1)
        last = self.board.columns - 1
        for column in range(last + 1):
            part = (words >> np.uint64(column * self.height)) & every
            turned |= part << np.uint64((last - column) * self.height)
        return turned

    def stones_of(self, keys: "Words") -> tuple["Words", "Words"]:
        """`mine` and `mask` of `Position.key`: the highest bit of a column of key + 1 tells its height."""
        import numpy as np

        marked = keys + np.uint64(self.bottom)
        mask = (marked >> np.uint64(1)) & np.uint64(self.full)
        for _ in range(self.board.rows - 1):
            mask |= (mask >> np.uint64(1)) & np.uint64(self.full)
        return marked ^ (mask + np.uint64(self.bottom)), mask
