"""How well reviews tell what a player could have seen: of the errors of one move, how many are moments.

The judge (tests/kit) walks lines over lists of letters and shares no code with the review. An *error of one
move*: a win with the next disc not taken, or allowed though another column does not. It is *told* when a
moment is about it: at its ply, or at another ply of the same side where the same cells were overlooked again
(`also`). A *practical blunder* of the loser: they win within two moves, and another column lasts at least
four longer or does not lose.

    python bench/reasons/coach_review.py                     500 games of levels 1 to 5 (first ladder), seeded
    python bench/reasons/coach_review.py --games FILE        games as JSON lines with "moves"
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from claimeven.agents import make_agent
from claimeven.game import Game
from claimeven.reasons import review
from claimeven.solver import Solver, score_of
from kit.coach.claims import column_scores
from kit.coach.moments import one_move_errors

SOON, LATER = 2, 4  # moves


def of_levels(count: int, seed: int) -> Iterator[Game]:
    chance = random.Random(f"coach/{seed}")
    for _ in range(count):
        specs = [(f"level:{chance.randint(1, 5)},ladder=first", chance.getrandbits(32)) for _ in range(2)]
        players = [make_agent(spec, number) for spec, number in specs]
        game = Game()
        while game.result is None:
            game.play(players[game.ply % 2].choose(game.position).column)
        yield game


def of_file(path: Path, most: int) -> Iterator[Game]:
    for line in path.read_text().splitlines()[:most]:
        yield Game.parse(json.loads(line)["moves"])


def practical_blunders(game: Game, solver: Solver) -> list[int]:
    """Plies of the loser, from 1."""
    if game.position.winner is None:
        return []
    found = []
    for position, column in zip(game.positions, game.columns, strict=False):
        if position.side == game.position.winner:
            continue
        scores = column_scores(position, solver)
        cells, ply = position.board.cells, position.ply
        moves = {
            other: (score_of(value, cells, ply).moves or 0) if value < 0 else cells
            for other, value in scores.items()
        }
        if moves[column] <= SOON and max(moves.values()) >= moves[column] + LATER:
            found.append(ply + 1)
    return found


def measured(games: Iterator[Game], solver: Solver) -> Counter[str]:
    found: Counter[str] = Counter()
    for game in games:
        told = review(game, solver, explains=False)
        named = {ply for moment in told.moments for ply in moment.plies}
        errors = one_move_errors(game.start, game.columns)
        missing = [error for error in errors if error.ply not in named]
        found["games"] += 1
        found["errors of one move"] += len(errors)
        found["told"] += len(errors) - len(missing)
        found.update(f"missing {error.kind}" for error in missing)
        found.update(f"first: {moment.mistake.kind}" for moment in told.moments[:1])
        found.update(f"moments: {len(told.moments)}" for _ in [0])
        practical = practical_blunders(game, solver)
        if practical:
            found["losses with a practical blunder"] += 1
            first = told.moments[0].plies if told.moments else ()
            found["the first moment is one"] += bool(set(first) & set(practical))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    games = of_levels(given.count, given.seed) if given.games is None else of_file(given.games, given.count)
    found = measured(games, Solver(megabytes=64))
    told, errors = found["told"], found["errors of one move"]
    first, losses = found["the first moment is one"], found["losses with a practical blunder"]
    print(f"{found['games']} games")
    print(f"errors of one move: {told} of {errors} are moments, {100 * told / max(errors, 1):.2f} %")
    print(f"practical blunders: first in {first} of {losses} losses, {100 * first / max(losses, 1):.2f} %")
    for name, count in sorted(found.items()):
        if ":" in name or name.startswith("missing"):
            print(f"  {name}: {count}")


if __name__ == "__main__":
    main()
