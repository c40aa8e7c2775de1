"""Where a player that moves first loses games it need not lose.

    python bench/players/lapses.py neural --plies 14

Against every reply, as claimeven certify plays, but after every move the solver is asked whether the game is
lost now, or only drawn. A losing move is counted and replaced by one that does not lose, so that every lapse
counts once. The first ply with a lapse is the largest N with which checked:stones=N never loses. With --out
the positions of all lapses are a file of labels, which a network can be trained on.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from claimeven import Board, Solver, make_agent
from claimeven.learn.labels import label, merged
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.sample import canonical
from claimeven.learn.many import columns_of

if TYPE_CHECKING:
    from claimeven.arrays import Words

BOARD = Board()
GEOMETRY = Geometry(BOARD)
COLUMNS = np.array([GEOMETRY.column(column) for column in range(BOARD.columns)], np.uint64)
MEGABYTES = 512
BATCH = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("agent", help="one that knows no chance")
    parser.add_argument(
        "--plies", type=int, default=12, help="its last move that is looked at, an even number"
    )
    parser.add_argument("--out", type=Path, help="the lapses, as a file of labels")
    asked = parser.parse_args()
    agent, solver = make_agent(asked.agent), Solver(megabytes=MEGABYTES)
    keys, lapses = np.zeros(1, np.uint64), []
    for ply in range(0, asked.plies + 1, 2):
        mine, mask = GEOMETRY.stones_of(keys)
        parts = [slice(first, first + BATCH) for first in range(0, len(mine), BATCH)]
        chosen = np.concatenate([columns_of(agent, BOARD, mine[part], mask[part]) for part in parts])
        values = _values(mine, mask, chosen, solver)
        lost = np.flatnonzero(values < 0)
        scores = label(GEOMETRY, mine[lost], mask[lost], solver, only_outcome=True)
        chosen[lost] = scores.argmax(axis=1)
        lapses.append((keys[lost], scores))
        drawn = int((values == 0).sum())
        print(f"ply {ply}: {len(keys)} positions, {len(lost)} lapses, {drawn} only draw", flush=True)
        keys = _next(mine, mask, chosen)
    if asked.out is not None:
        merged(BOARD, lapses, {"agent": asked.agent}).write(asked.out)


def _values(mine: "Words", mask: "Words", chosen: "np.ndarray", solver: Solver) -> "np.ndarray":
    """1, 0 or -1: what becomes of who moves so, with best play."""
    theirs, stones = mine ^ mask, mask | (GEOMETRY.landing(mask) & COLUMNS[chosen])
    is_open = ~GEOMETRY.is_won(theirs ^ stones)
    found = np.ones(len(mine), np.int8)
    values = solver.reached_values(theirs[is_open], stones[is_open], BOARD, only_outcome=True)
    found[is_open] = -np.sign(values)
    return found


def _next(mine: "Words", mask: "Words", chosen: "np.ndarray") -> "Words":
    """All positions after these moves and every reply, mirror images as one; games that are over are left."""
    theirs, stones = mine ^ mask, mask | (GEOMETRY.landing(mask) & COLUMNS[chosen])
    goes_on = ~GEOMETRY.is_won(theirs ^ stones)
    theirs, stones = theirs[goes_on], stones[goes_on]
    found = []
    for column in COLUMNS:
        cell = GEOMETRY.landing(stones) & column
        is_open = cell != 0
        ours, after = (theirs ^ stones)[is_open], (stones | cell)[is_open]
        goes_on = after != np.uint64(GEOMETRY.full)
        found.append(canonical(GEOMETRY, ours[goes_on], after[goes_on]))
    return np.unique(np.concatenate(found))


if __name__ == "__main__":
    main()
