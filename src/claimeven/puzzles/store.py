"""The puzzles of this package: one line of text each (docs/puzzles.md), read once."""

import random
import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.puzzles.puzzle import THEMES, Puzzle
from claimeven.runner import write_whole

# The puzzle of the day is easy on Mondays and hard on Sundays: the most discs to find, the ratings.
WEEK = (
    (2, 500, 900),
    (2, 700, 1000),
    (3, 800, 1050),
    (3, 900, 1150),
    (4, 1000, 1250),
    (4, 1100, 1350),
    (5, 1200, 1500),
)
NEAR = 100  # rating points; "about 1200" is 1100 to 1300


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """All of them, by theme and rating."""
    text = (files("claimeven.puzzles") / "puzzles.txt").read_text(encoding="utf-8")
    return tuple(Puzzle.from_row(line) for line in text.splitlines())


def write(puzzles: Iterable[Puzzle], path: Path) -> None:
    write_whole(path, "".join(f"{puzzle.row()}\n" for puzzle in puzzles).encode())


def puzzle_by_id(name: str) -> Puzzle:
    for puzzle in shipped_puzzles():
        if puzzle.id == name:
            return puzzle
    raise InputError("puzzle.unknown", name=quote(name))


def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a day: the same for everybody, with a line to play."""
    most, low, high = WEEK[day.weekday()]
    wins = (puzzle for puzzle in shipped_puzzles() if puzzle.goal == "win" and puzzle.is_for_everybody)
    fit = [puzzle for puzzle in wins if puzzle.steps <= most and low <= puzzle.rating <= high]
    number = int.from_bytes(blake2b(day.isoformat().encode(), digest_size=8).digest(), "big")
    return fit[number % len(fit)]


def pick_puzzles(
    themes: Sequence[str] | None = None, rating: tuple[int, int] | None = None, seed: int | None = None
) -> list[Puzzle]:
    """Those of the themes ("win" or also "win in 3") with a rating in the range, shuffled by the seed.

    Without themes those for everybody: no theory for beginners.
    """
    wanted = [_theme(theme) for theme in themes or ()]
    low, high = rating or (0, 10_000)
    found = [
        puzzle for puzzle in shipped_puzzles() if low <= puzzle.rating <= high and _is_wanted(puzzle, wanted)
    ]
    if not found:
        raise InputError("puzzle.none")
    random.Random(seed).shuffle(found)
    return found


def _is_wanted(puzzle: Puzzle, themes: Sequence[tuple[str, int | None]]) -> bool:
    return any(_fits(puzzle, *theme) for theme in themes) if themes else puzzle.is_for_everybody


def _theme(text: str) -> tuple[str, int | None]:
    """A theme, and in how many moves to win, if that is said."""
    counted = re.fullmatch("win_(?:in_)?([1-9])", theme_name(text))
    if counted:
        return "win", int(counted[1])
    return check_themes([text])[0], None


def _fits(puzzle: Puzzle, theme: str, moves: int | None) -> bool:
    if moves is not None:
        return puzzle.goal == "win" and puzzle.steps == moves
    return theme in puzzle.themes


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
