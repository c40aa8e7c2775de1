"""Puzzles made from games: one right answer at every step, judged by the exact solver."""

from claimeven.puzzles.hints import Hint
from claimeven.puzzles.mine import generate_puzzles
from claimeven.puzzles.puzzle import THEMES, Puzzle
from claimeven.puzzles.sitting import Sitting
from claimeven.puzzles.store import parse_rating, pick_puzzles, puzzle_by_id, shipped_puzzles

__all__ = [
    "THEMES",
    "Hint",
    "Puzzle",
    "Sitting",
    "generate_puzzles",
    "parse_rating",
    "pick_puzzles",
    "puzzle_by_id",
    "shipped_puzzles",
]
