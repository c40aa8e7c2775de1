"""Plans by columns: answers that depend only on the column played, found by trying and proved by replay.

The theorems need a static condition. Many positions without it are still held by a plan of the same kind:
answer in the same column, except for a few columns that are *linked* two by two:

- "swap": the landing cells belong together, whoever takes one leaves the other (Allis' baseinverse);
- "together": answer in the same column; when they fill one of the two up, go on in the other (lowinverse);
- "across": answer in the other one of the two; once that is full, in the same column.

A *watchful* plan first wins when it can and stops them when it must; when the column of the answer is full,
it goes on in the first one with an odd number of empty cells. With an odd number of empty cells on the board,
a winning cell of the follower splits its column off, as in theorem T4.
Nothing is claimed for these plans in general: each is played through against every reply.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Literal

from claimeven import notation
from claimeven.board import bits
from claimeven.position import Cell, Position
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.matching import matchings
from claimeven.reasons.planned.plan import LinkJson, Plan, PlanJson
from claimeven.reasons.seen.geometry import row_of

LinkKind = Literal["swap", "together", "across"]
Link = tuple[int, int, LinkKind]  # two columns, and how they belong together

MAX_NODES = 8000
PLAYOUTS = 16  # games that weed out most plans before the long replay


@dataclass(frozen=True)
class ColumnPlan(Plan):
    """A plan that answers columns with columns."""

    apart: tuple[Cell, ...]  # the winning cell that splits its column off, if there is one
    links: tuple[Link, ...]
    is_watchful: bool = False  # it wins when it can, and stops them when it must, before anything else

    @classmethod
    def of(
        cls, position: Position, bound: int, apart: tuple[Cell, ...], links: tuple[Link, ...]
    ) -> "ColumnPlan":
        # In a plan that only holds nobody has to play below the cell that is set apart.
        keys = apart if bound < 0 else ()
        swaps = tuple(
            (Cell(one, position.height(one)), Cell(two, position.height(two)))
            for one, two, kind in links
            if kind == "swap"
        )
        return cls(position, "replay", bound, keys, (), swaps, apart, links)

    def top(self, column: int) -> int:
        """How many cells of a column count: up to the winning cell, if it is there."""
        return next((key.row + 1 for key in self.apart if key.column == column), self.position.board.rows)

    def answer(self, stones: replay.Stones, move: int) -> int:
        if self.is_watchful:
            urgent = self._urgent(stones[0] | move, stones[1] | move)
            if urgent:
                return urgent
        return self._linked(stones[1], move)

    def _urgent(self, theirs: int, mask: int) -> int:
        """A cell that wins, else one where they would win."""
        board = self.position.board
        open_cells = board.landings(mask)
        ours = mask ^ theirs
        return replay.winning(board, ours, mask, open_cells) or replay.winning(
            board, theirs, mask, open_cells
        )

    def _linked(self, mask: int, move: int) -> int:
        """What the words about the links say, and nothing more: so the replay proves what is told."""
        board, after = self.position.board, mask | move
        other = self._swapped.get(move, mask)
        if not other & mask:
            return other & board.landings(after)
        column = board.column_of(move)
        chosen = board.column_bits(column)
        for there, until in self._ways[column]:
            if there & ~mask and not until & ~after:
                chosen = there
        open_cells = board.landings(after)
        answer = open_cells & chosen
        if answer or not self.is_watchful:
            return answer
        # Columns become odd when threats are stopped elsewhere: it goes on in the first that is.
        keyed = sum(board.column_bits(key.column) for key in self.apart)
        others = bits(open_cells & ~keyed)
        return next((cell for cell in others if (board.rows - row_of(board, cell)) % 2 == 0), 0)

    @cached_property
    def _swapped(self) -> dict[int, int]:
        """The cells that answer each other, as bits."""
        bit = self.position.board.bit
        pairs = [(bit(*one), bit(*two)) for one, two in self.swaps]
        return dict(pairs) | {two: one for one, two in pairs}

    @cached_property
    def _ways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """From each column: those where it answers instead, and the cells that must be full before."""
        cells = self.position.board.column_bits
        ways: list[list[tuple[int, int]]] = [[] for _ in range(self.position.board.columns)]
        for one, two, kind in self.links:
            if kind != "swap":
                for here, there in ((one, two), (two, one)):
                    ways[here].append((cells(there), cells(here) if kind == "together" else 0))
        return tuple(map(tuple, ways))

    def to_json(self) -> PlanJson:
        digit = notation.column_digit
        links: list[LinkJson] = [
            {"columns": [digit(one), digit(two)], "kind": kind} for one, two, kind in self.links
        ]
        return {**super().to_json(), "links": links, "watchful": self.is_watchful}


def find_column_plan(
    position: Position, bound: int, check: Callable[[], None] = lambda: None, is_watchful: bool = False
) -> ColumnPlan | None:
    """The first plan that keeps the side to move down to `bound`, which should be true of the position.

    There may be many to try: `check` is called before each, and may raise.
    """
    known = replay.Refutations()
    for plan in _plans(position, bound):
        check()
        if is_watchful:
            plan = replace(plan, is_watchful=True)
        claim = position, bound, plan.answer
        if (
            not known.refute(*claim)
            and replay.survives(*claim, PLAYOUTS, random.Random(0), known)
            and replay.holds(*claim, MAX_NODES, known)
        ):
            return plan
    return None


def _plans(position: Position, bound: int) -> Iterator[ColumnPlan]:
    board = position.board
    if (board.cells - position.ply) % 2 == 0:
        yield from _linked(ColumnPlan.of(position, bound, (), ()))
        return
    wins = board.winning_cells(position.theirs, position.mask)
    for key in bits(wins & ~board.landings(position.mask)):
        if (board.rows - row_of(board, key)) % 2:
            yield from _linked(ColumnPlan.of(position, bound, board.cells_of(key), ()))


def _linked(plan: ColumnPlan) -> Iterator[ColumnPlan]:
    """All ways to link the columns with an odd number of cells, and perhaps two of the others."""
    position = plan.position
    left = {c: plan.top(c) - position.height(c) for c in position.legal}
    odd = [column for column in left if left[column] % 2]
    even = [column for column in left if left[column] % 2 == 0 and left[column] > 0]
    if len(odd) % 2 or len(odd) > 6:
        return
    keyed = {key.column for key in plan.apart}
    pairs = [(one, two) for one, two in combinations(even, 2) if not {one, two} & keyed]
    extras: list[tuple[Link, ...]] = [(), *(((one, two, "across"),) for one, two in pairs)]
    for extra in extras:
        for matching in matchings(odd):
            # The words of the other two kinds speak of whole columns.
            kinds: list[tuple[LinkKind, ...]] = [
                ("swap",) if {one, two} & keyed else ("swap", "together", "across") for one, two in matching
            ]
            for chosen in product(*kinds):
                links = tuple((*pair, kind) for pair, kind in zip(matching, chosen, strict=True))
                yield ColumnPlan.of(position, plan.bound, plan.apart, (*links, *extra))
