"""Where the games go in which a plan is followed from some position on.

All of them, to their ends; and those in which the opponent resists: it never lets the holder complete a four
while some other column is left. What these come to is why the plan wins.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.plan import Plan, first_open, urgent
from claimeven.map.stones import Stones

# How a game with resistance ends: the holder has two fours to complete at once; or one, and another right
# above it; or whatever can still be played lies right below a four of the holder; or the board is full.
Close = Literal["two", "stacked", "stuck", "full"]
Pair = tuple[int, int]  # a cell of the opponent and the answer, as bits


@dataclass(frozen=True)
class Course:
    plan: Plan  # only with the rules that some game asks for
    ends: dict[int, int]  # by the cell that completes the holder's four: how many positions before it
    ours: int  # all cells that the holder ever plays
    theirs: int  # all cells that the opponent ever plays

    @property
    def ended(self) -> int:
        """The cells on which the holder completes its four."""
        return sum(self.ends)


@lru_cache(maxsize=256)
def course(board: Board, stones: Stones, plan: Plan) -> Course:
    """Every reply is played, and the plan's answer to it; positions that are met again go on alike."""
    ends, used, ours, played = Counter[int](), set[tuple[str, int, int]](), 0, 0
    waiting, seen = [stones], {stones}
    while waiting:
        theirs, mask = waiting.pop()
        played |= board.landings(mask)
        for x in bits(board.landings(mask)):
            rule, y = _answer(board, plan, theirs | x, mask | x, x)
            if not y:
                continue  # the board is full, or this is no plan for this position
            used.add((rule, x.bit_length() - 1, y.bit_length() - 1))
            ours |= y
            after = Stones(theirs | x, mask | x | y)
            if board.has_four(after.theirs ^ after.mask):
                ends[y] += 1
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return Course(_asked_for(plan, used), dict(ends.most_common()), ours, played)


def _answer(board: Board, plan: Plan, theirs: int, mask: int, x: int) -> tuple[str, int]:
    """By which rule of the plan x is answered, and the cell."""
    if y := urgent(board, theirs, mask):
        return "four", y
    open_cells = board.landings(mask)
    if y := first_open(plan.urgent, open_cells):
        return "urgent", y
    if y := first_open(plan.answers.get(x.bit_length() - 1, ()), open_cells):
        return "exception", y
    if y := x << 1 & open_cells:
        return "top", y
    return "spare", first_open(plan.spare, open_cells)


def _asked_for(plan: Plan, used: set[tuple[str, int, int]]) -> Plan:
    pairs = {(x, y) for rule, x, y in used if rule == "exception"}
    now, last = ({y for rule, _, y in used if rule == kind} for kind in ("urgent", "spare"))
    return Plan(
        tuple(pair for pair in plan.exceptions if pair in pairs),
        tuple(y for y in plan.urgent if y in now),
        tuple(y for y in plan.spare if y in last),
    )


# Resistance ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class End:
    """Where every reply loses, or none is left."""

    close: Close
    cells: int  # on which the holder completes its four, by what is replied


@dataclass(frozen=True)
class Defence:
    line: tuple[Pair, ...]  # the longest of these games, the first replies from the left among equals
    end: End  # and how that one ends
    keys: tuple[int, ...]  # cells, few: each of these games ends with one of them; none if a board fills up


@lru_cache(maxsize=256)
def defence(board: Board, stones: Stones, plan: Plan) -> Defence:
    after: dict[Stones, list[tuple[Pair, Stones]]] = {}
    ends: dict[Stones, End] = {}
    waiting = [stones]
    while waiting:
        now = waiting.pop()
        if now in after:
            continue
        after[now] = _resisting(board, now, plan)
        if not after[now]:
            ends[now] = _end(board, now)
        waiting.extend(child for _, child in after[now])
    lengths: dict[Stones, int] = {}
    for now in sorted(after, key=lambda each: -each.mask.bit_count()):
        lengths[now] = max((1 + lengths[child] for _, child in after[now]), default=0)
    line, now = [], stones
    while after[now]:
        pair, now = max(after[now], key=lambda step: lengths[step[1]])
        line.append(pair)
    standing = board.winning_cells(stones.theirs ^ stones.mask, stones.mask)
    return Defence(tuple(line), ends[now], _keys([end.cells for end in ends.values()], standing))


def _resisting(board: Board, stones: Stones, plan: Plan) -> list[tuple[Pair, Stones]]:
    """The replies after which the holder does not complete a four, with the plan's answers."""
    theirs, mask = stones
    found = []
    for x in bits(board.landings(mask)):
        over = mask | x
        if board.winning_cells(theirs ^ mask, over) & board.landings(over):
            continue
        y = plan.answer(board, theirs | x, over, x)
        if y:  # else the board is full
            found.append(((x, y), Stones(theirs | x, over | y)))
    return found


def _end(board: Board, stones: Stones) -> End:
    mask = stones.mask
    fours, open_cells = board.winning_cells(stones.theirs ^ mask, mask), board.landings(mask)
    now = fours & open_cells
    above = open_cells << 1 & fours
    if now.bit_count() > 1:
        return End("two", now)
    if now:  # if nothing is above it, the opponent takes the last cell of the board
        return End("stacked", now | now << 1) if now << 1 & fours else End("full", 0)
    return End("stuck" if above else "full", above)


def _keys(ends: Iterable[int], liked: int = 0) -> tuple[int, ...]:
    """Few cells of which every end has one, the most frequent first; of equals one that is liked."""
    left, found = list(ends), list[int]()
    if not all(left):
        return ()
    while left:
        often = Counter(cell for cells in left for cell in bits(cells))
        best = min(often, key=lambda cell: (-often[cell], not cell & liked, cell))
        found.append(best)
        left = [cells for cells in left if not cells & best]
    return tuple(found)


def denied(board: Board, stones: Stones, played: int) -> tuple[int, int, tuple[int, ...]] | None:
    """Of the fours that the opponent could still make: how many there are, how many need a cell that it never
    plays, and few such cells. None where there is no such four."""
    ours = stones.theirs ^ stones.mask
    fours = [line for line in board.fours if not line & ours]
    lost = [line & ~stones.mask & ~played for line in fours if line & ~stones.mask & ~played]
    return (len(fours), len(lost), _keys(lost)) if lost else None
