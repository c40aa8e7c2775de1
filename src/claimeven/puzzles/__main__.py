"""Mine puzzles into a file:

    python -m claimeven.puzzles --games 20000 --seed 1 --count 3600 --folder FOLDER --out puzzles.txt

as many of each theme as the games give, rated by how often players of the levels solve them. The same options
give the same file. It may be interrupted: with --folder it goes on where it was.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from claimeven import runner
from claimeven.puzzles.collect import collect
from claimeven.puzzles.mine import mine_game
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.rating import measure
from claimeven.puzzles.store import write

PER_SHARD = 50


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m claimeven.puzzles", description="Mine puzzles.")
    parser.add_argument("--games", type=int, default=20000)
    parser.add_argument("--count", type=int, default=3600, help="puzzles to choose")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--ray", help="work on a Ray cluster: its address, or auto")
    parser.add_argument("--folder", type=Path, help="keep what is done, and go on from there")
    parser.add_argument("--out", type=Path, required=True)
    told = parser.parse_args(arguments)
    execute = None if told.ray is None else runner.on_ray(told.ray, told.workers)
    with runner.Bar() as bar:
        games = runner.run(
            mine_game,
            range(told.games),
            workers=told.workers,
            seed=told.seed,
            per_shard=PER_SHARD,
            folder=told.folder and told.folder / "games",
            progress=bar.of("games"),
            execute=execute,
        )
        chosen = collect(([Puzzle.from_row(row) for row in rows] for rows in games), told.count)
        ratings = runner.run(
            measure,
            [puzzle.row() for puzzle in chosen],
            workers=told.workers,
            seed=told.seed,
            per_shard=PER_SHARD,
            folder=told.folder and told.folder / "ratings",
            progress=bar.of("ratings"),
            execute=execute,
        )
        rated = [replace(puzzle, rating=rating) for puzzle, rating in zip(chosen, ratings, strict=True)]
    write(rated, told.out)
    themes = Counter(puzzle.theme for puzzle in rated)
    print(f"{len(rated)} puzzles in {told.out}: {dict(themes)}", file=sys.stderr)


if __name__ == "__main__":
    main()
