"""Carries out a plan from its words alone, against every reply.

What the sentences count is counted, and what they promise must come true from the position where the reader
stands: the one on the board, or the one after the moves that are written out.
"""

import random
import re

from claimeven.position import Position
from kit.coach import claims
from kit.coach.words import CELLS, FOUR, LINE, C, Spot, both_ways, digits, run_between, spot, spots

COUNTS = (
    "(Now|Then) every column has an even number of free cells, so you can always answer right above.",
    r"Apart from .* cells are free, an even number, and it is their turn\.",
    r"They run out first: they must play .*\.",
)


def is_count(sentence: str) -> bool:
    return any(re.fullmatch(pattern, sentence) for pattern in COUNTS)


class PlanReading:
    """The instructions of a plan of the side that has just moved."""

    def __init__(self, after: Position, sentences: list[str], column: int | None = None) -> None:
        """`after`: the position after the chosen column."""
        self.start, self.column = after, column
        self.swaps: dict[Spot, Spot] = {}
        self.together: dict[int, int] = {}
        self.across: dict[int, int] = {}
        self.drop: Spot | None = None
        self.is_watchful = False
        self.promise = ""
        self.run: list[Spot] = []  # the line that is complete in the end
        self.halves: dict[Spot, Spot] = {}  # of a pair that needs no answer the other way round
        later = re.fullmatch(rf"After {LINE} you only have to answer\.", sentences[0])
        self.when = "Then" if later else "Now"
        if later:
            first, *rest = digits(later[1], " ")
            assert first == column, sentences[0]
            for move in rest:
                self.start = self.start.play(move)
        for sentence in sentences[1:] if later else sentences:
            self.read(sentence)
        assert self.promise, f"it promises nothing: {sentences}"

    # Reading --------------------------------------------------------------------------------------

    def read(self, step: str) -> None:
        if step in (
            "From now on you only have to answer.",
            "Win when you can; otherwise answer in the same column.",
            "Odd rows are yours.",
            "Even rows are yours.",
        ):
            return
        if found := re.fullmatch(rf"If they take ({C}), take ({C}), and the other way round\.", step):
            self.swap(*found.groups())
        elif found := re.fullmatch(rf"If they take ({C}), take ({C})\.", step):
            one, two = map(spot, found.groups())
            assert not self.wins_anyway(one, two), step
            assert self.wins_anyway(two, one), step
            self.halves[one] = two
        elif found := re.fullmatch(
            r"Some cells go in pairs, (.*): if they take one of a pair, take the other\.", step
        ):
            for pair in re.split(", | and ", found[1]):
                self.swap(*pair.split(" with "))
        elif found := re.fullmatch(
            r"Columns (\w) and (\w) belong together: answer in the same one; "
            r"when they fill one of them, play in the other\.",
            step,
        ):
            self.together |= both_ways(*found.groups())
        elif found := re.fullmatch(
            r"When they play in column (\w), answer in column (\w), and the other way round; "
            r"once one is full, in the same column\.",
            step,
        ):
            self.across |= both_ways(*found.groups())
        elif step == "At the latest your last disc completes a line.":
            self.promise = "win"
        elif found := re.fullmatch(rf"You win with {FOUR} at the latest\.", step):
            self.promise, self.run = "win", run_between(found[1])
        elif step == "Then they can never complete a line.":
            self.promise = "hold"
        else:
            assert self.counts(step) or self.stacks(step), f"nobody can read: {step}"

    def swap(self, one: str, two: str) -> None:
        assert not {spot(one), spot(two)} & self.swaps.keys()
        assert not self.wins_anyway(spot(one), spot(two)), f"{one} lets you win at once"
        assert not self.wins_anyway(spot(two), spot(one)), f"{two} lets you win at once"
        self.swaps |= {spot(one): spot(two), spot(two): spot(one)}

    def wins_anyway(self, one: Spot, two: Spot) -> bool:
        """When they take the one, you win: right above it, or on the other, which is no mere answer then."""
        referee, stone = claims.referee_of(self.start), "xo"[1 - self.start.side]
        above = claims.up(one)
        is_above = above[1] < self.start.board.rows and claims.wins_on(referee, stone, above)
        return is_above or claims.wins_on(referee, stone, two)

    def free(self) -> dict[int, int]:
        return {c: self.start.board.rows - self.start.height(c) for c in range(self.start.board.columns)}

    def counts(self, step: str) -> bool:
        """The sentences that count: counted."""
        if re.fullmatch(COUNTS[0], step):
            assert step.startswith(self.when), "not yet, or at once"
            assert not any(cells % 2 for cells in self.free().values()), step
            return True
        if found := re.fullmatch(
            rf"Apart from {CELLS} and what lies above, (\d+) cells are free, an even number, "
            r"and it is their turn\.",
            step,
        ):
            assert int(found[2]) == self.besides(spots(found[1])), step
            assert int(found[2]) % 2 == 0, step
            return True
        found = re.fullmatch(
            rf"They run out first: they must play {CELLS}, and you win (?:right above, )?on {CELLS}\.",
            step,
        )
        if found is None:
            return False
        below, keys = spots(found[1]), spots(found[2])
        referee, stone = claims.referee_of(self.start), "xo"[1 - self.start.side]
        assert [claims.up(cell) for cell in below] == keys, step
        assert all(claims.wins_on(referee, stone, key) for key in keys), step
        assert self.besides(below) % 2 == 0, "it would be your turn"
        self.promise = "win"
        return True

    def besides(self, cells: list[Spot]) -> int:
        """Free cells but these and those above them."""
        above = {(column, row) for column, low in cells for row in range(low, self.start.board.rows)}
        free = {(c, r) for c in self.free() for r in range(self.start.height(c), self.start.board.rows)}
        assert above <= free
        return len(free - above)

    def stacks(self, step: str) -> bool:
        """The sentences about two cells above each other."""
        referee, stone = claims.referee_of(self.start), "xo"[1 - self.start.side]
        if found := re.fullmatch(rf"Both ({C}) and ({C}), right above it, would win for you\.", step):
            lower, upper = map(spot, found.groups())
            assert claims.up(lower) == upper, step
            assert all(claims.wins_on(referee, stone, cell) for cell in (lower, upper)), step
            return True
        if found := re.fullmatch(rf"Play ({C}) next; they have to block ({C}), and you win on ({C})\.", step):
            below, lower, upper = map(spot, found.groups())
            assert claims.is_open(referee, below), step
            assert (claims.up(below), claims.up(lower)) == (lower, upper), step
            self.drop, self.promise = below, "win"
            return True
        found = re.fullmatch(rf"If they threaten to win first, stop that, then play ({C})\.", step)
        if found is not None:
            assert spot(found[1]) == self.drop, step
            self.is_watchful = True
        return found is not None

    # Carrying it out ------------------------------------------------------------------------------

    def answer(self, before: Position, column: int) -> int | None:
        """What a person would answer; None when the words do not say."""
        after = before.play(column)
        wins = [c for c in after.legal if after.play(c).winner is not None]
        if wins:
            return wins[0]
        if self.is_watchful:
            danger = claims.open_wins(claims.referee_of(after), "xo"[before.side])
            if danger:
                return danger[0][0]
        if self.drop is not None:
            return self.drop[0] if after.height(self.drop[0]) == self.drop[1] else None
        partner = (self.swaps | self.halves).get((column, before.height(column)))
        if partner is not None and after.height(partner[0]) == partner[1]:
            return partner[0]
        other = self.across.get(column)
        if other is not None and other in after.legal:
            return other
        if column in after.legal:
            return column
        other = self.together.get(column)
        return other if other is not None and other in after.legal else None

    def check(self, most: int = 400) -> None:
        """Against every reply, in random order, up to so many positions."""
        chance = random.Random(self.start.key)
        seen, waiting = {self.start}, [self.start]
        while waiting and len(seen) <= most:
            position = waiting.pop(chance.randrange(len(waiting)))
            for column in position.legal:
                after = position.play(column)
                where = f"{self.start}, then {position}, then column {column + 1}"
                assert after.winner is None, f"the plan loses: {where}"
                if not after.is_over:
                    reply = self.answer(position, column)
                    assert reply is not None, f"the plan has no answer: {where}"
                    after = after.play(reply)
                other = "xo"[self.start.side]
                assert not any(after.stone(*cell) == other for cell in self.run), f"the line is lost: {where}"
                if after.is_over:
                    is_kept = after.winner is not None or self.promise == "hold"
                    assert is_kept, f"the plan only draws: {where}"
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)
