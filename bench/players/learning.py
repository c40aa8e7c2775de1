"""How many games a table learns from in a minute, on one core: python bench/players/learning.py [BOARD …]

By self-play in the core, by system A's rule, and against an agent, which is asked from Python.
"""

import sys
import time

from claimeven.agents.kinds.qtable import Table, preset
from claimeven.learn import train
from claimeven.position import Board


def main(boards: list[str]) -> None:
    for board in map(Board.parse, boards):
        for name, opponent, games in (
            ("claimeven", "self", 200_000),
            ("a", "self", 200_000),
            ("claimeven", "minimax:depth=2", 1000),
        ):
            table = Table(board, preset(name, board), opponent=opponent)
            start = time.process_time()
            train(table, games)
            seconds = time.process_time() - start
            print(
                f"{board}, rule {name}, against {opponent}: {60 * games / seconds:,.0f} games per minute,"
                f" {table.states:,} positions"
            )


if __name__ == "__main__":
    main(sys.argv[1:] or ["4x4x4", "5x4x4", "7x6x4"])
