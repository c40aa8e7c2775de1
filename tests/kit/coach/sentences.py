"""Reads an English explanation back, sentence by sentence, and holds each against the board and the solver.

It knows the words, not the catalogue: a sentence that no pattern reads is an error, and so is a false one.
The instructions of a plan are carried out as a person would, from the words alone.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping

from claimeven.position import Position
from claimeven.reasons.planned.cover import Cover
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.seen.fact import Fact, FactKind, ForcedKind
from claimeven.reasons.told.explanation import Explanation
from claimeven.reasons.told.line import Line
from claimeven.solver import Solver, score_of
from kit.coach import claims

Spot = tuple[int, int]

C = r"(?:[a-z]\d+|\w/\d+)"  # a cell
CELLS = rf"({C}(?:, {C})*(?: (?:and|or) {C})?)"
DIGITS = r"(\w(?:, \w)*(?: and \w)?)"
LINE = r"([\w ]+?(?: …)?)"
IN = r"(at once|in \d+(?: (?:or|to) \d+)? moves?)"
TOGETHER = "at the same time"
ANSWER = "have an answer to everything, and"
FOUR = rf"({C}(?:–{C})?)"


def spot(word: str) -> Spot:
    if "/" in word:
        column, row = word.split("/")
        return int(column, 36) - 1, int(row) - 1
    return "abcdefghijklmnopqrstuvwxyz".index(word[0]), int(word[1:]) - 1


def spots(words: str) -> list[Spot]:
    return [spot(word) for word in re.split(", | and | or ", words)]


def digits(words: str) -> list[int]:
    return [int(word, 36) - 1 for word in re.split(", | and ", words)]


def both_ways(one: str, two: str) -> dict[int, int]:
    """Each of two columns leads to the other."""
    (first,), (second,) = digits(one), digits(two)
    return {first: second, second: first}


def run_between(ends: str) -> list[Spot]:
    """The cells from one end to the other."""
    first, last = spot(ends.split("–")[0]), spot(ends.split("–")[-1])
    length = max(abs(last[0] - first[0]), abs(last[1] - first[1]))
    step = [(b - a) // length if length else 0 for a, b in zip(first, last, strict=True)]
    return [(first[0] + i * step[0], first[1] + i * step[1]) for i in range(length + 1)]


class Reading:
    """One explanation, being read."""

    def __init__(self, told: Explanation, scores: Mapping[int, int], solver: Solver) -> None:
        self.told, self.scores, self.solver = told, scores, solver
        self.position, self.column, self.own = told.position, told.column, scores[told.column]
        self.others = {column: value for column, value in scores.items() if column != told.column}
        self.best = max(self.others.values(), default=0)
        self.lines = {other.column: other.line for other in told.why_not if other.line is not None}
        self.named: set[int] = set()  # columns of which something was said
        self.about = [told.column]  # the columns that the last sentence was about
        self.used: list[str] = []  # patterns, to find what is said twice

    # Reading ------------------------------------------------------------------------------------

    def read(self) -> int:
        """How many sentences there were; AssertionError if one is false, unknown, or said twice."""
        opening, *rest = self.told.text.split("\n")
        plan = rest.pop(0) if self.told.plan is not None else None
        sentences = re.split(r"(?<=\.) ", opening)
        for paragraph in rest:
            sentences += re.split(r"(?<=\.) ", paragraph)
        for sentence in sentences:
            self.check(sentence)
        if plan is not None:
            assert self.told.plan is not None
            steps = re.split(r"(?<=\.) ", plan)
            PlanReading(self.told.plan, self.position.ply + 1, steps, self.solver).check()
            sentences += steps
        assert len(sentences) == len(set(sentences)), "a sentence twice"
        twice = {pattern for pattern in self.used if self.used.count(pattern) > 1} - MAY_REPEAT
        assert not twice, f"said twice in other words: {twice}"
        is_won = self.own > 0 and self.position.play(self.column).is_over
        assert self.named >= ({self.column} if is_won else set(self.position.legal)), "a column is missing"
        return len(sentences)

    def check(self, sentence: str) -> None:
        for pattern, is_true in PATTERNS.items():
            found = re.fullmatch(pattern, sentence)
            if found is not None:
                assert is_true(self, *found.groups()), f"false: {sentence}"
                self.used.append(pattern + "".join(g for g in found.groups() if g in ("you", "they")))
                return
        raise AssertionError(f"nobody can read: {sentence}")

    # What sentences claim -------------------------------------------------------------------------

    def columns(self, words: str, is_true: Callable[[int], bool], when: str = "") -> bool:
        """Something is true of the value of each column, and of when it is won."""
        values = [self.scores[column] for column in digits(words)]
        self.about = digits(words)
        self.named |= set(self.about)
        return all(map(is_true, values)) and (not when or self.moves(values) == when)

    def moves(self, values: Iterable[int]) -> str:
        counts = [score_of(value, self.position.board.cells, self.position.ply).moves for value in values]
        low, high = min(map(int, map(str, counts))), max(map(int, map(str, counts)))
        if high == 1:
            return "at once"
        if low == high:
            return f"in {high} moves"
        return f"in {low} {'or' if high - low == 1 else 'to'} {high} moves"

    def other(self, digit: str, is_true: bool, when: str = "") -> bool:
        """Another column is the best one."""
        value = self.scores[digits(digit)[0]]
        return is_true and value == self.best and (not when or self.moves([value]) == when)

    def fact(self, kind: FactKind, cells: Iterable[Spot], count: int | None = None) -> bool:
        return claims.check(self.position, Fact(kind, self.column, claims.cells_of(cells), count=count))

    def loses_to(self, words: str, when: str, end: str) -> bool:
        """Each of these columns loses, and its line ends like this."""
        theirs = 1 - self.position.side
        lines = [self.lines[column] for column in digits(words)]
        ends = all(line.end == end and line.winner == theirs for line in lines)
        return ends and len(lines) > 1 and self.columns(words, lambda value: value < 0 <= self.own, when)

    def line(self, shown: str) -> Line:
        """The line that begins like this; `claims` has found it true."""
        *moves, last = shown.split(" ")
        moves += [last] if last != "…" else []
        start = tuple(int(move, 36) - 1 for move in moves)
        assert start[0] in self.about, f"not about {self.about}: {shown}"
        line = self.told.line if start[0] == self.column else self.lines[start[0]]
        assert line is not None, f"no such line: {shown}"
        assert line.columns[: len(start)] == start, f"another line: {shown}"
        assert (last == "…") == (len(line.columns) > len(start)), shown
        return line

    def ends(self, shown: str, who: str, kind: FactKind, cells: Iterable[Spot] = ()) -> bool:
        """At the end of a line someone has this."""
        line, before = self.line(shown), self.position
        for column in line.columns[:-1]:
            before = before.play(column)
        assert (before.side == self.position.side) == (who == "you"), "the other side moved last"
        if kind == "zugzwang":
            cells = [
                (c, before.play(line.columns[-1]).height(c) + 1) for c in before.play(line.columns[-1]).legal
            ]
        if kind == "wins_now":
            end = before.play(line.columns[-1])
            stone = "xo"[before.side]
            run = list(cells)
            return (
                end.winner == before.side
                and len(run) == end.board.connect
                and all(end.stone(*cell) == stone for cell in run)
            )
        return claims.check(before, Fact(kind, line.columns[-1], claims.cells_of(cells)))

    def planned(self, shown: str, who: str, bound: int, cells: Iterable[Spot] = ()) -> bool:
        """At the end of a line someone has a plan: it wins (on these cells) or it holds."""
        line, keys = self.line(shown), list(cells)
        plan, side = line.plan, self.position.side if who == "you" else 1 - self.position.side
        assert plan is not None
        referee, stone = claims.referee_of(plan.position), "xo"[side]
        is_key = all(claims.wins_on(referee, stone, key) for key in keys) or isinstance(plan, Cover)
        promised = plan.bound < 0 if bound < 0 else plan.bound == 0
        value = int(self.solver.score(plan.position))
        is_kept = value < 0 if bound < 0 else value <= 0
        return (
            plan.holder == side and promised and is_kept and is_key and keys == [tuple(k) for k in plan.keys]
        )

    def drawn(self, shown: str) -> bool:
        end = self.position
        for column in self.line(shown).columns:
            end = end.play(column)
        return end.is_over and end.winner is None

    def forced(self, shown: str, kind: ForcedKind, cells: Iterable[Spot]) -> bool:
        line = self.line(shown)
        before = self.position
        for column in line.columns:
            before = before.play(column)
        found = tuple(cells) or tuple((c, before.height(c) + 1) for c in before.legal)
        fact = Fact(kind, self.column, claims.cells_of(found), line=line.columns)
        return claims.forced_is_true(self.position, fact)

    def takes_answer(self, cell: Spot, columns: Iterable[int], *, is_only: bool) -> bool:
        """Their winning answers to these columns: the cell that the move takes is (the only) one."""
        if cell != (self.column, self.position.height(self.column)):
            return False
        for column in columns:
            values = claims.column_scores(self.position.play(column), self.solver)
            winning = [reply for reply, value in values.items() if value > 0]
            if self.column not in winning or (is_only and winning != [self.column]):
                return False
        return self.own == 0 >= self.best

    def stops_line(self, run: list[Spot], columns: Iterable[int]) -> bool:
        """The line holds the cell of the move, and what follows each column is decided on that line."""
        cell, stone = (self.column, self.position.height(self.column)), "ox"[self.position.side]
        if cell not in run or len(run) != self.position.board.connect or self.own != 0 or self.best > 0:
            return False
        for column in columns:
            line, end = self.lines[column], self.position
            for move in line.columns:
                end = end.play(move)
            seen = line.plan.keys if line.plan is not None else line.seen.cells if line.seen else ()
            missing = [spot for spot in run if end.stone(*spot) != stone]
            if not set(missing) <= {tuple(key) for key in seen} or len(missing) > 1:
                return False
            if self.scores[column] >= 0 or line.winner == self.position.side:
                return False
            # Without that cell the end would not be one: no key, or one threat instead of two.
            referee = claims.referee_of(end)
            if cell[1] < len(referee.stacks[cell[0]]):
                referee.stacks[cell[0]][cell[1]] = "xo"[self.position.side]
                referee.found = None
                left = [key for key in seen if claims.wins_on(referee, stone, key)]
                if line.end != "win" and len(left) >= (2 if line.end in ("fork", "stacked") else 1):
                    return False
        return True


# English ----------------------------------------------------------------------------------------

PATTERNS: dict[str, Callable[..., bool]] = {
    # verdicts and columns
    rf"Column (\w) wins {IN}\.": lambda r, c, t: r.columns(c, lambda v: v > 0, t) and digits(c) == [r.column],
    r"Column (\w) holds the draw\.": lambda r, c: r.columns(c, lambda v: v == 0) and digits(c) == [r.column],
    rf"Columns? {DIGITS} loses? {IN}\.": lambda r, c, t: r.columns(c, lambda v: v < 0, t),
    rf"Columns? {DIGITS} only draws?\.": lambda r, c: r.columns(c, lambda v: v == 0 < r.own),
    rf"Columns? {DIGITS} wins? too, but later\.": lambda r, c: r.columns(c, lambda v: 0 < v < r.own),
    rf"Columns? {DIGITS} loses? sooner\.": lambda r, c: r.columns(c, lambda v: v < r.own < 0),
    rf"Column (\w) loses sooner, {IN}\.": lambda r, c, t: r.columns(c, lambda v: v < r.own < 0, t),
    rf"Column (\w) wins too, but only {IN}\.": lambda r, c, t: r.columns(c, lambda v: 0 < v < r.own, t),
    rf"Columns? {DIGITS} (?:is|are) just as good\.": lambda r, c: r.columns(c, lambda v: v == r.own >= 0),
    rf"Columns? {DIGITS} (?:is|are) no better\.": lambda r, c: r.columns(c, lambda v: v == r.own < 0),
    rf"Columns? {DIGITS} (?:is|are) better\.": lambda r, c: r.columns(c, lambda v: v > r.own),
    rf"Columns? {DIGITS} leaves? {CELLS} to them, where they win at once\.": lambda r, c, x: (
        r.columns(c, lambda v: v < 0)
        and all(claims.check(r.position, Fact("leaves_win", d, claims.cells_of(spots(x)))) for d in digits(c))
    ),
    rf"Columns? {DIGITS} lets? them win on {CELLS}, right above\.": lambda r, c, x: above(r, c, x),
    rf"Columns {DIGITS} let them win right above, on {CELLS}\.": lambda r, c, x: above(r, c, x),
    rf"Columns {DIGITS} only draw: against each they get a plan\.": lambda r, c: (
        r.columns(c, lambda v: v == 0 < r.own)
        and all(r.lines[d].end == "plan" and r.lines[d].winner == 1 - r.position.side for d in digits(c))
    ),
    rf"Columns {DIGITS} lose {IN}, each to a plan\.": lambda r, c, t: r.loses_to(c, t, "plan"),
    rf"Columns {DIGITS} lose {IN}, each to two threats at once\.": lambda r, c, t: r.loses_to(c, t, "fork"),
    rf"Columns {DIGITS} lose {IN}, each to one threat above another\.": lambda r, c, t: r.loses_to(
        c, t, "stacked"
    ),
    rf"Columns {DIGITS} lose {IN}, each for want of a safe column\.": lambda r, c, t: r.loses_to(
        c, t, "zugzwang"
    ),
    # comparisons
    r"It is the only column left\.": lambda r: not r.others,
    r"No other column wins\.": lambda r: r.own > 0 >= r.best,
    r"No other column wins as soon\.": lambda r: r.own > r.best > 0,
    r"No column wins sooner\.": lambda r: r.own == r.best > 0,
    rf"Column (\w) wins sooner, {IN}\.": lambda r, c, t: r.other(c, r.best > r.own > 0, t),
    r"Every other column loses\.": lambda r: r.own == 0 > r.best and bool(r.others),
    r"No column wins, and some lose\.": lambda r: r.own == 0 == r.best and min(r.others.values()) < 0,
    r"So does every other column\.": lambda r: r.own == 0 and set(r.others.values()) == {0},
    rf"That gives away a win: column (\w) wins {IN}\.": lambda r, c, t: r.other(c, r.best > 0 >= r.own, t),
    r"Every column loses, and none holds out longer\.": lambda r: r.best <= r.own < 0,
    r"Every column loses, but column (\w) holds out longer, for (\d+) moves?\.": lambda r, c, n: r.other(
        c, r.own < r.best < 0, f"in {n} moves"
    ),
    r"Column (\w) would hold the draw\.": lambda r, c: r.other(c, r.own < 0 == r.best),
    # facts on the board
    rf"It completes the line {FOUR}\.": lambda r, four: completes(r, four),
    rf"It takes {CELLS}, where they would win with their next disc\.": lambda r, x: r.fact(
        "blocks", spots(x)
    ),
    rf"It takes {CELLS}, where they threaten to win, but that is not their only threat\.": lambda r, x: (
        r.fact("blocks_one", spots(x))
    ),
    rf"It leaves {CELLS} to them, where they win at once\.": lambda r, x: r.fact("leaves_win", spots(x)),
    rf"It lets them play on {CELLS}, where they win\.": lambda r, x: r.fact("gives_win", spots(x)),
    rf"It lets them take {CELLS}, where you could have won\.": lambda r, x: r.fact("wastes_threat", spots(x)),
    rf"It threatens to win on {CELLS} at the same time, and they can stop only one\.": lambda r, x: r.fact(
        "fork", spots(x)
    ),
    rf"It makes three in a row with both ends open, {CELLS}: they can close only one\.": lambda r, x: r.fact(
        "open_three", spots(x)
    ),
    rf"It threatens ({C}) and, right above it, ({C}): when they block the first, you take the second\.": (
        lambda r, a, b: r.fact("stacked", [spot(a), spot(b)])
    ),
    r"It leaves them without a safe column: wherever they play, you win right above\.": lambda r: r.fact(
        "zugzwang", [(c, r.position.play(r.column).height(c) + 1) for c in r.position.play(r.column).legal]
    ),
    rf"It threatens to win on {CELLS}, so they have to answer there\.": lambda r, x: r.fact(
        "threatens", spots(x)
    ),
    rf"It gives you a winning cell on {CELLS}, in an odd row\.": lambda r, x: r.fact("gains_odd", spots(x)),
    rf"It gives you a winning cell on {CELLS}, in an even row\.": lambda r, x: r.fact("gains_even", spots(x)),
    rf"Your new winning cell ({C}) lies below their ({C})\.": lambda r, a, b: r.fact(
        "undercuts", [spot(a), spot(b)]
    ),
    rf"With the next disc in this column they would have threatened {CELLS} {TOGETHER}\.": lambda r, x: (
        r.fact("denies_fork", spots(x))
    ),
    rf"Now only columns? {DIGITS} do(?:es)? not lose at once for them\.": lambda r, c: safe(r, digits(c)),
    # what a draw takes from them
    rf"It takes ({C}), their only winning answer to columns? {DIGITS}\.": lambda r, x, c: r.takes_answer(
        spot(x), digits(c), is_only=True
    ),
    rf"It takes ({C}), their only winning answer to every other column\.": lambda r, x: r.takes_answer(
        spot(x), r.others, is_only=True
    ),
    rf"It takes ({C}), a winning answer of theirs to columns? {DIGITS}\.": lambda r, x, c: r.takes_answer(
        spot(x), digits(c), is_only=False
    ),
    rf"It takes ({C}), a winning answer of theirs to every other column\.": lambda r, x: r.takes_answer(
        spot(x), r.others, is_only=False
    ),
    rf"It stops the line {FOUR}, which would decide for them after columns? {DIGITS}\.": lambda r, f, c: (
        r.stops_line(run_between(f), digits(c))
    ),
    rf"It stops the line {FOUR}, which would decide for them after every other column\.": lambda r, f: (
        r.stops_line(run_between(f), r.others)
    ),
    # lines
    rf"Every answer is forced: after {LINE} you threaten to win on {CELLS}, and they can stop only one\.": (
        lambda r, m, x: r.forced(m, "forced_fork", spots(x))
    ),
    rf"Every answer is forced: after {LINE} you threaten ({C}) and, right above it, ({C})\.": (
        lambda r, m, a, b: r.forced(m, "forced_stacked", [spot(a), spot(b)])
    ),
    rf"Every answer is forced: after {LINE} they have no safe column left\.": lambda r, m: r.forced(
        m, "forced_zugzwang", []
    ),
    rf"Best play goes {LINE}, and (you|they) complete {FOUR}\.": lambda r, m, who, four: r.ends(
        m, who, "wins_now", run_between(four)
    ),
    rf"Best play goes {LINE}, and the board is full\.": lambda r, m: r.drawn(m),
    rf"After {LINE} (you|they) threaten to win on {CELLS}, and (?:you|they) can stop only one\.": (
        lambda r, m, who, x: r.ends(m, who, "fork", spots(x))
    ),
    rf"After {LINE} (you|they) threaten ({C}) and, right above it, ({C})\.": lambda r, m, who, a, b: r.ends(
        m, who, "stacked", [spot(a), spot(b)]
    ),
    rf"After {LINE} they have no safe column left: wherever they play, you win right above\.": (
        lambda r, m: r.ends(m, "you", "zugzwang")
    ),
    rf"After {LINE} you have no safe column left: wherever you play, they win right above\.": (
        lambda r, m: r.ends(m, "they", "zugzwang")
    ),
    rf"After {LINE} a plan wins against every reply, and {CELLS} decides\.": lambda r, m, x: r.planned(
        m, "you", -1, spots(x)
    ),
    rf"After {LINE} a plan wins against every reply\.": lambda r, m: r.planned(m, "you", -1),
    rf"After {LINE} they have an answer to everything, and {CELLS} decides\.": lambda r, m, x: r.planned(
        m, "they", -1, spots(x)
    ),
    rf"After {LINE} they {ANSWER} complete a line with the last disc at the latest\.": (
        lambda r, m: r.planned(m, "they", -1)
    ),
    rf"After {LINE} they have an answer to everything, and you can never complete a line\.": (
        lambda r, m: r.planned(m, "they", 0) and not r.own == 0 >= r.best
    ),
    rf"There is no more in it: after {LINE} they {ANSWER} you can never complete a line\.": (
        lambda r, m: r.planned(m, "they", 0) and r.own == 0 >= r.best
    ),
    rf"After {LINE} you have an answer to everything, and they can never complete a line\.": (
        lambda r, m: r.planned(m, "you", 0)
    ),
    rf"They answer in column (\w) and threaten to win on {CELLS}; you can stop only one\.": lambda r, d, x: (
        answered(r, d, "fork", spots(x))
    ),
    rf"They answer in column (\w) and threaten ({C}) and, right above it, ({C})\.": lambda r, d, a, b: (
        answered(r, d, "stacked", [spot(a), spot(b)])
    ),
    r"They answer in column (\w) and leave you without a safe column\.": lambda r, d: answered(
        r, d, "zugzwang", []
    ),
}
# Of different columns, with different reasons.
MAY_REPEAT = {rf"Columns? {DIGITS} loses? {IN}\.", rf"Columns? {DIGITS} only draws?\."}


def above(r: Reading, columns: str, cells: str) -> bool:
    pairs = list(zip(digits(columns), spots(cells), strict=True))
    is_true = all(claims.check(r.position, Fact("gives_win", c, claims.cells_of([x]))) for c, x in pairs)
    return is_true and r.columns(columns, lambda value: value < 0)


def completes(r: Reading, four: str) -> bool:
    end, stone = r.position.play(r.column), "xo"[r.position.side]
    run = run_between(four)
    return len(run) == end.board.connect and all(end.stone(*cell) == stone for cell in run)


def safe(r: Reading, columns: list[int]) -> bool:
    after = r.position.play(r.column)
    cells = [(column, after.height(column)) for column in columns]
    return r.fact("safe_replies", cells, count=len(cells))


def answered(r: Reading, digit: str, kind: FactKind, cells: list[Spot]) -> bool:
    """After each of the columns of the sentence before, this answer makes this."""
    reply = digits(digit)[0]
    for column in r.about:
        after = r.position.play(column)
        found = cells or [(c, after.play(reply).height(c) + 1) for c in after.play(reply).legal]
        if not claims.check(after, Fact(kind, reply, claims.cells_of(found))):
            return False
    return True


# Plans ------------------------------------------------------------------------------------------


class PlanReading:
    """The instructions of a plan, carried out from the words alone."""

    def __init__(self, plan: Plan, first_ply: int, steps: list[str], solver: Solver) -> None:
        self.plan, self.solver = plan, solver
        self.swaps: dict[Spot, Spot] = {}
        self.together: dict[int, int] = {}
        self.across: dict[int, int] = {}
        self.is_watchful = self.leaves_cells = False
        self.apart: int | None = None
        self.promise = ""
        is_now = plan.position.ply == first_ply
        assert (steps[0] == "There is a plan for every reply.") == is_now, steps
        for step in steps[is_now:]:
            self.read(step)
        assert self.promise or not is_now, "it promises nothing"
        self.promise = self.promise or "hold"  # which the sentence about the line has said

    def read(self, step: str) -> None:
        if found := re.fullmatch(rf"If they take ({C}), take ({C}), and the other way round\.", step):
            self.swap(*found.groups())
        elif found := re.fullmatch(
            r"Some cells go in pairs, (.*): if they take one of a pair, take the other\.", step
        ):
            for pair in re.split(", | and ", found[1]):
                self.swap(*pair.split(" with "))
        elif found := re.fullmatch(
            r"Columns (\w) and (\w) belong together: answer in the same one; "
            r"when they fill one of the two up, play in the other\.",
            step,
        ):
            self.together |= both_ways(*found.groups())
        elif found := re.fullmatch(
            r"When they play in column (\w), answer in column (\w), and the other way round; "
            r"once one is full, in the same column\.",
            step,
        ):
            self.across |= both_ways(*found.groups())
        elif re.fullmatch(
            r"Win when you can; (?:otherwise|to everything else) answer in the same column\.", step
        ):
            pass
        elif found := re.fullmatch(
            r"Win when you can and stop them when you must; to everything else answer in the same column, "
            r"or, when it is full, in the first column from the left(?:, other than (\w),)? "
            r"with an odd number of free cells\.",
            step,
        ):
            self.is_watchful = True
            self.apart = digits(found[1])[0] if found[1] else None
        elif found := re.fullmatch(
            rf"In the end they have to play below {CELLS}, unless you win before: "
            r"then you take (?:it|that cell) and win\.",
            step,
        ):
            self.promise = "key"
            assert spots(found[1]) == [tuple(key) for key in self.plan.keys], step
        elif step == "You complete a line with the last disc at the latest.":
            self.promise = "win"
        elif step == "Then they can never complete a line.":
            self.promise = "hold"
        else:
            assert isinstance(self.plan, Cover), f"nobody can read: {step}"
            self.rule(step)

    def swap(self, one: str, two: str) -> None:
        assert not {spot(one), spot(two)} & self.swaps.keys()
        self.swaps |= {spot(one): spot(two), spot(two): spot(one)}

    def rule(self, step: str) -> None:
        """What a rule says of the cells is tried in games (`claims.rule_is_kept`); here it must be a rule."""
        kinds = (
            rf"Claimeven: {CELLS} can never be theirs, because you answer right above\.",
            rf"Baseinverse: of {CELLS} they get one, you the other\.",
            rf"Vertical: {CELLS} can never both be theirs, because you answer right above\.",
            rf"Aftereven: what your line {FOUR} still needs can never be theirs\.",
            rf"Lowinverse: {CELLS} can never both be theirs\.",
            rf"Before: of each cell that your line {FOUR} still needs and the one above it "
            r"they get at most one\.",
            r"Win when you can; otherwise answer in the same column, but leave the cells below those that "
            r"must be yours to them: then play in the first column from the left with an odd number of free "
            r"cells\.",
        )
        assert any(re.fullmatch(kind, step) for kind in kinds), f"nobody can read: {step}"
        self.leaves_cells |= "leave the cells below" in step
        if step.startswith("Baseinverse"):
            self.swap(*re.split(" and ", re.findall(rf"of {CELLS} they", step)[0]))

    # Carrying it out ------------------------------------------------------------------------------

    def answer(self, before: Position, column: int) -> int | None:
        """What a person would answer; None when the words do not say."""
        after = before.play(column)
        wins = [c for c in after.legal if after.play(c).winner is not None]
        if wins:
            return wins[0]
        if self.is_watchful:
            referee = claims.referee_of(after)
            danger = claims.open_wins(referee, "xo"[before.side])
            if danger:
                return danger[0][0]
        partner = self.swaps.get((column, before.height(column)))
        if partner is not None and after.height(partner[0]) == partner[1]:
            return partner[0]
        other = self.across.get(column)
        if other is not None and other in after.legal:
            return other
        if column in after.legal:
            return column
        other = self.together.get(column)
        if other is not None and other in after.legal:
            return other
        if self.is_watchful:
            free = {c: after.board.rows - after.height(c) for c in after.legal if c != self.apart}
            return next((c for c in free if free[c] % 2), None)
        return None

    def check(self, most: int = 400) -> None:
        """Against every reply, in random order, up to so many positions."""
        if self.leaves_cells:
            return  # which ones is for the games of claims.plan_is_true
        chance = random.Random(self.plan.position.key)
        seen, waiting = {self.plan.position}, [self.plan.position]
        while waiting and len(seen) <= most:
            position = waiting.pop(chance.randrange(len(waiting)))
            for column in position.legal:
                after = position.play(column)
                where = f"{self.plan.position}, then {position}, then column {column + 1}"
                assert after.winner is None, f"the plan loses: {where}"
                if not after.is_over:
                    reply = self.answer(position, column)
                    assert reply is not None, f"the plan has no answer: {where}"
                    after = after.play(reply)
                if after.is_over:
                    is_kept = after.winner is not None or self.promise == "hold"
                    assert is_kept, f"the plan only draws: {where}"
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)
