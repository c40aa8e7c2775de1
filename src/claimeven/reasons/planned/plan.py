"""A plan: why the side to move cannot score more than a bound, and how the other side sees to it.

There are four kinds: by the parity theorems (certificates.py), by Allis' rules (cover.py), by columns
(column_plan.py), by two winning cells above each other (stack.py). Each is handed out only after `replay` has
played it through.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from claimeven.errors import MoveError
from claimeven.position import Board, Cell, Position
from claimeven.reasons.planned.allis import RuleName
from claimeven.reasons.planned.replay import Stones

Pair = tuple[Cell, Cell]
# T1 hold, T2 last, T3 claim, T4 odd (docs/theorems.md); Allis' rules; found by trying and replayed; two
# winning cells above each other.
Theorem = Literal["T1", "T2", "T3", "T4", "rules", "replay", "stacked"]
MAX_NAMED = 2  # cells that decide


class RuleJson(TypedDict):
    rule: RuleName
    cells: list[str]
    line: NotRequired[list[str]]


class LinkJson(TypedDict):
    columns: list[str]
    kind: str


class PlanJson(TypedDict):
    """The last ones are those of a certificate and of a plan for whole columns."""

    theorem: Theorem
    position: str
    holder: int
    bound: int
    keys: list[str]
    pairs: list[list[str]]
    swaps: list[list[str]]
    rules: list[RuleJson]
    singles: NotRequired[list[list[str]]]
    links: NotRequired[list[LinkJson]]
    watchful: NotRequired[bool]


@dataclass(frozen=True)
class NamedRule:
    """One of Allis' rules at work."""

    name: RuleName
    cells: tuple[Cell, ...]
    four: tuple[Cell, ...] = ()  # the line of the holder that it is about

    def to_json(self, board: Board) -> RuleJson:
        shown: RuleJson = {"rule": self.name, "cells": _names(board, self.cells)}
        if self.four:
            shown["line"] = _names(board, self.four)
        return shown


@dataclass(frozen=True)
class Plan(ABC):
    """The plan of the side that is not to move, its *holder*."""

    position: Position
    theorem: Theorem
    bound: int  # an upper bound on the score of the side to move
    keys: tuple[Cell, ...]  # cells that decide: the holder wins there
    pairs: tuple[Pair, ...]  # (lower, upper): after the lower one, take the upper one
    swaps: tuple[Pair, ...]  # cells of different columns: after one of them, take the other

    @property
    def holder(self) -> int:
        """The side whose plan it is."""
        return 1 - self.position.side

    @property
    def named_rules(self) -> tuple[NamedRule, ...]:
        """What it does by the names of Allis' rules, as far as they have one."""
        return ()

    @property
    def four(self) -> tuple[Cell, ...]:
        """A line of the holder's stones and upper cells: his, when the board is full."""
        board = self.position.board
        own = self.position.theirs | sum(board.bit(*upper) for _, upper in self.pairs)
        fours = [four for four in board.fours if four & own == four] if self.bound < 0 else []
        return board.cells_of(fours[0]) if fours else ()

    @abstractmethod
    def answer(self, stones: Stones, move: int) -> int:
        """The cell that answers a move, as bits; 0 without an answer. The stones are those before it."""

    def reply(self, position: Position, column: int) -> int:
        """The column that answers the opponent's `column`, in any position that the plan leads to.

        Taking a win that shows itself earlier is never wrong.
        """
        answer = self.answer((position.mine, position.mask), position.board.landing(position.mask, column))
        if not answer:
            raise MoveError("plan_silent")
        return position.board.column_of(answer)

    def to_json(self) -> PlanJson:
        board = self.position.board
        return {
            "theorem": self.theorem,
            "position": str(self.position),
            "holder": self.holder,
            "bound": self.bound,
            "keys": _names(board, self.keys),
            "pairs": [_names(board, pair) for pair in self.pairs],
            "swaps": [_names(board, pair) for pair in self.swaps],
            "rules": [rule.to_json(board) for rule in self.named_rules],
        }


def decisive(plan: Plan) -> tuple[Cell, ...]:
    """The cells to name of those that decide: in each column the lowest; many are no reason."""
    lowest = {key.column: key for key in sorted(plan.keys, reverse=True)}
    return tuple(sorted(lowest.values())) if len(lowest) <= MAX_NAMED else ()


def _names(board: Board, cells: tuple[Cell, ...]) -> list[str]:
    return [board.cell_name(cell) for cell in cells]
