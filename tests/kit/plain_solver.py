"""The exact score as the textbook has it: minimax with a memory. No bounds, no order, no theorems."""

import random

from claimeven.position import Board, Position

Known = dict[int, int]


def plain_score(position: Position, known: Known | None = None) -> int:
    """1 + the winner's own stones left unplayed; positive when the side to move wins."""
    known = {} if known is None else known
    if position.winner is not None:
        return -((position.board.cells + 2 - position.ply) // 2)
    if position.is_over:
        return 0
    if position.key not in known:
        known[position.key] = max(-plain_score(position.play(c), known) for c in position.legal)
    return known[position.key]


def random_position(
    board: Board, seed: random.Random, ply: int | None = None, *, may_be_over: bool = False
) -> Position:
    """A position of a random game, with so many stones, or any number.

    Lines are avoided where possible, or else hardly any game would come far.
    """
    if ply is None:
        ply = seed.randint(0, board.cells)
    while True:
        position = Position(board)
        while position.ply < ply and not position.is_over:
            children = [position.play(column) for column in position.legal]
            quiet = [child for child in children if child.winner is None]
            position = seed.choice(quiet if quiet and seed.random() < 0.95 else children)
        if may_be_over or not position.is_over:
            return position
        ply = min(ply, board.cells - 1)
