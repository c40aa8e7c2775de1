"""What the table says about moves: hints, reasons, and the view of an agent."""

from collections.abc import Iterator
from functools import cached_property

from claimeven import notation
from claimeven.agents import Choice, Opinion
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import advise, explain, swap_hint
from claimeven.reasons.hinted.stage import Stage
from claimeven.solver import Solver

PATIENCE = Limit(seconds=3)  # on boards where an exact answer may take hours


class Advisor:
    """Knows the solver. It is asked seldom, so it is made when it is first needed."""

    _hinted: tuple[Position, Iterator[Stage]] | None = None

    @cached_property
    def _solver(self) -> Solver:
        return Solver()

    def why(self, position: Position, column: int) -> str | None:
        """What is proved about a move, seen by the side that makes it; None when nothing could be."""
        told = explain(position, column, self._solver, limit=PATIENCE)
        return None if told.score is None and not told.facts else told.sentence

    def hint(self, position: Position, may_swap: bool = False) -> str:
        """Where to look; asked again in the same position, the idea, and then the column. Or that the first
        disc should be taken, where it may be."""
        if may_swap and (take := swap_hint(position, self._solver, "en", PATIENCE)):
            return take
        if self._hinted is None or self._hinted[0] != position:
            self._hinted = (position, iter(advise(position, self._solver, limit=PATIENCE).stages))
        stage = next(self._hinted[1], None)
        if stage is None:
            self._hinted = None
            return self.hint(position)
        return stage.text


def view(choice: Choice, position: Position) -> list[str]:
    """What an agent thought of every column, and what it used up."""
    lines = []
    opinions = filter(None, (_words(choice.opinion(column)) for column in position.legal))
    if columns := ", ".join(opinions):
        lines.append(f"columns: {columns}")
    if used := ", ".join(f"{name} {amount}" for name, amount in _used(choice).items() if amount is not None):
        lines.append(f"used: {used}")
    return lines


def _used(choice: Choice) -> dict[str, int | str | None]:
    effort, tree = choice.effort, choice.effort.tree
    used = {
        "rule": choice.rule,
        "depth": effort.depth,
        "nodes": effort.nodes,
        "simulations": effort.playouts,
    }
    if tree is None:
        return used
    used |= {"reused": tree.reused, "tree_nodes": tree.nodes, "tree_depth": tree.depth}
    if tree.table is not None:
        used["table"] = f"{tree.table.hits} of {tree.table.lookups}"
    for moves, replies in tree.replies.items():
        used[f"replies to {moves}"] = f"{replies.played} of {replies.asked}"
    return used


def _plies(number: int) -> str:
    return f"{number} {'ply' if number == 1 else 'plies'}"


def _words(opinion: Opinion) -> str:
    """In a table, unlike the sentences of `reasons`: the number itself, of the kind that it knows best."""
    digit = notation.column_digit(opinion.column)
    match opinion.kind:
        case "scores":
            return f"{digit} {opinion.score:+d}"
        case "ends":
            ends = opinion.ends or 0
            return f"{digit} {'wins' if ends > 0 else 'loses'} in {_plies(abs(ends))}"
        case "proven":
            return f"{digit} proven {opinion.proven}"
        case "visits":
            return f"{digit} {opinion.value or 0.0:.0%} of {opinion.visits}"
        case "values":
            return f"{digit} {opinion.value:g}"
        case "at_most":
            return f"{digit} at most {opinion.at_most:g}"
        case None:
            return ""
