"""The first stage: it points at something on the board and asks one short question about it.

No cell of the column to play is named, nor lit. For every idea there is a row of things to point at; the
first that is there is taken.
"""

from collections.abc import Callable, Iterator, Sequence

from claimeven.board import bits
from claimeven.position import Cell
from claimeven.reasons.hinted.stage import Stage
from claimeven.reasons.told.explanation import Explanation
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.told.tell import Teller

MANY = 2  # cells that are not discs: to look at more is to look at the board
LINE = 2  # discs that make a line worth looking at
TAKEN = ("takes_one", "takes_only", "stops_force", "stops_line", "stops_fork", "stops_stacked")


class Pointer:
    """Finds what the first stage points at."""

    def __init__(self, told: Explanation, reason: Reason | None, teller: Teller) -> None:
        self.told, self.reason, self.teller = told, reason, teller
        self.position, self.board = told.position, told.position.board
        self.spot = self.board.landing(self.position.mask, told.column)
        self.hidden = self.board.column_bits(told.column)

    def _stage(self, code: str, cells: Sequence[Cell], listed: str = "and") -> Stage | None:
        if not cells:
            return None
        text = self.teller.words.say(
            f"hint.look.{code}", n=len(cells), cells=self.teller.cells(cells, listed)
        )
        return Stage("look", text, tuple(cells), code)

    # What there is to point at ---------------------------------------------------------------------

    def lacking(self) -> Stage | None:
        """The discs of a line of the mover that one disc completes."""
        return self._stage("win", self._discs(self.position.mine, self.spot, self.board.connect - 1))

    def danger(self) -> Stage | None:
        """The same of theirs."""
        return self._stage("danger", self._discs(self.position.theirs, self.spot, self.board.connect - 1))

    def threats(self) -> Stage | None:
        """The cells on which the disc threatens to win."""
        return self._stage("threats", self._named())

    def their_threats(self) -> Stage | None:
        """The cells on which they would threaten to win, with one disc."""
        is_stopped = self.reason is not None and self.reason.kind in ("stops_fork", "stops_stacked")
        return self._stage("their_threats", self._named(skip=2 if is_stopped else 0))

    def prepared(self) -> Stage | None:
        """Where two winning cells would be; the disc that would make them comes before these."""
        return self._stage("make", self._named(skip=1))

    def own_line(self) -> Stage | None:
        """The discs of an open line that the disc goes on with."""
        return self._stage("line", self._longest(self.position.mine, self.position.theirs))

    def own_disc(self) -> Stage | None:
        """The same, if it is a single disc."""
        return self._stage("line", self._longest(self.position.mine, self.position.theirs, 1))

    def own_key_line(self) -> Stage | None:
        """The discs of a line that one disc in the column to play completes, higher up."""
        for cell in () if self.reason is None else sorted(self.reason.cells):
            bit = self.board.bit(*cell)
            discs = self._discs(self.position.mine, bit, self.board.connect - 1) if bit & self.hidden else []
            if discs:
                return self._stage("line", discs)
        return None

    def their_line(self) -> Stage | None:
        """The discs of an open line of theirs that the disc stops."""
        return self._stage("their_line", self._longest(self.position.theirs, self.position.mine))

    def own_wins(self) -> Stage | None:
        return self._stage("own_win", self._standing(self.position.mine), "or")

    def their_wins(self) -> Stage | None:
        return self._stage("their_win", self._standing(self.position.theirs), "or")

    def below_wins(self) -> Stage | None:
        """Free cells with a winning cell right above: whoever must play there gives way."""
        position, board = self.position, self.board
        wins = [board.winning_cells(side, position.mask) for side in (position.mine, position.theirs)]
        below = board.landings(position.mask) & (wins[0] | wins[1]) >> 1 & ~self.hidden
        return self._stage("below", board.cells_of(below), "or") if below.bit_count() <= MANY else None

    def few_lines(self) -> Stage | None:
        """The free cells on the fewest lines that can still be completed, where the disc lies on the most."""
        board, position = self.board, self.position
        landings = list(bits(board.landings(position.mask)))
        mine, theirs = position.mine, position.theirs
        count = {
            bit: sum(not (four & mine and four & theirs) for four in board.fours_by_cell[bit])
            for bit in landings
        }
        others = sorted(bit for bit in landings if bit != self.spot)
        if len(landings) <= MANY or max(count[bit] for bit in others) >= count[self.spot]:
            return None
        fewest = sorted(sorted(others, key=count.__getitem__)[:MANY])
        return self._stage("few", [board.cell_of(bit) for bit in fewest])

    def supposed(self) -> Stage | None:
        """A column that is worse: what they would answer is what the disc takes from them."""
        told = self.told
        if told.score is None:
            return None
        worse = [one.column for one in told.why_not if one.score < told.score]
        facts = [fact for fact in told.facts if fact.kind in TAKEN]
        said = [column for fact in facts for column in fact.columns if column in worse] or worse
        if not said:
            return None
        column = self.board.central(said)
        return self._stage("suppose", [Cell(column, self.position.height(column))])

    def only_asked(self) -> Stage:
        """Nothing can be pointed at."""
        return Stage("look", self.teller.words.say("hint.look.above"))

    # Cells -----------------------------------------------------------------------------------------

    def _named(self, skip: int = 0) -> list[Cell]:
        """Cells of the reason, from left to right, that are free and not in the column to play."""
        cells = () if self.reason is None else self.reason.cells[skip:]
        position, board = self.position, self.board
        free = [cell for cell in cells if not board.bit(*cell) & (position.mask | self.hidden)]
        return sorted(free)[:MANY]

    def _standing(self, stones: int) -> list[Cell]:
        """Winning cells that stand already, the lowest of each column; most are within reach."""
        wins = self.board.winning_cells(stones, self.position.mask) & ~self.hidden
        lowest = {cell.column: cell for cell in sorted(self.board.cells_of(wins), reverse=True)}
        height = self.position.height
        near = sorted(lowest.values(), key=lambda cell: cell.row - height(cell.column))
        return sorted(near[:MANY])

    def _longest(self, stones: int, others: int, least: int = LINE) -> list[Cell]:
        """The discs of the open line through the disc to play that has the most of them."""
        open_fours = [four for four in self.board.fours_by_cell[self.spot] if not four & others]
        counted = {
            four: (four & stones).bit_count() for four in open_fours if not four & stones & self.hidden
        }
        most = max(counted.values(), default=0)
        if most < least:
            return []
        return self._discs(stones, self.spot, most)

    def _discs(self, stones: int, spot: int, count: int) -> list[Cell]:
        """The discs of an open line through a cell that has just so many, none in the column to play."""
        others = self.position.mask & ~stones
        for four in self.board.fours_by_cell[spot]:
            held = four & stones
            if held.bit_count() == count and not four & others and not held & self.hidden:
                return list(self.board.cells_of(held))
        return []


Point = Callable[[Pointer], Stage | None]
QUIET: tuple[Point, ...] = (Pointer.below_wins, Pointer.own_wins, Pointer.own_line, Pointer.supposed)
POINTS: dict[str, tuple[Point, ...]] = {
    "wins_now": (Pointer.lacking,),
    "stop": (Pointer.danger,),
    "fork": (Pointer.threats, Pointer.own_line),
    "stacked": (Pointer.own_key_line, Pointer.own_line, Pointer.own_wins, Pointer.supposed),
    "forced": (Pointer.own_line, Pointer.supposed),
    "threatens": (Pointer.own_line, Pointer.supposed),
    "prepares": (Pointer.prepared, Pointer.own_line),
    "denies_fork": (Pointer.their_threats, Pointer.their_line, Pointer.supposed),
    "denies_stacked": (Pointer.their_threats, Pointer.their_line, Pointer.supposed),
    "takes": (Pointer.their_line, Pointer.few_lines, Pointer.supposed),
    "stops_line": (Pointer.their_line, Pointer.supposed),
    "joins": (Pointer.own_line, Pointer.own_disc, Pointer.few_lines, Pointer.supposed),
    "lines": (Pointer.few_lines, Pointer.own_line, Pointer.own_disc, Pointer.supposed),
    "closes": (Pointer.own_line, Pointer.supposed),
    "worse": (Pointer.supposed, Pointer.own_line, Pointer.their_line, Pointer.few_lines),
    "lost": (
        Pointer.danger,
        Pointer.their_wins,
        Pointer.their_line,
        Pointer.below_wins,
        Pointer.supposed,
        Pointer.own_line,
    ),
}


def look_stage(told: Explanation, reason: Reason | None, idea: str, teller: Teller) -> Stage:
    return next(_pointed(Pointer(told, reason, teller), idea, teller))


def _pointed(pointer: Pointer, idea: str, teller: Teller) -> Iterator[Stage]:
    yield from filter(None, (point(pointer) for point in POINTS.get(idea, QUIET)))
    if idea in ("wins_now", "stop"):  # an upright line: to show it is to tell the column
        yield Stage("look", teller.words.say(f"hint.look.{idea}"))
    yield pointer.only_asked()
