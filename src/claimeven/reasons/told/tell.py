"""Facts, lines and plans in the words of a language. Nothing is decided here."""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from claimeven.position import Board, Cell, Position
from claimeven.reasons.planned.plan import Plan, decisive
from claimeven.reasons.planned.stack import StackPlan
from claimeven.reasons.seen.fact import Fact, FactKind, RankKind
from claimeven.reasons.seen.standing import Standing
from claimeven.reasons.told.line import Line
from claimeven.reasons.told.reason import Reason, ReasonKind
from claimeven.reasons.words import Words
from claimeven.solver import Score

RANKS: tuple[FactKind, ...] = get_args(RankKind)
FORCED: dict[FactKind, str] = {
    "forced_fork": "forced.fork",
    "forced_stacked": "forced.stacked",
    "forced_zugzwang": "forced.zugzwang",
}
SOON = 6  # moves until a cell is there that decides
SHOWN = 7  # moves of a line that are written out; of a longer one only where it leads


class Teller:
    """Writes sentences about one board in one language."""

    def __init__(self, board: Board, language: str) -> None:
        self.board, self.words = board, Words(language)

    # Pieces --------------------------------------------------------------------------------------

    def column(self, column: int) -> str:
        return self.words.column(column)

    def columns(self, columns: Iterable[int], code: str = "and") -> str:
        return self.words.listed(list(map(self.column, sorted(columns))), code)

    def cells(self, cells: Iterable[Cell], code: str = "and") -> str:
        return self.words.listed(list(map(self.cell, cells)), code)

    def cell(self, cell: Cell) -> str:
        return self.words.cell(self.board, cell)

    def line(self, columns: tuple[int, ...]) -> str:
        return self.words.line(columns)

    def four(self, fact: Fact) -> str:
        return self.ends(fact.fours[0])

    def in_moves(self, moves: int | None) -> str:
        """ "in 5 moves"; one move is "at once"."""
        return self.words.say("at_once") if moves == 1 else self.words.say("in_moves", n=moves or 0)

    def within(self, moves: Sequence[int]) -> str:
        """ "in 5 moves"; for several "in 5 or 6 moves" or "in 5 to 9 moves"."""
        low, high = min(moves), max(moves)
        if low == high:
            return self.in_moves(high)
        return self.words.say("in_moves_either" if high == low + 1 else "in_moves_between", n=high, low=low)

    # Sentences -----------------------------------------------------------------------------------

    def verdict(self, column: int, score: Score | None) -> str:
        digit = self.column(column)
        if score is None:
            return self.words.say("verdict.unknown", column=digit)
        if score.moves is None:
            return self.words.say("verdict.draw", column=digit)
        return self.words.say(f"verdict.{score.outcome}", column=digit, in_moves=self.in_moves(score.moves))

    def proof(self, score: Score) -> str:
        """The verdict, after sentences about the column."""
        if score.moves is None:
            return self.words.say("it.draw")
        return self.words.say(f"it.{score.outcome}", in_moves=self.in_moves(score.moves))

    def head(self, column: int, text: str) -> str:
        """Sentences about a column, which they do not name, with its name before them."""
        return self.words.say("head", column=self.column(column), text=text[:1].lower() + text[1:])

    def fact(self, fact: Fact) -> Reason:
        """What a fact says about the chosen move."""
        return Reason.of(fact, self._fact(fact))

    def fact_of_worse(self, fact: Fact) -> Reason:
        """The same of a move that is not the best: a single threat is then no merit."""
        if fact.kind != "threatens":
            return self.fact(fact)
        return Reason.of(fact, self.words.say("threatens.only", cells=self.cells(fact.cells)))

    def lost(self, why: str, cells: tuple[Cell, ...]) -> Reason:
        """Why nothing helps any more."""
        lower, upper = (*map(self.cell, cells[:2]), "", "")[:2]
        named = self.cells(cells, "or" if why == "zugzwang" else "and")
        said = self.words.say(f"lost.{why}", cells=named, lower=lower, upper=upper)
        return Reason("fault", said, cells)

    def has_words(self, fact: Fact) -> bool:
        """Whether there is a sentence for this kind of fact; some only serve others."""
        return fact.kind in RANKS or fact.kind in FORCED or fact.kind in self.words.messages

    def _fact(self, fact: Fact) -> str:
        say = self.words.say
        match fact.kind:
            case kind if kind in RANKS:
                return self._rank(fact)
            case "forced_stacked":
                lower, upper = self._stack(fact)
                return say("forced.stacked", line=self.line(fact.line), lower=lower, upper=upper)
            case kind if kind in FORCED:
                return say(FORCED[kind], line=self.line(fact.line), cells=self.cells(fact.cells))
            case "stacked" | "undercuts" | "stacked_pair":
                lower, upper = self._stack(fact)
                return say(fact.kind, lower=lower, upper=upper)
            case "undercut_by":
                lower, upper = self._stack(fact)
                is_next = fact.cells[1].row == fact.cells[0].row + 1
                return say("undercut_by.next" if is_next else "undercut_by", lower=lower, upper=upper)
            case "seven_trap":
                row, diagonal = (self.ends(four) for four in fact.fours)
                return say("seven_trap", row=row, diagonal=diagonal)
            case "most_lines":
                return say("most_lines", n=fact.count, cells=self.cells(fact.cells))
            case "wins_now":
                return say("wins_now", four=self.four(fact))
            case "safe_replies":
                columns = self.columns(cell.column for cell in fact.cells)
                return say("safe_replies", n=fact.count, columns=columns)
            case "prepares_fork" | "prepares_stacked":
                return self._prepared(fact)
            case "middle":
                return say("middle", column=self.column(fact.column))
            case "takes_only" | "takes_one" | "stops_line" | "stops_force":
                return self._prevented(fact)
            case "stops_fork" | "stops_stacked":
                return self._double_prevented(fact)
            case "joins" | "kills":
                return self._lines(fact)
        code = "or" if fact.kind in ("leaves_win", "misses_win") else "and"
        return say(fact.kind, cells=self.cells(fact.cells, code))

    def _rank(self, fact: Fact) -> str:
        other = "" if fact.other is None else self.column(fact.other)
        held = self.words.say("held", n=fact.moves or 0)
        in_moves, columns = self.in_moves(fact.moves), self.columns(fact.columns)
        if fact.kind == "slow_win" and fact.moves == 1:
            return self.words.say("rank.slow_win.now", other=other)
        code = f"rank.{fact.kind}"
        if fact.kind in ("throws_win", "blunders"):
            code = "rank.throws_win.only" if len(fact.columns) == 1 else "rank.throws_win"
        values = {"other": other, "in_moves": in_moves, "held": held, "columns": columns}
        return self.words.say(code, len(fact.columns), **values)

    def _prepared(self, fact: Fact) -> str:
        there, *cells = fact.cells
        lower, upper = map(self.cell, cells[:2])
        name = self.cell(there)
        return self.words.say(fact.kind, there=name, cells=self.cells(cells), lower=lower, upper=upper)

    def _lines(self, fact: Fact) -> str:
        """Lines that grow or are stopped: named, if there are no more than can be named."""
        count = fact.count or 0
        fours = self.words.listed([self.ends(four) for four in fact.fours])
        code = fact.kind if count == len(fact.fours) else f"{fact.kind}.many"
        return self.words.say(code, n=count, stones=fact.stones, fours=fours)

    def _prevented(self, fact: Fact) -> str:
        cells, four = self.cells(fact.cells), self.four(fact) if fact.fours else ""
        if len(fact.columns) == fact.count:
            return self.words.say(f"{fact.kind}.all", cells=cells, four=four)
        columns = self.columns(fact.columns, "or" if fact.kind in ("takes_one", "stops_force") else "and")
        return self.words.say(fact.kind, n=len(fact.columns), columns=columns, cells=cells, four=four)

    def _double_prevented(self, fact: Fact) -> str:
        taken, reply, *cells = fact.cells
        values: dict[str, Any] = {
            "taken": self.cell(taken),
            "reply": self.cell(reply),
            "cells": self.cells(cells),
            "lower": self.cell(cells[0]),
            "upper": self.cell(cells[1]),
        }
        if len(fact.columns) == fact.count:
            return self.words.say(f"{fact.kind}.{'here' if taken == reply else 'all'}", **values)
        columns = self.columns(fact.columns)
        return self.words.say(fact.kind, n=len(fact.columns), columns=columns, **values)

    def _stack(self, fact: Fact) -> tuple[str, str]:
        lower, upper = fact.cells[:2]
        return self.cell(lower), self.cell(upper)

    # Lines of play -------------------------------------------------------------------------------

    def ending(self, line: Line, position: Position, is_answer: bool = True) -> Reason | None:
        """Where a line ends, if that says something; a single answer is told as one, unless it is not to be.

        A plan is not told here, only what it aims for; and of a long line only where it leads.
        """
        cells: tuple[Cell, ...] = ()
        fours: tuple[tuple[Cell, ...], ...] = ()
        if line.plan is not None:
            cells = line.plan.keys if isinstance(line.plan, StackPlan) else decisive(line.plan)
            fours = (line.plan.four,) if line.plan.four and not cells else ()
        elif line.seen is not None:
            cells, fours = line.seen.cells, line.seen.fours
        is_far = self.is_far(line, position)
        if is_far and line.plan is not None and cells and not isinstance(line.plan, StackPlan):
            return None  # nobody sees it from here
        text = self._ending(line, position, cells, is_answer)
        kind: ReasonKind = "aim" if is_far else "line"
        if kind == "line" and line.plan is not None and decisive(line.plan) and cells == decisive(line.plan):
            plies = line.known_after(position)
            cells = cells if plies <= 1 else self.board.cells_of(sum(line.gained(position, plies)))
        return None if text is None else Reason(kind, text, cells, fours, line.columns)

    @staticmethod
    def is_far(line: Line, position: Position) -> bool:
        """Nobody sees where it leads: it is longer than what is shown, or its cells come too late."""
        if line.plan is None or isinstance(line.plan, StackPlan) or not decisive(line.plan):
            return len(line.columns) > SHOWN
        return line.known_after(position) > SOON

    def _ending(self, line: Line, position: Position, cells: tuple[Cell, ...], is_answer: bool) -> str | None:
        moves, whose = self.line(line.columns), "you" if line.winner == position.side else "they"
        values: dict[str, Any]
        if line.winner is None:
            return self.words.say("line.draw", line=moves) if len(line.columns) <= SHOWN else None
        if isinstance(line.plan, StackPlan) or line.end == "stacked":
            lower, upper = map(self.cell, cells[:2])
            code, values = "stacked", {"lower": lower, "upper": upper}
        elif line.plan is not None:
            if not cells:
                return self._unkeyed(line.plan, line, whose)
            return self._aim(line, position, whose, cells)
        else:
            assert line.seen is not None
            four = self.four(line.seen) if line.end == "win" else ""
            code, values = line.end, {"cells": self.cells(cells), "four": four}
        if is_answer and line.is_reply and line.plan is None:
            return self.words.say(f"reply.{code}", line=self.column(line.columns[1]), **values)
        if len(line.columns) > SHOWN:
            return self.words.say(f"aim.{whose}.{code}", **values)
        return self.words.say(f"line.{whose}.{code}", line=moves, **values)

    def _unkeyed(self, plan: Plan, line: Line, whose: str) -> str | None:
        """Where a line leads to a plan that no single cell decides."""
        is_shown, four = len(line.columns) <= SHOWN, self.ends(plan.four) if plan.four else ""
        code = "hold" if plan.bound == 0 else "four" if plan.four else "last"
        if not is_shown:
            return self.words.say(f"aim.{whose}.four", four=four) if code == "four" else None
        if code == "hold" and whose == "you":
            return None
        if len(line.columns) == 1:
            return self.words.say(f"now.{whose}.{code}", four=four)
        return self.words.say(f"line.{whose}.{code}", line=self.line(line.columns), four=four)

    def _aim(self, line: Line, position: Position, whose: str, keys: tuple[Cell, ...]) -> str:
        """The cell that best play comes down to: it is there, or comes soon, or is far away."""
        plies, say = line.known_after(position), self.words.say
        if plies <= 1:
            return self._have(position.play(line.columns[0]), whose, keys)
        new, old = map(self.board.cells_of, line.gained(position, plies))
        values: dict[str, Any] = {"cells": self.cells(new, "or"), "old": self.cells(old, "or")}
        if plies == 2 and whose == "they":
            answer = self.column(line.columns[1])
            return say(f"reply.key{'.besides' if old else ''}", line=answer, **values)
        code = f"aim.{whose}.soon{'.besides' if old else ''}"
        return say(code, line=self.line(line.columns[:plies]), **values)

    def _have(self, after: Position, whose: str, keys: tuple[Cell, ...]) -> str:
        """The cells stand there; one that wins for the other side as well is nobody's own."""
        other = after.mine if whose == "you" else after.theirs
        wins = self.board.winning_cells(other, after.mask)
        both = [key for key in keys if self.board.bit(*key) & wins]
        if both and len(keys) == 1:
            return self.words.say("aim.both", cells=self.cells(keys))
        code, cells = f"aim.{whose}.have{'.both' if both else ''}", self.cells(keys, "or")
        return self.words.say(code, n=len(keys), cells=cells, both=self.cells(both))

    def standing(self, found: Standing) -> Reason:
        """Winning cells that are there already; of a single one the line, or what it lies under."""
        code, cells = f"standing.{found.whose}", self.cells(found.cells, "or")
        if found.whose == "both":
            said = self.words.say("standing.both", cells=cells)
            return Reason("standing", said, found.cells)
        if found.above:
            said = self.words.say(f"{code}.under", cells=cells, above=self.cells(found.above, "or"))
            return Reason("standing", said, (*found.cells, *found.above))
        if len(found.cells) > 1:
            return Reason("standing", self.words.say(f"{code}.several", cells=cells), found.cells)
        said = self.words.say(code, cells=cells, four=self.ends(found.four))
        return Reason("standing", said, found.cells, (found.four,))

    def ends(self, four: tuple[Cell, ...]) -> str:
        return self.words.four(self.board, four)
