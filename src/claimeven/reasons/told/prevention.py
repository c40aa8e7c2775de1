"""What a move prevents: the double threat, the answer, or the line, that wins for them after others."""

from collections.abc import Iterable, Mapping

from claimeven.position import Cell, Position
from claimeven.reasons.seen.double import double
from claimeven.reasons.seen.fact import Fact, PreventedKind
from claimeven.reasons.seen.move import fours_through
from claimeven.reasons.told.contrast import WhyNot
from claimeven.reasons.told.line import Line, decision, forced_line
from claimeven.solver import OutOfTimeError, Score, TimedSolver

NEEDED = {"fork": 2, "stacked": 2}  # winning cells without which the end would not be what it is; else one


FORCING = (3, 4)  # moves: a forced win that can be seen coming
STOPPED: dict[str, PreventedKind] = {"fork": "stops_fork", "stacked": "stops_stacked"}


def double_prevented(position: Position, column: int, scores: Mapping[int, Score]) -> Fact | None:
    """The double threat with which they answer most of the columns that lose in two moves, but not this one.

    The cells of the fact: the one that is taken, where they would play, and what they would threaten then.
    Its count: the other columns but those that lose at once.
    """
    lost = {c: score.moves for c, score in scores.items() if c != column and score.outcome == "loss"}
    losers = [other for other, moves in lost.items() if moves == 2]
    found: dict[Fact, list[int]] = {}
    for loser in losers:
        after = position.play(loser)
        for reply in after.legal:
            seen = decision(after, reply) if reply != loser else None
            if seen is not None and seen.kind in STOPPED and _is_there(position, seen):
                found.setdefault(seen, []).append(loser)
    best: Fact | None = None
    for seen, columns in found.items():
        if best is None or len(columns) > len(best.columns):
            if _still_there(position.play(column), seen):
                continue
            taken, there = (Cell(c, position.height(c)) for c in (column, seen.column))
            cells = (taken, there, *seen.cells)
            others = len(scores) - 1 - sum(moves == 1 for moves in lost.values())
            best = Fact(STOPPED[seen.kind], column, cells, count=others, columns=tuple(sorted(columns)))
    return best


def force_prevented(position: Position, column: int, scores: Mapping[int, Score]) -> Fact | None:
    """The cell that they would take after most of the columns that lose in three or four moves, by force."""
    lost = {c: score.moves or 0 for c, score in scores.items() if c != column and score.outcome == "loss"}
    losers = []
    for loser, moves in lost.items():
        if moves in FORCING and forced_line(position.play(loser), column, moves - 1) is not None:
            losers.append(loser)
    if not losers:
        return None
    cell = Cell(column, position.height(column))
    others = len(scores) - 1 - sum(moves == 1 for moves in lost.values())
    return Fact("stops_force", column, (cell,), count=others, columns=tuple(sorted(losers)))


def _is_there(position: Position, seen: Fact) -> bool:
    """They would make it after a pass too: it is not the column that allows it."""
    board = position.board
    stone = board.landing(position.mask, seen.column)
    found = double(board, position.theirs, position.mine, position.mask, stone)
    return found is not None and (found.kind, board.cells_of(found.cells)) == (seen.kind, seen.cells)


def _still_there(position: Position, seen: Fact) -> bool:
    if position.is_over or seen.column not in position.legal:
        return False
    return decision(position, seen.column) == seen


def prevented(position: Position, column: int, others: Iterable[WhyNot], judge: TimedSolver) -> Fact | None:
    """The best reason why the other columns lose and this one does not, if one of three applies.

    A column that loses at first sight tells its reason itself.
    """
    losers = [other for other in others if other.score.value < 0 and other.fact is None]
    try:
        winning = {other.column: _winning_replies(position, other.column, judge) for other in losers}
    except OutOfTimeError:
        winning = {}
    cell = position.board.landing(position.mask, column)
    only = [loser for loser, replies in winning.items() if replies == [column]]
    some = [loser for loser, replies in winning.items() if column in replies]
    stopped: dict[int, list[int]] = {}
    for other in losers:
        for line in _decisive(position, cell, other.line):
            stopped.setdefault(line, []).append(other.column)
    found = [
        _fact("takes_only", position, column, only, cell),
        *[_fact("stops_line", position, column, stopped[line], cell, line) for line in sorted(stopped)],
        _fact("takes_one", position, column, some, cell),
    ]
    # What holds for most columns; of those the first, which says most.
    best = max(found, key=lambda fact: len(fact.columns))
    return best if best.columns and 2 * len(best.columns) >= len(losers) else None


def _winning_replies(position: Position, column: int, judge: TimedSolver) -> list[int]:
    scores = judge.analyse(position.play(column)).scores
    return [reply for reply, score in scores.items() if score.value > 0]


def _decisive(position: Position, cell: int, line: Line | None) -> list[int]:
    """Their lines through a cell without which this line of play would not end as it does."""
    if line is None:
        return []
    board = position.board
    keys = line.plan.keys if line.plan is not None else line.seen.cells if line.seen is not None else ()
    if line.end == "zugzwang" or not keys:
        return []
    side = position.side
    for column in line.columns:
        position = position.play(column)
    theirs = position.theirs if position.side == side else position.mine
    found: list[int] = []
    left = 0
    for key in keys:
        bit = board.bit(*key)
        through = fours_through(board, theirs | bit, bit)
        found += [four for four in through if four & cell]
        left += any(not four & cell for four in through)
    return found if left < NEEDED.get(line.end, 1) else []


def _fact(
    kind: PreventedKind,
    position: Position,
    column: int,
    losers: list[int],
    cell: int,
    line: int | None = None,
) -> Fact:
    cells_of = position.board.cells_of
    fours = () if line is None else (cells_of(line),)
    others = len(position.legal) - 1
    return Fact(kind, column, cells_of(cell), fours, count=others, columns=tuple(sorted(losers)))
