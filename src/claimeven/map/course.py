"""Where the games go in which a plan is followed from some position on: all of them, to their ends.

What is told of its rules is what they are for while the opponent resists (reason.py): everything else loses
by force, and is answered by the threats that do it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.plan import Plan, Rule
from claimeven.map.reason import resisted
from claimeven.map.stones import Stones

# What an exception is for, wherever it is asked for: it threatens a four, on these cells; it takes a cell of
# this four, which the opponent could make with the disc just played; had the holder played on top, the
# opponent could complete a four on this cell, right above, or stop the holder's own there.
Purpose = Literal["force", "stops", "theirs", "ours"]
Ground = tuple[Purpose, int]  # with the cells
Use = tuple[Rule, int, int]  # a rule that was asked for, x, and the answer


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


@dataclass(frozen=True)
class Resisted:
    """What the rules of a plan are for while the opponent resists."""

    plan: Plan  # only with the rules that are asked for then
    grounds: dict[int, frozenset[Ground]]  # of its exceptions, by the number of x
    early: frozenset[int]  # those of them that are asked for while no column is full
    blocks: bool  # the holder stops a four elsewhere than on top then
    asked: dict[int, Stones]  # a position with the fewest discs in which each is asked for, before x


@lru_cache(maxsize=256)
def course(board: Board, stones: Stones, plan: Plan) -> Course:
    """Every reply is played, and the plan's answer to it; positions that are met again go on alike."""
    ends, used, ours, played = Counter[int](), set[Use](), 0, 0
    waiting, seen = [stones], {stones}
    while waiting:
        theirs, mask = waiting.pop()
        played |= board.landings(mask)
        for x, rule, y in plan.replies(board, theirs, mask):
            if not y:
                continue  # the board is full, or this is no plan for this position
            used.add((rule, x, y))
            ours |= y
            if rule == "win":
                ends[y] += 1
            elif (after := Stones(theirs | x, mask | x | y)) not in seen:
                seen.add(after)
                waiting.append(after)
    return Course(_asked_for(plan, used), dict(ends.most_common()), ours, played)


@lru_cache(maxsize=256)
def resistance(board: Board, stones: Stones, plan: Plan) -> Resisted:
    """Only the games with resistance, which are far fewer."""
    used, early, asked, blocks = set[Use](), set[int](), dict[int, Stones](), False
    grounds: dict[int, frozenset[Ground]] = {}
    for here, after in resisted(board, stones, plan)[1].items():
        kept = {x for x, _ in after}
        for x, rule, y in plan.replies(board, *here):
            if x not in kept:
                continue
            used.add((rule, x, y))
            blocks = blocks or (rule == "stop" and y != x << 1)
            if rule != "exception":
                continue
            theirs, mask, cell = here.theirs | x, here.mask | x, x.bit_length() - 1
            seen_for = _grounds(board, Stones(theirs, mask), x, y)
            grounds[cell] = grounds.get(cell, seen_for) & seen_for
            if not mask & board.top:
                early.add(cell)
            asked[cell] = min(asked.get(cell, here), here, key=lambda each: (each.mask.bit_count(), each))
    return Resisted(_asked_for(plan, used), grounds, frozenset(early), blocks, asked)


def _grounds(board: Board, stones: Stones, x: int, y: int) -> frozenset[Ground]:
    """What y does that on top of x would not; `stones` are with x."""
    theirs, mask = stones
    ours, top, found = theirs ^ mask, x << 1, set[Ground]()
    if threats := board.winning_cells(ours | y, mask | y) & board.landings(mask | y):
        found |= {("force", threats), ("force", 0)}  # now here, now there: then without the cells
    if not top & y:
        found |= {("stops", four) for four in board.fours_by_cell[y] if four & x and not four & ours}
    if top & board.full and top != y:
        above = top << 1
        if above & board.winning_cells(theirs, mask):
            found.add(("theirs", above))
        if above & board.winning_cells(ours, mask):
            found.add(("ours", above))
    return frozenset(found)


def _asked_for(plan: Plan, used: set[Use]) -> Plan:
    pairs = {(x, y) for rule, x, y in used if rule == "exception"}
    now, last = ({y for rule, _, y in used if rule == kind} for kind in ("urgent", "spare"))
    return Plan(
        tuple((x, y) for x, y in plan.exceptions if (1 << x, 1 << y) in pairs),
        tuple(y for y in plan.urgent if 1 << y in now),
        tuple(y for y in plan.spare if 1 << y in last),
    )


def _few(fours: Iterable[int]) -> tuple[int, ...]:
    """Few cells of which each of these has one, the most frequent first."""
    left, found = list(fours), list[int]()
    while left:
        often = Counter(cell for cells in left for cell in bits(cells))
        best = min(often, key=lambda cell: (-often[cell], cell))
        found.append(best)
        left = [cells for cells in left if not cells & best]
    return tuple(found)


def denied(board: Board, stones: Stones, played: int) -> tuple[int, int, tuple[int, ...]] | None:
    """Of the fours that the opponent could still make: how many there are, how many need a cell that it never
    plays, and few such cells. None where there is no such four."""
    ours = stones.theirs ^ stones.mask
    fours = [four for four in board.fours if not four & ours]
    lost = [four & ~stones.mask & ~played for four in fours if four & ~stones.mask & ~played]
    return (len(fours), len(lost), _few(lost)) if lost else None
