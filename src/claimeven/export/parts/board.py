"""The board as integers: column after column from the bottom, one empty bit on top of each."""

from __future__ import annotations

from typing import Any


class Game:
    """The geometry of a board of any size, and the stones that were seen on it."""

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        self.height = rows + 1
        self.bottom = sum(1 << (c * self.height) for c in range(columns))
        self.full = self.bottom * ((1 << rows) - 1)
        # Distances between neighbours on a line: level, falling, rising.
        fits = connect <= columns
        slanted = [self.height - 1, self.height + 1] if fits and connect <= rows else []
        self.steps = ([self.height] if fits else []) + slanted
        self.center_first = sorted(range(columns), key=lambda c: (abs(2 * c + 1 - columns), c))

    @property
    def is_usual(self) -> bool:
        return (self.columns, self.rows, self.connect) == (7, 6, 4)

    def read(self, cells: Any, mark: int) -> tuple[int, int]:
        """`mine` and `mask` of a Kaggle board: row by row from the top, 0 for nothing."""
        mine = mask = 0
        for i, cell in enumerate(cells):
            if cell:
                row, column = divmod(i, self.columns)
                bit = 1 << (column * self.height + self.rows - 1 - row)
                mask |= bit
                mine |= bit if cell == mark else 0
        return mine, mask

    def landings(self, mask: int) -> int:
        return (mask + self.bottom) & self.full

    def landing(self, mask: int, column: int) -> int:
        return self.landings(mask) & (((1 << self.rows) - 1) << (column * self.height))

    def legal(self, mask: int) -> list[int]:
        """The open columns, those in the middle first."""
        return [c for c in self.center_first if self.landing(mask, c)]

    def wins(self, stones: int, mask: int) -> int:
        """The empty cells that complete a line of these stones."""
        connect = self.connect
        if connect == 1:
            return self.full & ~mask
        cells = 0
        if connect <= self.rows:
            run = stones
            for _ in range(connect - 2):
                run &= run << 1
            cells = run << 1
        if connect == 4:
            for d in self.steps:
                below, above = stones << d, stones >> d
                pair = below & (stones << 2 * d)
                cells |= pair & ((stones << 3 * d) | above)
                pair = above & (stones >> 2 * d)
                cells |= pair & ((stones >> 3 * d) | below)
        else:
            for d in self.steps:
                for place in range(connect):  # of the missing cell in the line
                    line = self.full
                    for i in range(-place, connect - place):
                        if i:
                            line &= stones << -i * d if i < 0 else stones >> i * d
                    cells |= line
        return cells & self.full & ~mask

    def mirror(self, word: int) -> int:
        mirrored, column = 0, (1 << self.height) - 1
        for c in range(self.columns):
            mirrored |= (word >> (c * self.height) & column) << ((self.columns - 1 - c) * self.height)
        return mirrored


def count(word: int) -> int:
    return bin(word).count("1")
