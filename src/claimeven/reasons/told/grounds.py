"""The grounds of a verdict: which facts, lines and plans are told of a column, and in which order.

First what a player can see on the board, then what decides, then whose rows it is in.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven.position import Position
from claimeven.reasons.planned.plan import Plan, decisive
from claimeven.reasons.planned.stack import StackPlan, find_stack
from claimeven.reasons.seen.fact import Fact, FactKind, SeenKind
from claimeven.reasons.told import steps
from claimeven.reasons.told.contrast import Contrast, WhyNot
from claimeven.reasons.told.line import DECIDED, Line, clear_line, forced_line
from claimeven.reasons.told.prevention import double_prevented, prevented
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.told.simple import QUICK, SimpleWin, simple_win
from claimeven.reasons.told.tell import Teller
from claimeven.solver import OutOfTimeError, Score, TimedSolver

# Facts that decide; of the others the text tells one or two.
LADDER: tuple[SeenKind, ...] = (
    "wins_now",
    "misses_win",
    "blocks",
    "blocks_one",
    "leaves_win",
    "gives_win",
    "open_three",
    "fork",
    "stacked",
    "zugzwang",
)
QUIET: tuple[SeenKind, ...] = (
    "seven_trap",
    "stacked_pair",
    "denies_fork",
    "gains_odd",
    "gains_even",
    "undercut_by",
    "safe_replies",
    "threatens",
)
NAMING = ("line", "count_end")  # reasons that name what a plan comes down to
GAINS: tuple[FactKind, ...] = ("gains_odd", "gains_even")
# After these nothing is left to explain.
FINAL: tuple[SeenKind, ...] = ("wins_now", "misses_win", "leaves_win", "gives_win", "open_three", *DECIDED)
MAX_FORCED_MOVES = 6
MAX_PLAN_PLIES = 5  # before a plan begins: a line that long can be shown, and followed
MANY = 2  # columns; to name more that are safe says little
OPENING = 8  # plies: nobody sees the end from there, so the idea is told


def told_facts(position: Position, seen: tuple[Fact, ...]) -> list[Fact]:
    """What is said of the facts on the board: what decides, or else the two that matter most."""
    by_kind: dict[FactKind, Fact] = {}
    for fact in seen:
        by_kind.setdefault(fact.kind, fact)
    if position.board.connect != 4:  # it is three stones that have a name
        by_kind.pop("open_three", None)
    found = [by_kind[kind] for kind in LADDER if kind in by_kind]
    if "open_three" in by_kind:
        found = [fact for fact in found if fact.kind != "fork"]
    if any(fact.kind in FINAL for fact in found):
        return found
    if "safe_replies" in by_kind and (by_kind["safe_replies"].count or 0) > MANY:
        by_kind.pop("safe_replies")
    quiet = [by_kind[kind] for kind in QUIET if kind in by_kind][: 2 - min(len(found), 1)]
    if quiet[:1] == [by_kind.get("seven_trap")] and "stacked_pair" in by_kind:
        quiet = [quiet[0], by_kind["stacked_pair"]]
    gains = {fact.cells for fact in quiet if fact.kind in GAINS}
    undercuts = [f for f in seen if f.kind == "undercuts" and f.cells[:1] in gains]
    return found + quiet + undercuts[:1]


def shape(seen: tuple[Fact, ...]) -> list[Fact]:
    """What a quiet move does for lines: told when there is nothing else."""
    lines = [fact for fact in seen if fact.kind in ("joins", "kills") and (fact.stones or 0) >= 2]
    return crossing(seen) or lines[:1]


def crossing(seen: tuple[Fact, ...]) -> list[Fact]:
    """The lines through the cell, where they are many."""
    return [fact for fact in seen if fact.kind == "most_lines" and (fact.count or 0) > MANY]


@dataclass(frozen=True)
class Grounds:
    """What is told of a column, and of the others."""

    reasons: list[Reason]
    found: list[Fact]  # that the rules alone do not show
    line: Line | None
    why_not: tuple[WhyNot, ...]
    steps: list[Reason]  # of the mover's plan
    simple: SimpleWin | None = None

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
        known = () if stopped is None else stopped.columns
        others = Contrast(self.position, self.column, self.scores, self.judge, self.teller, known).all()
        if any(fact.kind in FINAL for fact in self.seen):
            return Grounds(self._facts(self.shown), [], None, others, [])
        reasons, found, line = self._quick_win(stopped) or self._slow(stopped, others)
        told = self._steps(line)
        if not told:
            simple = None if self._is_quick(found) else self._simple_win()
            return Grounds(self._with_rows(reasons, line), found, line, others, told, simple)
        assert line is not None
        assert line.plan is not None
        count = steps.count(self.teller, line.plan)
        if len(line.columns) == 1:
            return Grounds(self._with_rows([*reasons, *count], line), found, line, others, told)
        told = [steps.beginning(self.teller, line.columns), *count, *told]
        gained = self._with_rows(reasons, None)
        if gained == reasons and count:
            told = [*told, steps.rows(self.teller, count[1].cells[-1], self.side, self.side)]
        return Grounds(gained, found, line, others, told)

    def _facts(self, facts: list[Fact]) -> list[Reason]:
        is_best = self.score >= self.best
        return [self.teller.fact(f) if is_best else self.teller.fact_of_worse(f) for f in facts]

    def _double_prevented(self) -> Fact | None:
        if self.score.outcome == "loss" and (self.score.moves or 0) <= 2:
            return None
        found = double_prevented(self.position, self.column, self.scores)
        is_common = found is not None and 2 * len(found.columns) >= (found.count or 0)
        return found if is_common else None

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

    def _simple_win(self) -> SimpleWin | None:
        """Where the quickest win takes long, there may be one that is easier to play."""
        if self.score.value <= 0 or self.score < self.best:
            return None
        return simple_win(self.position, self.column, self.scores, self.teller)

    def _slow(
        self, stopped: Fact | None, others: tuple[WhyNot, ...]
    ) -> tuple[list[Reason], list[Fact], Line | None]:
        prevented = [fact for fact in (stopped, self._prevented(others)) if fact is not None]
        found = sorted(prevented, key=lambda fact: -len(fact.columns))[:1]
        urgent = [fact for fact in self.shown if fact.kind in LADDER]
        quiet = [fact for fact in self.shown if fact.kind not in LADDER]
        if stopped is not None:
            quiet = [fact for fact in quiet if fact.kind != "denies_fork"]
        if self.score < self.best:  # what is wrong with it, first
            quiet = [*(fact for fact in self.seen if fact.kind == "wastes_threat"), *quiet][:2]
        told = [*urgent, *found, *quiet]
        if self.position.ply <= OPENING and not told and self.score >= self.best:
            told = crossing(self.seen)
        try:
            line = self._line()
        except OutOfTimeError:
            return self._facts(told or self._shape()), found, None
        if self._steps(line) and self.score >= self.best:
            told = [fact for fact in told if fact.kind != "undercut_by"]
        reasons = self._facts(told)
        if not self._steps(line):
            ending = self.teller.ending(line, self.position)
            # Where a draw is all there is, it is no reason that they hold it.
            is_no_reason = bool(reasons) and self.score.value == 0 and self.score >= self.best
            # Who has to stop two threats does not ask what decides at the end of the game.
            is_no_reason |= stopped in told and line.plan is not None
            reasons += [] if ending is None or is_no_reason else [ending, *self._turn(line)]
            reasons = reasons or self._facts(self._shape())
        return reasons, found, line

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
        """What speaks for a move is not told of one that gives something away."""
        return shape(self.seen) if self.score >= self.best else []

    def _prevented(self, others: tuple[WhyNot, ...]) -> Fact | None:
        """A draw is held by what it takes from them."""
        if self.score.value != 0 or self.best.value > 0:
            return None
        return prevented(self.position, self.column, others, self.judge)

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
        """Whose rows the cells are in, once."""
        gains = [reason.cells[0] for reason in reasons if reason.kind in GAINS]
        if gains:
            return [*reasons, steps.rows(self.teller, gains[0], self.side, self.side)]
        plan = None if line is None else line.plan
        if plan is None or isinstance(plan, StackPlan) or not any(r.kind in NAMING for r in reasons):
            return reasons
        # A row of four counts like a cell of it.
        is_row = len({cell.row for cell in plan.four}) == 1
        cells = decisive(plan) or (plan.four if is_row else ())
        return [*reasons, steps.rows(self.teller, cells[0], plan.holder, self.side)] if cells else reasons
