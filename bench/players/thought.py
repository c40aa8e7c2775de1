"""What a move of a level costs: processor time, beside the cost of telling it (server/parts.py).

    python bench/players/thought.py --games 20

Each level plays games from the empty board against an average person (docs/people.md), both sides in turn,
with the second that the page gives it.
"""

import argparse
import statistics
import time

from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.position import Position

SECONDS = 1.0  # as the page asks for
LEVELS = range(1, 11)


def game(level: int, side: int) -> list[float]:
    """Seconds of the processor for each move of the level."""
    person, agent = make_agent("human"), make_agent(f"level:{level}")
    position, spent = Position(), []
    while not position.is_over:
        if position.side == side:
            began = time.process_time()
            choice = agent.choose(position, Limit(seconds=SECONDS))
            spent.append(time.process_time() - began)
        else:
            choice = person.choose(position, Limit(seconds=SECONDS))
        position = position.play(choice.column)
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the processor time of a level's move.")
    parser.add_argument("--games", type=int, default=20, help="of each level")
    options = parser.parse_args()
    every: list[float] = []
    print("level  moves   mean ms  median ms  most ms")
    for level in LEVELS:
        spent = [cost for number in range(options.games) for cost in game(level, number % 2)]
        every += spent
        mean, median = statistics.fmean(spent) * 1000, statistics.median(spent) * 1000
        print(
            f"{level:>5}  {len(spent):>5}  {mean:>8.2f}  {median:>9.2f}  {max(spent) * 1000:>7.1f}",
            flush=True,
        )
    print(f"  all  {len(every):>5}  {statistics.fmean(every) * 1000:>8.2f}")


if __name__ == "__main__":
    main()
