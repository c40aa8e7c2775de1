"""The plain door: a board in the terminal, and games of people and agents at one keyboard."""

from claimeven.terminal.board import cell_words, disc_text, draw, has_discs, sentence
from claimeven.terminal.lines import fitted, say
from claimeven.terminal.table import Seats, Table

__all__ = ["Seats", "Table", "cell_words", "disc_text", "draw", "fitted", "has_discs", "say", "sentence"]
