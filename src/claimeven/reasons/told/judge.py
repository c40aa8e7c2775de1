"""Who says what a move is worth, within the time of a whole explanation."""

from claimeven.solver import OutOfTimeError
from claimeven.solver import TimedSolver as Judge

__all__ = ["Judge", "OutOfTimeError"]
