"""What a wrong column meets: the answer of theirs, shown and told as somebody across the table would.

Without numbers of moves: those are the solver's (`told/contrast.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from claimeven.position import Cell, Position
from claimeven.reasons.reviewed import instead
from claimeven.reasons.reviewed.fault import ANSWERS, FaultFinder
from claimeven.reasons.seen.fact import Fact
from claimeven.reasons.seen.move import Move, facts
from claimeven.reasons.seen.standing import standing
from claimeven.reasons.told.line import Line, decision, end_of
from claimeven.reasons.told.tell import Teller
from claimeven.solver import Analysis, Solver, TimedSolver

# What the next disc shows before anything else: what is told is the simplest.
ENDS = ("wins_now", "fork", "stacked", "zugzwang")


@dataclass(frozen=True)
class Met:
    """An answer of theirs to a column, and one sentence about it."""

    column: int
    reply: int
    text: str
    lesson: str | None  # the idea (catalogue: `idea.…`) that it teaches; None where the sentence has said it

    @property
    def line(self) -> tuple[int, int]:
        return self.column, self.reply


def met(position: Position, column: int, solver: Solver, language: str = "en") -> Met | None:
    """What punishes a column that gives something away, or loses at once; None where no other one is better.

    >>> met(Position.parse("41414"), 6, Solver()).text
    'They answer in column 4 and complete d1–d4.'
    """
    analysis = solver.analyse(position)
    had, has = analysis.score, analysis.scores[column]
    after = position.play(column)
    is_near = had is not None and has.value < 0 and has.moves == 1 != had.moves
    if had is None or after.is_over or (had.outcome == has.outcome and not is_near):
        return None
    right = [other for other, score in analysis.scores.items() if score.outcome == had.outcome]
    teller = Teller(position.board, language)
    found = _Answers(position, column, right, solver.analyse(after), teller)
    seen = found.decided() or found.closed() or found.done()
    if seen is not None:
        return seen
    judge = solver if isinstance(solver, TimedSolver) else TimedSolver(solver)
    fault = FaultFinder(position, column, analysis.scores, facts(position, column), judge, teller).answered()
    if fault is not None:
        reply, reason = fault
        return Met(column, reply, reason.text, "")
    return (found.waited() if has.value < 0 else None) or found.quiet(has.value < 0)


class _Answers:
    """Their answers to one column."""

    def __init__(
        self, position: Position, column: int, right: list[int], answers: Analysis, teller: Teller
    ) -> None:
        self.position, self.column, self.teller = position, column, teller
        self.move, self.after = Move(position, column), position.play(column)
        # One that would tell what was right is named only where there is no other.
        self.best = [reply for reply in answers.best if reply not in right] or list(answers.best)
        assert answers.score is not None
        self.keeping = [c for c, score in answers.scores.items() if score.outcome == answers.score.outcome]

    def decided(self) -> Met | None:
        """They win at once, or with the next disc but one."""
        seen = [fact for fact in (decision(self.after, reply) for reply in self.after.legal) if fact]
        seen.sort(key=lambda fact: ENDS.index(fact.kind))
        if not seen:
            return None
        fact = seen[0]
        if fact.kind == "wins_now" and fact.column == self.column:
            lesson, four = "finish" if self.move.missed else "door", self.teller.four(fact)
            return self._told(fact.column, "met.above", fact.cells, lesson=lesson, four=four)
        line = Line((self.column, fact.column), end_of(fact), self.after.side, fact)
        ending = self.teller.ending(line, self.position)
        assert ending is not None, "a single answer is always told"
        lesson = "finish" if self.move.missed else "stop" if fact.kind == "wins_now" else ""
        return Met(self.column, fact.column, ending.text, lesson)

    def closed(self) -> Met | None:
        """They fill the cell where you would win, which your disc threatened or uncovered."""
        move, board = self.move, self.position.board
        cell = move.wins & move.open
        reply = board.column_of(cell) if cell.bit_count() == 1 else None
        if reply is None or reply not in self.keeping:
            return None
        if cell & move.missed:
            return self._told(reply, "met.missed", board.cells_of(cell), lesson=None)
        if cell & move.old_wins:
            return self._told(reply, "met.burned", board.cells_of(cell), lesson=None)
        return self._told(reply, "met.closed", board.cells_of(cell))

    def done(self) -> Met | None:
        """What a best answer does that can be seen."""
        for kind in ANSWERS:
            for reply in self.best:
                found = next((fact for fact in facts(self.after, reply) if _is_worth(fact, kind)), None)
                if found is not None:
                    return Met(self.column, reply, instead.answer(self.teller, found).text, "")
        return None

    def waited(self) -> Met | None:
        """They need nothing but the cells that they have: those that fall to them in the end."""
        reply = self.position.board.central(self.best)
        cells = [cell for one in standing(self.after, reply) if one.whose == "you" for cell in one.cells]
        return self._told(reply, "met.waits", cells) if cells else None

    def quiet(self, is_lost: bool) -> Met:
        """Nothing shows: what is left is what it comes to."""
        reply = self.position.board.central(self.best)
        return self._told(reply, "met.lost" if is_lost else "met.gone", ())

    def _told(
        self, reply: int, code: str, cells: Iterable[Cell], lesson: str | None = "", four: str = ""
    ) -> Met:
        line, named = self.teller.column(reply), self.teller.cells(cells)
        text = self.teller.words.say(code, line=line, cells=named, four=four)
        return Met(self.column, reply, text, lesson)


def _is_worth(fact: Fact, kind: str) -> bool:
    """A single line that lacks two discs or more is not missed by anybody."""
    if fact.kind != kind or fact.stones is None:
        return fact.kind == kind
    return fact.stones >= len(fact.fours[0]) - 1 or (fact.stones > 1 and len(fact.fours) > 1)
