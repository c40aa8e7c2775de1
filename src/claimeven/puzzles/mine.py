"""Puzzles out of games: agents play, and the solver looks where only one column was right."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count as count_from
from pathlib import Path

from claimeven import runner
from claimeven.agents import make_agent
from claimeven.arena.play.game import play_game
from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.position import Position
from claimeven.puzzles.find import find
from claimeven.puzzles.puzzle import THEMES, Puzzle, Row
from claimeven.puzzles.rating import rate
from claimeven.reasons.told.line import DECIDED, decision
from claimeven.solver import Solver

KINDS = ("whole", "sharp", "sharp", "sharp", "sharp")  # how games are looked at, in turn
SHARP = {"fork", "stacked"}  # themes that a sharp look is enough for
LEVELS = range(1, 9)
LONGEST_OPENING = 6  # plies at random, so that no two games are the same
RANK = {"loss": 0, "draw": 1, "win": 2}
EARLIEST = 8  # plies; before that there is knowledge to recall rather than something to find
PER_SHARD = 50
BAND = 200  # rating points; each is filled as evenly as possible


def generate_puzzles(seed: int, count: int, themes: Sequence[str] | None = None) -> Iterator[Puzzle]:
    """Fresh puzzles, the same for the same seed; of some themes only, if they are given.

    >>> [puzzle.themes[0] in ("fork", "stacked") for puzzle in generate_puzzles(7, 2, ["fork", "stacked"])]
    [True, True]
    """
    wanted = set(check_themes(themes))
    if count < 0:
        raise InputError("puzzle.count", count=count)
    return _generated(seed, count, wanted)


def _generated(seed: int, count: int, wanted: set[str]) -> Iterator[Puzzle]:
    seen: set[int] = set()
    for number in count_from():
        if count == 0:
            return
        kind = "sharp" if wanted <= SHARP else KINDS[number % len(KINDS)]
        for row in mine_game(kind, runner.seed_of(seed, number)):
            puzzle = Puzzle.from_row(row)
            key = puzzle.position.canonical_key
            theme = next((theme for theme in puzzle.themes if theme in wanted), None)
            if theme is None or key in seen:
                continue
            seen.add(key)
            yield replace(puzzle, rating=rate(puzzle), themes=_headed(puzzle, theme))
            count -= 1
            if count == 0:
                return


def check_themes(themes: Sequence[str] | None) -> Sequence[str]:
    """The names of themes: only_move, for people only-move; both are understood."""
    if isinstance(themes, str):
        themes = [themes]
    names = [theme_name(theme) for theme in themes or ()]
    for theme, name in zip(themes or (), names, strict=True):
        if name not in THEMES:
            listed = ", ".join(THEMES).replace("_", "-")
            raise InputError("puzzle.theme", theme=quote(theme), known=listed)
    return names or THEMES


def theme_name(text: str) -> str:
    return re.sub("[ -]", "_", text.strip().lower())


def _headed(puzzle: Puzzle, theme: str) -> tuple[str, ...]:
    """Its themes, this one first."""
    return theme, *(other for other in puzzle.themes if other != theme)


# One game ----------------------------------------------------------------------------------------


@cache
def _solver() -> Solver:
    """One for every process; what it remembers does not change its answers."""
    return Solver(megabytes=64)


def mine_game(kind: str, seed: int) -> list[Row]:
    """The puzzles of one game, as rows without a rating: a task for the runner.

    A "sharp" look asks the solver only where two threats, or zugzwang, are near: it finds those themes ten
    times as fast. A "whole" look asks everywhere.
    """
    chance, solver = random.Random(seed), _solver()
    positions = _game(chance)
    outcomes: dict[int, str] = {}
    found: list[Puzzle] = []
    for ply in sorted(_sharp_plies(positions) if kind == "sharp" else positions):
        analysis = solver.analyse(positions[ply])
        assert analysis.score is not None
        outcomes[ply] = analysis.score.outcome
        if ply - 1 in positions and ply - 1 not in outcomes:
            outcomes[ply - 1] = solver.outcome(positions[ply - 1])
        # The outcome for the opponent before and after his last move.
        is_after_error = RANK[(-analysis.score).outcome] < RANK[outcomes.get(ply - 1, "loss")]
        found += find(positions[ply], analysis, is_after_error, solver)
    quizzes = [puzzle for puzzle in found if puzzle.goal == "who"]
    kept = [chance.choice(quizzes)] if quizzes else []  # one of a game: they are much alike
    return [puzzle.row() for puzzle in found if puzzle.goal != "who" or puzzle in kept]


def _game(chance: random.Random) -> dict[int, Position]:
    """The positions of a game between two agents, by ply."""
    first, second = chance.sample(LEVELS, 2)
    agents = (
        make_agent(f"level:{first}", chance.getrandbits(32)),
        make_agent(f"level:{second}", chance.getrandbits(32)),
    )
    opening = Position()
    for _ in range(chance.randrange(LONGEST_OPENING + 1)):
        opening = opening.play(chance.choice(opening.legal))  # too early for anyone to win
    game, _error = play_game(agents, opening)
    return {p.ply: p for p in game.positions if p.ply >= EARLIEST and not p.is_over}


def _sharp_plies(positions: dict[int, Position]) -> set[int]:
    """Where a decision is there for the taking, and the turns of the same side before it."""
    found: set[int] = set()
    for ply, position in positions.items():
        seen = (decision(position, column) for column in position.legal)
        if any(fact is not None and fact.kind in DECIDED for fact in seen):
            found |= {ply, ply - 2, ply - 4} & positions.keys()
    return found


# A collection --------------------------------------------------------------------------------------


def collect(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """The most even choice: theme by theme, and in each theme from every band of difficulty in turn.

    A puzzle that would serve several themes goes to one that has few.
    """
    seen: set[int] = set()
    pools: dict[tuple[str, int], list[Puzzle]] = {}
    for puzzle in puzzles:
        key = puzzle.position.canonical_key
        if key in seen and puzzle.goal != "who":
            continue
        seen.add(key)
        for theme in puzzle.themes:
            pools.setdefault((theme, puzzle.rating // BAND), []).append(puzzle)
    chosen: dict[str, Puzzle] = {}
    per_theme: Counter[str] = Counter()
    per_pool: Counter[tuple[str, int]] = Counter()
    while len(chosen) < count and pools:
        pool = min(pools, key=lambda key: (per_theme[key[0]], per_pool[key], key))
        puzzle = pools[pool].pop(0)
        if not pools[pool]:
            del pools[pool]
        if puzzle.id not in chosen:
            chosen[puzzle.id] = replace(puzzle, themes=_headed(puzzle, pool[0]))
            per_theme[pool[0]] += 1
            per_pool[pool] += 1
    return sorted(chosen.values(), key=lambda puzzle: (THEMES.index(puzzle.themes[0]), puzzle.rating))


def write(puzzles: Iterable[Puzzle], path: Path) -> None:
    """One JSON object per line."""
    lines = [json.dumps(puzzle.row(), separators=(",", ":")) for puzzle in puzzles]
    runner.write_whole(path, "".join(f"{line}\n" for line in lines).encode())
