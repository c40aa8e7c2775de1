"""The rules of the game, for any board.

Two integers are a position: `mask` has a bit for every stone, `mine` for the stones of the side to
move. Each column takes rows + 1 bits, from the bottom up; the extra bit on top is the *sentinel*,
always 0, so that a line can never run over the edge into the next column. For 7x6:

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

Adding 1 to the bottom of a column carries through its stones and stops at the first empty cell: that
is where a disc lands (`mask + bottom`). Shifting by one of the four distances moves every stone to
its neighbour, so `stones & stones >> d` finds all pairs at once, and so on to lines of any length.

The native core (native/board.hpp) has the same layout; perft pins the two to each other.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

from claimeven import notation
from claimeven.errors import BoardError, MoveError, NotationError, PositionError

MAX_BITS = 128
MAX_COLUMNS = 35  # one base-36 digit names a column


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

    def __post_init__(self) -> None:
        for name in ("columns", "rows", "connect"):
            size = getattr(self, name)
            if not isinstance(size, int) or isinstance(size, bool):
                raise BoardError(f"board: {name} must be a whole number, not {size!r}")
            if size < 1:
                raise BoardError(f"board {self}: {name} must be at least 1")
        if self.columns > MAX_COLUMNS:
            raise BoardError(f"board {self}: at most {MAX_COLUMNS} columns")
        if self.columns * (self.rows + 1) > MAX_BITS:
            bits = self.columns * (self.rows + 1)
            raise BoardError(f"board {self} is too large: columns x (rows + 1) is {bits}, at most {MAX_BITS}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "7x6x4"; "7x6" means connect 4."""
        return cls(*notation.parse_board(text))

    def __str__(self) -> str:
        return notation.board_text(self.columns, self.rows, self.connect)

    @property
    def cells(self) -> int:
        return self.columns * self.rows

    @property
    def reach(self) -> int:
        """`connect`, or the first length that no line has: what is computed with."""
        return min(self.connect, max(self.columns, self.rows) + 1)

    @cached_property
    def bottom(self) -> int:
        """The lowest cell of every column, as bits."""
        return sum(1 << (column * (self.rows + 1)) for column in range(self.columns))

    @cached_property
    def full(self) -> int:
        """Every cell, as bits."""
        return self.bottom * ((1 << self.rows) - 1)

    def bit(self, column: int, row: int) -> int:
        return 1 << (column * (self.rows + 1) + row)

    def column_bits(self, column: int) -> int:
        """All cells of a column, as bits."""
        return ((1 << self.rows) - 1) << (column * (self.rows + 1))

    def cells_of(self, bits: int) -> tuple[Cell, ...]:
        """The cells of a set of bits, column by column."""
        return tuple(
            Cell(column, row)
            for column in range(self.columns)
            for row in range(self.rows)
            if bits & self.bit(column, row)
        )

    def line_cells(self, stones: int) -> int:
        """All cells that belong to a complete line of `stones`, as bits (0 when there is none)."""
        cells = 0
        for d in (1, self.rows, self.rows + 1, self.rows + 2):
            starts = stones
            for i in range(1, self.reach):
                starts &= stones >> (i * d)
                if not starts:
                    break
            else:
                for i in range(self.reach):
                    cells |= starts << (i * d)
        return cells

    def has_line(self, stones: int) -> bool:
        return self.line_cells(stones) != 0

    def mirror(self, bits: int) -> int:
        """The same bits with the columns in reverse order."""
        height = self.rows + 1
        mirrored = 0
        for _ in range(self.columns):
            mirrored = mirrored << height | bits & ((1 << height) - 1)
            bits >>= height
        return mirrored


@lru_cache(maxsize=64)
def _parsed_board(text: str) -> Board:
    return Board.parse(text)


@dataclass(frozen=True, slots=True)
class Position:
    """Stones on a board and the side to move. Immutable: `play` returns a new one.

    >>> p = Position.parse("4453")
    >>> str(p), p.side, p.legal
    ('7/7/7/7/3o3/2oxx2 x 7x6x4', 0, (0, 1, 2, 3, 4, 5, 6))
    """

    board: Board = Board()
    mine: int = 0  # stones of the side to move
    mask: int = 0  # all stones
    moves: str | None = field(default="", compare=False)  # how it was reached, if known
    winner: int | None = field(default=None, compare=False)  # the side that has a line

    @classmethod
    def parse(cls, text: str, board: Board | None = None) -> "Position":
        """Read a position text (with a space or "/") or else a moves string.

        Without `board` it is the board of the text, or 7x6x4.
        """
        if " " in text or "/" in text:
            return _parse_position(text, board)
        position = cls() if board is None else cls(board)
        for place, column in enumerate(notation.parse_moves(text, position.board.columns), start=1):
            try:
                position = position.play(column)
            except MoveError as error:
                raise MoveError(f"move {place} of {notation.quote(text)}: {error}") from None
        return position

    @classmethod
    def from_stones(cls, board: Board, first: int, second: int) -> "Position":
        """Build a position from the stones of both sides, given as bits; refuse what is no position."""
        _check_stones(board, first, second)
        side = (first | second).bit_count() % 2
        mine, theirs = (second, first) if side else (first, second)
        winner = 1 - side if board.has_line(theirs) else None
        return cls(board, mine, first | second, None if first | second else "", winner)

    def __str__(self) -> str:
        rows = notation.rows_text(
            [self.stone(column, row) for column in range(self.board.columns)]
            for row in reversed(range(self.board.rows))
        )
        return f"{rows} {notation.STONES[self.side]} {self.board}"

    @property
    def ply(self) -> int:
        """How many stones are on the board."""
        return self.mask.bit_count()

    @property
    def side(self) -> int:
        """The side to move: 0 first, 1 second. After the end: the side that would move."""
        return self.ply % 2

    @property
    def theirs(self) -> int:
        """Stones of the side that moved last, as bits."""
        return self.mine ^ self.mask

    @property
    def is_over(self) -> bool:
        return self.winner is not None or self.mask == self.board.full

    @property
    def legal(self) -> tuple[int, ...]:
        """The columns that can be played, from left to right; () when the game is over."""
        if self.is_over:
            return ()
        top = self.board.bottom << (self.board.rows - 1)
        return tuple(c for c in range(self.board.columns) if top & ~self.mask & self.board.column_bits(c))

    @property
    def four(self) -> tuple[Cell, ...]:
        """The cells of the winning line (of all lines that the last stone completed), or ()."""
        return () if self.winner is None else self.board.cells_of(self.board.line_cells(self.theirs))

    @property
    def key(self) -> int:
        """A number unique among all positions of this board."""
        return self.mine + self.mask

    @property
    def canonical_key(self) -> int:
        """The same number for a position and its mirror image."""
        mirrored = self.board.mirror(self.mine) + self.board.mirror(self.mask)
        return min(self.key, mirrored)

    def height(self, column: int) -> int:
        """How many stones lie in a column."""
        return (self.mask & self.board.column_bits(column)).bit_count()

    def stone(self, column: int, row: int) -> str | None:
        """The stone on a cell, "x" or "o", or None."""
        bit = self.board.bit(column, row)
        if not self.mask & bit:
            return None
        return notation.STONES[self.side if self.mine & bit else 1 - self.side]

    def play(self, column: int) -> "Position":
        """Drop a disc; the column counts from 0."""
        board, mask = self.board, self.mask
        if not 0 <= column < board.columns:
            raise MoveError(f"there is no column {column + 1}, the columns are 1 to {board.columns}")
        if self.is_over:
            raise MoveError("the game is over")
        column_bits = board.column_bits(column)
        landing = (mask + board.bottom) & column_bits
        if not landing:
            raise MoveError(f"column {notation.column_digit(column)} is full")
        mover = self.mine | landing
        moves = None if self.moves is None else self.moves + notation.column_digit(column)
        winner = self.side if board.has_line(mover) else None
        return Position(board, self.mine ^ mask, mask | landing, moves, winner)

    def mirror(self) -> "Position":
        """The position seen in a mirror."""
        board = self.board
        moves = self.moves
        if moves is not None:
            columns = notation.parse_moves(moves, board.columns)
            moves = notation.moves_text(board.columns - 1 - c for c in columns)
        return Position(board, board.mirror(self.mine), board.mirror(self.mask), moves, self.winner)

    def _repr_svg_(self) -> str:
        # The one import that goes upwards: notebooks ask a position for its picture.
        from claimeven.picture import position_svg

        return position_svg(self)


def _parse_position(text: str, board: Board | None) -> Position:
    parts = text.split(" ")
    if len(parts) not in (2, 3):
        raise NotationError(
            f"position {notation.quote(text)}: write rows, side to move (x or o) and, off 7x6x4, the board"
        )
    if parts[1] not in tuple(notation.STONES):
        where = f"character {len(parts[0]) + 2} of {notation.quote(text)}"
        raise NotationError(f"{where}: the side to move is x or o, not {notation.quote(parts[1])}")
    written = _parsed_board(parts[2]) if len(parts) == 3 else None
    if board is not None and written is not None and board != written:
        raise NotationError(f"position {notation.quote(text)} is on a {written} board, not on {board}")
    board = written or board or Board()
    stones = {notation.FIRST: 0, notation.SECOND: 0}
    rows = notation.parse_rows(parts[0], board.columns, board.rows)
    for row, cells in enumerate(reversed(rows)):
        for column, stone in enumerate(cells):
            if stone is not None:
                stones[stone] |= board.bit(column, row)
    position = Position.from_stones(board, stones[notation.FIRST], stones[notation.SECOND])
    if parts[1] != notation.STONES[position.side]:
        raise PositionError(
            f"position {notation.quote(text)}: with {position.ply} stones it is "
            f"{notation.STONES[position.side]}'s turn, not {parts[1]}'s"
        )
    return position


def _check_stones(board: Board, first: int, second: int) -> None:
    mask = first | second
    if first < 0 or second < 0 or mask & ~board.full:
        raise PositionError(f"a stone lies outside the {board} board")
    if first & second:
        raise PositionError(f"two stones on {_name(board, first & second)}")
    floating = mask & ~(mask << 1) & ~board.bottom
    if floating:
        raise PositionError(f"the stone on {_name(board, floating)} floats: the cell below it is empty")
    x, o = first.bit_count(), second.bit_count()
    if x - o not in (0, 1):
        raise PositionError(f"{x} x and {o} o: x moves first, so x must have as many stones as o or one more")
    _check_winner(board, first, second)


def _check_winner(board: Board, first: int, second: int) -> None:
    won = [side for side, stones in enumerate((first, second)) if board.has_line(stones)]
    if not won:
        return
    if len(won) == 2:
        raise PositionError("both sides have a complete line, but the game ends at the first one")
    winner = won[0]
    name = notation.STONES[winner]
    if (first | second).bit_count() % 2 == winner:
        raise PositionError(f"{name} has a complete line, and yet the other side moved after it")
    stones, mask = (first, second)[winner], first | second
    tops = stones & ~(mask >> 1)
    for cell in board.cells_of(tops):
        if not board.has_line(stones & ~board.bit(*cell)):
            return
    raise PositionError(f"{name} has complete lines that no single last stone on top of a column explains")


def _name(board: Board, bits: int) -> str:
    cell = board.cells_of(bits)[0]
    if board.columns <= len(notation.LETTERS):
        return str(cell)
    return f"column {notation.column_digit(cell.column)}, row {cell.row + 1}"
