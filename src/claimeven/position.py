"""The rules of the game, for any board.

Two integers are a position: `mask` has a bit for every stone, `mine` for the stones of the side to move. The
bits are drawn in board.py.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, TypeAlias

from claimeven import notation
from claimeven.board import STANDARD, Board, Cell, parsed_board
from claimeven.errors import MoveError, NotationError, PositionError

if TYPE_CHECKING:
    import numpy as np

    Grid: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]

__all__ = ["Board", "Cell", "Position"]


@dataclass(frozen=True, slots=True)
class Position:
    """Stones on a board and the side to move. Immutable: `play` returns a new one.

    >>> p = Position.parse("4453")
    >>> str(p), p.side, p.legal
    ('7/7/7/7/3o3/2oxx2 x 7x6x4', 0, (0, 1, 2, 3, 4, 5, 6))
    """

    board: Board = STANDARD
    mine: int = 0  # stones of the side to move
    mask: int = 0  # all stones
    moves: str | None = field(init=False, default="", compare=False)  # how it was reached, if known
    winner: int | None = field(init=False, default=None, compare=False)  # the side that has a four
    # By a four, or because the board is full.
    is_over: bool = field(init=False, default=False, repr=False, compare=False)
    # The columns that can be played, from left to right; () when the game is over.
    legal: tuple[int, ...] = field(init=False, default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise PositionError("not_kind.parsed", kind="Board", value=f"{self.board!r:.60}")
        if not (self.mine or self.mask):  # the start of most games
            object.__setattr__(self, "legal", self.board.open_columns[0])
            return
        mine, mask = _bits(self.mine, "mine"), _bits(self.mask, "mask")
        if mine & ~mask:
            raise PositionError("stones.mask")
        side = mask.bit_count() % 2
        first, second = (mine ^ mask, mine) if side else (mine, mine ^ mask)
        _check_stones(self.board, first, second)
        object.__setattr__(self, "mine", mine)
        object.__setattr__(self, "mask", mask)
        object.__setattr__(self, "moves", None)
        won = self.board.has_four(mine ^ mask)
        legal = () if won else self.board.open_columns[mask & self.board.top]
        object.__setattr__(self, "winner", 1 - side if won else None)
        object.__setattr__(self, "is_over", not legal)
        object.__setattr__(self, "legal", legal)

    @classmethod
    def parse(cls, text: str, board: Board | None = None) -> "Position":
        """Read a position text (with a space or "/") or else a moves string.

        Without `board` it is the board of the text, or 7x6x4.
        """
        if not isinstance(text, str):
            raise NotationError("not_text.position", text=f"{text!r:.60}")
        if " " in text or "/" in text:
            return _parse_position(text, board)
        position = cls() if board is None else cls(board)
        for place, column in enumerate(notation.parse_moves(text, position.board.columns), start=1):
            try:
                position = position.play(column)
            except MoveError as error:
                raise error.wrapped("move_of", at_move=place, whole=notation.quote(text)) from None
        return position

    @classmethod
    def from_stones(cls, board: Board, first: int, second: int) -> "Position":
        """Build a position from the stones of both sides, given as bits; refuse what is no position."""
        first, second = _bits(first, "first"), _bits(second, "second")
        _check_stones(board, first, second)
        return cls(board, second if (first | second).bit_count() % 2 else first, first | second)

    @classmethod
    def from_array(cls, grid: "Grid | Sequence[Sequence[int]]", connect: int = 4) -> "Position":
        """Read what `to_array` writes, or lists of such rows; -1 is welcome for the second side, too."""
        rows = grid.tolist() if hasattr(grid, "tolist") else grid
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
        return cls.from_stones(board, *sides)

    def to_array(self) -> "Grid":
        """The board as one sees it, the top row first: 0 empty, 1 the first side, 2 the second."""
        import numpy as np  # for who asks for an array, and for nobody else

        columns, height = self.board.columns, self.board.rows + 1
        second = self.theirs if self.side == 0 else self.mine
        bits = b"".join(stones.to_bytes(16, "little") for stones in (self.mask, second))
        stones, seconds = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little").reshape(2, 128)
        cells = (stones + seconds)[: columns * height].reshape(columns, height)
        return np.ascontiguousarray(cells[:, -2::-1].T).view(np.int8)

    def __str__(self) -> str:
        rows = notation.rows_text(
            [self.stone(column, row) for column in range(self.board.columns)]
            for row in reversed(range(self.board.rows))
        )
        return f"{rows} {notation.STONES[self.side]} {self.board}"

    @property
    def text(self) -> str:
        """How it was reached, if that is known, else its stones; `parse` reads both.

        The way comes first: the solver can do more with it.
        """
        return str(self) if self.moves is None else self.moves

    @property
    def ply(self) -> int:
        """How many stones are on the board."""
        return self.mask.bit_count()

    @property
    def side(self) -> int:
        """The side to move: 0 first, 1 second. After the end: the side that would move."""
        return self.mask.bit_count() % 2

    @property
    def theirs(self) -> int:
        """Stones of the side that moved last, as bits."""
        return self.mine ^ self.mask

    @property
    def four(self) -> tuple[Cell, ...]:
        """The cells of the winning line (of all lines that the last stone completed), or ()."""
        return () if self.winner is None else self.board.cells_of(self.board.four_cells(self.theirs))

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

    def play(self, column: SupportsIndex) -> "Position":
        """Drop a disc; the column counts from 0, and may be anything that counts, as numpy's integers do."""
        after: Position | None = self.board.played(self, column)
        if after is None:
            _refuse_move(self, column)
        return after

    def mirror(self) -> "Position":
        """The position seen in a mirror."""
        board = self.board
        after = Position(board, board.mirror(self.mine), board.mirror(self.mask))
        if self.moves is not None:
            columns = notation.parse_moves(self.moves, board.columns)
            object.__setattr__(after, "moves", notation.moves_text(board.columns - 1 - c for c in columns))
        return after

    def _repr_html_(self) -> str:
        return self._repr_svg_()  # in a page the picture keeps its title; as an image it would have no words

    def _repr_svg_(self) -> str:
        # For notebooks only: they ask a position for its picture.
        from claimeven.picture import position_svg

        return position_svg(self)


def needed(position: object) -> Position:
    """What was handed over as a position, if it is one: the one place of those who take them from anybody."""
    if not isinstance(position, Position):
        raise PositionError("not_kind.parsed", kind="Position", value=f"{position!r:.60}")
    return position


def all_needed(positions: object) -> list[Position]:
    """Several of them."""
    if not isinstance(positions, Iterable) or isinstance(positions, str):
        raise PositionError("not_kind.several", value=f"{positions!r:.60}")
    found = list(positions)
    for position in found:
        if type(position) is not Position:  # the call would take as long as a score from the book
            needed(position)
    return found


def _counted(column: object) -> int:
    try:
        return operator.index(column)  # type: ignore[arg-type]
    except TypeError:
        raise MoveError("not_number.column", column=f"{column!r:.60}") from None


def _refuse_move(position: Position, wanted: object) -> NoReturn:
    column, columns = _counted(wanted), position.board.columns
    if not 0 <= column < columns:
        name, last = notation.column_named(column, columns), notation.column_digit(columns - 1)
        raise MoveError("no_column.value", column=name, last=last, first=1)
    if position.is_over:
        raise MoveError("over")
    raise MoveError("full", column=notation.column_digit(column))


def _bits(number: object, name: str) -> int:
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise PositionError("not_number.stones", name=name, number=f"{number!r:.60}") from None


def _parse_position(text: str, board: Board | None) -> Position:
    parts = text.split(" ")
    if len(parts) not in (2, 3):
        raise NotationError("parts.position", whole=notation.quote(text))
    if parts[1] not in tuple(notation.STONES):
        raise NotationError(
            "side", at_character=len(parts[0]) + 2, whole=notation.quote(text), text=notation.quote(parts[1])
        )
    written = parsed_board(parts[2]) if len(parts) == 3 else None
    if board is not None and written is not None and board != written:
        raise NotationError("other_board.position", whole=notation.quote(text), written=written, board=board)
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
            "turn.position",
            whole=notation.quote(text),
            n=position.ply,
            noun=notation.plural("stone", position.ply),
            player=notation.STONES[position.side],
            given=parts[1],
        )
    return position


def _check_stones(board: Board, first: int, second: int) -> None:
    mask = first | second
    if first < 0 or second < 0 or mask & ~board.full:
        raise PositionError("stones.outside", board=board)
    if first & second:
        raise PositionError("stones.two", cell=_name(board, first & second))
    floating = mask & ~(mask << 1) & ~board.bottom
    if floating:
        raise PositionError("floats", cell=_name(board, floating))
    x, o = first.bit_count(), second.bit_count()
    if x - o not in (0, 1):
        raise PositionError("counts", x=x, o=o)
    # Whatever came between: the first stone was an x at the bottom, and the last one lies on top of a column.
    if mask and not first & board.bottom:
        raise PositionError("no_first")
    if mask and not (first, second)[1 - (x + o) % 2] & ~(mask >> 1):
        raise PositionError("no_top", player=notation.STONES[1 - (x + o) % 2])
    _check_winner(board, first, second)


def _check_winner(board: Board, first: int, second: int) -> None:
    won = [side for side, stones in enumerate((first, second)) if board.has_four(stones)]
    if not won:
        return
    if len(won) == 2:
        raise PositionError("both_won")
    winner = won[0]
    name = notation.STONES[winner]
    if (first | second).bit_count() % 2 == winner:
        raise PositionError("went_on", player=name)
    stones, mask = (first, second)[winner], first | second
    tops = stones & ~(mask >> 1)
    for cell in board.cells_of(tops):
        if not board.has_four(stones & ~board.bit(*cell)):
            return
    raise PositionError("no_last", player=name)


def _name(board: Board, bits: int) -> str:
    return board.cell_name(board.cells_of(bits)[0])
