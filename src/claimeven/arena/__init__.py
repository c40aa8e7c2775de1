"""Agents against each other and against exact scores: matches, quality, statistics."""

from claimeven.arena.match import MatchGame, MatchResult, play_game, play_match
from claimeven.arena.measure import Measurement, compare, compare_all, measure, measure_all, pons_questions
from claimeven.arena.statistics import Interval, sign_test, wilson

__all__ = [
    "Interval",
    "MatchGame",
    "MatchResult",
    "Measurement",
    "compare",
    "compare_all",
    "measure",
    "measure_all",
    "play_game",
    "play_match",
    "pons_questions",
    "sign_test",
    "wilson",
]
