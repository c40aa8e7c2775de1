"""Reads an English explanation back, sentence by sentence, and holds each against the board and the solver.

It knows the words, not the catalogue: a sentence that no pattern reads is an error, and so is a false one.
The instructions of a plan are carried out as a person would, from the words alone (plans.py).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from claimeven.position import Position
from claimeven.reasons.planned.cover import Cover
from claimeven.reasons.seen.fact import Fact, FactKind, ForcedKind
from claimeven.reasons.told.explanation import Explanation, explain
from claimeven.reasons.told.line import Line
from claimeven.solver import Solver, score_of
from kit.coach import claims
from kit.coach.plans import PlanReading, is_count
from kit.coach.words import CELLS, CHOICES, DIGITS, FOUR, IN, LINE, C, Spot, digits, run_between, spot, spots


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
        told = self.told
        *paragraphs, proved = self.told.text.split("\n")
        simple = re.split(r"(?<=\.) ", paragraphs.pop()) if told.simple is not None else []
        if told.better is not None:
            assert paragraphs.pop() == told.better.text  # explained.py reads it
        if simple:
            self.check_simple(*simple)
        assert len(paragraphs) == bool(told.reasons) + bool(told.steps), "a paragraph too many or too few"
        if paragraphs:
            head = f"Column {'123456789abcdefghijklmnopqrstuvwxyz'[self.column]}: "
            assert paragraphs[0].startswith(head), paragraphs[0]
            first = paragraphs[0].removeprefix(head)
            paragraphs[0] = first[:1].upper() + first[1:]
            self.named.add(self.column)
        parts = [re.split(r"(?<=\.) ", paragraph) for paragraph in (*paragraphs, proved)]
        plan = parts[-2] if told.steps else []
        if plan:
            plan += [step for step in parts[0] if told.reasons and is_count(step)]
            PlanReading(self.position.play(self.column), plan, self.column).check()
        sentences = [step for part in parts for step in part if part is not plan]
        is_counted = any(sentence.startswith("Apart from") for sentence in sentences)
        assert not (is_counted and re.match(r"It gives you \d+ discs", sentences[0])), "a filler"
        for sentence in sentences:
            if not (plan and is_count(sentence)):
                self.check(sentence)
        sentences = [*simple, *(step for part in parts for step in part)]
        spoken = [step for step in sentences if not is_count(step)]
        assert len(spoken) == len(set(spoken)), "a sentence twice"
        twice = {pattern for pattern in self.used if self.used.count(pattern) > 1} - MAY_REPEAT
        assert not twice, f"said twice in other words: {twice}"
        if not (self.own > 0 and self.position.play(self.column).is_over):
            # Of a worse column it is told what is better; who blocks need not hear that the others do not.
            unsaid = {c for c in self.position.legal if not self.loses_at_once(c)} - self.named
            is_said = self.own < self.best or not unsaid or set(self.scores.values()) == {self.own}
            assert is_said, f"a column is missing: {unsaid}"
        return len(sentences)

    def check_simple(self, first: str, *rest: str) -> None:
        """Another column that wins: by force, or by words that are carried out."""
        found = re.fullmatch(r"A simple win is column (\w)\.", first)
        assert found is not None, first
        (column,) = digits(found[1])
        assert 0 < self.scores[column] <= self.own, first
        assert column != self.column, first
        if not rest[0].startswith("Every answer is forced"):
            PlanReading(self.position.play(column), list(rest), column).check()
            return
        for pattern, is_true in PATTERNS.items():
            if pattern.startswith("Every answer") and (read := re.fullmatch(pattern, rest[0])):
                moves = tuple(digits(read[1], " "))
                assert moves[0] == column, rest[0]
                line = Line(moves, "fork", self.position.side)
                other = Reading(replace(self.told, column=column, line=line), self.scores, self.solver)
                assert is_true(other, *read.groups()), f"false: {rest[0]}"
                return
        raise AssertionError(f"nobody can read: {rest[0]}")

    def check(self, sentence: str) -> None:
        for pattern, is_true in PATTERNS.items():
            found = re.fullmatch(pattern, sentence)
            if found is not None:
                assert is_true(self, *found.groups()), f"false: {sentence}"
                who = [group for group in found.groups() if group in ("you", "they", "them", "You", "They")]
                self.used.append(pattern + "".join(who))
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

    def fact(
        self, kind: FactKind, cells: Iterable[Spot], count: int | None = None, stones: int | None = None
    ) -> bool:
        fact = Fact(kind, self.column, claims.cells_of(cells), count=count, stones=stones)
        return claims.check(self.position, fact)

    def line(self, shown: str) -> Line:
        """The line with these moves, all of them; `claims` has found it true."""
        if not shown:  # a long one, of which only the end is told
            assert self.told.line is not None
            return self.told.line
        moves = tuple(digits(shown, " "))
        assert moves[0] in self.about, f"not about {self.about}: {shown}"
        line = self.told.line if moves[0] == self.column else self.lines[moves[0]]
        assert line is not None, f"no such line: {shown}"
        assert line.columns == moves, f"another line: {shown}"
        return line

    def ends(self, shown: str, who: str, kind: FactKind, cells: Iterable[Spot] = ()) -> bool:
        """At the end of a line someone has this."""
        line, before = self.line(shown), self.position
        if kind == "stacked" and line.plan is not None:
            return self.has_stack(line, who, list(cells))
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

    def has_stack(self, line: Line, who: str, cells: list[Spot]) -> bool:
        """After the line the last mover has two winning cells above each other, and they win."""
        end = self.position
        for column in line.columns:
            end = end.play(column)
        referee, stone = claims.referee_of(end), "ox"[end.side]
        assert (end.side != self.position.side) == (who == "you"), "the other side moved last"
        return (
            claims.up(cells[0]) == cells[1]
            and all(claims.wins_on(referee, stone, cell) for cell in cells)
            and int(self.solver.score(end)) < 0
        )

    def aims(self, who: str, cells: list[Spot]) -> bool:
        """Best play leads to a plan of someone, which wins on these cells: in every column the lowest key."""
        line, side = self.told.line, self.position.side if who == "your" else 1 - self.position.side
        assert line is not None
        assert line.plan is not None
        plan = line.plan
        referee, stone = claims.referee_of(plan.position), "xo"[side]
        is_key = all(claims.wins_on(referee, stone, key) for key in cells) or isinstance(plan, Cover)
        lowest = {c: min(k.row for k in plan.keys if k.column == c) for c in {k.column for k in plan.keys}}
        rows = {claims.owner(referee, row) for _, row in cells}
        return (
            plan.holder == side
            and rows == {side}
            and is_key
            and sorted(cells) == sorted(lowest.items())
            and int(self.solver.score(plan.position)) < 0
        )

    def can_build(self, parity: str) -> bool:
        """Some line without a disc of theirs has an empty cell in such a row."""
        after = claims.referee_of(self.position.play(self.column))
        return any(
            not claims.stones_in(after, run, self.them)
            and any(after.at(*cell) is None and cell[1] % 2 == (parity == "Even") for cell in run)
            for run in claims.windows(after)
        )

    def best_line_ends(self, run: list[Spot], *, is_mine: bool) -> bool:
        """The last disc of the best line that the reason carries completes this line of someone."""
        moves = next(reason.moves for reason in self.told.reasons if reason.kind == "aim")
        end = self.position
        for column in moves[:-1]:
            end = end.play(column)
        last = (moves[-1], end.height(moves[-1]))
        end = end.play(moves[-1])
        stones = {end.stone(*cell) for cell in run}
        side = self.position.side if is_mine else 1 - self.position.side
        is_line = len(run) == end.board.connect and stones == {"xo"[side]}
        return is_line and last in run and self.ends_on(is_mine, last)

    def ends_on(self, is_mine: bool, cell: Spot) -> bool:
        """The last disc of the best line that the reason carries, in a row of the winner."""
        moves = next(reason.moves for reason in self.told.reasons if reason.kind == "aim")
        end, last = self.position, (-1, -1)
        for column in moves:
            last, end = (column, end.height(column)), end.play(column)
        side = self.position.side if is_mine else 1 - self.position.side
        won = score_of(self.own, end.board.cells, self.position.ply).moves
        own_discs = sum(1 for place in range(len(moves)) if (place % 2 == 0) == is_mine)
        return moves[0] == self.column and last == cell and end.winner == side and own_discs == won

    def has(self, position: Position, who: str, cells: list[Spot]) -> bool:
        side = self.position.side if who.lower() == "you" else 1 - self.position.side
        return all(claims.wins_on(claims.referee_of(position), "xo"[side], cell) for cell in cells)

    def has_after(self, moves: list[int], who: str, cells: list[Spot], old: list[Spot]) -> bool:
        """After these moves of the line someone has these winning cells, all that the last disc gave him.

        None of them stood there before, but the old ones; among them are those that the plan comes down to.
        """
        line, before = self.told.line, self.position
        assert line is not None
        assert line.columns[: len(moves)] == tuple(moves), f"another line: {moves}"
        for column in moves[:-1]:
            before = before.play(column)
        after, side = before.play(moves[-1]), self.position.side if who == "you" else 1 - self.position.side
        stone, was, now = "xo"[side], claims.referee_of(before), claims.referee_of(after)
        assert line.plan is not None
        keys = {(key.column, key.row) for key in line.plan.keys}
        shown = [*cells, *old]
        given = [
            cell
            for cell in claims.all_wins(now, stone)
            if not claims.wins_on(was, stone, cell)
            and not claims.is_open(now, cell)
            and claims.owner(now, cell[1]) == side
            and claims.is_lowest(now, cell)
        ]
        stood = [cell for cell in shown if self.has(self.position, who, [cell])]
        return (
            self.has(after, who, shown)
            and not self.has(before, who, shown)
            and set(given) <= set(cells)
            and stood == old
            and self.aims("your" if who == "you" else "their", [c for c in shown if c in keys])
        )

    def runs_out(self, below: Spot, count: int, parity: str, who: str) -> bool:
        """So many cells are free without this one and those above it: fill them in turn, they begin."""
        after = self.position.play(self.column)
        board = after.board
        free = [(c, r) for c in range(board.columns) for r in range(after.height(c), board.rows)]
        rest = [cell for cell in free if cell[0] != below[0] or cell[1] < below[1]]
        first_without = "they" if len(rest) % 2 == 0 else "you"
        winner = "xo"[self.position.side if who == "they" else 1 - self.position.side]
        return (
            below in free
            and len(rest) == count
            and parity == ("odd" if count % 2 else "even")
            and who == first_without
            and claims.wins_on(claims.referee_of(after), winner, claims.up(below))
        )

    def holds(self, shown: str) -> bool:
        """At the end of a line they have a plan that keeps the draw, where there was more."""
        plan = self.line(shown).plan
        assert plan is not None
        value = int(self.solver.score(plan.position))
        is_draw = plan.bound == 0 == value <= max(self.scores.values())
        return plan.holder != self.position.side and is_draw

    def wins_late(self, shown: str, who: str, run: list[Spot]) -> bool:
        """At the end of a line someone has a plan that wins, and the other side gets no cell of the run."""
        plan = self.line(shown).plan
        assert plan is not None
        is_his = (plan.holder == self.position.side) == (who == "you")
        return is_his and int(self.solver.score(plan.position)) < 0 and claims.keeps(plan, run)

    @property
    def cell(self) -> Spot:
        return self.column, self.position.height(self.column)

    @property
    def them(self) -> str:
        return "ox"[self.position.side]

    def keeping(self) -> list[int]:
        """The columns that lead to the outcome of the best one."""
        return [c for c, value in self.scores.items() if claims.sign(value) == claims.sign(self.best)]

    def all_lost(self) -> bool:
        return all(self.loses_at_once(column) for column in self.scores)

    def fact_of(self, column: int, kind: FactKind, cells: Iterable[Spot]) -> bool:
        return claims.check(self.position, Fact(kind, column, claims.cells_of(cells)))

    def stands(self, who: str, cells: list[Spot]) -> bool:
        """Winning cells of someone after the move, in rows of his, that he cannot take at once."""
        after = claims.referee_of(self.position.play(self.column))
        side = self.position.side if who == "you" else 1 - self.position.side
        return all(
            claims.wins_on(after, "xo"[side], cell)
            and not claims.wins_on(after, "ox"[side], cell)
            and not claims.is_open(after, cell)
            and claims.owner(after, cell[1]) == side
            for cell in cells
        )

    def shared(self, cell: Spot) -> bool:
        """A winning cell of both, not open, the lowest of its column."""
        after = claims.referee_of(self.position.play(self.column))
        is_closed = not claims.is_open(after, cell) and claims.is_lowest(after, cell)
        return is_closed and self.is_shared([cell])

    def become_shared(self, reply: int, cells: list[Spot]) -> bool:
        """Before the answer only you win there, after it both do, and nobody at once."""
        before = self.position.play(self.column)
        old, new = claims.referee_of(before), claims.referee_of(before.play(reply))
        us = "xo"[self.position.side]
        return all(
            claims.wins_on(old, us, cell)
            and not claims.wins_on(old, self.them, cell)
            and claims.wins_on(new, us, cell)
            and claims.wins_on(new, self.them, cell)
            and not claims.is_open(new, cell)
            for cell in cells
        )

    def is_worse(self, column: int, said: str) -> bool:
        """Another column leads to less, and the sentence is true of that one."""
        other = explain(self.position, column, self.solver)
        reading = Reading(other, claims.column_scores(self.position, self.solver), self.solver)
        reading.check(said)
        is_told = said in [reason.text for reason in other.reasons]
        return is_told and claims.sign(self.scores[column]) < claims.sign(self.own)

    def is_shared(self, cells: list[Spot]) -> bool:
        after = claims.referee_of(self.position.play(self.column))
        return all(claims.wins_on(after, stone, cell) for stone in "xo" for cell in cells)

    def undercuts(self, who: str, cells: list[Spot], above: list[Spot]) -> bool:
        """Winning cells of one side alone, the lowest, none open, right under those of the other."""
        played = self.position.play(self.column)
        after = claims.referee_of(played)
        own, other = "xo" if (self.position.side == 0) == (who == "you") else "ox"
        below = [(column, row) for column, top in cells for row in range(played.height(column), top)]
        if any(claims.wins_on(after, stone, cell) for stone in "xo" for cell in below):
            return False
        return [claims.up(cell) for cell in cells] == above and all(
            claims.wins_on(after, own, cell)
            and not claims.wins_on(after, other, cell)
            and claims.wins_on(after, other, claims.up(cell))
            and not claims.is_open(after, cell)
            for cell in cells
        )

    def lacks(self, who: str, cell: Spot, run: list[Spot]) -> bool:
        """The line has everything but this cell."""
        stone = "xo"[self.position.side if who == "you" else 1 - self.position.side]
        after = self.position.play(self.column)
        rest = [after.stone(*other) for other in run if other != cell]
        return cell in run and len(run) == after.board.connect and set(rest) == {stone}

    def after_move(self, kind: FactKind, reply: int, cells: list[Spot]) -> bool:
        after = self.position.play(self.column)
        return claims.check(after, Fact(kind, reply, claims.cells_of(cells)))

    def lasts(self, reply: int, cells: list[Spot], *, is_new: bool) -> bool:
        """Their answer wins, and these winning cells of theirs, not open, are there then; new, or not."""
        before = self.position.play(self.column)
        end = before.play(reply)
        old, new, stone = claims.referee_of(before), claims.referee_of(end), self.them
        stands = all(claims.wins_on(new, stone, cell) and not claims.is_open(new, cell) for cell in cells)
        stood = all(claims.wins_on(old, stone, cell) for cell in cells)
        return int(self.solver.score(end)) < 0 and stands and stood != is_new

    def is_forced(self, answer: str, shown: str, kind: ForcedKind, cells: list[Spot]) -> bool:
        """They force everything with their answer to the move."""
        first, *line = digits(shown, " ")
        assert [first, line[0]] == [self.column, *digits(answer)], shown
        end = before = self.position.play(first)
        for column in line:
            end = end.play(column)
        found = cells or [(c, end.height(c) + 1) for c in end.legal]
        fact = Fact(kind, line[0], claims.cells_of(found), line=tuple(line))
        return claims.forced_is_true(before, fact)

    def is_best_answer(self, digit: str) -> bool:
        replies = claims.column_scores(self.position.play(self.column), self.solver)
        return replies[digits(digit)[0]] == max(replies.values())

    def answer_blocks(self, reply: int, named: list[str | None], stones: int) -> bool:
        """The answer lies on these lines, which had so many of your discs and none of theirs."""
        after = claims.referee_of(self.position.play(self.column))
        cell = (reply, len(after.stacks[reply]))
        runs = [run_between(four) for four in named if four]
        return all(
            cell in run
            and claims.stones_in(after, run, "xo"[self.position.side]) == stones
            and not claims.stones_in(after, run, self.them)
            for run in runs
        )

    def stops_force(self, cell: Spot, columns: list[int]) -> bool:
        """After each of these they win by threats alone, beginning on this cell."""
        assert cell == self.cell
        return bool(columns) and all(
            claims.forces(claims.referee_of(self.position.play(column)), self.column) for column in columns
        )

    def has_lines(self, kind: FactKind, named: list[str | None], stones: int, count: int | None) -> bool:
        """So many lines, of which these are named; all of them where no number is told."""
        runs = [claims.cells_of(run_between(four)) for four in named if four]
        number = len(runs) if count is None else count
        fact = Fact(kind, self.column, fours=tuple(runs), count=number, stones=stones)
        return len(set(runs)) == len(runs) <= number and claims.check(self.position, fact)

    def rows_are(self, parity: str, whose: str) -> bool:
        side = self.position.side if whose == "yours" else 1 - self.position.side
        return claims.owner(claims.referee_of(self.position), parity == "Even") == side

    def stops_double(
        self, kind: FactKind, there: Spot, cells: list[Spot], columns: str = "", taken: Spot | None = None
    ) -> bool:
        """After these columns, or all that do not lose at once, they threaten this; not after ours."""
        others = digits(columns) if columns else [c for c in self.others if not self.loses_at_once(c)]
        assert taken in (None, (self.column, self.position.height(self.column)))
        assert there[1] == self.position.height(there[0]), "they cannot play there"
        return bool(others) and all(
            self.makes(column, kind, there, cells) == (column != self.column)
            for column in (*others, self.column)
        )

    def makes(self, column: int, kind: FactKind, there: Spot, cells: list[Spot]) -> bool:
        """Whether they make this double threat there after a column."""
        after = self.position.play(column)
        if after.is_over or there[0] not in after.legal or after.height(there[0]) != there[1]:
            return False
        return claims.check(after, Fact(kind, there[0], claims.cells_of(cells)))

    def loses_at_once(self, column: int) -> bool:
        return self.scores[column] < 0 and self.moves([self.scores[column]]) == "at once"

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
        return self.own >= max(0, self.best)

    def stops_line(self, run: list[Spot], columns: Iterable[int]) -> bool:
        """The line holds the cell of the move, and what follows each column is decided on that line."""
        cell, stone = (self.column, self.position.height(self.column)), "ox"[self.position.side]
        if cell not in run or len(run) != self.position.board.connect or self.own < max(0, self.best):
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


SEVEN = r"whose missing cells lie right above each other\."

# English ----------------------------------------------------------------------------------------

PATTERNS: dict[str, Callable[..., bool]] = {
    # verdicts and columns
    rf"Column (\w) wins {IN}\.": lambda r, c, t: r.columns(c, lambda v: v > 0, t) and digits(c) == [r.column],
    r"Column (\w) holds the draw\.": lambda r, c: r.columns(c, lambda v: v == 0) and digits(c) == [r.column],
    rf"Columns? {DIGITS} loses? {IN}\.": lambda r, c, t: r.columns(c, lambda v: v < 0, t),
    rf"Columns? {DIGITS} only draws?\.": lambda r, c: r.columns(c, lambda v: v == 0 < r.own),
    rf"Columns? {DIGITS} wins? too, but only {IN}\.": lambda r, c, t: r.columns(
        c, lambda v: 0 < v < r.own, t
    ),
    rf"Columns? {DIGITS} (?:is|are) just as good\.": lambda r, c: (
        r.columns(c, lambda v: v == r.own >= 0) and r.own >= r.best
    ),
    rf"Columns? {DIGITS} loses? just as fast\.": lambda r, c: r.columns(c, lambda v: v == r.own < 0),
    rf"Columns? {DIGITS} lies? right under your winning cells? {CELLS} and only draws?\.": lambda r, c, x: (
        r.columns(c, lambda v: v == 0 < r.own) and under(r, c, x)
    ),
    rf"Columns? {DIGITS} (?:lies|lie) right under your winning cells? {CELLS} and loses? {IN}\.": (
        lambda r, c, x, t: r.columns(c, lambda v: v < 0, t) and under(r, c, x)
    ),
    rf"Columns? {DIGITS} leaves? {CELLS} to them, where they win at once\.": lambda r, c, x: (
        r.columns(c, lambda v: v < 0)
        and all(claims.check(r.position, Fact("leaves_win", d, claims.cells_of(spots(x)))) for d in digits(c))
    ),
    rf"Columns? {DIGITS} lets? them win on {CELLS}, right above\.": lambda r, c, x: above(r, c, x),
    rf"Columns {DIGITS} let them win right above, on {CELLS}\.": lambda r, c, x: above(r, c, x),
    rf"It wins {IN}\.": lambda r, t: r.own > 0 and r.moves([r.own]) == t,
    r"It holds the draw\.": lambda r: r.own == 0,
    rf"It loses {IN}\.": lambda r, t: r.own < 0 and r.moves([r.own]) == t,
    # comparisons
    r"It is the only column left\.": lambda r: not r.others,
    r"No other column wins\.": lambda r: r.own > 0 >= r.best,
    r"No other column wins as soon\.": lambda r: r.own > r.best > 0,
    r"No column wins sooner\.": lambda r: r.own == r.best > 0,
    rf"Column (\w) wins faster, {IN}\.": lambda r, c, t: r.other(c, r.best > r.own > 0, t),
    r"Column (\w) wins at once\.": lambda r, c: r.other(c, r.best > r.own > 0, "at once"),
    r"Every other column loses\.": lambda r: r.own == 0 > r.best and bool(r.others),
    r"No column wins; some lose\.": lambda r: r.own == 0 == r.best and min(r.others.values()) < 0,
    r"So does every other column\.": lambda r: r.own <= 0 and set(r.others.values()) == {r.own},
    rf"That gives away a win: only column (\w) wins, {IN}\.": lambda r, c, t: (
        r.other(c, r.best > 0 >= r.own, t) and r.keeping() == digits(c)
    ),
    rf"That gives away a win: columns {DIGITS} win\.": lambda r, c: r.best > 0 and r.keeping() == digits(c),
    r"Every column loses; this one holds out as long as any\.": lambda r: r.best <= r.own < 0,
    r"Every column loses, but column (\w) lasts (\d+) moves?\.": lambda r, c, n: r.other(
        c, r.own < r.best < 0, f"in {n} moves"
    ),
    rf"(?:Only column|Columns) {DIGITS} holds? the draw\.": lambda r, c: (
        r.own < 0 == r.best and r.keeping() == digits(c)
    ),
    # facts on the board
    rf"It completes the line {FOUR}\.": lambda r, four: completes(r, four),
    rf"It takes {CELLS}, where they would win with their next disc\.": lambda r, x: r.fact(
        "blocks", spots(x)
    ),
    rf"It takes {CELLS}, where they threaten to win, but they have another threat\.": lambda r, x: r.fact(
        "blocks_one", spots(x)
    ),
    rf"You can win at once on {CELLS} instead\.": lambda r, x: r.fact("misses_win", spots(x)),
    rf"It leaves {CELLS} to them, and they win there at once\.": lambda r, x: r.fact("leaves_win", spots(x)),
    rf"It opens {CELLS}, right above, and they win there\.": lambda r, x: r.fact("gives_win", spots(x)),
    rf"It lies right under your own winning cell ({C}), and now they can fill it\.": lambda r, x: r.fact(
        "wastes_threat", spots(x)
    ),
    rf"Now they must take ({C}), or you win there\.": lambda r, x: (
        r.fact("wastes_threat", spots(x))
        and (r.own >= r.best or not r.others)
        and not claims.open_wins(claims.referee_of(r.position.play(r.column)), r.them)
    ),
    rf"It threatens to win on {CELLS} at the same time, and they can stop only one\.": lambda r, x: r.fact(
        "fork", spots(x)
    ),
    rf"It makes three in a row with both ends open, {CELLS}, and they can close only one\.": lambda r, x: (
        r.fact("open_three", spots(x))
    ),
    rf"It threatens ({C}) and, right above it, ({C}); when they block the first, you take the second\.": (
        lambda r, a, b: r.fact("stacked", [spot(a), spot(b)])
    ),
    r"It leaves them without a safe column; wherever they play, you win right above\.": lambda r: r.fact(
        "zugzwang", [(c, r.position.play(r.column).height(c) + 1) for c in r.position.play(r.column).legal]
    ),
    rf"It threatens to win on {CELLS}, so they have to answer there\.": lambda r, x: r.fact(
        "threatens", spots(x)
    ),
    rf"It gives you a winning cell in an odd row, ({C})\.": lambda r, x: r.fact("gains_odd", spots(x)),
    rf"It gives you a winning cell in an even row, ({C})\.": lambda r, x: r.fact("gains_even", spots(x)),
    r"(Odd|Even) rows are (yours|theirs)\.": lambda r, parity, whose: r.rows_are(parity, whose),
    r"(Odd|Even) rows are yours here, so look for a winning cell there\.": lambda r, parity: (
        r.rows_are(parity, "yours") and r.can_build(parity)
    ),
    rf"It makes ({C}) a winning cell, so they can no longer play right under it; in the end (odd|even) rows "
    r"are theirs\.": (
        lambda r, x, parity: (
            r.fact("gains_wrong_odd" if parity == "odd" else "gains_wrong_even", spots(x))
            and r.rows_are(parity.capitalize(), "theirs")
        )
    ),
    rf"It gives you two winning cells, ({C}) and, right above it, ({C}); they can stop only one of the "
    r"two\.": (lambda r, a, b: r.fact("stacked_pair", [spot(a), spot(b)])),
    rf"It sets a seven trap with {FOUR} and {FOUR}, {SEVEN}": lambda r, a, b: is_seven(
        r, run_between(a), run_between(b)
    ),
    rf"Your new winning cell ({C}) lies below theirs, ({C}), so yours comes first\.": lambda r, a, b: r.fact(
        "undercuts", [spot(a), spot(b)]
    ),
    rf"Your new winning cell ({C}) lies above theirs, ({C}), so theirs comes first\.": lambda r, a, b: r.fact(
        "undercut_by", [spot(b), spot(a)]
    ),
    rf"Your new winning cell ({C}) is worthless, right above theirs, ({C})\.": lambda r, a, b: (
        r.fact("undercut_by", [spot(b), spot(a)]) and claims.up(spot(b)) == spot(a)
    ),
    rf"It prepares ({C}), from where you would threaten {CELLS} at once\.": lambda r, x, y: r.fact(
        "prepares_fork", [spot(x), *spots(y)]
    ),
    rf"It prepares ({C}), which would give you two winning cells, ({C}) and, right above it, ({C})\.": (
        lambda r, x, a, b: r.fact("prepares_stacked", [spot(x), spot(a), spot(b)])
    ),
    r"Every horizontal four uses column (\w)\.": lambda r, c: (
        r.fact("middle", [r.cell]) and digits(c) == [r.column]
    ),
    rf"A disc on ({C}) would win for (you|them): it completes {FOUR}\.": lambda r, x, who, four: (
        r.stands(who, [spot(x)]) and r.lacks(who, spot(x), run_between(four))
    ),
    rf"A disc on {CELLS} would win for (you|them)\.": lambda r, x, who: r.stands(who, spots(x)),
    rf"A disc on {CELLS} would win for you, right under {CELLS}, where they would win; so they cannot play "
    r"below\.": lambda r, x, y: r.undercuts("you", spots(x), spots(y)),
    rf"A disc on {CELLS} would win for them, right under {CELLS}, where you would win; so you cannot play "
    r"below\.": lambda r, x, y: r.undercuts("them", spots(x), spots(y)),
    rf"Both of you win on ({C})\.": lambda r, x: r.is_shared([spot(x)]),
    rf"A disc on {CELLS} would win for (you|them), but {CELLS} wins for both of you\.": lambda r, x, who, y: (
        r.has(r.position.play(r.column), who, spots(x)) and r.is_shared(spots(y))
    ),
    rf"Both of you win on ({C}), so neither may play right under it\.": lambda r, x: r.shared(spot(x)),
    rf"They already threaten to win on {CELLS}, and you can stop only one\.": lambda r, x: (
        claims.open_wins(claims.referee_of(r.position), r.them) == spots(x) and r.all_lost()
    ),
    rf"They already have two winning cells, ({C}) and, right above it, ({C}); you can stop only one\.": (
        lambda r, a, b: (
            claims.up(spot(a)) == spot(b)
            and claims.open_wins(claims.referee_of(r.position), r.them) == [spot(a)]
            and claims.wins_on(claims.referee_of(r.position), r.them, spot(b))
            and r.all_lost()
        )
    ),
    rf"You have no safe column left; wherever you play, they win right above, on {CELLS}\.": lambda r, x: (
        spots(x) == [(c, r.position.height(c) + 1) for c in r.position.legal]
        and all(r.fact_of(c, "gives_win", [(c, r.position.height(c) + 1)]) for c in r.position.legal)
    ),
    # what is wrong with it
    rf"They answer in column (\w) and have two winning cells, ({C}) and, right above it, ({C}); you can stop "
    r"only one of the two\.": (
        lambda r, d, a, b: r.own < 0 and r.after_move("stacked_pair", digits(d)[0], [spot(a), spot(b)])
    ),
    rf"They answer in column (\w) and get the winning cells? {CELLS}; in the end you must play right under "
    r"(?:it|one of them), or lose before that\.": lambda r, d, x: r.lasts(
        digits(d)[0], spots(x), is_new=True
    ),
    rf"They answer in column (\w), and in the end you must play right under {CELLS}, where they "
    r"win, or lose before that\.": lambda r, d, x: r.lasts(digits(d)[0], spots(x), is_new=False),
    rf"They answer in column (\w) and force everything: after {LINE} they threaten {CELLS}, and you can stop "
    r"only one\.": lambda r, d, m, x: r.is_forced(d, m, "forced_fork", spots(x)),
    rf"They answer in column (\w) and force everything: after {LINE} they threaten ({C}) and, right above "
    rf"it, ({C})\.": lambda r, d, m, a, b: r.is_forced(d, m, "forced_stacked", [spot(a), spot(b)]),
    rf"They answer in column (\w) and force everything: after {LINE} you have no safe column left\.": (
        lambda r, d, m: r.is_forced(d, m, "forced_zugzwang", [])
    ),
    r"Column (\w) is worse: (.*)": lambda r, c, said: r.is_worse(digits(c)[0], said[:1].upper() + said[1:]),
    rf"They answer in column (\w) and win on {CELLS} too, where only you could win\.": lambda r, d, x: (
        r.is_best_answer(d) and r.become_shared(digits(d)[0], spots(x))
    ),
    rf"They answer in column (\w) and make ({C}) a winning cell of theirs\.": lambda r, d, x: (
        r.is_best_answer(d)
        and any(r.after_move(kind, digits(d)[0], [spot(x)]) for kind in ("gains_odd", "gains_even"))
    ),
    rf"They answer in column (\w) and make ({C}) and, right above it, ({C}) winning cells of theirs\.": (
        lambda r, d, a, b: (
            r.is_best_answer(d) and r.after_move("stacked_pair", digits(d)[0], [spot(a), spot(b)])
        )
    ),
    rf"They answer in column (\w) and prepare ({C}), from where they would threaten {CELLS} at once\.": (
        lambda r, d, x, y: (
            r.is_best_answer(d) and r.after_move("prepares_fork", digits(d)[0], [spot(x), *spots(y)])
        )
    ),
    rf"They answer in column (\w) and prepare ({C}), which would give them two winning cells, ({C}) and, "
    rf"right above it, ({C})\.": (
        lambda r, d, x, a, b: (
            r.is_best_answer(d)
            and r.after_move("prepares_stacked", digits(d)[0], [spot(x), spot(a), spot(b)])
        )
    ),
    rf"They answer in column (\w) and threaten to win on {CELLS}, so you have to answer there\.": (
        lambda r, d, x: r.is_best_answer(d) and r.after_move("threatens", digits(d)[0], spots(x))
    ),
    rf"They answer in column (\w) and block {FOUR}(?: and {FOUR})?, where you had (\d+) discs(?: each)?\.": (
        lambda r, d, f, g, stones: r.is_best_answer(d) and r.answer_blocks(digits(d)[0], [f, g], int(stones))
    ),
    r"You will only feel it much later: they need (\d+) more moves?\.": lambda r, n: (
        claims.sign(r.best) > claims.sign(r.own) == -1 and r.moves([r.own]) == f"in {n} moves"
    ),
    r"It lets slip a win that is (\d+) moves? away\.": lambda r, n: (
        r.best > 0 == r.own and r.moves([r.best]) == f"in {n} moves"
    ),
    rf"Otherwise they can play here themselves and threaten {CELLS} at once\.": lambda r, x: r.fact(
        "denies_fork", spots(x)
    ),
    rf"It leaves only columns? {DIGITS} safe for them\.": lambda r, c: safe(r, digits(c)),
    rf"It threatens to win on ({C}), but they just answer there\.": lambda r, x: (
        r.fact("threatens", spots(x)) and r.own < r.best
    ),
    rf"The cell ({C}) lies on (\d+) lines still open to you; no cell that you can play now lies on more\.": (
        lambda r, x, n: r.fact("most_lines", [spot(x)], count=int(n))
    ),
    rf"Apart from ({C}) and what lies above, (\d+) cells are free, an (odd|even) number, and it is their "
    rf"turn; when these are full, (you|they) must play ({C})\.": lambda r, x, n, parity, who, y: (
        x == y and r.runs_out(spot(x), int(n), parity, who)
    ),
    rf"It gives you (\d+) discs(?: each)? on {FOUR}(?: and {FOUR})?\.": (
        lambda r, stones, f, g: r.has_lines("joins", [f, g], int(stones), None)
    ),
    rf"It gives you (\d+) discs each on (\d+) open lines, {FOUR} and {FOUR} among them\.": (
        lambda r, stones, n, f, g: r.has_lines("joins", [f, g], int(stones), int(n))
    ),
    rf"It blocks {FOUR}(?: and {FOUR})?, where they already had (\d+)(?: each)?\.": (
        lambda r, f, g, stones: r.has_lines("kills", [f, g], int(stones), None)
    ),
    rf"It blocks (\d+) lines in which they already had (\d+), {FOUR} and {FOUR} among them\.": (
        lambda r, n, stones, f, g: r.has_lines("kills", [f, g], int(stones), int(n))
    ),
    # what it takes from them
    rf"Take ({C}), or they play ({C}) and threaten {CELLS} at once\.": lambda r, a, b, x: r.stops_double(
        "fork", spot(b), spots(x), taken=spot(a)
    ),
    rf"Take ({C}), or they play there and threaten {CELLS} at once\.": lambda r, a, x: r.stops_double(
        "fork", spot(a), spots(x), taken=spot(a)
    ),
    rf"After columns? {DIGITS} they would play ({C}) and threaten {CELLS} at once\.": lambda r, c, b, x: (
        r.stops_double("fork", spot(b), spots(x), c)
    ),
    rf"Take ({C}), or they play ({C}) and have two winning cells, ({C}) and, right above it, ({C})\.": (
        lambda r, a, b, x, y: r.stops_double("stacked", spot(b), [spot(x), spot(y)], taken=spot(a))
    ),
    rf"Take ({C}), or they play there and have two winning cells, ({C}) and, right above it, ({C})\.": (
        lambda r, a, x, y: r.stops_double("stacked", spot(a), [spot(x), spot(y)], taken=spot(a))
    ),
    rf"After columns? {DIGITS} they would play ({C}) and have two winning cells, ({C}) and, right above "
    rf"it, ({C})\.": (lambda r, c, b, x, y: r.stops_double("stacked", spot(b), [spot(x), spot(y)], c)),
    rf"It takes ({C}), the one cell that would beat columns? {DIGITS}\.": lambda r, x, c: r.takes_answer(
        spot(x), digits(c), is_only=True
    ),
    rf"It takes ({C}), the one cell that would beat every other column\.": lambda r, x: r.takes_answer(
        spot(x), r.others, is_only=True
    ),
    rf"If you play column {CHOICES}, they take ({C}) and win in the long run\.": lambda r, c, x: (
        r.takes_answer(spot(x), digits(c, ", | or "), is_only=False)
    ),
    rf"If you play any other column, they take ({C}) and win in the long run\.": lambda r, x: r.takes_answer(
        spot(x), r.others, is_only=False
    ),
    rf"Take ({C}), or they play there and force a win\.": lambda r, x: r.stops_force(
        spot(x), [c for c in r.others if not r.loses_at_once(c)]
    ),
    rf"If you play column {CHOICES}, they take ({C}) and force a win\.": lambda r, c, x: r.stops_force(
        spot(x), digits(c, ", | or ")
    ),
    rf"It blocks {FOUR}, which would win for them after columns? {DIGITS}\.": lambda r, f, c: r.stops_line(
        run_between(f), digits(c)
    ),
    rf"It blocks {FOUR}, which would win for them after every other column\.": lambda r, f: r.stops_line(
        run_between(f), r.others
    ),
    # lines
    rf"Every answer is forced, and after {LINE} you threaten to win on {CELLS}; they can stop only one\.": (
        lambda r, m, x: r.forced(m, "forced_fork", spots(x))
    ),
    rf"Every answer is forced, and after {LINE} you threaten ({C}) and, right above it, ({C})\.": (
        lambda r, m, a, b: r.forced(m, "forced_stacked", [spot(a), spot(b)])
    ),
    rf"Every answer is forced, and after {LINE} they have no safe column left\.": lambda r, m: r.forced(
        m, "forced_zugzwang", []
    ),
    rf"Best play goes {LINE}, and (you|they) complete {FOUR}\.": lambda r, m, who, four: r.ends(
        m, who, "wins_now", run_between(four)
    ),
    rf"Best play goes {LINE}, and the board is full\.": lambda r, m: r.drawn(m),
    rf"After {LINE} (you|they) threaten to win on {CELLS}, and (?:you|they) can stop only one\.": (
        lambda r, m, who, x: r.ends(m, who, "fork", spots(x))
    ),
    rf"After {LINE} both ({C}) and ({C}), right above it, would win for (you|them)\.": (
        lambda r, m, a, b, who: r.ends(m, who, "stacked", [spot(a), spot(b)])
    ),
    rf"After {LINE} they have no safe column left: wherever they play, you win right above\.": (
        lambda r, m: r.ends(m, "you", "zugzwang")
    ),
    rf"After {LINE} you have no safe column left: wherever you play, they win right above\.": (
        lambda r, m: r.ends(m, "they", "zugzwang")
    ),
    rf"(Look|They look) for a winning cell in an (odd|even) row, such as ({C}); (odd|even) rows are "
    r"(?:yours|theirs)\.": lambda r, who, parity, x, same: (
        parity == same
        and r.ends_on(who == "Look", spot(x))
        and r.rows_are(parity.capitalize(), "yours" if who == "Look" else "theirs")
    ),
    rf"After {LINE} they can answer everything, and you never complete a line\.": (lambda r, m: r.holds(m)),
    rf"From then on you have an answer to everything and win with {FOUR} at the latest\.": lambda r, four: (
        r.wins_late("", "you", run_between(four)) and r.told.line.columns == (r.column,)
    ),
    r"From then on you have an answer to everything and complete a line with the last disc at the latest\.": (
        lambda r: r.wins_late("", "you", []) and r.told.line.columns == (r.column,)
    ),
    rf"After {LINE} (you|they) have an answer to everything and win with {FOUR} at the latest\.": (
        lambda r, m, who, four: r.wins_late(m, who, run_between(four))
    ),
    rf"After {LINE} (you|they) have an answer to everything and complete a line with the last disc at the "
    r"latest\.": lambda r, m, who: r.wins_late(m, who, []),
    rf"One best line comes down to (your|their) line {FOUR}\.": lambda r, who, four: r.wins_late(
        "", "you" if who == "your" else "they", run_between(four)
    ),
    rf"After {LINE} a disc on {CELLS} would win for (you|them)(?:, too, as on {CELLS})?\.": (
        lambda r, m, x, who, y: r.has_after(digits(m, " "), who, spots(x), spots(y) if y else [])
    ),
    rf"They answer in column (\w), and then a disc on {CELLS} would win for them"
    rf"(?:, too, as on {CELLS})?\.": (
        lambda r, d, x, y: r.has_after([r.column, *digits(d)], "them", spots(x), spots(y) if y else [])
    ),
    rf"One best line leads to two threats at once, on {CELLS}\.": lambda r, x: r.ends(
        "", "you", "fork", spots(x)
    ),
    rf"One best line leads to two threats of theirs at once, on {CELLS}\.": lambda r, x: r.ends(
        "", "they", "fork", spots(x)
    ),
    rf"One best line leads to two winning cells of (yours|theirs), ({C}) and, right above it, ({C})\.": (
        lambda r, who, a, b: r.ends("", "you" if who == "yours" else "they", "stacked", [spot(a), spot(b)])
    ),
    r"One best line leaves (you|them) without a safe column in the end\.": lambda r, whom: r.ends(
        "", "they" if whom == "you" else "you", "zugzwang"
    ),
    rf"One best line ends with your line {FOUR}, and this disc is part of it\.": lambda r, four: (
        r.best_line_ends(run_between(four), is_mine=True) and r.cell in run_between(four)
    ),
    rf"One best line ends with (your|their) line {FOUR}\.": lambda r, who, four: r.best_line_ends(
        run_between(four), is_mine=who == "your"
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
MAY_REPEAT = {
    rf"Columns? {DIGITS} loses? {IN}\.",
    rf"Columns? {DIGITS} only draws?\.",
    r"Column (\w) is worse: (.*)",
}


def under(r: Reading, columns: str, cells: str) -> bool:
    pairs = zip(digits(columns), spots(cells), strict=True)
    return all(r.fact_of(c, "wastes_threat", [x]) for c, x in pairs)


def above(r: Reading, columns: str, cells: str) -> bool:
    pairs = list(zip(digits(columns), spots(cells), strict=True))
    is_true = all(claims.check(r.position, Fact("gives_win", c, claims.cells_of([x]))) for c, x in pairs)
    return is_true and r.columns(columns, lambda value: value < 0)


def completes(r: Reading, four: str) -> bool:
    end, stone = r.position.play(r.column), "xo"[r.position.side]
    run = run_between(four)
    return len(run) == end.board.connect and all(end.stone(*cell) == stone for cell in run)


def is_seven(r: Reading, row: list[Spot], diagonal: list[Spot]) -> bool:
    after = r.position.play(r.column)
    cells = sorted(cell for cell in (*row, *diagonal) if after.stone(*cell) is None)
    fours = (claims.cells_of(row), claims.cells_of(diagonal))
    seen = claims.check(r.position, Fact("seven_trap", r.column, claims.cells_of(cells), fours))
    return seen and r.fact("stacked_pair", cells)


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
