"""The geometry of any board: its cells as bits, where discs land, and the fours that win.

Each column takes rows + 1 bits, from the bottom up; the extra bit on top is the *sentinel*, always 0, so
that a four can never run over the edge into the next column. For 7x6:

     6 13 20 27 34 41 48    <- sentinels
    ┌────────────────────┐
     5 12 19 26 33 40 47    row 5 (the top)
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45    going right is +7 (rows + 1), up is +1,
     2  9 16 23 30 37 44    up-right is +8, down-right is +6
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    row 0 (the bottom)
    └────────────────────┘
      columns 0 to 6

Adding 1 to the bottom of a column carries through its stones and stops at the first empty cell: that is
where a disc lands (`mask + bottom`). Shifting by one of the four distances moves every stone to its
neighbour, so `stones & stones >> d` finds all pairs at once, and so on to fours of any length.

A *four* is a way to win, whatever `connect` is. The native core (native/board/board.hpp) has the same layout;
perft pins the two to each other.
"""

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from claimeven import notation
from claimeven.errors import BoardError

if TYPE_CHECKING:
    from claimeven._core import Moves

MAX_BITS = 128
MAX_COLUMNS = 35  # one base-36 digit names a column
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))  # horizontal, vertical, rising, falling


class Cell(NamedTuple):
    """One square, counted from 0 at the lower left; `str` names it like d1."""

    column: int
    row: int

    def __str__(self) -> str:
        return notation.cell_name(self.column, self.row)


@dataclass(frozen=True, order=True)
class Board:
    """The geometry: how many columns and rows, and how many in a line win."""

    columns: int = 7
    rows: int = 6
    connect: int = 4
    # What every move needs, made once: cells as bits. `top` and `bottom`: those cells of every column.
    bottom: int = field(init=False, repr=False, compare=False)
    top: int = field(init=False, repr=False, compare=False)
    full: int = field(init=False, repr=False, compare=False)
    column_masks: tuple[int, ...] = field(init=False, repr=False, compare=False)
    open_columns: "OpenColumns" = field(init=False, repr=False, compare=False)
    # The native core's answers: whether stones hold a complete four; the empty cells that complete a four of
    # some stones, reachable or not, given all stones; what `Position.play` returns.
    has_four: Callable[[int], bool] = field(init=False, repr=False, compare=False)
    winning_cells: Callable[[int, int], int] = field(init=False, repr=False, compare=False)
    played: Callable[[Any, Any], Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("columns", "rows", "connect"):
            object.__setattr__(self, name, _size(getattr(self, name), name))
            if getattr(self, name) < 1:
                raise BoardError("board.least", board=str(self), name=name)
        if self.columns > MAX_COLUMNS:
            raise BoardError("board.columns", board=str(self), most=MAX_COLUMNS)
        if self.columns * (self.rows + 1) > MAX_BITS:
            bits = self.columns * (self.rows + 1)
            raise BoardError("board.bits", board=str(self), bits=bits, most=MAX_BITS)
        height = self.rows + 1
        bottom = sum(1 << (column * height) for column in range(self.columns))
        one_column = (1 << self.rows) - 1
        masks = tuple(one_column << (column * height) for column in range(self.columns))
        object.__setattr__(self, "bottom", bottom)
        object.__setattr__(self, "top", bottom << (self.rows - 1))
        object.__setattr__(self, "full", bottom * one_column)
        object.__setattr__(self, "column_masks", masks)
        object.__setattr__(self, "open_columns", OpenColumns(masks))
        # The first question loads the core, which answers all others: to print help needs none of it.
        object.__setattr__(self, "has_four", lambda stones: self._load_moves().is_four(stones))
        object.__setattr__(self, "winning_cells", lambda *of: self._load_moves().winning_cells(*of))
        object.__setattr__(self, "played", lambda position, column: self._load_moves().play(position, column))

    def _load_moves(self) -> "Moves":
        from claimeven import _core

        sizes = (self.columns, self.rows, self.reach)
        moves = _core.Moves(*sizes, notation.COLUMN_DIGITS, self.open_columns)
        object.__setattr__(self, "has_four", moves.is_four)
        object.__setattr__(self, "winning_cells", moves.winning_cells)
        object.__setattr__(self, "played", moves.play)
        return moves

    def __reduce__(self) -> tuple[type[Self], tuple[int, int, int]]:
        return type(self), (self.columns, self.rows, self.connect)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "7x6x4"; "7x6" means connect 4."""
        if not isinstance(text, str):
            raise BoardError("board.not_text", text=f"{text!r:.60}")
        return cls(*notation.parse_board(text))

    def __str__(self) -> str:
        return notation.board_text(self.columns, self.rows, self.connect)

    @property
    def is_standard(self) -> bool:
        """The board of the shops, 7x6x4: the only one that the book and the published numbers are about."""
        return (self.columns, self.rows, self.connect) == (7, 6, 4)

    @property
    def cells(self) -> int:
        return self.columns * self.rows

    @property
    def reach(self) -> int:
        """`connect`, or the first length that no four has: what is computed with."""
        return min(self.connect, max(self.columns, self.rows) + 1)

    def off_centre(self, column: int) -> int:
        """Twice as far as a column is from the middle: of an even number of columns none lies there."""
        return abs(2 * column + 1 - self.columns)

    @cached_property
    def from_centre(self) -> tuple[int, ...]:
        """The columns, the central ones first; of two as near, the left one."""
        return tuple(sorted(range(self.columns), key=self.off_centre))

    def central(self, columns: Iterable[int]) -> int:
        """The column nearest to the centre, to name one of several that are as good."""
        return min(columns, key=self.from_centre.index)

    # Cells as bits ------------------------------------------------------------------------------

    def bit(self, column: int, row: int) -> int:
        return 1 << (column * (self.rows + 1) + row)

    def column_bits(self, column: int) -> int:
        """All cells of a column."""
        return self.column_masks[column]

    def landings(self, mask: int) -> int:
        """Where the next disc of every column would fall."""
        return (mask + self.bottom) & self.full

    def landing(self, mask: int, column: int) -> int:
        """Where the next disc of one column would fall; 0 when it is full."""
        return (mask + self.bottom) & self.column_masks[column]

    def column_of(self, bit: int) -> int:
        return (bit.bit_length() - 1) // (self.rows + 1)

    def row_of(self, bit: int) -> int:
        """Counted from 0 at the bottom, like `Cell.row`."""
        return (bit.bit_length() - 1) % (self.rows + 1)

    def cell_of(self, bit: int) -> Cell:
        return Cell(self.column_of(bit), self.row_of(bit))

    def cells_of(self, cells: int) -> tuple[Cell, ...]:
        """The cells of a set of bits, column by column."""
        return tuple(map(self.cell_of, bits(cells)))

    def cell_name(self, cell: Cell) -> str:
        """d3, or column/row where the columns have no letters."""
        if self.columns <= len(notation.LETTERS):
            return str(cell)
        return f"{notation.column_digit(cell.column)}/{cell.row + 1}"

    def mirror(self, cells: int) -> int:
        """The same bits with the columns in reverse order."""
        height = self.rows + 1
        mirrored = 0
        for _ in range(self.columns):
            mirrored = mirrored << height | cells & ((1 << height) - 1)
            cells >>= height
        return mirrored

    # Fours --------------------------------------------------------------------------------------

    @cached_property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        """Along each axis, by how much to shift stones, one after the other, so that fours remain.

        Every shift doubles the length that is covered, until it is `reach`: 1 and 2 steps for a four.
        """
        steps, covered = list[int](), 1
        while covered < self.reach:
            steps.append(min(covered, self.reach - covered))
            covered += steps[-1]
        return tuple(tuple(d * step for step in steps) for d in self.distances)

    @property
    def distances(self) -> tuple[int, int, int, int]:
        """From a bit to its neighbour above, down-right, right and up-right."""
        return 1, self.rows, self.rows + 1, self.rows + 2

    def four_cells(self, stones: int) -> int:
        """All cells that belong to a complete four of `stones` (0 when there is none)."""
        cells = 0
        for shifts in self.axes:
            starts = stones
            for shift in shifts:
                starts &= starts >> shift
            for shift in reversed(shifts):
                starts |= starts << shift
            cells |= starts
        return cells

    @cached_property
    def fours(self) -> tuple[int, ...]:
        """Every way to win."""
        fours = set()
        for column in range(self.columns):
            for row in range(self.rows):
                for right, up in STEPS:
                    last_column, last_row = column + right * (self.connect - 1), row + up * (self.connect - 1)
                    if last_column < self.columns and 0 <= last_row < self.rows:
                        cells = (self.bit(column + i * right, row + i * up) for i in range(self.connect))
                        fours.add(sum(cells))
        return tuple(sorted(fours))

    @cached_property
    def level_fours(self) -> frozenset[int]:
        """Those in one row."""
        return frozenset(four for four in self.fours if len({self.row_of(bit) for bit in bits(four)}) == 1)

    @cached_property
    def upright_fours(self) -> frozenset[int]:
        """Those in one column."""
        columns = self.column_masks
        return frozenset(four for four in self.fours if any(four & ~column == 0 for column in columns))

    def four_ends(self, stones: int) -> list[tuple[Cell, Cell]]:
        """The first and last cell of every four that these stones complete."""
        complete = (self.cells_of(four) for four in self.fours if not four & ~stones)
        return sorted((cells[0], cells[-1]) for cells in complete)

    @cached_property
    def fours_by_cell(self) -> dict[int, tuple[int, ...]]:
        """The fours through every cell."""
        return {bit: tuple(four for four in self.fours if four & bit) for bit in bits(self.full)}


class OpenColumns(dict[int, tuple[int, ...]]):
    """The columns with room left, by the full ones (`mask & top`). Made when first asked: few are met."""

    MOST = 1 << 12  # a board of 35 columns has too many to keep

    def __init__(self, masks: tuple[int, ...]) -> None:
        super().__init__()
        self._masks = masks

    def __missing__(self, full: int) -> tuple[int, ...]:
        columns = tuple(column for column, mask in enumerate(self._masks) if not mask & full)
        if len(self) < self.MOST:
            self[full] = columns
        return columns


def bits(cells: int) -> Iterator[int]:
    """The single bits of a set, from the lowest."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


@lru_cache(maxsize=64)
def parsed_board(text: str) -> Board:
    """The same board for the same text: what it has computed of itself is kept."""
    return Board.parse(text)


def _size(size: object, name: str) -> int:
    try:
        if isinstance(size, bool):
            raise TypeError
        return operator.index(size)  # type: ignore[arg-type]
    except TypeError:
        raise BoardError("board.not_number", name=name, size=repr(size)) from None


STANDARD = Board()
