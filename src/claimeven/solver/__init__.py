"""Exact analysis: the score of any position on any board, and of every column."""

from claimeven.solver.exact import Analysis, Bounds, Progress, Solver, core_build, shared_solver
from claimeven.solver.opening import book_of, open_book, opening_book_path, own_path
from claimeven.solver.saving import SavingSolver
from claimeven.solver.score import Outcome, Score, outcome_of, score_of
from claimeven.solver.timed import OutOfTimeError, TimedSolver

__all__ = [
    "Analysis",
    "Bounds",
    "OutOfTimeError",
    "Outcome",
    "Progress",
    "SavingSolver",
    "Score",
    "Solver",
    "TimedSolver",
    "book_of",
    "core_build",
    "open_book",
    "opening_book_path",
    "outcome_of",
    "own_path",
    "score_of",
    "shared_solver",
]
