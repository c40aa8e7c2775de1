"""The signature of the search: how many nodes it takes for fixed positions.

One thread, no book, a fresh table for each: the number depends on nothing but the search itself. A change
that is not meant to change the search leaves it as it is; any other records it anew, on purpose:

    claimeven bench --signature > tests/data/signature.json
"""

from claimeven import pons
from claimeven.position import Board, Position
from claimeven.solver import Solver

# How many positions of each set; other boards: an odd height, more columns than lanes, 128-bit words.
COUNTS = {"L3_R1": 200, "L2_R1": 200, "L1_R1": 100, "L2_R2": 40, "L1_R2": 4, "L1_R3": 1}
BOARDS = {
    "5x5x4": "",
    "6x4x4": "",
    "5x6x3": "",
    "12x2x3": "",
    "16x7x3": "",
    "13x8x5": "a5c6dccb918d4b132684792b41c47537323ba833114433675ad545861784572a71c82798b99a99a961",
}
MEGABYTES = 64


def signature() -> dict[str, int]:
    """Nodes by set and board, and their sum."""
    solver = Solver(megabytes=MEGABYTES, book=False)
    nodes = {}
    for name, count in COUNTS.items():
        moves = [moves for moves, _ in pons.read_set(name)[:count]]
        nodes[name] = sum(_nodes(solver, Position.parse(text)) for text in moves)
    for board, text in BOARDS.items():
        nodes[board] = _nodes(solver, Position.parse(text, Board.parse(board)))
    return nodes | {"total": sum(nodes.values())}


def _nodes(solver: Solver, position: Position) -> int:
    solver.clear()
    return solver.solve(position).nodes
