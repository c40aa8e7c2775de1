"""The Connect Four laboratory: play it, solve it, understand it, beat it."""

from importlib.metadata import version

from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.position import Board, Cell, Position

__version__ = version("claimeven")

__all__ = ["Board", "Cell", "Game", "InputError", "Position"]
