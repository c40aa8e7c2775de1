"""A game: what was played, by whom, how long it took, how it ended, and what there is to say about it."""

from claimeven.game.ending import BY, ending
from claimeven.game.game import Game, read_json_lines, read_text_games
from claimeven.game.record import Clock, Note, Player, Reason, Record, Result, Variation, json_schema

__all__ = [
    "BY",
    "Clock",
    "Game",
    "Note",
    "Player",
    "Reason",
    "Record",
    "Result",
    "Variation",
    "ending",
    "json_schema",
    "read_json_lines",
    "read_text_games",
]
