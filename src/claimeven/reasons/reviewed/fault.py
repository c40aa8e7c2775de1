"""What is wrong with a column, told before it is played: the mistake that a person would see."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from claimeven.position import Cell, Position
from claimeven.reasons.planned.plan import decisive
from claimeven.reasons.planned.stack import StackPlan
from claimeven.reasons.reviewed import instead
from claimeven.reasons.reviewed.mistake import WORTH, Mistake, mistake
from claimeven.reasons.seen.fact import Fact, SeenKind
from claimeven.reasons.seen.ladder import FINAL, GAINS, OPENING
from claimeven.reasons.seen.move import Move, facts
from claimeven.reasons.seen.rank import most_telling
from claimeven.reasons.told.grounds import FORCING, Grounds, GroundsFinder
from claimeven.reasons.told.line import Line
from claimeven.reasons.told.reason import Instead, Reason
from claimeven.reasons.told.tell import Teller
from claimeven.solver import OutOfTimeError

# How a kind of mistake that the answer shows is told; the others show in what is better.
CODES = {
    "fork_allowed": "reply.fork",
    "stacked_allowed": "reply.stacked",
    "zugzwang_allowed": "reply.zugzwang",
    "seven_allowed": "fault.pair",
    "pair_allowed": "fault.pair",
    "rows_allowed": "fault.rows",
    "count_allowed": "fault.count",
}


# Reasons that say nothing for the disc itself.
CONTEXT = ("standing", "rows", "line", "aim", "plan_now", "count", "undercut_by")
# What is told of their answer, first what says most.
ANSWERS: tuple[SeenKind, ...] = (
    *("stacked_pair", "gains_odd", "gains_even", "prepares_fork", "prepares_stacked", "kills", "threatens"),
)
LONG = 10  # moves: only what takes longer is hard to see
STOPS = ("stops_fork", "stops_stacked")
TAKES = ("takes_only", "takes_one")
SHAPE = ("joins", "kills", "most_lines", "middle")
# Reasons that leave open why another column is worse.
VAGUE = ("joins", "kills", "most_lines", "rows", "aim", "safe_replies")
SEEN = 6  # moves that a person follows to a winning cell of theirs
REFUTED = 2  # columns: what is wrong with more is no reason for one
COUNTED = ("count", "count_end", "rows")  # reasons that belong to a plan
SOON = 5  # moves: a win that is worth more than a plan


class FaultFinder(GroundsFinder):
    """Looks for the grounds of any column; of one that is not the best: what is wrong, and what is better."""

    answer: int | None = None  # of theirs, if the fault names one

    def grounds(self) -> Grounds:
        wrong = self._wrong()
        if wrong is None:
            return self._refuting(self._slightly_worse(super().grounds()))
        if any(fact.kind in FINAL for fact in self.seen):
            reasons = self._facts(self.shown)
            return Grounds(reasons, [], None, self._others(), [], None, self._better(reasons))
        reasons, line = self._fault(wrong)
        return Grounds(reasons, [], line, self._others(), [], None, self._better(reasons))

    def _fault(self, wrong: Mistake) -> tuple[list[Reason], Line | None]:
        """What is wrong with the column, and the line that follows it."""
        line = None
        with suppress(OutOfTimeError):
            line = self._line()
        reasons = told_fault(wrong, self.teller)
        if reasons and wrong.kind.endswith("_allowed"):
            self.answer = wrong.line[0]
        reasons = reasons or self._consequence(line, 2) or self._answered()
        return reasons or self._consequence(line, SEEN) or deep(wrong, self.teller), line

    def answered(self) -> tuple[int, Reason] | None:
        """An answer of theirs that shows what is wrong with the column, without a line of play."""
        wrong = self._wrong()
        told = [] if wrong is None else self._fault(wrong)[0]
        if self.answer is None or not told or told[0].kind != "fault" or told[0].moves:
            return None
        return self.answer, told[0]

    def _refuting(self, found: Grounds) -> Grounds:
        """Where little speaks for the best column itself, what speaks against others is told."""
        disc = Cell(self.column, self.position.height(self.column))
        is_part = any(disc in four for one in found.reasons if one.kind == "aim" for four in one.fours)
        is_idea = is_part or any(one.kind not in VAGUE for one in found.reasons)
        if self.score < self.best or found.steps or is_idea:
            return found
        told = found.reasons
        for other in self._near_misses():
            seen = facts(self.position, other)
            finder = FaultFinder(self.position, other, self.scores, seen, self.judge, self.teller)
            wrong = finder._wrong()
            fault = [] if wrong is None else finder._fault(wrong)[0]
            if finder.answer is not None and fault:
                told = [one for one in told if one.kind != "rows"]
                told = [*told, instead.worse(self.teller, other, fault[0])]
        return replace(found, reasons=told)

    def _near_misses(self) -> list[int]:
        """The best of the columns that end worse, and do not lose at first sight."""
        worse = [
            column
            for column, score in self.scores.items()
            if score.outcome != self.score.outcome and (score.moves or SEEN) > 1
        ]
        off = self.position.board.off_centre
        return sorted(worse, key=lambda column: (-self.scores[column].value, off(column)))[:REFUTED]

    def _wrong(self) -> Mistake | None:
        """The mistake, if it is one; a win that takes a little longer is none."""
        if self.score >= self.best:
            return None
        try:
            return mistake(self.position, self.column, self.judge.analyse)
        except OutOfTimeError:
            return mistake(self.position, self.column)

    def _slightly_worse(self, found: Grounds) -> Grounds:
        """As good for most people, unless another column wins much sooner, or loses much later."""
        lag = abs((self.score.moves or 0) - (self.best.moves or 0))
        is_soon = self.best.value > 0 and (self.best.moves or 0) <= SOON
        if self.score >= self.best or (lag < WORTH and not is_soon):
            return found
        dropped = (*(COUNTED if found.steps else ()), *(SHAPE if lag >= WORTH else ()))
        reasons = [reason for reason in found.reasons if reason.kind not in dropped]
        return replace(found, reasons=reasons, steps=[], better=self._better(reasons))

    def _consequence(self, line: Line | None, most: int) -> list[Reason]:
        """The winning cell that they have after at most so many moves, or have already."""
        plan = None if line is None else line.plan
        if line is None or plan is None or line.winner == self.side or not decisive(plan):
            return []
        ending = self.teller.ending(line, self.position) if line.known_after(self.position) <= most else None
        is_shown = isinstance(plan, StackPlan) or line.known_after(self.position) > 1
        if ending is not None and ending.kind == "line" and is_shown and len(line.columns) > 1:
            self.answer = line.columns[1]
        return [] if ending is None else self._with_rows([ending, *self._turn(line)], line)

    def _answered(self) -> list[Reason]:
        """What their best answer does: the first that can be seen of it."""
        after = self.position.play(self.column)
        try:
            best = self.judge.analyse(after).best
        except OutOfTimeError:
            return []
        for kind in ANSWERS:
            if kind == "prepares_fork":  # what they make comes before what they prepare
                shared = self._shared(after, best)
                if shared is not None:
                    return [shared]
            for reply in best:
                found = [fact for fact in facts(after, reply) if fact.kind == kind]
                if found and (found[0].stones is None or found[0].stones > 1):
                    self.answer = reply
                    return [instead.answer(self.teller, found[0])]
        return []

    def _shared(self, after: Position, best: Iterable[int]) -> Reason | None:
        """A winning cell that was yours alone, and on which they win too after their answer."""
        board = self.position.board
        for reply in best:
            move = Move(after, reply)
            cells = move.their_wins & move.wins & ~move.old_wins & ~move.open
            if cells:
                self.answer = reply
                return instead.shares(self.teller, reply, board.cells_of(cells))
        return None

    def _better(self, reasons: list[Reason]) -> Instead | None:
        """The best column with its own first reason, unless the fault says it all."""
        if any(reason.kind == "misses_win" for reason in reasons):
            return None
        column = most_telling(self.position, [c for c in self.scores if self.scores[c] == self.best])
        seen = facts(self.position, column)
        try:
            found = GroundsFinder(self.position, column, self.scores, seen, self.judge, self.teller).grounds()
        except OutOfTimeError:
            return None
        why = [reason for reason in (*found.reasons, *found.steps) if reason.kind not in CONTEXT]
        begins = next((step.moves for step in found.steps if step.kind == "plan_now" and step.moves), ())
        # What it prevents is a reason only if this column allows it.
        others = [fact.kind for fact in found.found if fact.columns and self.column not in fact.columns]
        why = [reason for reason in why if reason.kind not in others]
        # What comes of it says more than what they have to do at once.
        why.sort(key=lambda reason: reason.kind in FORCING)
        if why and why[0].kind == "blocks":
            return None
        faults = [set(reason.cells) for reason in reasons if reason.kind == "fault" and reason.cells]
        if why and why[0].kind in STOPS and any(cells <= set(why[0].cells) for cells in faults):
            return Instead(column, (instead.stops_that(self.teller, column),))
        if not why or why[0].kind in (*TAKES, *SHAPE):
            equal = [other for other in self.scores if self.scores[other] == self.best and other != column]
            for other in (column, *equal):
                taken = self._takes(other)
                if taken is not None:
                    return Instead(other, (instead.better(self.teller, other, taken),))
            is_idea = bool(why) and why[0].kind in SHAPE and self.position.ply <= OPENING
            why = why[:1] if is_idea else []
        if not why:
            return self._at_least(column, found, reasons)
        is_said = why[0].kind not in GAINS or any(reason.kind == "rows" for reason in reasons)
        rows = [] if is_said else [reason for reason in found.reasons if reason.kind == "rows"]
        return Instead(column, (instead.better(self.teller, column, why[0], begins), *rows[:1]))

    def _at_least(self, column: int, found: Grounds, said: list[Reason]) -> Instead | None:
        """Without a reason against this very column: what is told for the better one, if not said yet."""
        kinds = ("line", "count", "rows") if self.best.value > 0 else ("stops_line",)
        texts = [reason.text for reason in said]
        why = [reason for reason in found.reasons if reason.kind in kinds and reason.text not in texts]
        if not why or why[0].kind not in ("line", "stops_line"):
            return None
        return Instead(column, (instead.better(self.teller, column, why[0]), *why[1:]))

    def _takes(self, column: int) -> Reason | None:
        """The better column takes the cell with which they would answer this one.

        Where another answer was told, they could also answer with this one.
        """
        if column == self.column or self.score.outcome == self.best.outcome:
            return None
        try:
            replies = self.judge.analyse(self.position.play(self.column)).scores
        except OutOfTimeError:
            return None
        keeping = [reply for reply in replies if replies[reply].outcome == max(replies.values()).outcome]
        cell = Cell(column, self.position.height(column))
        how = "best" if keeping != [column] else "only" if self.score.value < 0 else "saves"
        if self.answer not in (None, column):
            how = "also"
        return instead.takes(self.teller, cell, self.column, how) if column in keeping else None


def told_fault(found: Mistake, teller: Teller) -> list[Reason]:
    """One sentence, or none where nothing shows on the board."""
    if found.kind == "threat_burned":
        return [teller.fact(Fact("wastes_threat", found.column, found.cells))]
    code = f"fault.line.{found.end}" if found.kind == "line_allowed" else CODES.get(found.kind)
    if code is None:
        return []
    name = teller.cell
    line = (found.column, *found.line)
    values: dict[str, Any] = {"cells": teller.cells(found.cells), "moves": teller.line(line)}
    values["lower"], values["upper"] = (*map(name, found.cells[:2]), "", "")[:2]
    text = teller.words.say(code, n=len(found.cells), line=teller.column(found.line[0]), **values)
    return [Reason("fault", text, found.cells, (), line if found.kind == "line_allowed" else ())]


def deep(found: Mistake, teller: Teller) -> list[Reason]:
    """Nothing shows soon: that is said too."""
    if found.kind != "deep" or found.depth < LONG or found.had is None or found.has is None:
        return []
    code, end = ("fault.deep", found.has) if found.has.value < 0 else ("fault.slips", found.had)
    return [Reason("fault", teller.words.say(code, n=end.moves))]
