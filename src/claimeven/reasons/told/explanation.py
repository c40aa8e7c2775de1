"""Why a move is good or bad: the verdict, the first reason that applies, and what is wrong with the rest."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import SupportsIndex

from claimeven import notation
from claimeven.errors import InputError, MoveError
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.seen.fact import Fact, FactKind, SeenKind
from claimeven.reasons.seen.move import facts
from claimeven.reasons.seen.rank import Goal, goal, rank
from claimeven.reasons.told.contrast import Contrast, WhyNot
from claimeven.reasons.told.drawing import explanation_svg
from claimeven.reasons.told.judge import Judge, OutOfTimeError
from claimeven.reasons.told.line import DECIDED, Line, clear_line, forced_line
from claimeven.reasons.told.prevention import prevented
from claimeven.reasons.told.reason import Reason, joined
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.words import Words
from claimeven.solver import Analysis, Score, Solver, shared_solver

# Facts that decide; of the others the text tells one or two.
LADDER: tuple[SeenKind, ...] = (
    "wins_now",
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
    "threatens",
    "denies_fork",
    "undercuts",
    "gains_odd",
    "gains_even",
    "safe_replies",
    "wastes_threat",
)
# After these nothing is left to explain.
FINAL: tuple[SeenKind, ...] = ("wins_now", "leaves_win", "gives_win", "open_three", *DECIDED)
MAX_FORCED_MOVES = 6
MANY = 2  # columns; to name more that are safe says little


@dataclass(frozen=True)
class Explanation:
    """Every sentence of `text` is one of the facts, a line or the plan; docs/explanations.md says how."""

    position: Position
    column: int
    language: str
    score: Score | None
    goal: Goal | None
    verdict: str
    rank: Reason | None  # how the column compares with the others, where that says something
    reasons: tuple[Reason, ...]  # why it is so, what decides first
    facts: tuple[Fact, ...]
    line: Line | None = None  # best play up to where the rest is clear
    plan: Plan | None = None  # the mover's, from the end of `line` on
    steps: tuple[Reason, ...] = ()  # of the plan
    why_not: tuple[WhyNot, ...] = ()  # the tempting one first

    @property
    def reason(self) -> str:
        """The one sentence to tell if there is time for one; "" when there is none."""
        return next((reason.text for reason in (*self.reasons, self.rank) if reason is not None), "")

    @property
    def sentence(self) -> str:
        """The verdict and that sentence."""
        return f"{self.verdict} {self.reason}".strip()

    @property
    def grounds(self) -> str:
        """All that speaks for or against the column itself."""
        return joined((*(() if self.rank is None else (self.rank,)), *self.reasons))

    @property
    def opening(self) -> str:
        """The verdict and its grounds, without the plan and the other columns."""
        return f"{self.verdict} {self.grounds}".strip()

    @property
    def plan_text(self) -> str | None:
        return joined(self.steps) if self.plan is not None else None

    @property
    def own_text(self) -> str:
        """What is said of the column itself: the opening and the plan."""
        return self.opening if self.plan_text is None else f"{self.opening}\n{self.plan_text}"

    @property
    def text(self) -> str:
        """All of it: the opening, the plan, and what the other columns come to."""
        return "\n".join([self.own_text, *dict.fromkeys(other.text for other in self.why_not)])

    def _repr_html_(self) -> str:
        """For notebooks: the picture, and the text beside it."""
        text = "".join(f"<p>{escape(line)}</p>" for line in self.text.splitlines() if line.strip())
        return f"<figure>{explanation_svg(self)}<figcaption>{text}</figcaption></figure>"

    def _repr_svg_(self) -> str:
        """Notebooks draw it."""
        return explanation_svg(self)

    def to_json(self) -> dict[str, object]:
        board = self.position.board
        return {
            "position": str(self.position),
            "moves": self.position.moves,
            "board": str(board),
            "column": notation.column_digit(self.column),
            "language": self.language,
            "score": None if self.score is None else int(self.score),
            "outcome": None if self.score is None else self.score.outcome,
            "winner_moves": None if self.score is None else self.score.moves,
            "goal": self.goal,
            "goal_words": None if self.goal is None else Words(self.language).say(f"goal.{self.goal}"),
            "verdict": self.verdict,
            "reason": self.reason,
            "rank": None if self.rank is None else self.rank.to_json(board),
            "reasons": [reason.to_json(board) for reason in self.reasons],
            "facts": [fact.to_json(board) for fact in self.facts],
            "line": None if self.line is None else self.line.to_json(),
            "plan": None if self.plan is None else self.plan.to_json(),
            "steps": [step.to_json(board) for step in self.steps],
            "why_not": [other.to_json(board) for other in self.why_not],
            "text": self.text,
        }


def explain(
    position: Position,
    column: SupportsIndex | None = None,
    solver: Solver | bool | None = True,
    language: str = "en",
    limit: Limit | None = None,
) -> Explanation:
    """Explain playing a column (counted from 0) to the side that plays it; without a column, the best one.

    `solver`: one of yours, the one that the process shares (True), or none.

    Without a limit everything is exact. A limit is for the whole of it: when it comes early, lines and plans
    are missing, and when it comes too early for the scores, or there is no solver, only what the rules show
    is told.
    """
    if not isinstance(position, Position):
        raise InputError("not_position", position=f"{position!r:.60}")
    if position.is_over:
        raise MoveError("over.nothing_to_explain")
    if column is not None:
        position.play(column)  # or it says why not
    teller, judge = Teller(position.board, language), None
    if solver:
        judge = Judge(shared_solver() if solver is True else solver, limit)
    analysis = _analysed(position, judge)
    if column is None:
        column = position.board.central((analysis and analysis.best) or position.legal)
    column = operator.index(column)
    seen = facts(position, column)
    if judge is None or analysis is None:
        return _unsolved(position, column, teller, seen)
    return _Case(position, column, judge, analysis, seen, teller).explanation()


def _analysed(position: Position, judge: Judge | None) -> Analysis | None:
    try:
        return None if judge is None else judge.analyse(position)
    except OutOfTimeError:
        return None


def _unsolved(position: Position, column: int, teller: Teller, seen: tuple[Fact, ...]) -> Explanation:
    told = tuple(teller.fact(fact) for fact in _told(position, seen) or _shape(seen))
    language, verdict = teller.words.language, teller.verdict(column, None)
    return Explanation(position, column, language, None, None, verdict, None, told, seen)


def _told(position: Position, seen: tuple[Fact, ...]) -> list[Fact]:
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
    return found + [by_kind[kind] for kind in QUIET if kind in by_kind][: 2 - min(len(found), 1)]


def _shape(seen: tuple[Fact, ...]) -> list[Fact]:
    """The line that matters most, for a move that does nothing else that can be told."""
    return [fact for fact in seen if fact.kind in ("joins", "kills") and (fact.stones or 0) >= 2][:1]


class _Case:
    """One explanation in the making."""

    def __init__(
        self,
        position: Position,
        column: int,
        judge: Judge,
        analysis: Analysis,
        seen: tuple[Fact, ...],
        teller: Teller,
    ) -> None:
        self.position, self.column, self.judge = position, column, judge
        self.scores: Mapping[int, Score] = analysis.scores
        self.score = analysis.scores[column]
        self.seen, self.teller = seen, teller
        self.ends_here = any(fact.kind in FINAL for fact in seen)

    def explanation(self) -> Explanation:
        teller, position = self.teller, self.position
        score_fact = Fact("score", self.column, value=int(self.score), moves=self.score.moves)
        ranked = rank(position.board, self.column, self.scores)
        why_not = Contrast(position, self.column, self.scores, self.judge, teller).all()
        reasons, found, line = self._reasons(why_not)
        # The plan of the mover, if the line ends in one.
        plan = line.plan if line is not None and line.winner == position.side else None
        return Explanation(
            position,
            self.column,
            teller.words.language,
            self.score,
            goal(self.column, self.scores),
            teller.verdict(self.column, self.score),
            None if ranked is None else teller.fact(ranked),
            tuple(reasons),
            (score_fact, *([ranked] if ranked else []), *self.seen, *found),
            line,
            plan,
            () if plan is None else tuple(self._steps(plan)),
            why_not,
        )

    def _reasons(self, others: tuple[WhyNot, ...]) -> tuple[list[Reason], list[Fact], Line | None]:
        """The sentences of the ladder, the facts that were looked for, and the line."""
        teller, shown = self.teller, _told(self.position, self.seen)
        if self.ends_here:
            return [teller.fact(fact) for fact in shown], [], None
        if self.score.value > 0:
            forced = forced_line(self.position, self.column, min(self.score.moves or 0, MAX_FORCED_MOVES))
            if forced is not None:
                fact, line = forced
                blocks = [teller.fact(fact) for fact in self.seen if fact.kind == "blocks"]
                return [*blocks, teller.fact(fact)], [fact], line
        found = self._prevented(others)
        urgent = [fact for fact in shown if fact.kind in LADDER]
        told = [teller.fact(fact) for fact in (*urgent, *found, *shown[len(urgent) :])]
        try:
            line = self._line()
        except OutOfTimeError:
            return told, found, None
        if line.plan is not None and len(line.columns) == 1:
            return told, found, line  # the plan is told next
        is_enough = self.score.value == 0 and self.score >= max(self.scores.values())
        if is_enough and line.winner == 1 - self.position.side:
            return [*told, teller.no_more(line)], found, line
        return [*told, teller.ending(line, self.position.side)], found, line

    def _prevented(self, others: tuple[WhyNot, ...]) -> list[Fact]:
        """A draw is held by what it takes from them."""
        if self.score.value != 0 or max(self.scores.values()).value > 0:
            return []
        fact = prevented(self.position, self.column, others, self.judge)
        return [] if fact is None else [fact]

    def _line(self) -> Line:
        """Best play up to where the rest is clear."""
        # A draw is held by whoever is content with it: the mover, unless he had more.
        holder = self.position.side if self.score >= max(self.scores.values()) else None
        line = clear_line(self.position, self.column, self.judge, holder)
        if line.winner is None and holder is not None:
            line = clear_line(self.position, self.column, self.judge)  # at least why there is no more
        return line

    def _steps(self, plan: Plan) -> list[Reason]:
        steps = self.teller.plan(plan)
        if plan.position.ply == self.position.ply + 1:
            return [self.teller.plan_now(), *steps]
        # Where the line leads is told before: that they can never complete a line need not be said twice.
        return steps if plan.bound < 0 else steps[:-1]
