"""The grounds of a verdict: which facts, lines and plans are told of a column, and in which order.

First what a player can see on the board, then what decides, then whose rows it is in.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven.position import Cell, Position
from claimeven.reasons.planned.plan import Plan, decisive
from claimeven.reasons.planned.stack import StackPlan, find_stack
from claimeven.reasons.seen.fact import Fact
from claimeven.reasons.seen.geometry import is_own_row
from claimeven.reasons.seen.ladder import FINAL, FOURS, GAINS, LADDER, OPENING, WRONG, shape, told_facts
from claimeven.reasons.seen.move import Move
from claimeven.reasons.seen.standing import standing
from claimeven.reasons.told import steps
from claimeven.reasons.told.contrast import Contrast, WhyNot
from claimeven.reasons.told.line import Line, clear_line, final, forced_line
from claimeven.reasons.told.prevention import double_prevented, force_prevented, prevented
from claimeven.reasons.told.reason import Instead, Reason
from claimeven.reasons.told.simple import QUICK, simple_win
from claimeven.reasons.told.tell import Teller
from claimeven.solver import OutOfTimeError, Score, TimedSolver

FORCING = ("threatens", "safe_replies")  # facts that say what they have to do, not what for
NAMING = ("line", "count_end")  # reasons that name what a plan comes down to
MAX_FORCED_MOVES = 6
MAX_PLAN_PLIES = 5  # before a plan begins: a line that long can be shown, and followed
PRESSING = 4  # moves: what loses so soon has to be stopped now
NEAR = 6  # moves until the end: then lines are no reason any more


@dataclass(frozen=True)
class Grounds:
    """What is told of a column, and of the others."""

    reasons: list[Reason]
    found: list[Fact]  # that the rules alone do not show
    line: Line | None
    why_not: tuple[WhyNot, ...]
    steps: list[Reason]  # of the mover's plan
    simple: Instead | None = None
    better: Instead | None = None

    @property
    def plan(self) -> Plan | None:
        return None if self.line is None else self.line.plan


class GroundsFinder:
    """Looks for the grounds of one column."""

    def __init__(
        self,
        position: Position,
        column: int,
        scores: Mapping[int, Score],
        seen: tuple[Fact, ...],
        judge: TimedSolver,
        teller: Teller,
    ) -> None:
        self.position, self.column, self.judge = position, column, judge
        self.scores, self.score, self.best = scores, scores[column], max(scores.values())
        self.seen, self.teller, self.side = seen, teller, position.side
        self.shown = told_facts(position, seen)

    def grounds(self) -> Grounds:
        stopped = self._double_prevented()
        others = self._others(() if stopped is None else stopped.columns)
        if any(fact.kind in FINAL for fact in self.seen):
            is_lost = self.best.value < 0 and self.best.moves == 1
            reasons = steps.lost(self.teller, self.position) if is_lost else []
            return Grounds(reasons or self._facts(self.shown), [], None, others, [])
        reasons, found, line = self._quick_win(stopped) or self._slow(stopped, others)
        told = self._steps(line)
        if not told:
            simple = None if self._is_quick(found) else self._simple_win()
            return Grounds(self._with_rows(reasons, line), found, line, others, told, simple)
        assert line is not None
        assert line.plan is not None
        count = steps.count(self.teller, line.plan, is_later=len(line.columns) > 1)
        if len(line.columns) == 1:
            return Grounds(self._with_rows([*reasons, *count], line), found, line, others, told)
        told = [steps.beginning(self.teller, line.columns), *count, *told]
        gained = self._with_rows(reasons, None)
        if gained == reasons and count:
            told = [*told, steps.rows(self.teller, count[1].cells[-1], self.side, self.side)]
        return Grounds(gained, found, line, others, told)

    def _others(self, known: tuple[int, ...] = ()) -> tuple[WhyNot, ...]:
        return Contrast(self.position, self.column, self.scores, self.judge, self.teller, known).all()

    def _facts(self, facts: list[Fact]) -> list[Reason]:
        is_best = self.score >= self.best
        return [self.teller.fact(f) if is_best else self.teller.fact_of_worse(f) for f in facts]

    def _double_prevented(self) -> Fact | None:
        if self.score.outcome == "loss" and (self.score.moves or 0) <= 2:
            return None
        for find in (double_prevented, force_prevented):
            found = find(self.position, self.column, self.scores)
            if found is not None and 2 * len(found.columns) >= (found.count or 0):
                return found
        return None

    def _quick_win(self, stopped: Fact | None) -> tuple[list[Reason], list[Fact], Line] | None:
        """Two cells above each other, or a line in which every answer is forced."""
        if self.score.value <= 0:
            return None
        blocks = [fact for fact in self.shown if fact.kind == "blocks"]
        stack = find_stack(self.position.play(self.column))
        if stack is not None:
            seven = [fact for fact in self.shown if fact.kind == "seven_trap"]
            line = Line((self.column,), "plan", self.side, plan=stack)
            return self._facts([*blocks, *seven]), [], line
        forced = forced_line(self.position, self.column, min(self.score.moves or 0, MAX_FORCED_MOVES))
        if forced is None:
            return None
        fact, line = forced
        found = [fact] if stopped is None else [stopped, fact]
        return self._facts([*blocks, fact]), found, line

    def _is_quick(self, found: list[Fact]) -> bool:
        return (self.score.moves or 0) < QUICK or any(fact.kind.startswith("forced_") for fact in found)

    def _simple_win(self) -> Instead | None:
        """Where the quickest win takes long, there may be one that is easier to play."""
        if self.score.value <= 0 or self.score < self.best:
            return None
        return simple_win(self.position, self.column, self.scores, self.teller)

    def _slow(
        self, stopped: Fact | None, others: tuple[WhyNot, ...]
    ) -> tuple[list[Reason], list[Fact], Line | None]:
        # What can be seen comes first: a double threat.
        found = [fact for fact in (stopped or self._prevented(others),) if fact is not None]
        urgent = [fact for fact in self.shown if fact.kind in LADDER]
        quiet = [fact for fact in self.shown if fact.kind not in LADDER]
        if stopped is not None:
            quiet = [fact for fact in quiet if fact.kind != "denies_fork"]
        told = [*urgent, *found, *quiet]
        if found and told == found and self.position.ply <= OPENING:  # what they would take is no idea yet
            told += [fact for fact in self.seen if fact.kind == "middle"]
        try:
            line = self._line()
        except OutOfTimeError:
            return self._facts(told or self._shape()), found, None
        uncovered = self._uncovered()
        if self._steps(line):
            told = [fact for fact in told if fact.kind != "undercut_by"]
            return [*self._facts(urgent), *uncovered, *self._facts(told[len(urgent) :])], found, line
        # A winning cell that they spoil is no reason, but worth a word.
        spoiled = [fact for fact in told if fact.kind == "undercut_by"]
        told = [fact for fact in told if fact not in spoiled]
        reasons, is_urgent = self._facts(told or self._shape()), stopped in told and line.plan is not None
        reasons[len(urgent) : len(urgent)] = uncovered
        standing = self._standing()
        is_told = any(fact.kind not in FORCING for fact in told)
        ending = None if is_urgent else self._end(line, is_told, bool(reasons or standing))
        if ending is None or not self._is_told_by(line):
            reasons += standing
        if ending is not None:
            reasons = self._without_filler(reasons, ending, self._turn(line))
        elif not spoiled and all(reason.kind in FOURS for reason in reasons) and self._may_build:
            reasons.append(steps.own_rows(self.teller, self.side))
        return [*reasons, *self._facts(spoiled)], found, line

    def _uncovered(self) -> list[Reason]:
        """The best move may lie below a winning cell of one's own: then they have to fill that."""
        if self.score < self.best or not Move(self.position, self.column).is_safe:
            return []
        return [steps.uncovers(self.teller, fact) for fact in self.seen if fact.kind == "wastes_threat"]

    def _without_filler(self, reasons: list[Reason], ending: Reason, turn: list[Reason]) -> list[Reason]:
        """With the end; lines that grow say nothing beside a count, nor beside the one that wins."""
        is_filler = bool(turn) or (self.score.value < 0 and any(one.kind == "standing" for one in reasons))
        kept = [
            one
            for one in reasons
            if one.kind not in FOURS or not (is_filler or set(ending.fours) & set(one.fours))
        ]
        rows = []
        if ending.kind == "aim" and ending.fours and self.score.value > 0:
            cell = ending.cells[0]
            if is_own_row(self.position.board, self.side, cell.row + 1):
                rows = [steps.rows(self.teller, cell, self.side, self.side)]
        gained = {cell for one in kept if one.kind in GAINS for cell in one.cells}
        is_said = bool(turn) and set(ending.cells) <= gained  # "you have" after "it gives you"
        return [*kept, *([] if is_said else [ending]), *turn, *rows]

    def _end(self, line: Line, is_told: bool, is_any: bool) -> Reason | None:
        """Where best play leads, if that is a reason; it is none where a draw is all there is."""
        ending = self.teller.ending(line, self.position)
        is_keyed = line.plan is not None and bool(decisive(line.plan))
        is_stack = isinstance(line.plan, StackPlan)
        is_vague = line.plan is not None and not is_keyed and not is_stack
        if self.teller.is_far(line, self.position):  # nobody sees it; how it ends may still be an idea
            return None if is_told else ending if is_stack else self._final()
        if ending is None or (is_told and self.score.value == 0):
            return None
        return None if is_vague and (is_any or self.score.value == 0) else ending

    def _final(self) -> Reason | None:
        """How a best line ends."""
        found = final(self.position, self.column, self.judge)
        disc = Cell(self.column, self.position.height(self.column))
        whose = "you" if found is not None and found.winner == self.side else "they"
        return None if found is None else steps.best_line(self.teller, found, whose, disc)

    @property
    def _may_build(self) -> bool:
        """There is time to look for a winning cell, and none yet."""
        move = Move(self.position, self.column)
        return self._is_quiet and self.score.value >= 0 and not move.wins and move.can_build

    @property
    def _is_quiet(self) -> bool:
        """The end is far away."""
        return (self.score.moves or NEAR + 1) > NEAR

    def _is_told_by(self, line: Line) -> bool:
        """The line comes down to cells that are there already."""
        return line.plan is not None and bool(decisive(line.plan)) and line.known_after(self.position) <= 1

    def _standing(self) -> list[Reason]:
        found = standing(self.position, self.column)
        if self.score.value > 0 and not any(one.whose == "you" for one in found):
            return []  # what they have does not say why you win
        return [self.teller.standing(one) for one in found]

    def _turn(self, line: Line) -> list[Reason]:
        """Who runs out of cells first, where the cell that decides is there already."""
        keys = decisive(line.plan) if line.plan is not None else ()
        if len(keys) != 1 or isinstance(line.plan, StackPlan) or line.known_after(self.position) > 1:
            return []
        assert line.winner is not None
        after = self.position.play(self.column)
        if keys[0].row <= after.height(keys[0].column):
            return []  # it is open: no waiting
        return [steps.turn(self.teller, after, keys[0], line.winner)]

    def _shape(self) -> list[Fact]:
        """What speaks for a move is not told of one that gives something away, nor when the end is near."""
        is_good = self.score.outcome == self.best.outcome
        lost = [score.moves or 0 for score in self.scores.values() if score.value < 0 and score < self.score]
        is_pressed = any(1 < moves <= PRESSING for moves in lost)
        return shape(self.position, self.seen, is_pressed) if is_good and self._is_quiet else []

    def _prevented(self, others: tuple[WhyNot, ...]) -> Fact | None:
        """What it takes from them, where other columns lose."""
        if self.score.value < 0 or self.score < self.best:
            return None
        found = prevented(self.position, self.column, others, self.judge)
        # Who wins has other reasons than what a few columns allow.
        is_rare = self.score.value > 0 and found is not None and 2 * len(found.columns) < len(others)
        return None if is_rare else found

    def _line(self) -> Line:
        """Best play up to where the rest is clear."""
        # A draw is held by whoever is content with it: the mover, unless he had more.
        holder = self.side if self.score >= self.best else None
        line = clear_line(self.position, self.column, self.judge, holder)
        if line.winner is None and holder is not None:
            line = clear_line(self.position, self.column, self.judge)  # at least why there is no more
        return line

    def _steps(self, line: Line | None) -> list[Reason]:
        """The instructions of the mover's plan: only from the board, or after a line that is shown whole."""
        if line is None or line.plan is None or line.winner != self.side:
            return []
        most = 1 if self.position.ply <= OPENING else MAX_PLAN_PLIES
        if len(line.columns) > most or not steps.can_tell(line.plan):
            return []
        told = steps.instructions(self.teller, line.plan)
        if len(line.columns) == 1 and not line.plan.keys:
            return [steps.beginning(self.teller, line.columns), *told]
        return told

    def _with_rows(self, reasons: list[Reason], line: Line | None) -> list[Reason]:
        """Whose rows the cells are in: once, right after the sentences that name them."""
        if any(reason.kind in WRONG for reason in reasons):
            return reasons  # it is said already
        plan, cell, side = None if line is None else line.plan, None, self.side
        named = [place for place, reason in enumerate(reasons) if reason.kind in GAINS]
        if named:
            cell = reasons[named[0]].cells[0]
        elif plan is not None and not isinstance(plan, StackPlan):
            named = [place for place, reason in enumerate(reasons) if reason.kind in NAMING]
            # A row of four counts like a cell of it.
            is_row = len({cell.row for cell in plan.four}) == 1
            cell, side = next(iter(decisive(plan) or (plan.four if is_row else ())), None), plan.holder
        if cell is None or not named:
            return reasons
        place = named[-1] + 1
        while place < len(reasons) and reasons[place].kind in ("count", "undercuts"):
            place += 1
        return [*reasons[:place], steps.rows(self.teller, cell, side, self.side), *reasons[place:]]
