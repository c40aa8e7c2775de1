"""People as players: how likely a person of some strength is to play each column."""

from claimeven.people.difficulty import Difficulty, difficulty
from claimeven.people.model import AVERAGE, STRONGEST, WEAKEST, chances

__all__ = ["AVERAGE", "STRONGEST", "WEAKEST", "Difficulty", "chances", "difficulty"]
