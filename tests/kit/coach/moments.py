"""Reads the moments of a review back, and finds the errors of one move by itself: stones in lists, no bits.

Nothing is taken from the review but what it says. A sentence that no pattern reads is an error, and so is a
false one.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from claimeven.position import Position
from claimeven.reasons.seen.fact import Fact, FactKind, ForcedKind
from claimeven.solver import Solver, score_of
from kit.coach import claims
from kit.coach.words import CELLS, DIGITS, FOUR, C, digits, run_between, spot, spots
from kit.referee import Referee

MOST = 5
WHO = "(you|x|o)"
LINE = r"([\w ]+?)"
TWO_THREATS: dict[str, FactKind] = {"fork_allowed": "fork", "stacked_allowed": "stacked"}


@dataclass(frozen=True)
class OneMove:
    """A win with the next disc, not taken or given: by the rules of the game alone."""

    ply: int  # from 1
    kind: str
    cells: tuple[claims.Spot, ...]


def one_move_errors(start: Position, columns: Iterable[int]) -> list[OneMove]:
    """Of both sides: a win at once not taken; an avoidable win at once allowed."""
    found, game = [], claims.referee_of(start)
    for column in columns:
        me, you = "xo"[game.ply % 2], "ox"[game.ply % 2]
        mine, theirs = claims.open_wins(game, me), claims.open_wins(game, you)
        allowed = _allowed(game, column, you)
        spot = (column, len(game.stacks[column]))
        if mine and spot not in mine:
            found.append(OneMove(game.ply + 1, "win_missed", tuple(mine)))
        elif not mine and allowed and any(not _allowed(game, other, you) for other in game.legal):
            standing = [cell for cell in theirs if cell in allowed]
            kind = "block_missed" if standing else "door_opened"
            found.append(OneMove(game.ply + 1, kind, tuple(standing or allowed)))
        game.play(column)
    return found


def _allowed(game: Referee, column: int, you: str) -> list[claims.Spot]:
    """Where they would win with their next disc after this one."""
    game.play(column)
    found = [] if game.is_over else claims.open_wins(game, you)
    game.undo(column)
    return found


class MomentReading:
    """One moment, being read."""

    def __init__(
        self, told: Mapping[str, Any], scores: Mapping[int, int], solver: Solver, columns: tuple[int, ...]
    ) -> None:
        self.told, self.scores, self.solver = told, scores, solver
        self.columns = columns  # of the whole game, from this move on
        self.position = Position.parse(told["position"])
        self.column = int(told["column"], 36) - 1
        self.after = self.position.play(self.column)
        self.own, self.best = scores[self.column], max(scores.values())
        self.me, self.you = "xo"[self.position.side], "ox"[self.position.side]
        self.better = [int(column, 36) - 1 for column in told["better"]]

    def check(self) -> int:
        """How many claims there were; AssertionError if one is false, or nobody can read it."""
        assert (self.told["ply"], self.told["side"]) == (self.position.ply + 1, self.me)
        assert self._right() == self.better, "other columns are right"
        assert self.column not in self.better
        heading, *sentences = re.split(r"(?<=\.) ", self.told["text"])
        found = re.fullmatch(rf"Move (\d+): {WHO} played column (\w)\.", heading)
        assert found, heading
        assert (found[1], found[3]) == (str(self.told["ply"]), self.told["column"])
        assert found[2] in ("you", self.me), heading
        assert sentences, "nothing is said"
        for sentence in sentences:
            self._check(sentence)
        return 4 + len(sentences)

    def _check(self, sentence: str) -> None:
        for pattern, is_true in PATTERNS.items():
            found = re.fullmatch(pattern, sentence)
            if found is not None:
                assert is_true(self, *found.groups()), f"false: {sentence}"
                return
        raise AssertionError(f"nobody can read: {sentence}")

    def _right(self) -> list[int]:
        """The columns that keep the best outcome; where that is kept or lost anyway, the best ones."""
        game = claims.referee_of(self.position)
        wins = [cell[0] for cell in claims.open_wins(game, self.me)]
        if wins:
            return wins
        sign = claims.sign(self.best)
        if sign < 0 or sign == claims.sign(self.own):
            return [column for column, value in self.scores.items() if value == self.best]
        return [column for column, value in self.scores.items() if claims.sign(value) == sign]

    # What sentences claim -------------------------------------------------------------------------

    def moves(self, value: int) -> int:
        return score_of(value, self.position.board.cells, self.position.ply).moves or 0

    def completes(self, position: Position, stone: str, cell: str, four: str) -> bool:
        """The cell is open, and the line lacks nothing else."""
        game, run = claims.referee_of(position), run_between(four)
        others = [game.at(*found) for found in run if found != spot(cell)]
        is_line = spot(cell) in run and len(run) == game.connect and set(others) <= {stone}
        return is_line and claims.is_open(game, spot(cell))

    def is_one_move(self, kind: str, cells: list[claims.Spot]) -> bool:
        found = one_move_errors(self.position, [self.column])
        return [(one.kind, list(one.cells)) for one in found] == [(kind, cells)]

    def left_a_tower(self, column: int) -> bool:
        """The other side has three on top of each other there, and the fourth was not stopped."""
        game = claims.referee_of(self.position)
        stack = game.stacks[column]
        is_tower = stack[-3:] == [self.you] * 3 and len(stack) < game.rows and game.connect == 4
        return is_tower and self.is_one_move("block_missed", [(column, len(stack))])

    def makes(self, who: str, kind: FactKind, column: str, cells: Iterable[claims.Spot] = ()) -> bool:
        """The better column of the mover, or their answer to the move, makes this."""
        move = digits(column)[0]
        before = self.position if who == "mine" else self.after
        end = before.play(move)
        found = tuple(cells) or tuple((c, end.height(c) + 1) for c in end.legal)
        is_there = claims.check(before, Fact(kind, move, claims.cells_of(found)))
        return is_there and (move in self._top(before))

    def _top(self, position: Position) -> list[int]:
        scores = claims.column_scores(position, self.solver)
        return [column for column, value in scores.items() if value == max(scores.values())]

    def forces(self, who: str, line: str, kind: ForcedKind, cells: Iterable[claims.Spot] = ()) -> bool:
        columns = tuple(int(move, 36) - 1 for move in line.split(" "))
        before = self.position if who == "mine" else self.after
        end = before
        for column in columns:
            end = end.play(column)
        found = tuple(cells) or tuple((c, end.height(c) + 1) for c in end.legal)
        return claims.forced_is_true(before, Fact(kind, columns[0], claims.cells_of(found), line=columns))

    def burns(self, cell: str) -> bool:
        """One's own winning cell, right above the disc, and another column is better."""
        fact = Fact("wastes_threat", self.column, claims.cells_of([spot(cell)]))
        return claims.check(self.position, fact) and self.own < self.best

    def pairs(self, who: str, column: str, cells: list[claims.Spot]) -> bool:
        is_seven = self.told["kind"].startswith("seven")
        before, move = self.position if who == "mine" else self.after, digits(column)[0]
        value = claims.column_scores(before, self.solver)[move]
        is_won = value > 0 and (score_of(value, before.board.cells, before.ply).moves or 0) <= 4
        is_pair = claims.check(before, Fact("stacked_pair", move, claims.cells_of(cells)))
        fours = tuple(claims.cells_of(spot(cell) for cell in four) for four in self.told["fours"])
        seven = not is_seven or claims.check(before, Fact("seven_trap", move, claims.cells_of(cells), fours))
        return is_won and is_pair and seven and move in self._top(before)

    def lasts(self, who: str, column: str, cells: list[claims.Spot], *, is_new: bool) -> bool:
        """It wins, and these cells, not open, are winning cells of whoever has moved."""
        before, move = self.position if who == "mine" else self.after, digits(column)[0]
        old, new = claims.referee_of(before), claims.referee_of(before.play(move))
        stone = "xo"[before.side]
        is_win = claims.column_scores(before, self.solver)[move] > 0
        stands = all(claims.wins_on(new, stone, cell) and not claims.is_open(new, cell) for cell in cells)
        stood = all(claims.wins_on(old, stone, cell) for cell in cells)
        return is_win and stands and stood != is_new

    def decided_in_the_end(self, cell: str, four: str) -> bool:
        """A better disc would have lain on this line, on which the other side won."""
        game, run = claims.referee_of(self.position), run_between(four)
        is_right = spot(cell) in run and spot(cell)[0] in self.better and claims.is_open(game, spot(cell))
        for column in self.columns:
            game.play(column)
        stands = all(game.at(*found) == self.you for found in run)
        return is_right and len(run) == game.connect and stands and game.winner == "xo".index(self.you)

    def cost(self, had: int, has: int) -> bool:
        return (claims.sign(self.best), claims.sign(self.own)) == (had, has)

    def also(
        self, plies: list[int], every: Mapping[int, OneMove], start: Position, columns: tuple[int, ...]
    ) -> bool:
        if self.told["kind"] in TWO_THREATS:
            return all(self._allows_again(ply, start, columns) for ply in plies)
        this = every.get(self.told["ply"])
        same = [every.get(ply) for ply in plies]
        return this is not None and all(
            one is not None
            and (one.kind, one.cells, (one.ply - this.ply) % 2) == (this.kind, this.cells, 0)
            and one.ply < this.ply
            for one in same
        )

    def _allows_again(self, ply: int, start: Position, columns: tuple[int, ...]) -> bool:
        """By that move of the same side, too, some answer made the same two threats."""
        position = start
        for column in columns[: ply - start.ply]:
            position = position.play(column)
        cells = claims.cells_of([spot(cell) for cell in self.told["cells"]])
        found = [Fact(TWO_THREATS[self.told["kind"]], reply, cells) for reply in position.legal]
        return (ply - self.told["ply"]) % 2 == 0 and any(claims.check(position, fact) for fact in found)


def _told(r: MomentReading, digits_told: str) -> bool:
    return digits(digits_told) == r.better


PLAYER = "(?:You|x|o)"
OTHER = "(?:you|[xo])"
BEHIND = r"only one can be stopped\."
FIRST = r"(?: \((?:you|[xo]) first\))?"  # whose disc begins a line of both
CAN = rf"Then {OTHER} could play column (\w) and"
BOTH = rf"({C}) and, right above it, ({C}) cannot both be stopped\."
END = rf"in the end {OTHER} must play right under {CELLS}, or lose before that\."

PATTERNS: dict[str, Callable[..., bool]] = {
    rf"{PLAYER} could have won at once: ({C}) completes {FOUR}\.": lambda r, c, f: (
        r.completes(r.position, r.me, c, f) and r.is_one_move("win_missed", [spot(c)])
    ),
    rf"{PLAYER} could have won at once, on {CELLS}\.": lambda r, c: r.is_one_move("win_missed", spots(c)),
    rf"{PLAYER} left ({C}) open, and {OTHER} could complete {FOUR} there\.": lambda r, c, f: (
        r.completes(r.position, r.you, c, f) and r.is_one_move("block_missed", [spot(c)])
    ),
    r"(?:(?:You|[xo]) had|[xo] did not block the) three on top of each other in column (\w)"
    rf"(?:, and {OTHER} did not block)?\.": lambda r, d: r.left_a_tower(*digits(d)),
    rf"(?:That lies|[xo] played) right under ({C}), and (?:it|that) let {OTHER} complete {FOUR} "
    r"there\.": lambda r, c, f: (
        r.completes(r.after, r.you, c, f)
        and r.is_one_move("door_opened", [spot(c)])
        and spot(c) == (r.column, r.position.height(r.column) + 1)
    ),
    rf"That lies right under your own winning cell ({C}): now [xo] can fill it\.": lambda r, c: r.burns(c),
    rf"[xo] wasted the winning cell ({C}) by playing right under it: now {OTHER} can fill it\.": (
        lambda r, c: r.burns(c)
    ),
    rf"Column (\w) would have made two threats at once, {CELLS}: {BEHIND}": lambda r, m, c: r.makes(
        "mine", "fork", m, spots(c)
    ),
    rf"{CAN} threaten {CELLS} at once: {BEHIND}": lambda r, m, c: r.makes("theirs", "fork", m, spots(c)),
    rf"Column (\w) would have threatened ({C}) and, right above it, ({C}): blocking the first opens the "
    r"second\.": lambda r, m, a, b: r.makes("mine", "stacked", m, [spot(a), spot(b)]),
    rf"{CAN} threaten ({C}) and, right above it, ({C}): blocking the first opens the second\.": (
        lambda r, m, a, b: r.makes("theirs", "stacked", m, [spot(a), spot(b)])
    ),
    r"Column (\w) would have left no safe column: wherever the next disc falls, the cell right above it "
    r"wins\.": lambda r, m: r.makes("mine", "zugzwang", m),
    rf"{CAN} leave no safe column: wherever the next disc falls, the cell right above it wins\.": (
        lambda r, m: r.makes("theirs", "zugzwang", m)
    ),
    rf"Column (\w) would have made two winning cells: {BOTH}": lambda r, m, a, b: r.pairs(
        "mine", m, [spot(a), spot(b)]
    ),
    rf"{CAN} make two winning cells: {BOTH}": lambda r, m, a, b: r.pairs("theirs", m, [spot(a), spot(b)]),
    rf"After column (\w) waiting was enough: {END}": lambda r, m, c: r.lasts(
        "mine", m, spots(c), is_new=False
    ),
    rf"{CAN} just wait: {END}": lambda r, m, c: r.lasts("theirs", m, spots(c), is_new=False),
    rf"Column (\w) would have made a winning cell to wait for: {END}": (
        lambda r, m, c: r.lasts("mine", m, spots(c), is_new=True)
    ),
    rf"{CAN} make a winning cell to wait for: {END}": (
        lambda r, m, c: r.lasts("theirs", m, spots(c), is_new=True)
    ),
    rf"{CAN} make ({C}) a winning cell\.": lambda r, m, c: r.makes(
        "theirs", "gains_even" if spot(c)[1] % 2 else "gains_odd", m, [spot(c)]
    ),
    r"It was hard to see\.": lambda r: claims.sign(r.best) != claims.sign(r.own),
    rf"A disc on ({C}) would have broken {FOUR}, the line that won in the end\.": lambda r, c, f: (
        r.decided_in_the_end(c, f)
    ),
    rf"Columns? {DIGITS} (?:was|were) right\.": lambda r, c: _told(r, c) and r.best >= 0,
    rf"The game was lost already, but columns? {DIGITS} would have held out longer\.": lambda r, c: (
        _told(r, c) and r.own < r.best < 0
    ),
    r"A won game became a draw\.": lambda r: r.cost(1, 0),
    r"A won game became a lost one\.": lambda r: r.cost(1, -1),
    r"A drawn game became a lost one\.": lambda r: r.cost(0, -1),
    r"It still wins, only later\.": lambda r: r.cost(1, 1) and r.own < r.best,
    r"The same at moves? (\d+(?:, \d+)*(?: and \d+)?)\.": lambda r, m: (
        [int(ply) for ply in re.split(", | and ", m)] == r.told["also"]
    ),
}
for who, begin in (
    ("mine", r"Column (\w) would have forced every answer"),
    ("theirs", f"{CAN} force every answer"),
):
    PATTERNS |= {
        rf"{begin}: after {LINE}{FIRST}, there are two threats, {CELLS}, and {BEHIND}": (
            lambda r, m, x, c, who=who: x[0] == m and r.forces(who, x, "forced_fork", spots(c))
        ),
        rf"{begin}: after {LINE}{FIRST}, ({C}) and, right above it, ({C}) are threatened\.": (
            lambda r, m, x, a, b, who=who: (
                x[0] == m and r.forces(who, x, "forced_stacked", [spot(a), spot(b)])
            )
        ),
        rf"{begin}: after {LINE}{FIRST}, no safe column is left\.": (
            lambda r, m, x, who=who: x[0] == m and r.forces(who, x, "forced_zugzwang")
        ),
    }


def check_moments(
    told: Mapping[str, Any],
    start: Position,
    columns: tuple[int, ...],
    scores: list[Mapping[int, int]],
    solver: Solver,
    *,
    is_led: bool,
) -> int:
    """All of them: what they say, how many they are, and that no error of one move is missing.

    What the end of the game has told (`is_led`) comes first, else what could have been seen.
    """
    moments, checked = told["moments"], 0
    every = {one.ply: one for one in one_move_errors(start, columns)}
    for moment in moments:
        place = moment["ply"] - 1 - start.ply
        reading = MomentReading(moment, scores[place], solver, columns[place:])
        checked += reading.check()
        assert not moment["also"] or reading.also(moment["also"], every, start, columns), moment
        if moment["ply"] in every:
            assert moment["kind"] == every[moment["ply"]].kind
    named = {ply for moment in moments for ply in (moment["ply"], *moment["also"])}
    assert len(moments) <= MOST
    assert len({moment["ply"] for moment in moments}) == len(moments)
    missing = [ply for ply in every if ply not in named]
    assert not missing or len(moments) == MOST, f"not told: {missing}"
    assert is_led or not every or moments[0]["depth"] <= 2, "what could have been seen comes first"
    return checked + len(every) + 3
