"""Reads back what is said to a wrong column: the answer of theirs, and what it does on the board."""

import re
from collections.abc import Callable

from claimeven.position import Position
from claimeven.reasons import Met, explain
from claimeven.solver import Solver
from kit.coach import claims
from kit.coach.sentences import Reading
from kit.coach.words import CELLS, FOUR, C, Spot, digits, run_between, spot, spots


class MetReading(Reading):
    """One column, of which nothing else is told."""

    def __init__(self, position: Position, column: int, solver: Solver) -> None:
        self.position, self.column, self.solver = position, column, solver
        self.scores = claims.column_scores(position, solver)
        self.own, self.others = self.scores[column], {c: v for c, v in self.scores.items() if c != column}
        self.best = max(self.others.values())
        self.lines, self.named, self.about, self.used = {}, set(), [column], []
        self.before, self.after = claims.referee_of(position), claims.referee_of(position.play(column))

    def keeps(self, reply: int) -> bool:
        """It ends as well for them as any other answer."""
        replies = claims.column_scores(self.position.play(self.column), self.solver)
        return claims.sign(replies[reply]) == claims.sign(max(replies.values()))

    def completes(self, reply: int, four: list[Spot]) -> bool:
        end = self.position.play(self.column).play(reply)
        return (
            end.winner == 1 - self.position.side
            and len(four) == end.board.connect
            and all(end.stone(*cell) == self.them for cell in four)
        )

    def fills(self, cells: list[Spot]) -> bool:
        """One cell where a disc can fall now, and they would fill it."""
        own = "xo"[self.position.side]
        return claims.open_wins(self.after, own) == cells and len(cells) == 1 and self.keeps(cells[0][0])

    def waits(self, reply: int, cells: list[Spot]) -> bool:
        """Winning cells of theirs alone after the answer, none open."""
        end, mine = claims.referee_of(self.position.play(self.column).play(reply)), "xo"[self.position.side]
        return all(
            claims.wins_on(end, self.them, cell)
            and not claims.wins_on(end, mine, cell)
            and not claims.is_open(end, cell)
            for cell in cells
        )

    def was_mine(self, cell: Spot) -> bool:
        return claims.wins_on(self.before, "xo"[self.position.side], cell)


OWN: dict[str, Callable[..., bool]] = {
    rf"They answer in column (\w) and complete {FOUR}\.": lambda r, d, four: r.completes(
        digits(d)[0], run_between(four)
    ),
    rf"They drop right on top of your disc, on ({C}), and complete {FOUR}\.": lambda r, x, four: (
        spot(x) == (r.column, r.position.height(r.column) + 1) and r.completes(r.column, run_between(four))
    ),
    rf"You threaten {CELLS}, but they answer there and close it\.": lambda r, x: (
        r.fills(spots(x)) and not r.was_mine(spots(x)[0])
    ),
    rf"You play right under your own winning cell {CELLS}, and they fill it\.": lambda r, x: (
        r.fills(spots(x)) and r.was_mine(spots(x)[0]) and spots(x)[0][0] == r.column
    ),
    rf"You could have made four on {CELLS}, and now they close it\.": lambda r, x: (
        r.fills(spots(x)) and spots(x)[0] in claims.open_wins(r.before, "xo"[r.position.side])
    ),
    r"They answer in column (\w), and your win is gone\.": lambda r, d: (
        r.is_best_answer(d) and r.best > 0 == r.own
    ),
    r"They answer in column (\w), and from there they win with best play\.": lambda r, d: (
        r.is_best_answer(d) and r.own < 0 <= r.best
    ),
    rf"They answer in column (\w) and wait for {CELLS}, where a disc would win for them\.": lambda r, d, x: (
        r.is_best_answer(d) and r.own < 0 <= r.best and r.waits(digits(d)[0], spots(x))
    ),
}


def check_met(position: Position, told: Met, solver: Solver) -> None:
    """AssertionError if the sentence is false or unknown, or another answer is shown than is named."""
    reading = MetReading(position, told.column, solver)
    is_near = reading.loses_at_once(told.column) and not all(map(reading.loses_at_once, reading.others))
    is_worse = claims.sign(reading.own) < claims.sign(reading.best) or is_near
    assert is_worse, "it gives nothing away"
    assert reading.keeps(told.reply), "not an answer of theirs to be afraid of"
    for pattern, is_true in OWN.items():
        if found := re.fullmatch(pattern, told.text):
            assert is_true(reading, *found.groups()), f"false: {told.text}"
            break
    else:
        whole = Reading(explain(position, told.column, solver), reading.scores, solver)
        (reading if "answer" not in told.text else whole).check(told.text)
    named = re.match(r"They answer in column (\w)", told.text)
    assert named is None or digits(named[1]) == [told.reply], told.text
