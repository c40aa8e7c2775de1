"""Certificates: the parity theorems T1 to T4 as plans that a person can follow.

The side to move is the *mover*, the other one the *follower*: the plan is the follower's, and it bounds
what the mover can reach. native/solver/pairing.hpp states the theorems and docs/theorems.md proves them, for
boards of any height: the empty cells of each column are paired from the top down, a column with an odd number
of them leaves its landing cell over (a *single*), and the singles are matched two by two. The follower
answers inside the pair. A certificate is only handed out after `replay.holds` has played it through.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from claimeven.board import bits
from claimeven.position import Board, Position
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.matching import matchings
from claimeven.reasons.planned.plan import NamedRule, Pair, Plan, PlanJson, Theorem
from claimeven.reasons.seen.geometry import row_of

MAX_SINGLES = 6  # 15 ways to match them


@dataclass(frozen=True)
class Certificate(Plan):
    """A plan by one of the theorems."""

    @property
    def singles(self) -> tuple[Pair, ...]:
        """The landing cells of columns with an odd number of empty cells, two by two."""
        return self.swaps

    @cached_property
    def answers(self) -> dict[int, int]:
        """The cell that answers each cell, as bits."""
        bit = self.position.board.bit
        found = {bit(*lower): bit(*upper) for lower, upper in self.pairs}
        for one, two in self.swaps:
            found |= {bit(*one): bit(*two), bit(*two): bit(*one)}
        return found

    def answer(self, _: replay.Stones, move: int) -> int:
        return self.answers.get(move, 0)

    @property
    def named_rules(self) -> tuple[NamedRule, ...]:
        """The pairs as rules (see allis.py), which are for boards of even height."""
        if self.position.board.rows % 2:
            return ()
        named = [NamedRule("vertical" if pair[1].row % 2 == 0 else "claimeven", pair) for pair in self.pairs]
        return (*named, *(NamedRule("baseinverse", pair) for pair in self.swaps))

    def to_json(self) -> PlanJson:
        shown = super().to_json()
        return {**shown, "singles": shown["swaps"]}


@lru_cache(maxsize=1 << 14)
def certify(position: Position) -> Certificate | None:
    """The best certificate against the side to move, played through; None when nothing is known.

    >>> found = certify(Position.parse("46625546371274551456256236"))
    >>> found.theorem, found.bound, [str(key) for key in found.keys]
    ('T3', -2, ['c4', 'g4'])
    """
    if position.is_over:
        return None
    for candidate in sorted(candidates(position), key=lambda found: found.bound):
        if replay.holds(position, candidate.bound, candidate.answer):
            return candidate
    return None


def candidates(position: Position) -> Iterator[Certificate]:
    """What the theorems claim."""
    board = position.board
    wins = board.winning_cells(position.theirs, position.mask)
    open_cells = board.landings(position.mask)
    if (board.cells - position.ply) % 2 == 0:
        yield from _even(position, wins, open_cells)
    else:
        yield from _odd(position, wins, open_cells)


def claim_cells(board: Board) -> int:
    """The cells whose row has the parity of the height: the upper ones of pairs counted from the top."""
    rows = sum(1 << row for row in range(board.rows) if (board.rows - 1 - row) % 2 == 0)
    return board.bottom * rows


def _claimed(board: Board, mask: int) -> int:
    """Upper cells of the pairs: empty, with an empty cell below."""
    return claim_cells(board) & ~board.bottom & ~mask & ~(mask << 1)


def _even(position: Position, wins: int, open_cells: int) -> Iterator[Certificate]:
    """T1 to T3: the follower answers everywhere."""
    board, mask, follower = position.board, position.mask, position.theirs
    claimed = _claimed(board, mask)
    keys = wins & claimed
    left = board.full & ~(follower | claimed | _above(board, keys))
    matching = cover(board, left, open_cells & claim_cells(board))
    if matching is None:
        return
    theorem: Theorem
    if keys:
        lowest = min(row_of(board, key) for key in bits(keys))
        theorem, bound = "T3", -((board.rows - lowest) // 2 + 1)
    elif board.has_four(follower | claimed):
        theorem, bound = "T2", -1
    else:
        theorem, bound = "T1", 0
    yield _certificate(position, theorem, bound, keys, claimed, matching)


def _odd(position: Position, wins: int, open_cells: int) -> Iterator[Certificate]:
    """T4: the follower leaves the column of a winning cell alone and answers everywhere else."""
    board, mask, follower = position.board, position.mask, position.theirs
    claim, claimed = claim_cells(board), _claimed(board, mask)
    for key in bits(wins & ~claim & ~open_cells):
        column = board.column_bits(board.column_of(key))
        own = open_cells & column
        above = _above(board, key)
        # In the key's column the pairs are counted down from the key.
        uppers = column & ~claim & ~mask & ~own & ~above
        left = board.full & ~(follower | claimed & ~column | uppers | above)
        matching = cover(board, left, open_cells & ~column & claim | own & ~claim)
        if matching is None:
            continue
        bound = -((board.rows - row_of(board, key) + 1) // 2)
        yield _certificate(position, "T4", bound, key, claimed & ~column | uppers, matching)


def _certificate(
    position: Position, theorem: Theorem, bound: int, keys: int, uppers: int, matching: list[tuple[int, int]]
) -> Certificate:
    cells_of = position.board.cells_of
    return Certificate(
        position,
        theorem,
        bound,
        cells_of(keys),
        tuple((cells_of(upper >> 1)[0], cells_of(upper)[0]) for upper in bits(uppers)),
        tuple((cells_of(one)[0], cells_of(two)[0]) for one, two in matching),
    )


def _above(board: Board, cells: int) -> int:
    """All cells above the given ones."""
    found = 0
    for _ in range(board.rows):
        cells = cells << 1 & board.full
        found |= cells
    return found


def cover(board: Board, area: int, singles: int) -> list[tuple[int, int]] | None:
    """A matching of the singles such that each line in the area holds both cells of a pair."""
    alone = list(bits(singles))
    if len(alone) % 2:
        return None
    if not board.has_four(area):  # any matching serves: neighbours are the easiest to remember
        return list(zip(alone[::2], alone[1::2], strict=True))
    if not alone or len(alone) > MAX_SINGLES or board.has_four(area & ~singles):
        return None
    for matching in matchings(alone):
        if not any(board.has_four(area & ~sum(choice)) for choice in product(*matching)):
            return matching
    return None
