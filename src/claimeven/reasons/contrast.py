"""Why not another column: what punishes it, and where that ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimeven.position import Position
from claimeven.reasons.fact import Fact
from claimeven.reasons.facts import facts
from claimeven.reasons.judge import Judge, OutOfTimeError
from claimeven.reasons.play import Line, clear_line, decision
from claimeven.reasons.rank import temptation
from claimeven.reasons.tell import Teller
from claimeven.solver import Score, Solver


@dataclass(frozen=True)
class WhyNot:
    """What another column comes to."""

    column: int
    score: Score
    fact: Fact | None  # what is wrong with it at first sight
    line: Line | None  # how it goes on, when that has to be shown
    text: str


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
        fact = self._at_first_sight(column)
        line = self._punishment(column, fact)
        text = self._why_not_text(column, [column], fact, line)
        if fact is not None:
            after, reply = self.position.play(column), fact.cells[0].column
            line = Line((column, reply), "win", after.side, decision(after, reply))
        return WhyNot(column, self.scores[column], fact, line, text)

    def all(self) -> tuple[WhyNot, ...]:
        """Every other column."""
        others = [column for column in self.scores if column != self.column]
        if not others or (self.score.value > 0 and self.score.moves == 1):
            return ()  # nobody asks what else there was when the game is won
        tempting = temptation(self.position)
        # Worse columns first, the one that looks best at first sight at the head.
        others.sort(key=lambda c: (self.scores[c] >= self.score, -tempting[c], c))
        groups: dict[tuple[Any, ...], list[int]] = {}
        seen: dict[int, Fact | None] = {column: self._at_first_sight(column) for column in others}
        lines = {column: self._punishment(column, seen[column]) for column in others}
        group = {column: self._group(column, seen[column], lines[column]) for column in others}
        for column in others:
            groups.setdefault(group[column], []).append(column)
        found = []
        for column in others:
            text = self._why_not_text(column, groups[group[column]], seen[column], lines[column])
            found.append(WhyNot(column, self.scores[column], seen[column], lines[column], text))
        return tuple(found)

    def _at_first_sight(self, column: int) -> Fact | None:
        """What loses at once, if the column does."""
        shown = {fact.kind: fact for fact in facts(self.position, column)}
        return shown.get("leaves_win") or shown.get("gives_win")

    def _group(self, column: int, fact: Fact | None, line: Line | None) -> tuple[Any, ...]:
        """Columns that are told together."""
        score = self.scores[column]
        if score > self.score:
            return ("better",)
        if score == self.score:
            return ("equal",)
        if fact is not None and fact.kind == "leaves_win":
            return (fact.kind, fact.cells)
        if score.outcome == self.score.outcome and score.outcome != "draw" and fact is None:
            return (score.outcome,)
        if line is not None and line.is_reply and line.seen is not None:
            return (line.columns[1], line.end, line.seen.cells, score.moves)
        return (column,)

    def _punishment(self, column: int, fact: Fact | None) -> Line | None:
        score = self.scores[column]
        if fact is not None or score.outcome == self.score.outcome or score > self.score:
            return None
        try:
            return clear_line(self.position, column, self.judge)
        except OutOfTimeError:
            return None  # the score is known, how it comes about is not told

    def _why_not_text(self, column: int, together: list[int], fact: Fact | None, line: Line | None) -> str:
        teller, words, score = self.teller, self.teller.words, self.scores[column]
        count, columns = len(together), teller.columns(together)
        in_moves = teller.in_moves(score.moves)
        if score > self.score:
            return words.say("why.better", n=count, columns=columns)
        if score == self.score:
            code = "why.equal_loss" if score.value < 0 else "why.equal"
            return words.say(code, n=count, columns=columns)
        if fact is not None:
            cells = teller.cells(fact.cells, "or")
            return words.say(f"why.{fact.kind}", n=count, columns=columns, cells=cells)
        if score.outcome == self.score.outcome:
            code = "why.slow_win" if score.outcome == "win" else "why.fast_loss"
            if count > 1:
                return words.say(f"{code}.several", n=count, columns=columns)
            return words.say(code, columns=columns, in_moves=in_moves)
        code = "why.draws" if score.outcome == "draw" else "why.loses"
        sentence = words.say(code, n=count, columns=columns, in_moves=in_moves)
        return sentence if line is None else f"{sentence} {teller.ending(line, self.position.side)}"
