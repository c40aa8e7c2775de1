"""What the table says about moves: hints, reasons, and the view of an agent."""

from typing import Any

from claimeven import notation
from claimeven.agents import Choice
from claimeven.agents.perfect import PerfectAgent
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import explain
from claimeven.solver import Solver

PATIENCE = Limit(seconds=3)  # on boards where an exact answer may take hours


class Advisor:
    """Knows the solver. It is asked seldom, so it is made when it is first needed."""

    def __init__(self) -> None:
        self._solver: Solver | None = None
        self._perfect: PerfectAgent | None = None

    def why(self, position: Position, column: int) -> str | None:
        """What is proved about a move, seen by the side that makes it; None when nothing could be."""
        self._solver = self._solver or Solver()
        told = explain(position, column, self._solver, limit=PATIENCE)
        return None if told.score is None and not told.facts else f"{told.verdict} {told.reason}".strip()

    def hint(self, position: Position) -> str:
        self._perfect = self._perfect or PerfectAgent(seed=0)
        choice = self._perfect.choose(position, PATIENCE)
        name = f"column {notation.column_digit(choice.column)}"
        if not choice.info["is_exact"]:
            return f"{name} looks best, {_plies(choice.info['depth'])} ahead"
        return self.why(position, choice.column) or name


def view(choice: Choice, position: Position) -> list[str]:
    """What an agent thought of every column, and what it used up."""
    lines = []
    if columns := [_column(choice.info, column) for column in position.legal if _column(choice.info, column)]:
        lines.append("columns: " + ", ".join(columns))
    used = {
        name: choice.info[name]
        for name in ("rule", "depth", "nodes", "simulations", "reused", "tree_nodes", "tree_depth")
        if name in choice.info
    }
    used |= {name: dict(choice.info[name]) for name in ("table", "replies") if name in choice.info}
    if used:
        lines.append("used: " + ", ".join(f"{name} {value}" for name, value in used.items()))
    return lines


def _plies(number: int) -> str:
    return f"{number} {'ply' if number == 1 else 'plies'}"


def _column(info: Any, column: int) -> str:
    digit = notation.column_digit(column)
    if column in info.get("scores", {}):
        return f"{digit} {info['scores'][column]:+d}"
    if column in info.get("ends", {}):
        plies = info["ends"][column]
        return f"{digit} {'wins' if plies > 0 else 'loses'} in {_plies(abs(plies))}"
    if column in info.get("proven", {}):
        return f"{digit} proven {info['proven'][column]}"
    if column in info.get("visits", {}):
        share = info["values"].get(column, 0.0)
        return f"{digit} {share:.0%} of {info['visits'][column]}"
    if column in info.get("values", {}):
        return f"{digit} {info['values'][column]:g}"
    if column in info.get("at_most", {}):
        return f"{digit} at most {info['at_most'][column]:g}"
    return ""
