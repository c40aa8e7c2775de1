"""Questions about a position: which cells, how many, who. The rules answer them; who wins, the solver."""

from collections.abc import Callable

from claimeven import notation
from claimeven.board import bits
from claimeven.position import Cell, Position
from claimeven.reasons.planned.allis import RuleName, Rules
from claimeven.reasons.seen.geometry import is_own_row
from claimeven.school.goals import Asked, cover_before, plan_before, right_answers

CellsOf = Callable[[Position, str], int]


def winning_cells(position: Position, side: int) -> int:
    """The empty cells that would complete a line of this side."""
    stones = position.mine if side == position.side else position.theirs
    return position.board.winning_cells(stones, position.mask)


def _open(position: Position, cells: int) -> int:
    return cells & position.board.landings(position.mask)


def _mine(position: Position) -> int:
    return winning_cells(position, position.side)


def _theirs(position: Position) -> int:
    return winning_cells(position, 1 - position.side)


def _pair(position: Position, _: str) -> int:
    """Two winning cells of the side to move right above each other."""
    mine = _mine(position)
    lower = mine & mine >> 1
    return lower | lower << 1


def _under(position: Position, cells: int) -> int:
    """Where a disc can fall now, right below one of these cells."""
    return _open(position, cells >> 1)


def _own_rows(position: Position, side: int) -> int:
    board = position.board
    return sum(
        bit for bit in bits(winning_cells(position, side)) if is_own_row(board, side, board.row_of(bit) + 1)
    )


def _worthless(position: Position, _: str) -> int:
    """Winning cells right above one of the other side: who fills the lower one, opens the upper one."""
    mine, theirs = _mine(position), _theirs(position)
    return (mine & theirs << 1) | (theirs & mine << 1)


def _decides(position: Position, _: str) -> int:
    """Where the side that is not to move wins by its plan."""
    plan = plan_before(position)
    return 0 if plan is None else sum(position.board.bit(*key) for key in plan.keys)


def _answer(position: Position, cell: str) -> int:
    """The cell with which the plan answers this one."""
    plan, board = plan_before(position), position.board
    if plan is None:
        return 0
    asked = notation.parse_cell(cell)
    return plan.answer((position.mine, position.mask), board.bit(*asked))


def safe_cells(position: Position) -> int:
    """What can be filled before somebody has to play right below a winning cell, whosever it is.

    In each column the cells up to the one below its lowest winning cell, that one left out.
    """
    board, wins = position.board, _mine(position) | _theirs(position)
    safe = 0
    for column in range(board.columns):
        free = board.column_bits(column) & ~position.mask
        closed = wins & free
        safe |= free & (((closed & -closed) >> 1) - 1) if closed else free
    return safe


def _line_of(rule: RuleName) -> CellsOf:
    """The line that a rule of this name is about, where the plan against the side to move has exactly one."""

    def cells(position: Position, _: str) -> int:
        cover = cover_before(position)
        fours = {found.four for found in cover.rules if found.name == rule} if cover is not None else set()
        return fours.pop() if len(fours) == 1 else 0

    return cells


def _lowinverse(position: Position, _: str) -> int:
    """Two pairs of two columns, where exactly two take away a line through both their upper cells."""
    board = position.board
    fours = [four for four in board.fours if not four & position.theirs]
    rules = Rules(position, fours, board.full, board.full).all()
    found = [rule.cells for rule in rules if rule.name == "lowinverse"]
    return found[0] if len(found) == 1 else 0


CELLS: dict[str, CellsOf] = {
    "landings": lambda position, _: position.board.landings(position.mask),
    "mine": lambda position, _: _mine(position),
    "theirs": lambda position, _: _theirs(position),
    "mine_open": lambda position, _: _open(position, _mine(position)),
    "theirs_open": lambda position, _: _open(position, _theirs(position)),
    "pair": _pair,
    "under_theirs": lambda position, _: _under(position, _theirs(position)),
    "under_mine": lambda position, _: _under(position, _mine(position)),
    "poisoned": lambda position, _: _under(position, _theirs(position) | _mine(position)),
    "x_rows": lambda position, _: _own_rows(position, 0),
    "o_rows": lambda position, _: _own_rows(position, 1),
    "worthless": _worthless,
    "decides": _decides,
    "answer": _answer,
    "aftereven": _line_of("aftereven"),
    "before": _line_of("before"),
    "lowinverse": _lowinverse,
    "safe": lambda position, _: safe_cells(position),
}


# Where discs may be marked: a whole line is asked for, or where discs can land is the very question.
ON_DISCS = ("aftereven", "before", "landings")


def cells_asked(about: str, position: Position, cell: str = "") -> tuple[Cell, ...]:
    return position.board.cells_of(CELLS[about](position, cell))


# Numbers -------------------------------------------------------------------------------------------


def fours_through(position: Position, cell: str) -> int:
    board = position.board
    at = notation.parse_cell(cell)
    return len(board.fours_by_cell[board.bit(*at)])


def number_asked(about: str, position: Position, cell: str, asked: Asked) -> int:
    match about:
        case "lines":
            return fours_through(position, cell)
        case "right":
            return len(right_answers(position, asked))
    return CELLS[about](position, cell).bit_count()


def counted_cells(about: str, position: Position, cell: str) -> tuple[Cell, ...]:
    """What was counted, to light it."""
    return cells_asked(about, position, cell) if about in CELLS else ()


# Sides ---------------------------------------------------------------------------------------------


def side_asked(about: str, position: Position, cell: str, asked: Asked) -> str:
    """x, o or =.

    gives_way: who has to play below a winning cell first, when both fill the safe cells in turn. owner: whose
    rows a cell lies in. winner: with best play.
    """
    board = position.board
    if about == "gives_way":
        return notation.STONES[(position.side + safe_cells(position).bit_count()) % 2]
    if about == "owner":
        at = notation.parse_cell(cell)
        return notation.STONES[0 if is_own_row(board, 0, at[1] + 1) else 1]
    score = asked.analyse(position).score
    assert score is not None, "without a limit everything is exact"
    value = score.value
    return "=" if value == 0 else notation.STONES[position.side if value > 0 else 1 - position.side]
