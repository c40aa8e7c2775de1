"""Six of Allis' rules (1988): how the follower takes fours away from the side to move, on even heights.

Each instance has the cells it uses and the fours it takes away ("solves"): those that the side to move can
never complete while the follower keeps to the rule. Rows count from 1, so a claimeven ends on an even row.

    claimeven    two empty cells above each other, the upper one even: fours through the upper one
    baseinverse  two open cells: fours through both
    vertical     two empty cells above each other, the upper one odd: fours through both
    aftereven    a four of the follower whose empty cells are all upper cells of claimevens, so he gets it:
                 fours with a cell above it in each of these columns, and those of its claimevens
    lowinverse   two verticals in two columns: fours through both upper cells, and those of the verticals
    before       a four of the follower; for each empty cell a vertical from it or a claimeven to it: fours
                 through all the cells above the empty ones, and those of its parts

Two instances go together only as Allis' table says, read strictly: see `go_together`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal, get_args

from claimeven.board import bits
from claimeven.position import Board, Position
from claimeven.reasons.seen.geometry import row_of

RuleName = Literal["claimeven", "baseinverse", "vertical", "aftereven", "lowinverse", "before"]
RULES: tuple[RuleName, ...] = get_args(RuleName)  # the simplest first
Part = tuple[int, int]  # lower and upper cell, as bits


@dataclass(frozen=True)
class Rule:
    """One instance. Cells are bits; `solved` has a bit for every four that it takes away, by its number."""

    name: RuleName
    cells: int
    solved: int
    claims: tuple[Part, ...] = ()  # claimevens: the follower gets the upper cell
    ups: tuple[Part, ...] = ()  # verticals: whoever gets the lower one, the follower gets one of the two
    swap: Part | None = None  # a baseinverse
    four: int = 0  # the follower's four, of an aftereven or before


class Rules:
    """All instances in a position that take at least one four away.

    `fours` are those that the side to move could still complete; `area` the cells that rules may use.
    """

    def __init__(self, position: Position, fours: list[int], area: int, inverses: int) -> None:
        self.board, self.fours = position.board, fours
        self.mask, self.follower, self.mover = position.mask, position.theirs, position.mine
        self.area = area & ~self.mask
        self.inverses = inverses & self.board.landings(self.mask)  # open cells that a baseinverse may use

    def all(self) -> list[Rule]:
        found = [*self._columns(), *self._baseinverses(), *self._lowinverses(), *self._fours()]
        return [rule for rule in found if rule.solved or rule.name == "aftereven"]

    def through(self, *cells: int) -> int:
        """The numbers of the fours that hold all these cells."""
        wanted = sum(cells)
        return sum(1 << i for i, four in enumerate(self.fours) if four & wanted == wanted)

    def _parts(self, even: bool) -> list[Part]:
        """Two cells above each other in the area; the upper one even or odd."""
        return [
            (lower, lower << 1)
            for lower in bits(self.area & self.area >> 1)
            if (row_of(self.board, lower << 1) % 2 == 0) == even
        ]

    def _columns(self) -> Iterator[Rule]:
        for lower, upper in self._parts(even=True):
            yield Rule("claimeven", lower | upper, self.through(upper), claims=((lower, upper),))
        for lower, upper in self._parts(even=False):
            yield Rule("vertical", lower | upper, self.through(lower, upper), ups=((lower, upper),))

    def _baseinverses(self) -> Iterator[Rule]:
        for one, two in combinations(bits(self.inverses), 2):
            yield Rule("baseinverse", one | two, self.through(one, two), swap=(one, two))

    def _lowinverses(self) -> Iterator[Rule]:
        for one, two in combinations(self._parts(even=False), 2):
            if self.board.column_of(one[0]) == self.board.column_of(two[0]):
                continue
            both = self.through(one[1], two[1])
            if both:
                solved = both | self.through(*one) | self.through(*two)
                yield Rule("lowinverse", sum(one) | sum(two), solved, ups=(one, two))

    def _fours(self) -> Iterator[Rule]:
        """Aftereven and before: from fours that the follower can still complete."""
        for four in self.board.fours:
            empty = four & ~self.follower
            if four & self.mover or not empty or empty & ~self.area:
                continue
            yield from self._from_four(four, list(bits(empty)))

    def _from_four(self, four: int, empty: list[int]) -> Iterator[Rule]:
        for choice in product(("claim", "up"), repeat=len(empty)):
            claims, ups = [], []
            for cell, kind in zip(empty, choice, strict=True):
                if kind == "claim":
                    claims.append((cell >> 1, cell))
                else:
                    ups.append((cell, cell << 1))
            cells = [cell for part in (*claims, *ups) for cell in part]
            is_even = all(row_of(self.board, upper) % 2 == 0 for _, upper in claims)
            if not is_even or len(set(cells)) < len(cells) or any(not cell & self.area for cell in cells):
                continue
            own = sum(1 << i for i in self._solved_by_parts(claims, ups))
            above = self._above_all(empty) if not ups else self.through(*(cell << 1 for cell in empty))
            if ups and not above & ~own:
                continue  # its parts alone do as much
            name: RuleName = "before" if ups else "aftereven"
            yield Rule(name, sum(cells), own | above, tuple(claims), tuple(ups), four=four)

    def _solved_by_parts(self, claims: list[Part], ups: list[Part]) -> Iterator[int]:
        for i, four in enumerate(self.fours):
            if any(four & upper for _, upper in claims) or any(four & sum(part) == sum(part) for part in ups):
                yield i

    def _above_all(self, empty: list[int]) -> int:
        """The fours with a cell above each of these cells."""
        columns = [self.board.column_bits(self.board.column_of(cell)) & ~(2 * cell - 1) for cell in empty]
        return sum(1 << i for i, four in enumerate(self.fours) if all(four & above for above in columns))


# What goes together ------------------------------------------------------------------------------

DISJOINT, ABOVE, EQUAL, INVERSE = range(4)
_TABLE = {
    ("aftereven", "aftereven"): (EQUAL,),
    ("aftereven", "before"): (EQUAL,),
    ("before", "before"): (EQUAL,),
    ("claimeven", "lowinverse"): (ABOVE,),
    ("aftereven", "lowinverse"): (DISJOINT, ABOVE),
    ("before", "lowinverse"): (ABOVE, EQUAL),
    ("lowinverse", "lowinverse"): (INVERSE,),
}


def go_together(board: Board, one: Rule, two: Rule) -> bool:
    """Allis' table (7.4); everything that it does not list needs disjoint cells."""
    first, second = sorted((one, two), key=lambda rule: rule.name)
    codes = _TABLE.get((first.name, second.name), (DISJOINT,))
    return all(_is_met(board, code, first, second) for code in codes)


def _is_met(board: Board, code: int, one: Rule, two: Rule) -> bool:
    if code == DISJOINT:
        return not one.cells & two.cells
    if code == EQUAL:  # in every column the cells are disjoint or the same
        return all(
            not one.cells & two.cells & column or one.cells & column == two.cells & column
            for column in map(board.column_bits, range(board.columns))
        )
    if code == INVERSE:
        columns = [{board.column_of(cell) for cell in bits(rule.cells)} for rule in (one, two)]
        apart = not columns[0] & columns[1] or columns[0] == columns[1]
        return apart and not one.cells & two.cells
    inverse, other = (one, two) if one.name == "lowinverse" else (two, one)
    for _, top in inverse.ups:
        column = board.column_bits(board.column_of(top))
        # A claimeven in this column lies wholly above the inverse: overlapping ones gave false proofs.
        if any(lower & column and lower <= top for lower, _ in other.claims):
            return False
    return True
