"""The plain door: a board in the terminal, and games of people and agents at one keyboard.

Here is only what every command may need at once; the table of a game is in `table`.
"""

from claimeven.terminal.board import disc_text, draw, drawn, has_discs, paints, sentence, sign
from claimeven.terminal.lines import fitted, say
from claimeven.terminal.paint import has_colours, paint, shows_discs

__all__ = [
    "disc_text",
    "draw",
    "drawn",
    "fitted",
    "has_colours",
    "has_discs",
    "paint",
    "paints",
    "say",
    "sentence",
    "shows_discs",
    "sign",
]
