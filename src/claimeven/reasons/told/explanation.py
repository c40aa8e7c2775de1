"""Why a move is good or bad: the verdict, the first reason that applies, and what is wrong with the rest."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import SupportsIndex, TypedDict

from claimeven import notation
from claimeven.errors import InputError, MoveError
from claimeven.limit import Limit
from claimeven.position import Position, needed
from claimeven.reasons.planned.plan import Plan, PlanJson
from claimeven.reasons.reviewed.fault import FaultFinder
from claimeven.reasons.seen.fact import Fact, FactJson
from claimeven.reasons.seen.ladder import FINAL, shape, told_facts
from claimeven.reasons.seen.move import facts
from claimeven.reasons.seen.rank import Goal, goal, most_telling, rank
from claimeven.reasons.told import steps
from claimeven.reasons.told.contrast import WhyNot, WhyNotJson
from claimeven.reasons.told.drawing import explanation_svg
from claimeven.reasons.told.line import Line, LineJson
from claimeven.reasons.told.reason import Instead, Reason, ToldInstead, ToldReason, joined
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.words import Words
from claimeven.solver import Analysis, Outcome, OutOfTimeError, Score, Solver, TimedSolver, shared_solver


class ExplanationJson(TypedDict):
    """docs/explanations.md says what each is."""

    position: str
    moves: str | None
    board: str
    column: str
    language: str
    score: int | None
    outcome: Outcome | None
    winner_moves: int | None
    goal: Goal | None
    goal_words: str | None
    verdict: str
    reason: str
    rank: ToldReason | None
    reasons: list[ToldReason]
    facts: list[FactJson]
    line: LineJson | None
    plan: PlanJson | None
    steps: list[ToldReason]
    why_not: list[WhyNotJson]
    simple: ToldInstead | None
    better: ToldInstead | None
    text: str


@dataclass(frozen=True)
class Explanation:
    """Every sentence of `text` is one of the facts, a line or the plan; docs/explanations.md says how."""

    position: Position
    column: int
    language: str
    score: Score | None
    goal: Goal | None
    verdict: str
    proof: str  # the same after sentences about the column, which do not name it; "" when there is none
    rank: Reason | None  # how the column compares with the others, where that says something
    reasons: tuple[Reason, ...]  # why it is so, what decides first
    facts: tuple[Fact, ...]
    line: Line | None = None  # best play up to where the rest is clear
    plan: Plan | None = None  # the mover's, from the end of `line` on
    steps: tuple[Reason, ...] = ()  # of the plan
    why_not: tuple[WhyNot, ...] = ()  # the tempting one first
    simple: Instead | None = None  # another column that wins later, but is easier to play
    better: Instead | None = None  # of a column that is not the best: one that is, and why

    @property
    def reason(self) -> str:
        """The one sentence to tell if there is time for one; "" when there is none."""
        return next((reason.text for reason in (*self.reasons, self.rank) if reason is not None), "")

    @property
    def sentence(self) -> str:
        """That sentence and the verdict."""
        if not self.reasons:
            return f"{self.verdict} {self.reason}".strip()
        return f"{self._head(self.reason)} {self.proof or self.verdict}"

    @property
    def grounds(self) -> str:
        """All that speaks for or against the column itself, what decides first."""
        return joined((*self.reasons, *(() if self.rank is None else (self.rank,))))

    @property
    def proved(self) -> str:
        """What the column comes to, and how it compares with the others."""
        verdict = self.proof if (self.reasons or self.steps) and self.proof else self.verdict
        is_said = any(reason.kind == "misses_win" for reason in self.reasons)
        return verdict if self.rank is None or is_said else f"{verdict} {self.rank.text}"

    @property
    def opening(self) -> str:
        """Why, and what is proved; without the plan and the other columns."""
        told = joined(self.reasons) or (self.plan_text or "")
        return f"{self._head(told)} {self.proved}" if told else self.proved

    @property
    def plan_text(self) -> str | None:
        return joined(self.steps) or None

    @property
    def own_text(self) -> str:
        """What is said of the column itself: the opening and the plan."""
        return f"{self.opening}\n{self.plan_text}" if self.reasons and self.steps else self.opening

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """Why, how to go on, and what is proved of this column and the others."""
        others = dict.fromkeys(other.text for other in self.why_not if other.is_told)
        told = [part for part in (joined(self.reasons), self.plan_text) if part]
        parts = [*([self._head(told[0])] if told else []), *told[1:]]
        parts += [other.text for other in (self.better, self.simple) if other is not None]
        return (*parts, " ".join([self.proved, *others]))

    def _head(self, text: str) -> str:
        return Teller(self.position.board, self.language).head(self.column, text)

    def _repr_html_(self) -> str:
        """For notebooks: the picture, and the text beside it."""
        text = "".join(f"<p>{escape(line)}</p>" for line in self.lines)
        return f"<figure>{explanation_svg(self)}<figcaption>{text}</figcaption></figure>"

    def _repr_svg_(self) -> str:
        """Notebooks draw it."""
        return explanation_svg(self)

    def to_json(self) -> ExplanationJson:
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
            "simple": None if self.simple is None else self.simple.to_json(board),
            "better": None if self.better is None else self.better.to_json(board),
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
    if needed(position).is_over:
        raise MoveError("over.nothing_to_explain")
    if column is not None:
        position.play(column)  # or it says why not
    teller, judge = Teller(position.board, language), None
    if solver:
        if solver is not True and not hasattr(solver, "analyse"):
            raise InputError("not_kind.plain", kind="Solver", value=f"{solver!r:.60}")
        judge = TimedSolver(shared_solver() if solver is True else solver, limit)
    analysis = _analysed(position, judge)
    if column is None:
        best = None if analysis is None else analysis.best
        column = most_telling(position, best) if best else position.board.central(position.legal)
    column = operator.index(column)
    seen = facts(position, column)
    if judge is None or analysis is None:
        return _unsolved(position, column, teller, seen)
    return _solved(position, column, analysis.scores, judge, seen, teller)


def _analysed(position: Position, judge: TimedSolver | None) -> Analysis | None:
    try:
        return None if judge is None else judge.analyse(position)
    except OutOfTimeError:
        return None


def _unsolved(position: Position, column: int, teller: Teller, seen: tuple[Fact, ...]) -> Explanation:
    """What the rules show; on a board this large also whose rows are whose, which is easily mistaken."""
    told = [teller.fact(fact) for fact in told_facts(position, seen) or shape(position, seen)]
    if not any(fact.kind in FINAL for fact in seen):
        told.append(steps.own_rows(teller, position.side))
    language, verdict = teller.words.language, teller.verdict(column, None)
    return Explanation(position, column, language, None, None, verdict, "", None, tuple(told), seen)


def _solved(
    position: Position,
    column: int,
    scores: Mapping[int, Score],
    judge: TimedSolver,
    seen: tuple[Fact, ...],
    teller: Teller,
) -> Explanation:
    score, ranked = scores[column], rank(position, column, scores)
    found = FaultFinder(position, column, scores, seen, judge, teller).grounds()
    score_fact = Fact("score", column, value=int(score), moves=score.moves)
    # The plan of the mover, if the line ends in one.
    plan = found.plan if found.line is not None and found.line.winner == position.side else None
    return Explanation(
        position,
        column,
        teller.words.language,
        score,
        goal(column, scores),
        teller.verdict(column, score),
        teller.proof(score),
        None if ranked is None else teller.fact(ranked),
        tuple(found.reasons),
        (score_fact, *([ranked] if ranked else []), *seen, *found.found),
        found.line,
        plan,
        tuple(found.steps),
        found.why_not,
        found.simple,
        found.better,
    )
