"""Minimax as the textbook has it, and the evaluator written with lists: slow and obvious on purpose."""

from collections.abc import Iterator, Mapping

from claimeven.agents.kinds.weights import Evaluation
from claimeven.position import Board, Position

Spot = tuple[int, int]
Stones = Mapping[Spot, str | None]  # every cell of the board

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
WIN = 10**12


def windows(board: Board) -> Iterator[tuple[Spot, list[Spot]]]:
    for step in STEPS:
        for column in range(board.columns):
            for row in range(board.rows):
                cells = [(column + i * step[0], row + i * step[1]) for i in range(board.connect)]
                if all(0 <= c < board.columns and 0 <= r < board.rows for c, r in cells):
                    yield step, cells


def weight(weights: tuple[float, ...], count: int, connect: int) -> float:
    """The weight of a number of stones; the last one is that of connect - 1."""
    place = count - connect  # -1 for connect - 1
    return weights[place] if count >= 1 and -len(weights) <= place < 0 else 0.0


def pair(weights: tuple[float, ...], index: int) -> float:
    return weights[index] if index < len(weights) else 0.0


def plain_value(evaluation: Evaluation, position: Position, side: int) -> float:
    board = position.board
    stone = {(c, r): position.stone(c, r) for c in range(board.columns) for r in range(board.rows)}
    landing = {(c, position.height(c)) for c in range(board.columns) if position.height(c) < board.rows}
    total = 0.0
    for index, owner in enumerate((side, 1 - side)):
        mark, other = "xo"[owner], "ox"[owner]
        total += window_value(evaluation, position, index, mark, other, stone, landing)
        total += run_value((evaluation.own_runs, evaluation.their_runs)[index], board, mark, stone)
        for (column, row), found in stone.items():
            if found == mark:
                is_middle = abs(2 * column - board.columns + 1) <= 1
                total += pair(evaluation.center, index) * is_middle
                total += pair(evaluation.height, index) * (board.rows - row)
        total += pair(evaluation.drop, index) * drops(evaluation, board, mark, stone, landing)
        good = good_threats(board, owner, stone)
        total += pair(evaluation.parity, index) * len(good)
        if owner == 0 and not good:
            total += pair(evaluation.zugzwang, 1 - index)
    return total


def window_value(
    evaluation: Evaluation,
    position: Position,
    index: int,
    mark: str,
    other: str,
    stone: Stones,
    landing: set[Spot],
) -> float:
    board, total = position.board, 0.0
    weights = (evaluation.own, evaluation.their)[index]
    for step, cells in windows(board):
        marks = [stone[cell] for cell in cells]
        if other in marks or (step == (0, 1) and evaluation.vertical == "top"):
            continue
        empty = [cell for cell in cells if stone[cell] is None]
        must_be_playable = evaluation.threats == "playable" or (
            evaluation.threats == "level" and step == (1, 0)
        )
        if must_be_playable and len(empty) == 1 and empty[0] not in landing:
            continue
        total += weight(weights, marks.count(mark), board.connect)
    if evaluation.vertical == "top":
        for column in range(board.columns):
            height, run = position.height(column), 0
            while run < height and stone[column, height - 1 - run] == mark:
                run += 1
            run = min(run, board.connect - 1)
            if board.connect <= board.rows and height - run + board.connect <= board.rows:
                total += weight(weights, run, board.connect)
    return total


def run_value(weights: tuple[float, ...], board: Board, mark: str, stone: Stones) -> float:
    total = 0.0
    for right, up in STEPS:
        fits = board.connect <= (board.columns if right else board.rows) and (
            not up or board.connect <= board.rows
        )
        for column, row in stone if fits else ():
            for count in range(1, board.connect):
                cells = [(column + i * right, row + i * up) for i in range(count)]
                ends = [(column - right, row - up), (column + count * right, row + count * up)]
                if all(stone.get(cell) == mark for cell in cells):
                    free = sum(end in stone and stone[end] is None for end in ends)
                    total += weight(weights, count, board.connect) * free
    return total


def drops(evaluation: Evaluation, board: Board, mark: str, stone: Stones, landing: set[Spot]) -> int:
    total = 0
    for cell in landing:
        after = {**stone, cell: mark}
        directions = set()
        for step, cells in windows(board):
            marks = [after[c] for c in cells]
            makes_threat = marks.count(mark) == board.connect - 1 and marks.count(None) == 1
            # The systems look to the right and downwards from the dropped stone.
            start = cells[-1] if step in ((0, 1), (1, 1)) else cells[0]
            if cell in cells and makes_threat and (evaluation.drop_windows == "through" or start == cell):
                directions.add(step)
        total += len(directions) if len(directions) >= 2 else 0
    return total


def good_threats(board: Board, owner: int, stone: Stones) -> set[Spot]:
    """The lowest winning cells of their columns, if they are this side's and on its rows."""
    own, other = (set(winning(board, mark, stone)) for mark in ("xo"[owner], "ox"[owner]))
    lowest = {min(cell for cell in own | other if cell[0] == column) for column, _ in own | other}
    return {cell for cell in lowest & own if cell[1] % 2 == owner}


def winning(board: Board, mark: str, stone: Stones) -> Iterator[Spot]:
    for _, cells in windows(board):
        empty = [cell for cell in cells if stone[cell] is None]
        if len(empty) == 1 and sum(stone[cell] == mark for cell in cells) == board.connect - 1:
            yield empty[0]


def plain_minimax(position: Position, depth: int, evaluation: Evaluation, root: int) -> float:
    """The value for the side to move: no table, no pruning, no order."""
    if position.winner is not None:
        return -(WIN - position.ply)
    if position.is_over:
        return 0
    if depth == 0:
        value = evaluation.value(position, root)
        return value if position.side == root else -value
    return max(-plain_minimax(position.play(c), depth - 1, evaluation, root) for c in position.legal)
