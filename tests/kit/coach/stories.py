"""Reads the story of a review back: who was winning when, and how it ended."""

import re
from collections.abc import Callable, Mapping, Sequence

from claimeven.game import Game
from kit.coach import claims
from kit.coach.words import DIGITS, FOUR, C, digits, run_between, spot

WHO = "(you|You|x|o)"
NAMED = 3  # turns that are told one by one; more are counted


class StoryReading:
    def __init__(
        self,
        game: Game,
        values: list[int],
        reader: str | None,
        scores: Sequence[Mapping[int, int]] = (),
    ) -> None:
        """`scores`: of every column at every move, where columns are told."""
        self.game, self.reader, self.scores = game, reader, scores
        self.signs = [claims.sign(value) for value in values]
        start = game.start.ply
        self.turns = [
            start + place for place in range(1, len(values)) if self.signs[place] != self.signs[place - 1]
        ]
        self.end = game.position
        self.referee = claims.referee_of(game.positions[-3]) if len(game.columns) > 1 else None

    def read(self, sentences: list[str]) -> int:
        text = " ".join(sentences)
        found = re.split(r"(?<=\.) ", text) if text else []
        for sentence in found:
            matched = [(check, m) for p, check in PATTERNS.items() if (m := re.fullmatch(p, sentence))]
            assert matched, f"nobody can read: {sentence}"
            check, match = matched[0]
            assert check(self, *match.groups()), f"false: {sentence}"
        return len(found)

    def read_whole(self, sentences: list[str]) -> int:
        """And every turn is told: by its number, by what was between two, or by how many there were."""
        told, untold, text = self.read(sentences), self.untold(), " ".join(sentences)
        if len(self.turns) > 1:
            is_pair = untold == 0 and len(self.turns) == 2 + (self.turns[0] == 1)
            assert len(re.findall(r"\bThen .* (?:even|winning)\.", text)) == is_pair, text
            assert ("It turned again" in text) == (1 <= untold <= NAMED), text
            assert ("the outcome changed" in text.lower()) >= (untold > NAMED), f"not counted: {text}"
        return told

    def side(self, who: str) -> int:
        assert who.lower() != "you" or self.reader is not None, "nobody reads it"
        stone = self.reader if who.lower() == "you" else who
        assert who.lower() == "you" or who != self.reader, "the reader is told by name"
        return "xo".index(str(stone))

    def sign(self, who: str) -> int:
        return 1 if self.side(who) == 0 else -1

    def until(self, sign: int, number: str) -> bool:
        return self.turns[0] == int(number) and self.signs[0] == sign

    def then(self, sign: int, number: str) -> bool:
        return self.turns[:2] == [1, int(number)] and self.signs[1] == sign

    def stood(self, four: str, ply: int) -> bool:
        """With that move the line had everything but its last cell, and not before; then it was left so."""
        last = self.game.columns[-1]
        rest = [x for x in run_between(four) if x != (last, self.end.height(last) - 1)]
        positions = {position.ply: position for position in self.game.positions}
        had = [all(positions[n].stone(*x) for x in rest) for n in (ply - 1, ply)]
        return had == [False, True] and self.end.ply - ply >= 4 and len(rest) == 3

    def since(self, sign: int, number: str) -> bool:
        return self.turns[-1] == int(number) and self.signs[-1] == sign

    def cost(self, number: str) -> bool:
        """The loser could have done better there, and the winner took it at once."""
        return (
            self.end.winner is not None
            and self.end.ply - int(number) in (1, 3)
            and ((int(number) - 1) % 2 == 1 - self.end.winner)
        )

    def swung(self, number: str, who: str, columns: str) -> bool:
        """The last such move, unless only the opening has one: a win before it, a loss after it."""
        start, told, wrong = self.game.start.ply, int(number), self.wins_thrown_away()
        late = [n for n in wrong if n > 8] or wrong
        scores = self.scores[told - 1 - start]
        kept = [column for column in digits(columns) if scores[column] > 0]
        return late[-1] == told and (told - 1) % 2 == self.side(who) and kept == digits(columns) != []

    def wins_thrown_away(self) -> list[int]:
        """The moves, but for the first disc, after which the other side was winning, and not before."""
        start = self.game.start.ply
        return [
            start + i
            for i in range(1, len(self.signs))
            if self.signs[i - 1] == -self.signs[i] != 0 < i - 1 + start
        ]

    def untold(self) -> int:
        """The turns that neither the beginning tells nor the last one is."""
        return len(self.turns[2 if self.turns[0] == 1 else 1 : -1]) if self.turns else 0

    def many(self, count: str, number: str) -> bool:
        return (
            len(self.turns) == int(count) and self.turns[-1] == int(number) and not 0 < self.untold() <= NAMED
        )

    def middle(self, sign: int) -> bool:
        """Between the only two turns that are told."""
        told = [turn for turn in self.turns if turn > 1]
        return len(told) == 2 and self.signs[told[0] - self.game.start.ply] == sign

    def again(self, numbers: str) -> bool:
        """All turns but the last and the one that the beginning tells of."""
        between = self.turns[2 if self.turns[0] == 1 else 1 : -1]
        return [int(number) for number in re.findall(r"\d+", numbers)] == between != []

    def won(self, who: str, number: str, cell: str, four: str) -> bool:
        run, last = run_between(four), self.game.columns[-1]
        stone = "xo"[self.side(who)]
        where = (last, self.end.height(last) - 1)
        is_line = len(run) == self.end.board.connect and all(self.end.stone(*x) == stone for x in run)
        return self.end.ply == int(number) and spot(cell) == where and where in run and is_line

    def threats(self) -> list[claims.Spot]:
        """Of the winner, when the loser made the last disc."""
        assert self.referee is not None
        assert self.end.winner is not None
        return claims.open_wins(self.referee, "xo"[self.end.winner])

    def lost(self, who: str) -> bool:
        return self.end.winner is not None and self.side(who) == 1 - self.end.winner

    def is_last(self, cell: str) -> bool:
        last = self.game.columns[-1]
        return spot(cell) == (last, self.end.height(last) - 1)

    def winning_lines(self) -> list[str]:
        """Every four of the winner through the last cell, as its two ends."""
        assert self.end.winner is not None
        names, stone = "abcdefghijklmnopqrstuvwxyz", "xo"[self.end.winner]
        last = (self.game.columns[-1], self.end.height(self.game.columns[-1]) - 1)
        runs = [run for run in claims.windows(claims.referee_of(self.end)) if last in run]
        won = [run for run in runs if all(self.end.stone(*cell) == stone for cell in run)]
        return ["–".join(f"{names[c]}{row + 1}" for c, row in (run[0], run[-1])) for run in won]

    def blocked(self, below: str, cell: str) -> bool:
        """One threat, which the loser, who could not win, stopped right under the other one."""
        assert self.referee is not None
        assert self.end.winner is not None
        own = claims.open_wins(self.referee, "xo"[1 - self.end.winner])
        played = (self.game.columns[-2], len(self.referee.stacks[self.game.columns[-2]]))
        is_there = self.threats() == [spot(below)] == [played] and claims.up(played) == spot(cell)
        return is_there and not own

    def no_safe_column(self) -> bool:
        game = self.referee
        assert game is not None
        assert self.end.winner is not None
        stone = "xo"[self.end.winner]
        tops = [(column, len(game.stacks[column]) + 1) for column in game.legal]
        return not self.threats() and all(claims.wins_on(game, stone, cell) for cell in tops)


def is_open(r: StoryReading, sign: int) -> bool:
    return not r.end.is_over and r.game.result is None and r.signs[-1] == sign


MANY = r"In all the outcome changed (\d+) times"
AGAIN = r"It turned again with moves? ([\d, and]+)"
WON = rf"{WHO} won with move (\d+) on ({C}), which completes {FOUR}"
PATTERNS: dict[str, Callable[..., bool]] = {
    rf"In theory {WHO} (?:was|were) winning from beginning to end\.": lambda r, w: (
        set(r.signs) == {r.sign(w)}
    ),
    rf"{WHO} began, and whoever begins can always win\.": lambda r, w: (
        r.game.start.ply == 0 and r.side(w) == 0 and r.signs[0] == 1
    ),
    rf"{WHO} never let it slip\.": lambda r, w: set(r.signs) == {1} == {r.sign(w)},
    rf"{WHO} gave nothing away: {WHO} began, and whoever begins can always win\.": lambda r, w, v: (
        r.game.start.ply == 0 and r.side(v) == 0 and r.side(w) == 1 and set(r.signs) == {1}
    ),
    r"In theory the game was even from beginning to end\.": lambda r: set(r.signs) == {0},
    r"Against perfect play the first disc already made a difference; "
    r"at the board it hardly matters\.": lambda r: r.turns == [1],
    rf"After the first disc {WHO} (?:was|were) winning in theory until move (\d+)\.": lambda r, w, n: r.then(
        r.sign(w), n
    ),
    r"After the first disc the game was even in theory until move (\d+)\.": lambda r, n: r.then(0, n),
    rf"{WHO} had three on {FOUR} since move (\d+)\.": lambda r, w, four, n: (
        r.side(w) == r.end.winner and r.stood(four, int(n))
    ),
    rf"In theory {WHO} (?:was|were) winning until move (\d+)\.": lambda r, w, n: r.until(r.sign(w), n),
    r"In theory the game was even until move (\d+)\.": lambda r, n: r.until(0, n),
    r"No move changed that\.": lambda r: not r.turns,
    r"Move (\d+) is what ended it\.": lambda r, n: r.cost(n),
    rf"From move (\d+) on {WHO} (?:was|were) winning\.": lambda r, n, w: r.since(r.sign(w), n),
    rf"From move (\d+) on {WHO} (?:was|were) winning, and move (\d+)(?: by [xo])? ended it\.": (
        lambda r, n, w, k: r.since(r.sign(w), n) and r.cost(k) and int(k) > int(n)
    ),
    r"From move (\d+) on it was even\.": lambda r, n: r.since(0, n),
    rf"From move (\d+) on {WHO} (?:was|were) winning again\.": lambda r, n, w: (
        r.since(r.sign(w), n) and r.signs[1 if r.turns[0] == 1 else 0] == r.sign(w)
    ),
    r"From move (\d+) on it was even again\.": lambda r, n: (
        r.since(0, n) and r.signs[1 if r.turns[0] == 1 else 0] == 0
    ),
    r"Move (\d+) turned it\.": lambda r, n: r.turns == [int(n)],
    rf"With move (\d+) {WHO} turned a win into a loss: columns? {DIGITS} would have kept it\.": (
        lambda r, n, w, c: r.swung(n, w, c)
    ),
    rf"{AGAIN}, and from move (\d+) on {WHO} (?:was|were) winning\.": lambda r, k, n, w: (
        r.again(k) and r.since(r.sign(w), n)
    ),
    rf"{AGAIN}, and from move (\d+) on it was even\.": lambda r, k, n: r.again(k) and r.since(0, n),
    rf"{AGAIN}; from move (\d+) on {WHO} (?:was|were) winning, and move (\d+)(?: by [xo])? ended it\.": (
        lambda r, k, n, w, cost: r.again(k) and r.since(r.sign(w), n) and r.cost(cost) and int(cost) > int(n)
    ),
    rf"{AGAIN}, and for good with move (\d+)\.": lambda r, k, n: r.again(k) and r.turns[-1] == int(n),
    r"The outcome changed (\d+) times, last with move (\d+)\.": StoryReading.many,
    rf"{MANY}, and from move (\d+) on {WHO} (?:was|were) winning\.": lambda r, k, n, w: (
        r.many(k, n) and r.since(r.sign(w), n)
    ),
    rf"{MANY}, and from move (\d+) on it was even\.": lambda r, k, n: r.many(k, n) and r.since(0, n),
    rf"{MANY}; from move (\d+) on {WHO} (?:was|were) winning, and move (\d+)(?: by [xo])? ended it\.": (
        lambda r, k, n, w, cost: (
            r.many(k, n) and r.since(r.sign(w), n) and r.cost(cost) and int(cost) > int(n)
        )
    ),
    rf"Then {WHO} (?:was|were) winning\.": lambda r, w: r.middle(r.sign(w)),
    r"Then it was even\.": lambda r: r.middle(0),
    rf"{WON}\.": lambda r, *told: r.won(*told),
    rf"{WON}: there were two threats, and only one could be stopped\.": lambda r, *told: (
        r.won(*told) and len(r.threats()) >= 2
    ),
    rf"{WON}: there were two threats, and you could stop only one\.": lambda r, *told: (
        r.won(*told) and r.lost("you") and len(r.threats()) >= 2
    ),
    rf"{WON}: no safe column was left\.": lambda r, *told: r.won(*told) and r.no_safe_column(),
    rf"{WON}: {WHO} had run out of safe columns\.": lambda r, *told: (
        r.won(*told[:-1]) and r.lost(told[-1]) and r.no_safe_column()
    ),
    rf"{WON}: {WHO} had to block ({C}), and that opened it\.": lambda r, *told: (
        r.won(*told[:-2]) and r.lost(told[-2]) and r.blocked(told[-1], told[2])
    ),
    # after a sentence that has named the line that won
    rf"{WHO} had three on it since move (\d+)\.": lambda r, w, n: (
        r.side(w) == r.end.winner and any(r.stood(four, int(n)) for four in r.winning_lines())
    ),
    r"In the end there were two threats, and (?:only one could be stopped|you could stop only one)\.": (
        lambda r: len(r.threats()) >= 2
    ),
    rf"In the end {WHO} ran out of safe columns and opened ({C})\.": lambda r, w, cell: (
        r.lost(w) and r.no_safe_column() and r.is_last(cell)
    ),
    rf"In the end {WHO} had to block ({C}), and that opened ({C})\.": lambda r, w, below, cell: (
        r.lost(w) and r.blocked(below, cell) and r.is_last(cell)
    ),
    r"The board filled up without a line: a draw\.": lambda r: r.end.is_over and r.end.winner is None,
    rf"{WHO} won before a line was complete\.": lambda r, w: (
        not r.end.is_over and r.game.result is not None and r.game.result.winner == r.side(w)
    ),
    r"Both sides agreed on a draw\.": lambda r: (
        r.game.result is not None and r.game.result.reason == "agreement"
    ),
    rf"The game is not over: in theory {WHO} (?:is|are) winning\.": lambda r, w: is_open(r, r.sign(w)),
    r"The game is not over: in theory it is even\.": lambda r: is_open(r, 0),
}
