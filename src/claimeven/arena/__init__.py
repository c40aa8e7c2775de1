"""Agents against each other and against exact scores: matches, quality, statistics."""

from claimeven.arena.match import MatchGame, MatchResult, play_game, play_match
from claimeven.arena.measure import Measurement, compare, measure, pons_questions
from claimeven.arena.statistics import Interval, sign_test, wilson

__all__ = [
    "Interval",
    "MatchGame",
    "MatchResult",
    "Measurement",
    "compare",
    "measure",
    "play_game",
    "play_match",
    "pons_questions",
    "sign_test",
    "wilson",
]
