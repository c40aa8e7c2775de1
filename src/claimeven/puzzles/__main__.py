"""Mine puzzles into a file:

    python -m claimeven.puzzles --games 15000 --seed 1 --count 2450 --out puzzles.jsonl

as many of each theme and difficulty as the games give. The same options give the same file. It may be
interrupted: with --folder it goes on where it was.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from claimeven import runner
from claimeven.puzzles.mine import KINDS, PER_SHARD, collect, mine_game, write
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.rating import rate


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m claimeven.puzzles", description="Mine puzzles.")
    parser.add_argument("--games", type=int, default=15000)
    parser.add_argument("--count", type=int, default=2450, help="puzzles to choose")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--ray", help="work on a Ray cluster: its address, or auto")
    parser.add_argument("--folder", type=Path, help="keep what is done, and go on from there")
    parser.add_argument("--out", type=Path, required=True)
    told = parser.parse_args(arguments)
    with runner.Bar() as bar:
        games = runner.run(
            mine_game,
            [KINDS[number % len(KINDS)] for number in range(told.games)],
            workers=told.workers,
            seed=told.seed,
            per_shard=PER_SHARD,
            folder=told.folder,
            progress=bar.of("games"),
            execute=None if told.ray is None else runner.on_ray(told.ray, told.workers),
        )
        found = [Puzzle.from_row(row) for rows in games for row in rows]
    puzzles = collect((replace(puzzle, rating=rate(puzzle)) for puzzle in found), told.count)
    write(puzzles, told.out)
    themes = Counter(puzzle.themes[0] for puzzle in puzzles)
    print(f"{len(puzzles)} puzzles in {told.out}: {dict(themes)}", file=sys.stderr)


if __name__ == "__main__":
    main()
