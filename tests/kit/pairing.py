"""The parity theorems of docs/theorems.md as plans of the follower: sets of cells, no bits, no tricks."""

from collections.abc import Iterator
from dataclasses import dataclass

from claimeven.position import Board, Cell, Position

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
Pairs = list[tuple[Cell, Cell]]


@dataclass(frozen=True)
class Plan:
    """What the follower answers to each stone of the mover, and what that guarantees."""

    theorem: str
    answers: dict[Cell, Cell]
    bound: int  # the mover's score is at most this


def lines(board: Board) -> Iterator[frozenset[Cell]]:
    for column in range(board.columns):
        for row in range(board.rows):
            for right, up in STEPS:
                cells = [Cell(column + i * right, row + i * up) for i in range(board.connect)]
                if all(0 <= c < board.columns and 0 <= r < board.rows for c, r in cells):
                    yield frozenset(cells)


def matchings(cells: list[Cell]) -> Iterator[Pairs]:
    if not cells:
        yield []
    for i in range(1, len(cells)):
        for rest in matchings(cells[1:i] + cells[i + 1 :]):
            yield [(cells[0], cells[i]), *rest]


def plans(position: Position) -> Iterator[Plan]:
    """All plans that the theorems offer the side that is not to move."""
    board = position.board
    follower = set(board.cells_of(position.theirs))
    empty = [
        Cell(column, row)
        for column in range(board.columns)
        for row in range(position.height(column), board.rows)
    ]
    landings = {Cell(c, position.height(c)) for c in range(board.columns) if position.height(c) < board.rows}
    wins = {
        cell for cell in empty if any(cell in line and line <= follower | {cell} for line in lines(board))
    }
    if len(empty) % 2 == 0:
        yield from even_plans(board, follower, empty, landings, wins)
    else:
        for key in sorted(wins - landings):
            if (board.rows - 1 - key.row) % 2:
                yield from odd_plans(board, follower, empty, landings, key)


def even_plans(
    board: Board, follower: set[Cell], empty: list[Cell], landings: set[Cell], wins: set[Cell]
) -> Iterator[Plan]:
    pairs, singles = split(empty, landings, dict.fromkeys(range(board.columns), board.rows - 1))
    claimed = {upper for _, upper in pairs}
    left = all_cells(board) - follower - claimed
    keys = claimed & wins
    kept = {cell for cell in left if not any(cell.column == k.column and cell.row > k.row for k in keys)}
    for matching in matchings(singles):
        answers = both_ways(pairs, matching)
        if keys and is_held(board, kept, matching):
            lowest = min(key.row for key in keys)
            yield Plan("T3", answers, -((board.rows - 1 - lowest) // 2 + 1))
        if is_held(board, left, matching):
            yield Plan("T1", answers, 0)
            if any(line <= follower | claimed for line in lines(board)):
                yield Plan("T2", answers, -1)


def odd_plans(
    board: Board, follower: set[Cell], empty: list[Cell], landings: set[Cell], key: Cell
) -> Iterator[Plan]:
    tops = dict.fromkeys(range(board.columns), board.rows - 1) | {key.column: key.row}
    pairs, singles = split(empty, landings, tops)
    claimed = {upper for _, upper in pairs}
    beyond = {cell for cell in empty if cell.column == key.column and cell.row > key.row}
    left = all_cells(board) - follower - claimed - beyond
    for matching in matchings(singles):
        if is_held(board, left, matching):
            yield Plan("T4", both_ways(pairs, matching), -((board.rows - key.row) // 2))


def all_cells(board: Board) -> set[Cell]:
    return {Cell(column, row) for column in range(board.columns) for row in range(board.rows)}


def split(empty: list[Cell], landings: set[Cell], tops: dict[int, int]) -> tuple[Pairs, list[Cell]]:
    """The empty cells of each column in pairs, from its top cell down; and the cells left over."""
    pairs, singles = [], []
    for cell in empty:
        below_top = tops[cell.column] - cell.row
        if below_top < 0:
            continue
        if below_top % 2:
            pairs.append((cell, Cell(cell.column, cell.row + 1)))
        elif cell in landings:
            singles.append(cell)
    return pairs, singles


def both_ways(pairs: Pairs, matching: Pairs) -> dict[Cell, Cell]:
    """Answer above the lower cell of a pair, and with the other single of two."""
    return dict(pairs) | dict(matching) | {b: a for a, b in matching}


def is_held(board: Board, left: set[Cell], matching: Pairs) -> bool:
    """Every line in what is left to the mover holds both singles of a pair."""
    return all(any({a, b} <= line for a, b in matching) for line in lines(board) if line <= left)
