"""What a position takes, by the stones on it: the file behind two pictures of docs/boards.md.

    python bench/solver/plies.py 6x5 7x6 8x6

For every board, from the end of the game backwards: random quiet positions, each solved from nothing. It ends
where the mean passes MOST nodes. Counts do not depend on the machine; seconds are the processor's. Both go
to docs/data/plies.jsonl.
"""

import json
import random
import sys
import time
from pathlib import Path

from claimeven.bench.boards import SEED, quiet_position
from claimeven.position import Board
from claimeven.solver import Solver

RESULTS = Path(__file__).parents[2] / "docs" / "data" / "plies.jsonl"
POSITIONS = 20
MOST = 1_000_000
MEGABYTES = 64


def main() -> None:
    for size in sys.argv[1:]:
        board, generator = Board.parse(size), random.Random(SEED)
        for ply in range(board.cells * 3 // 4, -1, -1):
            positions = [quiet_position(board, generator, ply) for _ in range(POSITIONS)]
            solvers = [Solver(megabytes=MEGABYTES, book=False) for _ in positions]
            begun = time.process_time()
            nodes = [
                solver.solve(position).nodes for solver, position in zip(solvers, positions, strict=True)
            ]
            seconds = (time.process_time() - begun) / len(nodes)
            mean = sum(nodes) / len(nodes)
            row = {
                "board": size,
                "ply": ply,
                "positions": len(nodes),
                "mean": round(mean),
                "most": max(nodes),
                "seconds": round(seconds, 6),
            }
            with RESULTS.open("a") as results:
                print(json.dumps(row), file=results, flush=True)
            if mean > MOST:
                break


if __name__ == "__main__":
    main()
