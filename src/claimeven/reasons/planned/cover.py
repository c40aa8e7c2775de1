"""A cover: rules that together take every four away from the side to move, and how the follower plays them.

Found as in Allis' program: take the four that fewest rules solve, try each of these rules, go on with those
that go together with it. What comes out is a claim like any other: it is shown only after the replay.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from claimeven.board import bits
from claimeven.position import Board, Cell, Position
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.allis import RULES, Rule, Rules, go_together
from claimeven.reasons.planned.plan import NamedRule, Plan
from claimeven.reasons.seen.geometry import row_of

MAX_FOURS, MAX_STEPS = 40, 400  # of the search: beyond, nothing is known
MAX_NODES = 8000  # of the replay
MAX_COVERS = 6  # that are played through for one position


@dataclass(frozen=True)
class Cover(Plan):
    """A plan by rules. Its keys: the odd threat whose column is set apart, or what completes an aftereven."""

    rules: tuple[Rule, ...]
    needs_odd_column: bool = False  # when rules and the same column have no answer, a column does that is odd

    @classmethod
    def of(cls, position: Position, bound: int, keys: tuple[Cell, ...], rules: tuple[Rule, ...]) -> "Cover":
        cells_of = position.board.cells_of
        parts = {part for rule in rules for part in (*rule.claims, *rule.ups)}
        pairs = tuple((cells_of(lower)[0], cells_of(upper)[0]) for lower, upper in sorted(parts))
        swaps = [rule.swap for rule in rules if rule.swap is not None]
        cells = tuple((cells_of(one)[0], cells_of(two)[0]) for one, two in swaps)
        return cls(position, "rules", bound, keys, pairs, cells, rules)

    @cached_property
    def answers(self) -> dict[int, int]:
        """What the rules answer to a cell, as bits."""
        found: dict[int, int] = {}
        for rule in self.rules:
            found |= dict((*rule.claims, *rule.ups))
            if rule.swap is not None:
                one, two = rule.swap
                found |= {one: two, two: one}
        return found

    @cached_property
    def _left_alone(self) -> int:
        """Cells that the follower never takes before the other side has moved there."""
        lower = {lower for rule in self.rules for lower, _ in rule.claims}
        lower |= {low for rule in self.rules if rule.name == "lowinverse" for low, _ in rule.ups}
        return sum(lower)

    def answer(self, stones: replay.Stones, move: int) -> int:
        """A win, else what a rule says, else the cell above, else perhaps the first odd column; 0 if nothing.

        Cells to leave alone are no answer but by a rule.
        """
        board = self.position.board
        open_cells = board.landings(stones[1] | move)
        if win := replay.winning(board, stones[0] ^ stones[1], stones[1], open_cells):
            return win
        free = open_cells & ~self._left_alone
        said = self.answers.get(move, 0) & open_cells or move << 1 & free
        if said or not self.needs_odd_column:
            return said
        return next((cell for cell in bits(free) if (board.rows - row_of(board, cell)) % 2 == 0), 0)

    @property
    def four(self) -> tuple[Cell, ...]:
        """None where the holder may have to open a pair himself: then its upper cell is not surely his."""
        return () if self.needs_odd_column else super().four

    @property
    def named_rules(self) -> tuple[NamedRule, ...]:
        cells_of = self.position.board.cells_of
        return tuple(NamedRule(rule.name, cells_of(rule.cells), cells_of(rule.four)) for rule in self.rules)


def find_cover(position: Position, bound: int) -> Cover | None:
    """A cover that keeps the side to move down to `bound` (0, or -1 for a win) or lower, played through."""
    board = position.board
    if position.is_over or board.rows % 2:
        return None
    candidates = _even(position, bound) if (board.cells - position.ply) % 2 == 0 else _odd(position)
    for number, cover in enumerate(candidates):
        if number >= MAX_COVERS:
            break
        for plan in (cover, replace(cover, needs_odd_column=True)):
            if replay.holds(position, plan.bound, plan.answer, MAX_NODES):
                return plan
            if (board.cells - position.ply) % 2:
                break  # the column that is set apart is odd: it must be left alone
    return None


def _open_fours(position: Position, without: int = 0) -> list[int]:
    """The fours that the side to move could still complete, if some cells are never his."""
    return [four for four in position.board.fours if not four & (position.theirs | without)]


def _even(position: Position, bound: int) -> Iterator[Cover]:
    """The follower answers everywhere. A win needs an aftereven."""
    board = position.board
    fours = _open_fours(position)
    if len(fours) > MAX_FOURS:
        return
    rules = Rules(position, fours, board.full, board.full).all()
    starts: list[tuple[Rule, ...]] = [()]
    if bound < 0:
        starts = [(rule,) for rule in rules if rule.name == "aftereven"]
    for start in starts:
        chosen = _search(board, rules, (1 << len(fours)) - 1, start)
        if chosen is not None:
            missing = start[0].four & ~position.theirs if start else 0
            keys = board.cells_of(missing) if missing.bit_count() == 1 else ()
            yield Cover.of(position, bound, keys, chosen)


def _odd(position: Position) -> Iterator[Cover]:
    """An odd threat of the follower sets its column apart; the rules work in the others."""
    board, mask = position.board, position.mask
    open_cells = board.landings(mask)
    for key in bits(board.winning_cells(position.theirs, mask) & ~open_cells):
        if row_of(board, key) % 2 == 0:
            continue
        column = board.column_bits(board.column_of(key))
        landing = open_cells & column
        above = column & ~(2 * key - 1)
        odd = sum(cell for cell in bits(column & ~mask & ~landing) if row_of(board, cell) % 2)
        fours = _open_fours(position, above | odd)
        if len(fours) > MAX_FOURS:
            continue
        inverses = board.full & ~column | (landing if row_of(board, landing) % 2 else 0)
        rules = Rules(position, fours, board.full & ~column, inverses).all()
        chosen = _search(board, rules, (1 << len(fours)) - 1, ())
        if chosen is not None:
            yield Cover.of(position, -1, board.cells_of(key), chosen)


def _search(
    board: Board, rules: list[Rule], problems: int, start: tuple[Rule, ...]
) -> tuple[Rule, ...] | None:
    """Rules that go together and solve all problems; `start` is among them."""
    steps = MAX_STEPS

    def cover(left: int, usable: list[Rule], chosen: tuple[Rule, ...]) -> tuple[Rule, ...] | None:
        nonlocal steps
        if not left:
            return chosen
        steps -= 1
        if steps < 0:
            return None
        solvers = min(([rule for rule in usable if rule.solved & problem] for problem in bits(left)), key=len)
        # What solves most first; of those the simplest rule.
        solvers.sort(key=lambda rule: (-(rule.solved & left).bit_count(), RULES.index(rule.name)))
        for rule in solvers:
            rest = [other for other in usable if other is not rule and go_together(board, rule, other)]
            found = cover(left & ~rule.solved, rest, (*chosen, rule))
            if found is not None or steps < 0:
                return found
        return None

    usable = [rule for rule in rules if all(go_together(board, rule, other) for other in start)]
    for rule in start:
        problems &= ~rule.solved
    return cover(problems, [rule for rule in usable if rule not in start], start)
