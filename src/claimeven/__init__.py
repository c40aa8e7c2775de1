"""The Connect Four laboratory: play it, solve it, understand it, beat it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimeven.agents import Agent as Agent
    from claimeven.agents import AgentError as AgentError
    from claimeven.agents import Choice as Choice
    from claimeven.agents import make_agent as make_agent
    from claimeven.arena import MatchResult as MatchResult
    from claimeven.arena import play_match as play_match
    from claimeven.errors import InputError as InputError
    from claimeven.game import Game as Game
    from claimeven.limit import Limit as Limit
    from claimeven.position import Board as Board
    from claimeven.position import Cell as Cell
    from claimeven.position import Position as Position
    from claimeven.puzzles import Puzzle as Puzzle
    from claimeven.puzzles import generate_puzzles as generate_puzzles
    from claimeven.reasons import Explanation as Explanation
    from claimeven.reasons import Review as Review
    from claimeven.reasons import explain as explain
    from claimeven.reasons import review as review
    from claimeven.solver import Analysis as Analysis
    from claimeven.solver import Score as Score
    from claimeven.solver import Solver as Solver

    __version__: str

# Where the names above live. A room is imported when one of its names is first used, so that neither
# `import claimeven` nor `claimeven --help` loads the native core.
_ROOMS = {
    "Agent": "agents",
    "AgentError": "agents",
    "Analysis": "solver",
    "Board": "position",
    "Cell": "position",
    "Choice": "agents",
    "Explanation": "reasons",
    "Game": "game",
    "InputError": "errors",
    "Limit": "limit",
    "MatchResult": "arena",
    "Position": "position",
    "Puzzle": "puzzles",
    "Review": "reasons",
    "Score": "solver",
    "Solver": "solver",
    "explain": "reasons",
    "generate_puzzles": "puzzles",
    "make_agent": "agents",
    "play_match": "arena",
    "review": "reasons",
}

__all__ = [
    "Agent",
    "AgentError",
    "Analysis",
    "Board",
    "Cell",
    "Choice",
    "Explanation",
    "Game",
    "InputError",
    "Limit",
    "MatchResult",
    "Position",
    "Puzzle",
    "Review",
    "Score",
    "Solver",
    "explain",
    "generate_puzzles",
    "make_agent",
    "play_match",
    "review",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "__version__":
            from importlib.metadata import version

            value = version("claimeven")
        elif name in _ROOMS:
            from importlib import import_module

            value = getattr(import_module(f"claimeven.{_ROOMS[name]}"), name)
        else:
            raise AttributeError(f"module 'claimeven' has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__():
        return [*__all__, "__version__"]
