"""What a line of a puzzle shows: for each theme the move that has the idea, and the cells that it is about.

Everything here is seen on the board by the rules alone; that it is the only way, the solver says (find.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from claimeven.position import Cell, Position
from claimeven.puzzles.thumbs import careless, is_quiet, opens_door
from claimeven.reasons.seen.geometry import is_own_row, row_of
from claimeven.reasons.seen.move import Move
from claimeven.reasons.told.line import DECIDED, decision

LATEST = 4  # place of a fork that the first move is there for: the third move
LEAST_FREE = 6  # cells: with fewer there is nothing to count


@dataclass(frozen=True)
class Idea:
    """Of one theme, in one line."""

    theme: str
    place: int  # of the move in the line that is needed
    cells: tuple[Cell, ...] = ()  # what to look at; never where that move falls
    until: int = 0  # the place where all can see it


def ideas(position: Position, goal: str, line: tuple[int, ...]) -> dict[str, Idea]:
    """By theme; what needs to know more than the line (the last mistake, who wins) is not here."""
    seen = _Walk(position, line)
    found = {"draw": _hold, "keep": _hold, "win": _win}[goal](seen)
    return {idea.theme: idea for idea in found}


class _Walk:
    """The moves of a line."""

    def __init__(self, position: Position, line: tuple[int, ...]) -> None:
        self.start, self.line, self.side = position, line, position.side
        self.positions = [position]
        for column in line[:-1]:
            self.positions.append(self.positions[-1].play(column))
        self.first = Move(position, line[0])
        self.last = Move(self.positions[-1], line[-1])

    @property
    def places(self) -> range:
        """Of the side that solves."""
        return range(0, len(self.line), 2)

    def move(self, place: int) -> Move:
        return Move(self.positions[place], self.line[place])

    def idea(self, theme: str, place: int, cells: int) -> Idea:
        board = self.start.board
        shown = cells & ~board.landing(self.positions[place].mask, self.line[place])
        return Idea(theme, place, board.cells_of(shown), place)


def _win(seen: _Walk) -> Iterator[Idea]:
    for theme in (_decided, _forcing, _seven, _keep, _rows, _undercut, _tempo, _door, _deny_fork):
        found = theme(seen)
        if found is not None:
            yield found


def _hold(seen: _Walk) -> Iterator[Idea]:
    for theme in (_deny_fork, _door):
        found = theme(seen)
        if found is not None:
            yield found


# Combinations --------------------------------------------------------------------------------------


def _decision(seen: _Walk) -> Idea | None:
    """The first move after which the next disc but one wins, whatever comes between."""
    board = seen.start.board
    for place in seen.places:
        fact = decision(seen.positions[place], seen.line[place])
        if fact is not None:
            cells = sum(board.bit(*cell) for cell in fact.cells)
            return seen.idea(fact.kind, place, cells) if fact.kind in DECIDED else None
    return None


def _decided(seen: _Walk) -> Idea | None:
    """A fork or stacked cells, soon; or zugzwang, without stacked cells, which would do as well."""
    found = _decision(seen)
    if found is None:
        return None
    if found.theme == "zugzwang":
        wins = seen.move(found.place).wins
        return None if wins & wins >> 1 else Idea("zugzwang", 0, found.cells, found.place)
    if found.place > LATEST or not is_quiet(seen.positions[found.place]):  # a block would do as well
        return None
    return Idea(found.theme, 0, found.cells, found.place)


def _forcing(seen: _Walk) -> Idea | None:
    """Threats, each with a single answer, up to the move that threatens twice."""
    found = _decision(seen)
    if found is None or found.place < 2 or found.theme == "zugzwang":
        return None
    threats = (seen.move(place).threatened for place in range(0, found.place, 2))
    return (
        Idea("win", 0, found.cells, found.place) if all(cells.bit_count() == 1 for cells in threats) else None
    )


def _seven(seen: _Walk) -> Idea | None:
    """A row and a diagonal that share a disc end on two cells above each other; one of them wins."""
    for place in seen.places[:-1]:
        for fact in seen.move(place).threats():
            cells = sum(seen.start.board.bit(*cell) for cell in fact.cells)
            if fact.kind == "seven_trap" and cells & seen.last.stone:
                return seen.idea("seven", place, cells)
    return None


# Threats that decide in the end --------------------------------------------------------------------


def _keep(seen: _Walk) -> Idea | None:
    """The cell that wins in the end is there, and a disc below it would burn it now."""
    first, last = seen.first, seen.last.stone
    is_there = last & first.old_wins and last >> 1 & first.open_before
    return seen.idea("keep", 0, last) if is_there and last >> 1 != first.stone else None


def _gained(seen: _Walk) -> Iterator[tuple[int, int]]:
    """The places where the cell that wins in the end is made, without a threat yet, and the cell."""
    cell = seen.last.stone
    for place in seen.places[:-1]:
        move = seen.move(place)
        if cell & move.wins & ~move.old_wins & ~move.open and not move.threatened:
            yield place, cell


def _rows(seen: _Walk) -> Idea | None:
    """A winning cell in the rows that fall to its owner, alone in its column."""
    board = seen.start.board
    for place, cell in _gained(seen):
        column = board.column_bits(board.column_of(cell))
        if is_own_row(board, seen.side, row_of(board, cell)) and not seen.move(place).their_wins & column:
            return seen.idea("rows", place, cell)
    return None


def _undercut(seen: _Walk) -> Idea | None:
    """A winning cell below one of theirs."""
    board = seen.start.board
    for place, cell in _gained(seen):
        column = board.column_bits(board.column_of(cell))
        above = seen.move(place).their_wins & column & ~(2 * cell - 1)
        if above:
            return seen.idea("undercut", place, cell | above & -above)
    return None


def _tempo(seen: _Walk) -> Idea | None:
    """The last column with an odd number of free cells: after it, answering in the same column wins."""
    board, after = seen.start.board, seen.start.play(seen.line[0])
    if board.cells - after.ply < LEAST_FREE or _free(after, seen.line[0]) % 2:
        return None
    odd = [column for column in after.legal if _free(after, column) % 2]
    has_cell = all(seen.first.wins & board.column_bits(column) for column in odd)
    if len(odd) > 1 or not has_cell or not _follows_up(after):
        return None
    return seen.idea("tempo", 0, seen.last.stone)


def _free(position: Position, column: int) -> int:
    return position.board.rows - position.height(column)


def _follows_up(position: Position) -> bool:
    """Whether the side not to move wins against everything by: win, block, else the same column."""
    known: dict[int, bool] = {}

    def wins(now: Position) -> bool:
        key = now.mask << 64 | now.mine
        if key not in known:
            known[key] = not now.is_over and all(answered(now.play(column), column) for column in now.legal)
        return known[key]

    def answered(now: Position, column: int) -> bool:
        if now.is_over:
            return False
        board, open_cells = now.board, now.board.landings(now.mask)
        if board.winning_cells(now.mine, now.mask) & open_cells:
            return True
        danger = board.winning_cells(now.theirs, now.mask) & open_cells
        if danger:
            column = board.column_of(danger)
        return danger.bit_count() <= 1 and column in now.legal and wins(now.play(column))

    return wins(position)


# What not to do ------------------------------------------------------------------------------------


def _wrong(seen: _Walk, is_bad: Callable[[int], int]) -> int:
    """The cells of what is wrong with the other columns: all that like the centre, and half of all."""
    others = [column for column in seen.start.legal if column != seen.line[0]]
    bad = {column: is_bad(column) for column in others}
    thumbs = careless(seen.start)
    if seen.line[0] in thumbs or not all(bad[column] for column in thumbs):
        return 0
    return sum(bool(cells) for cells in bad.values()) * 2 >= len(others) and bad[min(thumbs)]


def _door(seen: _Walk) -> Idea | None:
    """They would win right above."""

    def opened(column: int) -> int:
        is_open = opens_door(seen.start, column)
        return seen.start.board.landing(seen.start.mask, column) << 1 if is_open else 0

    cells = _wrong(seen, opened)
    return seen.idea("door", 0, cells) if cells else None


def _deny_fork(seen: _Walk) -> Idea | None:
    """They would make two threats at once."""

    def forked(column: int) -> int:
        after = seen.start.play(column)
        if not after.is_over and not opens_door(seen.start, column):
            for reply in after.legal:
                fact = decision(after, reply)
                if fact is not None and fact.kind == "fork":
                    return sum(after.board.bit(*cell) for cell in fact.cells)
        return 0

    cells = _wrong(seen, forked)
    return seen.idea("deny_fork", 0, cells) if cells else None
