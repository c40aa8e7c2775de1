"""Why not another column: what punishes it, and where that ends."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from claimeven import notation
from claimeven.position import Board, Position
from claimeven.reasons.seen.fact import Fact
from claimeven.reasons.seen.move import facts
from claimeven.reasons.seen.rank import temptation
from claimeven.reasons.told.judge import Judge, OutOfTimeError
from claimeven.reasons.told.line import DECIDED, Line, clear_line, decision
from claimeven.reasons.told.tell import Teller
from claimeven.solver import Score, Solver

SHARED_ENDS = ("plan", *DECIDED)  # of lines; several columns may be told to lead to one
Group = tuple[object, ...]  # what columns that are told together have in common


@dataclass(frozen=True)
class WhyNot:
    """What another column comes to."""

    column: int
    score: Score
    fact: Fact | None  # what is wrong with it at first sight
    line: Line | None  # how it goes on, when that has to be shown
    text: str  # shared by columns that are told together

    def to_json(self, board: Board) -> dict[str, object]:
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
    judge = Judge(solver)
    return Contrast(position, better, judge.analyse(position).scores, judge, teller).one(column)


class Contrast:
    """A chosen column against the others."""

    def __init__(
        self, position: Position, column: int, scores: Mapping[int, Score], judge: Judge, teller: Teller
    ) -> None:
        self.position, self.column, self.scores = position, column, scores
        self.score, self.judge, self.teller = scores[column], judge, teller

    def one(self, column: int) -> WhyNot:
        """One other column; unlike in `all`, the line is there even if it is a single reply."""
        found = self._seen(column)
        text = self._text([found])
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
        texts = {one.column: self._text(group) for group in self._groups(found) for one in group}
        return tuple(replace(one, text=texts[one.column]) for one in found)

    def _seen(self, column: int) -> WhyNot:
        """What is wrong with a column, not yet in words."""
        shown = {fact.kind: fact for fact in facts(self.position, column)}
        fact = shown.get("leaves_win") or shown.get("gives_win")  # it loses at once
        score, line = self.scores[column], None
        if fact is None and score.outcome != self.score.outcome and score < self.score:
            with suppress(OutOfTimeError):  # then the score is known, how it comes about is not told
                line = clear_line(self.position, column, self.judge)
        return WhyNot(column, score, fact, line, "")

    def _groups(self, others: list[WhyNot]) -> list[list[WhyNot]]:
        """Columns that are told together, so that nothing is said twice."""
        # Different answers that end alike are told like longer lines: by what they lead to.
        ends = [answer[0] for answer in {self._answer(other) for other in others} if answer]
        groups: dict[Group, list[WhyNot]] = {}
        for other in others:
            answer = self._answer(other)
            is_alone = bool(answer) and ends.count(answer[0]) == 1
            groups.setdefault(answer if is_alone else self._kind(other), []).append(other)
        return list(groups.values())

    def _answer(self, other: WhyNot) -> Group:
        """The single answer that it takes, with what there is to see then."""
        line = other.line
        if line is None or line.seen is None or not line.is_reply:
            return ()
        return line.end, line.columns[1], line.seen.cells

    def _kind(self, other: WhyNot) -> Group:
        if other.score > self.score:
            return ("better",)
        if other.score == self.score:
            return ("equal",)
        if other.fact is not None:
            return (other.fact.kind, other.fact.cells if other.fact.kind == "leaves_win" else None)
        return (other.score.outcome, None if other.line is None else other.line.end)

    def _text(self, group: list[WhyNot]) -> str:
        """About one column, or several of one kind: the line is that of the most tempting one."""
        teller, words, first = self.teller, self.teller.words, group[0]
        score, count = first.score, len(group)
        columns = teller.columns(other.column for other in group)
        in_moves = teller.within([other.score.moves or 0 for other in group])
        if score > self.score:
            return words.say("why.better", n=count, columns=columns)
        if score == self.score:
            code = "why.equal_loss" if score.value < 0 else "why.equal"
            return words.say(code, n=count, columns=columns)
        if first.fact is not None:
            above = [other.fact.cells[0] for other in group if other.fact is not None]
            is_above = first.fact.kind == "gives_win"
            cells = teller.cells(sorted(above)) if is_above else teller.cells(first.fact.cells, "or")
            return words.say(f"why.{first.fact.kind}", n=count, columns=columns, cells=cells)
        if score.outcome == self.score.outcome:
            code = "why.slow_win" if score.outcome == "win" else "why.fast_loss"
            if count > 1:
                return words.say(f"{code}.several", n=count, columns=columns)
            return words.say(code, columns=columns, in_moves=in_moves)
        code = "why.draws" if score.outcome == "draw" else "why.loses"
        if first.line is None:
            return words.say(code, n=count, columns=columns, in_moves=in_moves)
        answers = {self._answer(other) for other in group}
        is_answer = len(answers) == 1 and answers != {()}
        if count > 1 and not is_answer and first.line.end in SHARED_ENDS:
            code = f"{code}.{first.line.end}"
        sentence = words.say(code, n=count, columns=columns, in_moves=in_moves)
        return f"{sentence} {teller.ending(first.line, self.position.side, is_answer).text}"
