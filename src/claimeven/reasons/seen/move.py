"""What playing a column does, seen on the board: every fact here follows from the rules alone.

"You" are the side to move, "they" the other one. A *winning cell* of a side is an empty cell that would
complete its four; it is *open* when a disc can fall there now. What a disc is said to make is not there
without it: cells that were yours before are no credit of the move.
"""

from claimeven.board import bits
from claimeven.errors import MoveError
from claimeven.notation import column_named
from claimeven.position import Board, Position
from claimeven.reasons.seen.double import DoubleKind, double
from claimeven.reasons.seen.fact import Fact, SeenKind
from claimeven.reasons.seen.fours import quiet_cells, runs
from claimeven.reasons.seen.geometry import is_own_row, row_of

NAMED = 2  # fours: more are not one idea
PREPARES: dict[DoubleKind, SeenKind] = {"fork": "prepares_fork", "stacked": "prepares_stacked"}


def facts(position: Position, column: int) -> tuple[Fact, ...]:
    """Every fact about playing a column that the rules show, the most urgent first.

    >>> [fact.kind for fact in facts(Position.parse("4131"), 4)][:3]
    ['open_three', 'fork', 'joins']
    """
    if column not in position.legal:
        raise MoveError("not_playable", column=column_named(column, position.board.columns))
    move = Move(position, column)
    return (*move.urgent(), *move.threats(), *move.shape())


class Move:
    """A position before and after one move, as bits, with the winning cells of both sides."""

    def __init__(self, position: Position, column: int) -> None:
        board = position.board
        self.board, self.column, self.side = board, column, position.side
        self.stone = position.board.landing(position.mask, column)
        self.before, self.mask = position.mask, position.mask | self.stone
        self.old, self.mine, self.theirs = position.mine, position.mine | self.stone, position.theirs
        self.open_before = board.landings(self.before)
        self.open = board.landings(self.mask)
        self.is_won = board.has_four(self.mine)
        self.old_wins = board.winning_cells(self.old, self.before)
        self.wins = 0 if self.is_won else board.winning_cells(self.mine, self.mask)
        self.their_old_wins = board.winning_cells(self.theirs, self.before)
        self.their_wins = board.winning_cells(self.theirs, self.mask)
        self.is_full = self.mask == board.full

    @property
    def threatened(self) -> int:
        """Your winning cells that are open after the move."""
        return self.wins & self.open

    @property
    def missed(self) -> int:
        """Where you could have won instead."""
        return 0 if self.is_won else self.old_wins & self.open_before

    @property
    def is_safe(self) -> bool:
        """They cannot win with their next disc."""
        return not self.is_won and not self.their_wins & self.open

    @property
    def can_build(self) -> bool:
        """Some four without a disc of theirs has an empty cell in a row of yours."""
        fours = [four & ~self.mask for four in self.board.fours if not four & self.theirs]
        rows = {row_of(self.board, bit) for four in fours for bit in bits(four)}
        return any(is_own_row(self.board, self.side, row) for row in rows)

    def fact(
        self,
        kind: SeenKind,
        cells: int = 0,
        *,
        fours: tuple[int, ...] = (),
        count: int | None = None,
        stones: int | None = None,
    ) -> Fact:
        shown = tuple(self.board.cells_of(four) for four in fours)
        return Fact(kind, self.column, self.board.cells_of(cells), shown, count=count, stones=stones)

    # What decides at once ------------------------------------------------------------------------

    def urgent(self) -> list[Fact]:
        if self.is_won:
            return [self.fact("wins_now", self.stone, fours=fours_through(self.board, self.mine, self.stone))]
        found = [self.fact("misses_win", self.missed)] if self.missed else []
        found += self._answer()
        above = self.stone << 1 & self.board.full
        if above & self.their_wins:
            found.append(self.fact("gives_win", above))
        if above & self.old_wins:
            found.append(self.fact("wastes_threat", above))
        return found

    def _answer(self) -> list[Fact]:
        """What becomes of the cells where they would win with their next disc."""
        danger = self.their_old_wins & self.open_before
        if not danger:
            return []
        rest = danger & ~self.stone
        if rest == danger:
            return [self.fact("leaves_win", danger)]
        if rest:
            return [self.fact("blocks_one", self.stone), self.fact("leaves_win", rest)]
        return [self.fact("blocks", self.stone)]

    # Threats -------------------------------------------------------------------------------------

    def threats(self) -> list[Fact]:
        if self.is_won or self.is_full:
            return []
        found = self._made() if self.is_safe and not self.missed else []
        for bit in bits(self.wins & ~self.old_wins & ~self.open):
            column = self.board.column_bits(self.board.column_of(bit))
            higher = self.their_wins & column & ~(2 * bit - 1)
            lower = self.their_wins & column & (bit - 1)
            if lower:  # they get there first, so it is no gain
                found.append(self.fact("undercut_by", bit | 1 << lower.bit_length() - 1))
                continue
            found.append(self.fact(self._gain(bit), bit))
            if higher:
                found.append(self.fact("undercuts", bit | (higher & -higher)))
        found += self._stacks()
        return found + [fact for fact in (self._denied(), self._prepared()) if fact is not None]

    def _made(self) -> list[Fact]:
        """The open threats that are there because of this disc; one that it merely uncovers is wasted."""
        uncovered = self.stone << 1 & self.old_wins
        return [fact for fact in self.double() if fact.kind != "threatens" or self.threatened != uncovered]

    def _gain(self, bit: int) -> SeenKind:
        """A winning cell is worth more in the rows that fall to you in the end."""
        row = row_of(self.board, bit)
        if is_own_row(self.board, self.side, row):
            return "gains_odd" if row % 2 else "gains_even"
        return "gains_wrong_odd" if row % 2 else "gains_wrong_even"

    def double(self) -> list[Fact]:
        """Threats that they must answer, when they cannot win first."""
        now = self.threatened
        if now.bit_count() >= 2:
            ends = self._ends_of_open_three(now)
            found = [self.fact("open_three", ends)] if ends else []
            return [*found, self.fact("fork", now)]
        if now and now << 1 & self.wins:
            return [self.fact("stacked", now | now << 1)]
        if now:
            return [self.fact("threatens", now)]
        replies = list(bits(self.open))
        safe = [reply for reply in replies if not self._is_punished(reply)]
        if not safe:
            return [self.fact("zugzwang", sum(reply << 1 for reply in replies))]
        return [self.fact("safe_replies", sum(safe), count=len(safe))] if len(safe) < len(replies) else []

    def _is_punished(self, reply: int) -> bool:
        """You win at once above this reply."""
        return bool(reply << 1 & self.wins)

    def _ends_of_open_three(self, cells: int) -> int:
        """Two of the cells with nothing but your stones between them in a row."""
        step, reach = self.board.rows + 1, self.board.reach
        for bit in bits(cells):
            between = sum(bit << (step * i) for i in range(1, reach))
            if reach > 1 and bit << (step * reach) & cells and between & self.mine == between:
                return bit | bit << (step * reach)
        return 0

    def _stacks(self) -> list[Fact]:
        """Two of your winning cells directly above each other, new, the lower one not open.

        They are no pair where the other side would win on the lower one, or below it.
        """
        found = []
        pairs = self.wins & self.wins >> 1 & ~self.open
        old = self.old_wins & self.old_wins >> 1
        for bit in bits(pairs & ~old):
            column = self.board.column_bits(self.board.column_of(bit))
            if self.their_wins & column & (2 * bit - 1):
                continue
            found.append(self.fact("stacked_pair", bit | bit << 1))
            seven = self._seven(bit)
            if seven:
                found.append(self.fact("seven_trap", bit | bit << 1, fours=seven))
        return found

    def _seven(self, lower: int) -> tuple[int, int] | tuple[()]:
        """A row and a diagonal that share a stone and end on two cells above each other."""
        upper = lower << 1
        for one, two in ((lower, upper), (upper, lower)):
            for row in fours_through(self.board, self.mine | one, one):
                for diagonal in fours_through(self.board, self.mine | two, two):
                    is_seven = self._is_row(row) and self._is_diagonal(diagonal)
                    if is_seven and row & diagonal & self.mine:
                        return row, diagonal
        return ()

    def _is_row(self, four: int) -> bool:
        return four in self.board.level_fours

    def _is_diagonal(self, four: int) -> bool:
        return not self._is_upright(four) and not self._is_row(four)

    def _denied(self) -> Fact | None:
        """The fork that they would make on this cell, if it were their turn."""
        if not self.open_before & self.stone or self.old_wins & self.open_before:
            return None
        if self.board.winning_cells(self.theirs, self.mask) & self.open_before:
            return None  # they need no such disc: they can win at once already
        theirs = self.theirs | self.stone
        if self.board.has_four(theirs):
            return None
        wins = self.board.winning_cells(theirs, self.mask) & self.open
        return self.fact("denies_fork", wins) if wins.bit_count() >= 2 else None

    def _prepared(self) -> Fact | None:
        """Two threats that your next disc would make, because of this one; the cells: there, and those."""
        if self.threatened or not self.is_safe or self.missed:
            return None
        for bit in sorted(bits(self.open), key=lambda bit: bit == self.stone << 1):
            found = double(self.board, self.mine, self.theirs, self.mask, bit)
            if found is None:
                continue
            if bit & self.open_before and double(self.board, self.old, self.theirs, self.before, bit):
                continue
            cells = self.board.cells_of(bit) + self.board.cells_of(found.cells)
            return Fact(PREPARES[found.kind], self.column, cells)
        return None

    # Lines and tempo -----------------------------------------------------------------------------

    def shape(self) -> list[Fact]:
        """Lines joined and stopped, runs of both sides, and how long everyone can wait."""
        board, found = self.board, []
        # Discs on each other are seen by everybody, and stopped by the next one.
        through = [four for four in board.fours if four & self.stone and not self._is_upright(four)]
        counts = {bit: self._fours(bit) for bit in bits(self.open_before)}
        if self._is_middle():
            found.append(self.fact("middle", self.stone))
        if counts[self.stone] == max(counts.values()):
            found.append(self.fact("most_lines", self.stone, count=counts[self.stone]))
        for stones in range(board.reach - 1, 1, -1):
            joined = [x for x in through if not x & self.theirs and (x & self.mine).bit_count() == stones]
            if joined:
                shown = self._nearest(joined)
                found.append(self.fact("joins", fours=shown, count=len(joined), stones=stones))
        for stones in range(board.reach - 1, 0, -1):
            killed = [x for x in through if not x & self.old and (x & self.theirs).bit_count() == stones]
            if killed:
                shown = self._nearest(killed)
                found.append(self.fact("kills", fours=shown, count=len(killed), stones=stones))
        if self.is_won or self.is_full:
            return found
        sides: tuple[tuple[SeenKind, int, int], ...] = (
            ("runs", self.mine, self.theirs),
            ("their_runs", self.theirs, self.mine),
        )
        for kind, own, other in sides:
            for stones in range(board.reach - 1, 1, -1):
                count = runs(board, own, other, self.open, stones)
                if count:
                    found.append(self.fact(kind, count=count, stones=stones))
        if (self.wins | self.their_wins) & ~self.open:
            found.append(self.fact("tempo", count=quiet_cells(board, self.mask, self.wins | self.their_wins)))
        return found

    def _is_middle(self) -> bool:
        """Every row of four has a cell in this column, and one through this cell is open to you."""
        rows = self.board.level_fours
        column = self.board.column_bits(self.column)
        is_open = any(four & self.stone and not four & self.theirs for four in rows)
        return is_open and self.board.columns > 1 and all(four & column for four in rows)

    def _nearest(self, fours: list[int]) -> tuple[int, ...]:
        """The fours to name: those whose empty cells lie lowest above the discs."""

        def height(four: int) -> int:
            return sum(self._empty_below(bit) for bit in bits(four & ~self.mask))

        return tuple(sorted(fours, key=height)[:NAMED])

    def _is_upright(self, four: int) -> bool:
        return four in self.board.upright_fours

    def _empty_below(self, bit: int) -> int:
        return (self.board.column_bits(self.board.column_of(bit)) & (bit - 1) & ~self.mask).bit_count()

    def _fours(self, bit: int) -> int:
        """Lines through a cell that you could still complete."""
        return sum(not four & self.theirs for four in self.board.fours_by_cell[bit])


def fours_through(board: Board, stones: int, bit: int) -> tuple[int, ...]:
    """The complete fours of these stones through a cell."""
    return tuple(four for four in board.fours if four & bit and four & stones == four)
