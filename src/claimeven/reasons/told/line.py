"""Lines of play that end where the rest is clear: in a win, a double threat, zugzwang or a certificate."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

from claimeven import notation
from claimeven.board import bits
from claimeven.position import Board, Cell, Position
from claimeven.reasons.planned.certificates import candidates, certify
from claimeven.reasons.planned.plan import Plan, decisive
from claimeven.reasons.planned.search import other_plan
from claimeven.reasons.planned.stack import find_stack
from claimeven.reasons.seen.fact import Fact, ForcedKind
from claimeven.reasons.seen.geometry import is_own_row
from claimeven.reasons.seen.move import Move, fours_through
from claimeven.solver import OutOfTimeError, Score, TimedSolver

# After these the next disc but one wins, whatever comes between.
Decided = Literal["fork", "stacked", "zugzwang"]
DECIDED: tuple[Decided, ...] = get_args(Decided)
LineEnd = Decided | Literal["win", "plan", "draw"]  # draw: the board is full
FORCED: dict[LineEnd, ForcedKind] = {
    "fork": "forced_fork",
    "stacked": "forced_stacked",
    "zugzwang": "forced_zugzwang",
}
SHORT = 4  # moves to a win or a double threat: nobody needs a plan then
MAX_TRIES = 1000  # plans that are tried for one line: those that are found are mostly among the first 150
MAX_FORCED = 3000  # positions looked at for one forced line


class LineJson(TypedDict):
    moves: str
    end: LineEnd
    winner: int | None


@dataclass(frozen=True)
class Line:
    """Columns in turn, and what there is to see after the last of them."""

    columns: tuple[int, ...]
    end: LineEnd
    winner: int | None  # the side that it serves; None for a draw
    seen: Fact | None = None  # what is seen there, for the side that moved last
    plan: Plan | None = None

    @property
    def is_reply(self) -> bool:
        """A single answer is all it takes."""
        return len(self.columns) == 2

    def known_after(self, position: Position) -> int:
        """How many moves it takes from a position until the winner has every cell that decides his plan."""
        assert self.plan is not None
        board = position.board
        keys = sum(board.bit(*key) for key in decisive(self.plan))
        for number, column in enumerate(self.columns):
            own = _stones(position, self.winner)
            if not keys & ~board.winning_cells(own, position.mask):
                return number
            position = position.play(column)
        return len(self.columns)

    def gained(self, position: Position, plies: int) -> tuple[int, int]:
        """Of the winner's cells after so many moves the new ones, and those of his plan that stood there.

        New are the cells of the plan, and all others that the last disc gives him, in rows of his own and
        lowest in their columns.
        """
        assert self.plan is not None
        assert self.winner is not None
        board, keys = position.board, sum(position.board.bit(*key) for key in decisive(self.plan))
        old = keys & board.winning_cells(_stones(position, self.winner), position.mask)
        for column in self.columns[: plies - 1]:
            position = position.play(column)
        before = board.winning_cells(_stones(position, self.winner), position.mask)
        position = position.play(self.columns[plies - 1])
        own = board.winning_cells(_stones(position, self.winner), position.mask)
        both = own | board.winning_cells(_stones(position, 1 - self.winner), position.mask)
        given = sum(
            bit
            for bit in bits(own & ~before & ~board.landings(position.mask))
            if is_own_row(board, self.winner, board.row_of(bit) + 1)
            and not both & board.column_bits(board.column_of(bit)) & (bit - 1)
        )
        return (keys | given) & ~old, old

    def to_json(self) -> LineJson:
        return {"moves": notation.moves_text(self.columns), "end": self.end, "winner": self.winner}


@dataclass(frozen=True)
class Final:
    """How a game of best play is won."""

    columns: tuple[int, ...]  # all of it
    cell: Cell  # the last disc
    four: tuple[Cell, ...]
    winner: int

    def is_own_row(self, board: Board) -> bool:
        return is_own_row(board, self.winner, self.cell.row + 1)


def final(position: Position, column: int, judge: TimedSolver) -> Final | None:
    """The end of the line that the solver gives; None for a draw, and where a limit has cut it."""
    columns = (column, *judge.analyse(position.play(column)).line)
    for following in columns[:-1]:
        position = position.play(following)
    end = position.play(columns[-1])
    if end.winner is None:
        return None
    board, stone = position.board, end.mask ^ position.mask
    four = fours_through(board, end.theirs, stone)[0]
    return Final(columns, board.cell_of(stone), board.cells_of(four), end.winner)


def _stones(position: Position, side: int | None) -> int:
    return position.mine if position.side == side else position.theirs


def decision(position: Position, column: int) -> Fact | None:
    """The fact by which a move decides the game within two more discs, if it does."""
    move = Move(position, column)
    if move.is_won:
        return move.urgent()[0]
    if move.is_full or not move.is_safe:
        return None
    found = {fact.kind: fact for fact in move.double()}
    return next((found[kind] for kind in DECIDED if kind in found), None)


def end_of(seen: Fact) -> LineEnd:
    """How a line ends with this decision."""
    for end in DECIDED:
        if seen.kind == end:
            return end
    return "win"


def forced_line(position: Position, column: int, max_moves: int) -> tuple[Fact, Line] | None:
    """A line of threats, each with a single answer, from `column` on to a decision; the shortest one."""
    for depth in range(2, max_moves + 1):
        budget = [MAX_FORCED]
        found = _forced(position, column, depth, budget)
        if found is not None:
            columns, seen = found
            end = end_of(seen)
            assert end in FORCED, "the last move of a forced line does not win at once, it decides"
            fact = Fact(FORCED[end], column, seen.cells, line=columns)
            return fact, Line(columns, end, position.side, seen)
        if budget[0] <= 0:
            return None
    return None


def _forced(
    position: Position, column: int, depth: int, budget: list[int]
) -> tuple[tuple[int, ...], Fact] | None:
    budget[0] -= 1
    if budget[0] <= 0:
        return None
    move = Move(position, column)
    if move.is_won or move.is_full or not move.is_safe:
        return None
    if depth == 1:
        end = decision(position, column)
        return ((column,), end) if end else None
    threats = list(bits(move.threatened))
    if len(threats) != 1 or threats[0] << 1 & move.wins:
        return None
    answer = position.board.column_of(threats[0])
    after = position.play(column).play(answer)
    for following in after.legal:
        found = _forced(after, following, depth - 1, budget)
        if found is not None:
            return (column, answer, *found[0]), found[1]
    return None


def clear_line(position: Position, column: int, judge: TimedSolver, holder: int | None = None) -> Line:
    """The best line, cut where a plan by rules or by columns takes over, when no theorem does."""
    line = best_line(position, column, judge, holder)
    is_short = len(line.columns) <= SHORT and line.end != "draw"
    if line.plan is not None or is_short or len(line.columns) <= 2:
        return line
    servant = line.winner
    if servant is None:
        servant = 1 - position.side if holder is None else holder
    left = [MAX_TRIES]

    def check() -> None:
        judge.check()
        left[0] -= 1
        if left[0] < 0:
            raise _EnoughError

    with suppress(_EnoughError):
        for length, following in enumerate(line.columns[:-1], start=1):
            position = position.play(following)
            if position.side != servant:
                plan = other_plan(position, 0 if line.winner is None else -1, check)
                if plan is not None:
                    return Line(line.columns[:length], "plan", servant, plan=plan)
    return line


class _EnoughError(Exception):
    """So many plans were tried that another one is hardly found."""


def best_line(position: Position, column: int, judge: TimedSolver, holder: int | None = None) -> Line:
    """Best play of both sides from a move on, up to where the rest is clear.

    The line serves the winner, or the `holder` of a draw (without one, the opponent: that is what "only
    draws" needs). Among his best moves he takes one that makes things clear.
    """
    analysis = judge.analyse(position.play(column))
    assert analysis.score is not None
    value = -analysis.score.value
    servant = position.side if value > 0 or (value == 0 and holder == position.side) else 1 - position.side
    waiting = [column, *analysis.line]
    columns: list[int] = []
    while True:
        if not waiting:  # a limit has cut the line of the analysis, though its scores are known
            raise OutOfTimeError
        if position.side == servant:
            following = waiting[0] if not columns else _clearest(position, waiting[0], value, judge)
            end = decision(position, following)
            if end is not None:
                return Line((*columns, following), end_of(end), servant, end)
            if following != waiting[0]:
                waiting = [following]
        position = position.play(waiting[0])
        columns.append(waiting.pop(0))
        if position.is_over:  # a win is a decision, so this is a full board
            return Line(tuple(columns), "draw", None)
        if position.side != servant:
            judge.check()
            plan = _proof(position, value)
            if plan is not None:
                return Line(tuple(columns), "plan", servant, plan=plan)


def _proof(position: Position, value: int) -> Plan | None:
    """A plan that settles the outcome against the side to move: the simplest first."""
    stack = find_stack(position) if value else None
    if stack is not None:
        return stack
    plan = certify(position)
    return plan if plan is not None and (plan.bound < 0 or value == 0) else None


def _clearest(position: Position, column: int, value: int, judge: TimedSolver) -> int:
    """Another move as good as this one, after which the rest is clear; else this one."""
    score: Score | None = None
    for other in (column, *position.legal):
        after = position.play(other)
        if after.winner is None and decision(position, other) is None:
            # First what is cheap: whether the theorems say something; only then is a plan played through.
            if not any(found.bound < 0 or value == 0 for found in candidates(after)):
                continue
            score = judge.score(position.play(column)) if score is None else score
            if judge.score(after) != score or _proof(after, value) is None:
                continue
        return other
    return column
