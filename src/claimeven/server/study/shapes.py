"""Positions, values and plans as the page draws them; columns, rows and sides count from 1."""

from msgspec import Struct

from claimeven.reasons.planned.plan import Theorem
from claimeven.server.messages import BoardShape, Landing, Side, Spot
from claimeven.solver import Outcome

Disc = tuple[int, int, Side]  # column and row


class BoardState(Struct, frozen=True):
    """Everything needed to draw a position and to offer its moves."""

    board: BoardShape
    size: str
    moves: str | None
    position: str
    ply: int
    turn: Side | None
    discs: tuple[Disc, ...]
    last_known: bool  # whether the last one of the discs was the last move
    landing: Landing
    winner: Side | None
    four: tuple[Spot, ...]
    over: bool


class Value(Struct, frozen=True):
    score: int
    outcome: Outcome
    moves: int | None


class Threat(Struct, frozen=True):
    """A winning cell; an `open` one can be taken with the next disc."""

    cell: Spot
    side: Side
    odd: bool
    open: bool


class Played(Struct, frozen=True):
    cell: Spot
    side: Side


class PlanShape(Struct, frozen=True):
    holder: Side
    theorem: Theorem
    bound: int
    pairs: tuple[tuple[Spot, Spot], ...]
    swaps: tuple[tuple[Spot, Spot], ...]
    keys: tuple[Spot, ...]


class Shapes(Struct, frozen=True):
    """A line of play, the plan it ends in, and the winning cells there."""

    line: tuple[Played, ...]
    plan: PlanShape | None
    threats: tuple[Threat, ...]
    four: tuple[Spot, ...]
