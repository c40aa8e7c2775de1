"""Positions, scores and plans as the page draws them: columns, rows and sides are numbers from 1."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from claimeven import notation
from claimeven.game.check import replay
from claimeven.position import Board, Cell, Position
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.told.drawing import threats
from claimeven.reasons.told.line import Line
from claimeven.server.errors import readable
from claimeven.server.messages import BoardShape, Spot, landing
from claimeven.server.study.shapes import BoardState, PlanShape, Played, Shapes, Threat, Value
from claimeven.solver import Score


def read_line(text: str, board: str | None, start: str | None = None) -> tuple[Position, ...]:
    """The positions from the first one to the one that a request asks about.

    Without `start`, `text` is moves from the empty board or a position alone.
    """
    with readable():
        size = None if board is None else Board.parse(board)
        if start is not None:
            first, moves = Position.parse(start.strip(), size), text.strip()
        else:
            last = Position.parse(text.strip(), size)
            if last.moves is None:
                return (last,)
            first, moves = Position(last.board), last.moves
        return (first, *(position for _, position in replay(first, moves)))


def spot(cell: Cell) -> Spot:
    return cell.column + 1, cell.row + 1


def spots(cells: Iterable[Cell]) -> tuple[Spot, ...]:
    return tuple(spot(cell) for cell in cells)


def columns_text(columns: Iterable[int]) -> str:
    return notation.moves_text(columns)


def state(position: Position, line: Sequence[Position] = ()) -> BoardState:
    """Everything needed to draw a position and to offer its moves; `line`: the positions that led to it."""
    board = position.board
    return BoardState(
        board=BoardShape(board.columns, board.rows, board.connect),
        size=str(board),
        moves=position.moves,
        position=str(position),
        ply=position.ply,
        turn=None if position.is_over else position.side + 1,
        discs=tuple((*spot(cell), side + 1) for cell, side in discs(position, line)),
        last_known=len(line) > 1 or bool(position.moves),
        landing=landing(position),
        winner=None if position.winner is None else position.winner + 1,
        four=spots(position.four),
        over=position.is_over,
    )


def discs(position: Position, line: Sequence[Position] = ()) -> list[tuple[Cell, int]]:
    """In the order of play as far as it is known, before that column by column."""
    board = position.board
    if line:
        moves = (
            (board.cells_of(after.mask ^ before.mask)[0], before.side) for before, after in pairwise(line)
        )
        return [*discs(line[0]), *moves]
    if position.moves is None:
        mine, side = position.mine, position.side
        return [
            (cell, side if mine & board.bit(*cell) else 1 - side) for cell in board.cells_of(position.mask)
        ]
    found, heights = [], [0] * board.columns
    for ply, column in enumerate(notation.parse_moves(position.moves, board.columns)):
        found.append((Cell(column, heights[column]), ply % 2))
        heights[column] += 1
    return found


def value(score: Score) -> Value:
    return Value(score.value, score.outcome, score.moves)


def maybe(score: Score | None) -> Value | None:
    return None if score is None else value(score)


def winning_spots(position: Position) -> tuple[Threat, ...]:
    """The winning cells of both sides; `open` ones can be taken with the next disc."""
    if position.is_over:
        return ()
    return tuple(
        Threat(
            cell=spot(cell),
            side=side + 1,
            odd=cell.row % 2 == 0,
            open=position.height(cell.column) == cell.row,
        )
        for cell, side in threats(position)
    )


def line(position: Position, columns: Iterable[int]) -> tuple[Played, ...]:
    """The discs of a line of play."""
    found = []
    for column in columns:
        found.append(Played(spot(Cell(column, position.height(column))), position.side + 1))
        position = position.play(column)
    return tuple(found)


def plan(found: Plan | None) -> PlanShape | None:
    """Any kind of plan."""
    if found is None:
        return None
    return PlanShape(
        holder=found.holder + 1,
        theorem=found.theorem,
        bound=found.bound,
        pairs=tuple((spot(lower), spot(upper)) for lower, upper in found.pairs),
        swaps=tuple((spot(one), spot(other)) for one, other in found.swaps),
        keys=spots(found.keys),
    )


def overlay(position: Position, shown: Line | None, column: int) -> Shapes:
    """A line of play, the plan it ends in, and the winning cells there."""
    if shown is None:
        return shapes(position, (column,))
    return shapes(position, shown.columns, shown.plan)


def shapes(position: Position, columns: tuple[int, ...], following: Plan | None = None) -> Shapes:
    """Discs in turn, a plan that follows them, and the winning cells there."""
    end = position
    for column in columns:
        end = end.play(column)
    return Shapes(
        line=line(position, columns),
        plan=plan(following),
        threats=winning_spots(end),
        four=spots(end.four),
    )
