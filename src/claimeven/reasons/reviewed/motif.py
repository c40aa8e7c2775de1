"""What there is to see in a winning move: two threats, one above the other, a line of threats, a lasting one.

A motif is proved: the first four kinds by the rules alone, the others are only looked for in a move that the
solver calls a win.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from claimeven.position import Cell, Position
from claimeven.reasons.planned.certificates import certify
from claimeven.reasons.seen.move import Move, facts
from claimeven.reasons.told.line import DECIDED, Decided, decision, forced_line

# Two threats; one right above the other; no safe column; threats that force everything up to one of these;
# two winning cells above each other, by a row and a diagonal (the seven trap) or otherwise; a winning cell
# below which the other side has to play in the end, one that stood there or a new one.
MotifKind = Literal["fork", "stacked", "zugzwang", "line", "seven", "pair", "count", "rows"]
MAX_FORCED = 5  # moves: a longer line of threats is hardly seen
MAX_KEYS = 2  # cells: more are not one reason
MAX_PAIR = 4  # moves within which two winning cells above each other win, if they are the reason


@dataclass(frozen=True)
class Motif:
    kind: MotifKind
    depth: int  # moves of the side that has it, until its line stands on the board
    cells: tuple[Cell, ...]
    line: tuple[int, ...]  # columns in turn, its own move first
    fours: tuple[tuple[Cell, ...], ...] = ()
    end: Decided | None = None  # of a line of threats


def decided(position: Position, column: int) -> Motif | None:
    """A move after which the next disc wins, whatever comes between; the rules prove it."""
    seen = decision(position, column)
    if seen is None:
        return None
    match seen.kind:
        case "fork" | "stacked" | "zugzwang":
            return Motif(seen.kind, 2, seen.cells, (column,))
    return None


def tactic(position: Position, column: int, moves: int) -> Motif | None:
    """Why a move wins in so many moves, if threats are the reason."""
    found = decided(position, column)
    if found is not None or not 2 < moves <= MAX_FORCED:
        return found
    forced = forced_line(position, column, MAX_FORCED)
    if forced is not None:
        _, line = forced
        end = decided(_after(position, line.columns[:-1]), line.columns[-1])
        assert end is not None
        assert end.kind in DECIDED
        return Motif("line", (len(line.columns) + 1) // 2 + 1, end.cells, line.columns, end=end.kind)
    return _pair(position, column, moves) if moves <= MAX_PAIR else None


def _after(position: Position, columns: Iterable[int]) -> Position:
    for column in columns:
        position = position.play(column)
    return position


def _pair(position: Position, column: int, moves: int) -> Motif | None:
    found = {fact.kind: fact for fact in reversed(facts(position, column))}
    seven, pair = found.get("seven_trap"), found.get("stacked_pair")
    if seven is not None:
        return Motif("seven", moves, seven.cells, (column,), seven.fours)
    return None if pair is None else Motif("pair", moves, pair.cells, (column,))


def lasting(position: Position, column: int, moves: int) -> Motif | None:
    """A winning cell that decides in the end, because a plan makes the other side play below it."""
    after = position.play(column)
    plan = None if after.is_over else certify(after)
    if plan is None or plan.bound >= 0 or not 1 <= len(plan.keys) <= MAX_KEYS:
        return None
    board, old = position.board, Move(position, column).old_wins
    is_new = not all(old & board.bit(*key) for key in plan.keys)
    return Motif("rows" if is_new else "count", moves, plan.keys, (column,))


def simplest(found: Iterable[Motif | None]) -> Motif | None:
    """The nearest one."""
    return min((motif for motif in found if motif is not None), key=lambda motif: motif.depth, default=None)
