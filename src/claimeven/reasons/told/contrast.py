"""Why not another column: what punishes it, and where that ends."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypedDict

from claimeven import notation
from claimeven.position import Board, Cell, Position
from claimeven.reasons.seen.fact import Fact, FactJson
from claimeven.reasons.seen.move import facts
from claimeven.reasons.seen.rank import temptation
from claimeven.reasons.told.line import Line, LineJson, clear_line, decision
from claimeven.reasons.told.tell import Teller
from claimeven.solver import Outcome, OutOfTimeError, Score, Solver, TimedSolver

# Moves of a line that is told against a column: a longer one proves, but it explains little.
SHOWN, SHOWN_ALONE = 5, 99
QUICK = 3  # moves: a loss that can be seen coming
Group = tuple[object, ...]  # what columns that are told together have in common


class WhyNotJson(TypedDict):
    column: str
    score: int
    outcome: Outcome
    winner_moves: int | None
    fact: FactJson | None
    line: LineJson | None
    text: str


@dataclass(frozen=True)
class WhyNot:
    """What another column comes to."""

    column: int
    score: Score
    fact: Fact | None  # what is wrong with it at first sight
    line: Line | None  # how it goes on, when that has to be shown
    text: str  # shared by columns that are told together
    is_told: bool = True  # in the whole text; not where the comparison of the chosen column has said it

    def to_json(self, board: Board) -> WhyNotJson:
        return {
            "column": notation.column_digit(self.column),
            "score": int(self.score),
            "outcome": self.score.outcome,
            "winner_moves": self.score.moves,
            "fact": None if self.fact is None else self.fact.to_json(board),
            "line": None if self.line is None else self.line.to_json(),
            "text": self.text,
        }


def refutation(position: Position, column: int, better: int, solver: Solver, language: str = "en") -> WhyNot:
    """What is wrong with a column, when another one is better: told for itself, always with the line."""
    teller = Teller(position.board, language)
    judge = TimedSolver(solver)
    return Contrast(position, better, judge.analyse(position).scores, judge, teller).one(column)


class Contrast:
    """A chosen column against the others."""

    def __init__(
        self,
        position: Position,
        column: int,
        scores: Mapping[int, Score],
        judge: TimedSolver,
        teller: Teller,
        known: Iterable[int] = (),
    ) -> None:
        """`known`: columns of which the reasons for the chosen one tell already what punishes them."""
        self.position, self.column, self.scores = position, column, scores
        self.score, self.judge, self.teller = scores[column], judge, teller
        self.known = frozenset(known)
        self.burned: dict[int, Cell] = {}  # right above other columns, your own winning cells

    def one(self, column: int) -> WhyNot:
        """One other column; unlike in `all`, the line is there even if it is a single reply."""
        found = self._seen(column)
        text = self._text([found], SHOWN_ALONE)
        if found.fact is not None:
            after, reply = self.position.play(column), found.fact.cells[0].column
            found = replace(found, line=Line((column, reply), "win", after.side, decision(after, reply)))
        return replace(found, text=text)

    def all(self) -> tuple[WhyNot, ...]:
        """Every other column; columns with the same answer share their text."""
        others = [column for column in self.scores if column != self.column]
        if not others or (self.score.value > 0 and self.score.moves == 1):
            return ()  # nobody asks what else there was when the game is won
        tempting = temptation(self.position)
        # Worse columns first, the one that looks best at first sight at the head.
        others.sort(key=lambda c: (self.scores[c] >= self.score, -tempting[c], c))
        found = [self._seen(column) for column in others]
        told: dict[int, WhyNot] = {}
        first, *rest = self._groups(found)
        if not self._answer(first[0]):  # else it stays first: what punishes the tempting one is told
            first, *rest = sorted((first, *rest), key=self._urgency)
        for number, group in enumerate((first, *sorted(rest, key=self._urgency))):
            text, is_told = self._text(group, 0 if number else SHOWN), self._says_more(group)
            told |= {one.column: replace(one, text=text, is_told=is_told) for one in group}
        return tuple(told.values())

    def _seen(self, column: int) -> WhyNot:
        """What is wrong with a column, not yet in words."""
        shown = {fact.kind: fact for fact in facts(self.position, column)}
        if "wastes_threat" in shown:
            self.burned[column] = shown["wastes_threat"].cells[0]
        fact = shown.get("leaves_win") or shown.get("gives_win")  # it loses at once
        score, line = self.scores[column], None
        if fact is None and score.outcome != self.score.outcome and score < self.score:
            with suppress(OutOfTimeError):  # then the score is known, how it comes about is not told
                line = clear_line(self.position, column, self.judge)
        return WhyNot(column, score, fact, line, "")

    def _urgency(self, group: list[WhyNot]) -> tuple[bool, int]:
        """Worse columns first, of these what loses soonest."""
        worst = min(other.score for other in group)
        return group[0].score >= self.score, worst.value

    def _groups(self, others: list[WhyNot]) -> list[list[WhyNot]]:
        """Columns that are told together, so that nothing is said twice."""
        first = self._answer(others[0])  # what punishes the tempting one is told
        groups: dict[Group, list[WhyNot]] = {}
        for other in others:
            answer = self._answer(other)
            groups.setdefault(answer if answer and answer == first else self._kind(other), []).append(other)
        return list(groups.values())

    def _answer(self, other: WhyNot) -> Group:
        """The single answer that it takes, with what there is to see then."""
        line = other.line
        if other.column in self.known or line is None or line.seen is None or not line.is_reply:
            return ()
        if other.column in self.burned:
            return ()  # that is what is told of it
        return line.end, line.columns[1], line.seen.cells

    def _kind(self, other: WhyNot) -> Group:
        if other.score > self.score:
            return ("better", other.score.outcome)
        if other.score == self.score:
            return ("equal",)
        if other.fact is not None:
            return (other.fact.kind, other.fact.cells if other.fact.kind == "leaves_win" else None)
        outcome, moves = other.score.outcome, other.score.moves or 0
        if other.column in self.burned and outcome != "win":
            return (outcome, "burned")
        return (outcome, moves if moves <= QUICK and outcome == "loss" else None)

    def _says_more(self, group: list[WhyNot]) -> bool:
        """More than the comparison, which names a better column and says when all are alike.

        Of a column that is not the best it is told what is better, not what is worse still; and who blocks
        need not hear that the others do not.
        """
        first, best = group[0], max(self.scores.values())
        if self.score < best or best.moves == 1:
            return False
        if first.fact is not None and first.fact.kind == "leaves_win":
            return self.column not in {cell.column for cell in first.fact.cells}
        return first.score != self.score or len(group) < len(self.scores) - 1

    def _text(self, group: list[WhyNot], shown: int) -> str:
        """About one column, or several of one kind; the line, if it is short, is that of the first."""
        teller, words, first = self.teller, self.teller.words, group[0]
        score, count = first.score, len(group)
        columns = teller.columns(other.column for other in group)
        in_moves = teller.within([other.score.moves or 0 for other in group])
        if score > self.score:
            how = "sooner" if self.score.value > 0 else score.outcome
            return words.say(f"why.better.{how}", n=count, columns=columns, in_moves=in_moves)
        if score == self.score:
            is_best = self.score >= max(self.scores.values())
            alike = "equal_loss" if score.value < 0 else "equal" if is_best else "no_better"
            return words.say(f"why.{alike}", n=count, columns=columns)
        if first.fact is not None:
            above = [other.fact.cells[0] for other in group if other.fact is not None]
            is_above = first.fact.kind == "gives_win"
            cells = teller.cells(sorted(above)) if is_above else teller.cells(first.fact.cells, "or")
            return words.say(f"why.{first.fact.kind}", n=count, columns=columns, cells=cells)
        if score.outcome == "win":
            return words.say("why.slow_win", n=count, columns=columns, in_moves=in_moves)
        code = "why.draws" if score.outcome == "draw" else "why.loses"
        burned = [self.burned[other.column] for other in group if other.column in self.burned]
        if len(burned) == count:
            cells = teller.cells(sorted(burned))
            return words.say(f"{code}.burned", n=count, columns=columns, in_moves=in_moves, cells=cells)
        sentence = words.say(code, n=count, columns=columns, in_moves=in_moves)
        line = first.line
        if line is None or first.column in self.known or len(line.columns) > shown:
            return sentence
        if line.plan is not None and shown < SHOWN_ALONE:
            return sentence  # what they aim for does not say what is wrong with the column
        is_answer = {self._answer(other) for other in group} == {self._answer(first)} != {()}
        ending = teller.ending(line, self.position, is_answer=is_answer)
        return sentence if ending is None else f"{sentence} {ending.text}"
