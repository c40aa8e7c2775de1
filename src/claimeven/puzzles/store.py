"""The puzzles of this package: one JSON object per line, read once."""

import json
import random
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.puzzles.mine import check_themes, theme_name
from claimeven.puzzles.puzzle import Puzzle

NEAR = 100  # rating points; "about 1200" is 1100 to 1300


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """All of them, by theme and rating."""
    text = (files("claimeven.puzzles") / "puzzles.jsonl").read_text(encoding="utf-8")
    return tuple(Puzzle.from_row(json.loads(line)) for line in text.splitlines())


def puzzle_by_id(name: str) -> Puzzle:
    for puzzle in shipped_puzzles():
        if puzzle.id == name:
            return puzzle
    raise InputError("puzzle.unknown", name=quote(name))


def pick_puzzles(
    themes: Sequence[str] | None = None, rating: tuple[int, int] | None = None, seed: int | None = None
) -> list[Puzzle]:
    """Those of the themes ("win" or also "win in 3") with a rating in the range, shuffled by the seed."""
    wanted = [_theme(theme) for theme in themes or ()]
    low, high = rating or (0, 10_000)
    found = [
        puzzle
        for puzzle in shipped_puzzles()
        if low <= puzzle.rating <= high and (not wanted or any(_fits(puzzle, *theme) for theme in wanted))
    ]
    if not found:
        raise InputError("puzzle.none")
    random.Random(seed).shuffle(found)
    return found


def _theme(text: str) -> tuple[str, int | None]:
    """A theme, and in how many moves to win, if that is said."""
    counted = re.fullmatch("win_(?:in_)?([1-9])", theme_name(text))
    if counted:
        return "win", int(counted[1])
    return check_themes([text])[0], None


def _fits(puzzle: Puzzle, theme: str, moves: int | None) -> bool:
    return theme in puzzle.themes and (moves is None or puzzle.score.moves == moves)


def parse_rating(text: str) -> tuple[int, int]:
    """ "1200" is about 1200, "1000-1400" a range.

    >>> parse_rating("1200"), parse_rating("1000-1400")
    ((1100, 1300), (1000, 1400))
    """
    match = re.fullmatch(r"\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*", text)
    if not match:
        raise InputError("puzzle.rating", text=quote(text))
    low = int(match[1])
    return (low, int(match[2])) if match[2] else (low - NEAR, low + NEAR)
