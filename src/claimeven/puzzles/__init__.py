"""Puzzles made from games: each needs its idea, and is judged by the exact solver."""

from claimeven.puzzles.hints import Hint, hints, why, wrong_cell
from claimeven.puzzles.mine import generate_puzzles
from claimeven.puzzles.puzzle import THEMES, Puzzle
from claimeven.puzzles.sitting import Sitting, wrong
from claimeven.puzzles.store import daily_puzzle, parse_rating, pick_puzzles, puzzle_by_id, shipped_puzzles

__all__ = [
    "THEMES",
    "Hint",
    "Puzzle",
    "Sitting",
    "daily_puzzle",
    "generate_puzzles",
    "hints",
    "parse_rating",
    "pick_puzzles",
    "puzzle_by_id",
    "shipped_puzzles",
    "why",
    "wrong",
    "wrong_cell",
]
