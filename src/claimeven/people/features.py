"""What a person may see in a move: small numbers for every column, by the rules alone.

Mirrored positions have the same numbers, mirrored. `NAMES` says what each is; the weights know them by place.
"""

from functools import cache

from claimeven.board import Board, bits
from claimeven.position import Position

UPRIGHT, FLAT, SLANTED = range(3)  # people overlook slanted lines more than others
STEPS = (2, 4, 7, 11, 16, 22)  # plies; people play the beginning from habit
LACKING = (4, 3, 2, 1)  # discs of a line, the one that is dropped among them

NAMES = (
    *(
        f"{who} {line} line that lacks {lacking}"
        for who in ("own", "their")
        for line in ("upright", "flat", "slanted")
        for lacking in LACKING
    ),
    "loses at once",
    "opens the door of a flat line",
    "opens the door of another line",
    "leaves a win open elsewhere",
    "threatens to win",
    "two threats",
    "makes a winning cell for later, odd row",
    "makes a winning cell for later, even row",
    "takes the cell of one of theirs, odd row",
    "takes the cell of one of theirs, even row",
    "right under an own winning cell",
    "allows two threats",
    "prevents two threats",
    "prepares two threats",
    "threatens, and then two threats or a win",
    *(f"{distance} columns off the middle" for distance in (3, 2, 1, 0)),
    *(f"row {row}" for row in range(1, 7)),
    *(f"{distance} columns from their last disc" for distance in ("0", "1", "2", "3 or more")),
    *(f"{distance} columns from the own last disc" for distance in (0, 1, 2)),
    "own discs around it",
    "their discs around it",
    "free cells around it",
)
CONTEXT = (*(f"before ply {ply}" for ply in STEPS), "how full the board is", "the second player moves")


def context(position: Position) -> list[float]:
    """What is the same for every column; how people weigh the rest depends on it."""
    ply = position.ply
    return [*(float(ply < step) for step in STEPS), ply / position.board.cells, float(position.side)]


def features(position: Position) -> dict[int, list[float]]:
    """The numbers of `NAMES` for every column that can be played."""
    return _Scene(position).all()


@cache
def _lines(board: Board) -> dict[int, tuple[tuple[int, int], ...]]:
    """The lines through every cell, each with how it runs."""
    return {
        bit: tuple((four, _direction(board, four)) for four in fours)
        for bit, fours in board.fours_by_cell.items()
    }


def _direction(board: Board, four: int) -> int:
    distance = four.bit_length() - (four & -four).bit_length()
    if distance == board.reach - 1:
        return UPRIGHT
    return FLAT if distance == (board.reach - 1) * (board.rows + 1) else SLANTED


def _fork_cells(board: Board, stones: int, mask: int) -> int:
    """Where a disc makes two winning cells that are open, or one with another right above it."""
    return sum(bit for bit in bits(board.landings(mask)) if _is_fork(board, stones | bit, mask | bit))


def _is_fork(board: Board, stones: int, mask: int) -> bool:
    wins, landings = board.winning_cells(stones, mask), board.landings(mask)
    return (wins & landings).bit_count() > 1 or bool(wins & wins >> 1 & landings)


def _odd_and_even(board: Board, cells: int) -> tuple[int, int]:
    odd = sum(board.row_of(bit) % 2 == 0 for bit in bits(cells))
    return odd, cells.bit_count() - odd


class _Scene:
    """A position and what is the same for all of its moves."""

    def __init__(self, position: Position) -> None:
        self.board, self.mine, self.mask = position.board, position.mine, position.mask
        self.theirs = position.theirs
        self.legal = position.legal
        self.lines = _lines(self.board)
        self.landings = self.board.landings(self.mask)
        self.my_wins = self.board.winning_cells(self.mine, self.mask)
        self.their_wins = self.board.winning_cells(self.theirs, self.mask)
        self.is_pressed = bool(_fork_cells(self.board, self.theirs, self.mask))
        played = position.moves or ""
        self.their_last = int(played[-1], 36) - 1 if played else None
        self.my_last = int(played[-2], 36) - 1 if len(played) > 1 else None

    def all(self) -> dict[int, list[float]]:
        found = {}
        for column in self.legal:
            bit = self.landings & self.board.column_masks[column]
            counts = (*self._lines_through(bit), *self._threats(bit), *self._place(column, bit))
            found[column] = [float(count) for count in counts]
        return found

    def _lines_through(self, bit: int) -> list[float]:
        """Lines of either side that are not stopped, by how they run and what they lack."""
        reach = self.board.reach
        counts = [[0.0] * 12, [0.0] * 12]
        for four, direction in self.lines[bit]:
            for which, own, other in ((0, self.mine, self.theirs), (1, self.theirs, self.mine)):
                if not four & other:
                    lacking = min(4, reach - (four & own).bit_count())
                    place = 4 * direction + LACKING.index(lacking)
                    counts[which][place] = 1 if lacking == 1 else counts[which][place] + 1
        return [*counts[0], *counts[1]]

    def _threats(self, bit: int) -> list[float]:
        board, stones, mask = self.board, self.mine | bit, self.mask | bit
        landings, wins = board.landings(mask), board.winning_cells(stones, mask)
        above = bit << 1 & board.full
        has_won = board.has_four(stones)
        loses = bool(self.their_wins & landings & ~bit) and not has_won
        through = self.lines.get(above, ())
        flat = any(way == FLAT and not four & ~self.theirs & ~above for four, way in through)
        threats = (wins & landings).bit_count()
        later = _odd_and_even(board, wins & ~self.my_wins & ~landings)
        if_theirs = board.winning_cells(self.theirs | bit, mask) & ~self.their_wins & ~landings
        is_door = bool(above & self.their_wins)
        ahead = (False,) * 4 if has_won or loses else self._ahead(stones, mask, wins & landings)
        return [
            loses,
            is_door and flat,
            is_door and not flat,
            bool(self.their_wins & landings & ~bit & ~above),
            threats > 0,
            _is_fork(board, stones, mask),
            *later,
            *_odd_and_even(board, if_theirs),
            bool(above & self.my_wins),
            *ahead,
        ]

    def _ahead(self, stones: int, mask: int, threats: int) -> tuple[bool, bool, bool, bool]:
        """Two threats next: allowed to them, prevented, prepared; and after the forced answer."""
        board = self.board
        if not threats:
            allows = bool(_fork_cells(board, self.theirs, mask))
            return allows, self.is_pressed and not allows, bool(_fork_cells(board, stones, mask)), False
        if threats & (threats - 1):
            return False, False, False, False
        theirs, full = self.theirs | threats, mask | threats
        landings = board.landings(full)
        is_free = not board.winning_cells(theirs, full) & landings
        goes_on = is_free and bool(
            board.winning_cells(stones, full) & landings or _fork_cells(board, stones, full)
        )
        return not goes_on and bool(_fork_cells(board, theirs, full)), False, False, goes_on

    def _place(self, column: int, bit: int) -> list[float]:
        board, row = self.board, min(self.board.row_of(bit), 5)
        off = min(board.off_centre(column) // 2, 3)
        from_theirs = None if self.their_last is None else min(abs(column - self.their_last), 3)
        from_mine = None if self.my_last is None else abs(column - self.my_last)
        around = 0
        for distance in board.distances:
            around |= bit << distance | bit >> distance
        around &= board.full
        return [
            *(off == distance for distance in (3, 2, 1, 0)),
            *(row == one for one in range(6)),
            *(from_theirs == distance for distance in range(4)),
            *(from_mine == distance for distance in range(3)),
            (around & self.mine).bit_count() / 8,
            (around & self.theirs).bit_count() / 8,
            (around & ~self.mask).bit_count() / 8,
        ]
