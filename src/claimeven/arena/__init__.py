"""Agents against each other and against exact scores: matches, quality, statistics."""

from claimeven.arena.measure import Measurement, compare, compare_all, measure, measure_all, pons_questions
from claimeven.arena.play.game import play_game
from claimeven.arena.play.match import MatchResult, play_match
from claimeven.arena.play.played import Played
from claimeven.arena.statistics import Interval, sign_test, wilson

__all__ = [
    "Interval",
    "MatchResult",
    "Measurement",
    "Played",
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
