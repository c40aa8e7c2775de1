"""Where a player that moves first loses games it need not lose: python bench/lapses.py neural --plies 14

Against every reply, as claimeven certify plays, but after every move the solver is asked whether the game is
lost now. A losing move is counted and replaced by one that does not lose, so that every lapse counts once.
With --out the positions of all lapses are a file of labels, which a network can be trained on.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from claimeven import Board, Solver, make_agent
from claimeven.agents.kinds.neural import NeuralAgent
from claimeven.learn.labels import label, merged
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.sample import canonical

if TYPE_CHECKING:
    from claimeven.arrays import Words

BOARD = Board()
GEOMETRY = Geometry(BOARD)
COLUMNS = np.array([GEOMETRY.column(column) for column in range(BOARD.columns)], np.uint64)
MEGABYTES = 512
BATCH = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("agent", help="neural, with options")
    parser.add_argument(
        "--plies", type=int, default=12, help="its last move that is looked at, an even number"
    )
    parser.add_argument("--out", type=Path, help="the lapses, as a file of labels")
    asked = parser.parse_args()
    agent, solver = make_agent(asked.agent), Solver(megabytes=MEGABYTES)
    if not isinstance(agent, NeuralAgent):
        parser.error("only networks play many positions at once")
    keys, lapses = np.zeros(1, np.uint64), []
    for ply in range(0, asked.plies + 1, 2):
        mine, mask = GEOMETRY.stones_of(keys)
        chosen = _chosen(agent, mine, mask)
        lost = np.flatnonzero(_is_lost(mine, mask, chosen, solver))
        scores = label(GEOMETRY, mine[lost], mask[lost], solver, only_outcome=True)
        chosen[lost] = scores.argmax(axis=1)
        lapses.append((keys[lost], scores))
        print(f"ply {ply}: {len(keys)} positions, {len(lost)} lapses", flush=True)
        keys = _next(mine, mask, chosen)
    if asked.out is not None:
        merged(BOARD, lapses, {"agent": asked.agent}).write(asked.out)


def _chosen(agent: NeuralAgent, mine: "Words", mask: "Words") -> "np.ndarray":
    parts = [slice(first, first + BATCH) for first in range(0, len(mine), BATCH)]
    return np.concatenate(
        [np.frombuffer(agent.choices(mine[part].tobytes(), mask[part].tobytes()), np.int8) for part in parts]
    )


def _is_lost(mine: "Words", mask: "Words", chosen: "np.ndarray", solver: Solver) -> "np.ndarray":
    """Whether the other side wins after this move: before it nothing was lost."""
    theirs, stones = mine ^ mask, mask | (GEOMETRY.landing(mask) & COLUMNS[chosen])
    is_lost = ~GEOMETRY.is_won(theirs ^ stones)
    values = solver.reached_values(theirs[is_lost], stones[is_lost], BOARD, only_outcome=True)
    is_lost[is_lost] = values > 0
    return is_lost


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
