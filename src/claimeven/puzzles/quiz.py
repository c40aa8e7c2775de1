"""Questions without a column to find: who wins, and which winning cell is worthless."""

from claimeven import notation
from claimeven.board import Board, bits
from claimeven.position import Position
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.thumbs import is_quiet
from claimeven.reasons import certify
from claimeven.reasons.seen.geometry import is_own_row, row_of
from claimeven.reasons.told.line import decision
from claimeven.solver import Analysis

MIN_EMPTY, MAX_EMPTY = 8, 22  # cells: enough to wonder, few enough to count
MIN_WIN = 4  # moves; what is sooner is tactics
MAX_SEARCHED = 14  # cells: the game without one of its cells is searched through


def quiz(position: Position, analysis: Analysis) -> Puzzle | None:
    """Who wins? Asked where a plan settles the rest, and nobody threatens anything at once."""
    if not _can_be_asked(position, analysis) or not certified(position, analysis):
        return None
    assert position.moves is not None
    assert analysis.score is not None
    value = analysis.score.value
    winner = "=" if value == 0 else notation.STONES[position.side if value > 0 else 1 - position.side]
    return Puzzle(position.moves, "who", ("parity",), 0, winner)


def _can_be_asked(position: Position, analysis: Analysis) -> bool:
    assert analysis.score is not None
    board, mask = position.board, position.mask
    cells = board.winning_cells(position.mine, mask) | board.winning_cells(position.theirs, mask)
    is_slow = (analysis.score.moves or MIN_WIN) >= MIN_WIN
    return MIN_EMPTY <= board.cells - position.ply <= MAX_EMPTY and is_slow and bool(cells)


def certified(position: Position, analysis: Analysis) -> bool:
    """Whether a plan proves the outcome: now, or after a best move."""
    assert analysis.score is not None
    value = analysis.score.value
    if value <= 0:
        plan = certify(position)
        if plan is not None and (plan.bound == 0) == (value == 0):
            return True
    for column in analysis.best:
        plan = certify(position.play(column)) if decision(position, column) is None else None
        if plan is not None and plan.bound <= -value and (plan.bound == 0) == (value == 0):
            return True
    return False


# Which threat is worthless? ------------------------------------------------------------------------


def worthless(position: Position, analysis: Analysis) -> Puzzle | None:
    """Of the winner's cells exactly one without which he wins all the same; without any other he does not."""
    if not _can_be_asked(position, analysis) or position.board.cells - position.ply > MAX_SEARCHED:
        return None
    assert analysis.score is not None
    value = analysis.score.value
    side = position.side if value > 0 else 1 - position.side
    cells = cells_of(position, side)
    if value == 0 or cells.bit_count() < 2:
        return None
    useless = [bit for bit in bits(cells) if wins_without(position, side, bit)]
    if len(useless) != 1 or reason(position, side, useless[0]) is None:
        return None
    assert position.moves is not None
    answer = f"{notation.STONES[side]}{position.board.cell_of(useless[0])}"
    return Puzzle(position.moves, "cell", ("worthless",), 0, answer)


def cells_of(position: Position, side: int) -> int:
    stones = position.mine if side == position.side else position.theirs
    return position.board.winning_cells(stones, position.mask)


def reason(position: Position, side: int, cell: int) -> str | None:
    """Why a cell is worth nothing, as far as it is seen: one of both, theirs or one's own below it, the wrong
    row."""
    board = position.board
    below = board.column_bits(board.column_of(cell)) & (cell - 1)
    if ends_below(position, cell):
        return "both_below"
    if below & cells_of(position, 1 - side):
        return "theirs_below"
    if below & cells_of(position, side):
        return "own_below"
    return None if is_own_row(board, side, row_of(board, cell)) else "wrong_row"


def ends_below(position: Position, cell: int) -> int:
    """The winning cells of both sides below a cell: whoever plays there ends the game."""
    below = position.board.column_bits(position.board.column_of(cell)) & (cell - 1)
    return below & cells_of(position, 0) & cells_of(position, 1)


def wins_without(position: Position, side: int, cell: int) -> bool:
    """Whether a side wins with best play if lines through a cell do not count for it."""
    assert is_quiet(position)
    fours = position.board.fours_by_cell
    counted = {bit: tuple(four for four in fours[bit] if not four & cell) for bit in fours}
    return _Game(position.board, counted, fours, {}).wins(
        position.mine if side == position.side else position.theirs, position.mask, side == position.side
    )


class _Game:
    """Searched through, with other lines for each of the sides."""

    def __init__(
        self,
        board: Board,
        own: dict[int, tuple[int, ...]],
        their: dict[int, tuple[int, ...]],
        known: dict[tuple[int, int], bool],
    ) -> None:
        self.board, self.own, self.their, self.known = board, own, their, known

    def wins(self, own: int, mask: int, is_own_turn: bool) -> bool:
        """Whether the side with the stones `own` wins."""
        key = (own, mask)
        if key not in self.known:
            self.known[key] = self._wins(own, mask, is_own_turn)
        return self.known[key]

    def _wins(self, own: int, mask: int, is_own_turn: bool) -> bool:
        landings = list(bits(self.board.landings(mask)))
        if is_own_turn:
            if any(_completes(own | bit, self.own[bit]) for bit in landings):
                return True
            return any(self.wins(own | bit, mask | bit, False) for bit in landings)
        theirs = own ^ mask
        if not landings or any(_completes(theirs | bit, self.their[bit]) for bit in landings):
            return False
        return all(self.wins(own, mask | bit, True) for bit in landings)


def _completes(stones: int, fours: tuple[int, ...]) -> bool:
    return any(four & stones == four for four in fours)
