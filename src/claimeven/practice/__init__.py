"""Practice that remembers: what somebody did, as entries that only grow, and what follows from them."""

from claimeven.practice.entries import fresh, merged, read_file, write_file
from claimeven.practice.glicko import START, Rating, expected, rated
from claimeven.practice.kinds import Entry, GameEntry
from claimeven.practice.record import Card, Record, days_in_a_row, next_rating, record_of

__all__ = [
    "START",
    "Card",
    "Entry",
    "GameEntry",
    "Rating",
    "Record",
    "days_in_a_row",
    "expected",
    "fresh",
    "merged",
    "next_rating",
    "rated",
    "read_file",
    "record_of",
    "write_file",
]
