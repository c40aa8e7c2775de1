"""Facts, lines and plans in the words of a language. Nothing is decided here."""

from collections.abc import Iterable, Sequence
from typing import Any

from claimeven import notation
from claimeven.position import Board, Cell
from claimeven.reasons.columns import ColumnPlan
from claimeven.reasons.cover import Cover
from claimeven.reasons.fact import Fact, cell_words
from claimeven.reasons.plans import Plan
from claimeven.reasons.play import Line
from claimeven.reasons.words import Words
from claimeven.solver import Score

PREVENTED = ("takes_only", "takes_one", "stops_line")
SHOWN = 9  # moves of a line that are written out; of a longer one the beginning


class Teller:
    """Writes sentences about one board in one language."""

    def __init__(self, board: Board, language: str) -> None:
        self.board, self.words = board, Words(language)

    # Pieces --------------------------------------------------------------------------------------

    def columns(self, columns: Iterable[int]) -> str:
        return self.words.listed([notation.column_digit(column) for column in sorted(columns)])

    def cells(self, cells: Iterable[Cell], code: str = "and") -> str:
        return self.words.listed([cell_words(self.board, cell) for cell in cells], code)

    def line(self, columns: tuple[int, ...]) -> str:
        shown = " ".join(map(notation.column_digit, columns[:SHOWN]))
        return shown if len(columns) <= SHOWN else f"{shown} …"

    def four(self, fact: Fact) -> str:
        cells = fact.fours[0]
        ends = [cell_words(self.board, cell) for cell in (cells[0], cells[-1])]
        return "–".join(dict.fromkeys(ends))

    def in_moves(self, moves: int | None) -> str:
        """ "in 5 moves"; one move is "at once"."""
        return self.words.say("at_once") if moves == 1 else self.words.say("in_moves", n=moves or 0)

    def within(self, moves: Sequence[int]) -> str:
        """ "in 5 moves"; for several "in 5 or 6 moves" or "in 5 to 9 moves"."""
        low, high = min(moves), max(moves)
        if low == high:
            return self.in_moves(high)
        return self.words.say("in_moves_either" if high == low + 1 else "in_moves_between", n=high, low=low)

    # Sentences -----------------------------------------------------------------------------------

    def verdict(self, column: int, score: Score | None) -> str:
        digit = notation.column_digit(column)
        if score is None:
            return self.words.say("verdict.unknown", column=digit)
        if score.moves is None:
            return self.words.say("verdict.draw", column=digit)
        return self.words.say(f"verdict.{score.outcome}", column=digit, in_moves=self.in_moves(score.moves))

    def rank(self, fact: Fact) -> str:
        other = "" if fact.other is None else notation.column_digit(fact.other)
        held = self.words.say("held", n=fact.moves or 0)
        in_moves = self.in_moves(fact.moves)
        return self.words.say(f"rank.{fact.kind}", other=other, in_moves=in_moves, held=held)

    def fact(self, fact: Fact) -> str:
        """What the rules show about the chosen move."""
        if fact.kind in ("stacked", "undercuts"):
            return self.words.say(fact.kind, **self._stack(fact))
        if fact.kind == "wins_now":
            return self.words.say("wins_now", four=self.four(fact))
        if fact.kind == "safe_replies":
            columns = self.columns(cell.column for cell in fact.cells)
            return self.words.say("safe_replies", n=fact.count, columns=columns)
        if fact.kind in PREVENTED:
            return self._prevented(fact)
        if fact.kind in ("joins", "kills"):
            return self.words.say(fact.kind, n=fact.count, stones=fact.stones)
        code = "or" if fact.kind == "leaves_win" else "and"
        return self.words.say(fact.kind, cells=self.cells(fact.cells, code))

    def _prevented(self, fact: Fact) -> str:
        cells, four = self.cells(fact.cells), self.four(fact) if fact.fours else ""
        if len(fact.columns) == fact.count:
            return self.words.say(f"{fact.kind}.all", cells=cells, four=four)
        columns = self.columns(fact.columns)
        return self.words.say(fact.kind, n=len(fact.columns), columns=columns, cells=cells, four=four)

    def forced(self, fact: Fact) -> str:
        """A line in which every answer is the only one."""
        line = self.line(fact.line)
        if fact.kind == "forced_stacked":
            return self.words.say("forced.stacked", line=line, **self._stack(fact))
        return self.words.say(fact.kind.replace("_", ".", 1), line=line, cells=self.cells(fact.cells))

    def _stack(self, fact: Fact) -> dict[str, Any]:
        lower, upper = (cell_words(self.board, cell) for cell in fact.cells[:2])
        return {"lower": lower, "upper": upper}

    def ending(self, line: Line, mover: int, is_answer: bool = True) -> str:
        """Where a line ends; a single answer is told as one, unless it stands for others."""
        moves = self.line(line.columns)
        if line.winner is None:
            return self.words.say("line.draw", line=moves)
        code = f"line.{'you' if line.winner == mover else 'they'}.{line.end}"
        if is_answer and line.is_reply and line.seen is not None:
            code, moves = f"reply.{line.end}", notation.column_digit(line.columns[1])
        if line.plan is not None:
            plan = line.plan
            kind = "key" if plan.keys else "last" if plan.bound < 0 else "hold"
            return self.words.say(f"{code}_{kind}", line=moves, cells=self.cells(plan.keys, "or"))
        assert line.seen is not None
        if line.end == "win":
            return self.words.say(code, line=moves, four=self.four(line.seen))
        if line.end == "stacked":
            return self.words.say(code, line=moves, **self._stack(line.seen))
        return self.words.say(code, line=moves, cells=self.cells(line.seen.cells))

    def no_more(self, line: Line) -> str:
        """Why a draw is all there is."""
        return self.words.say("line.no_more", line=self.line(line.columns))

    def plan(self, plan: Plan) -> list[str]:
        """What to do, from the side of its holder."""
        if isinstance(plan, Cover):
            code = "plan.follow_rules" if plan.needs_odd_column else "plan.follow_else"
            sentences = [*self._rules(plan), self.words.say(code)]
        else:
            sentences = self._swaps(plan)
            if isinstance(plan, ColumnPlan):
                sentences += self._links(plan)
            sentences.append(self._otherwise(plan, bool(sentences)))
        if plan.keys:
            cells = self.cells(plan.keys, "or")
            sentences.append(self.words.say("plan.key", n=len(plan.keys), cells=cells))
        else:
            sentences.append(self.words.say("plan.last" if plan.bound < 0 else "plan.hold"))
        return sentences

    def _swaps(self, plan: Plan) -> list[str]:
        swaps: list[dict[str, Any]] = [
            {"one": cell_words(self.board, one), "two": cell_words(self.board, two)}
            for one, two in plan.swaps()
        ]
        if len(swaps) <= 1:
            return [self.words.say("plan.swap", **swap) for swap in swaps]
        pairs = [self.words.say("plan.pair", **swap) for swap in swaps]
        return [self.words.say("plan.swaps", pairs=self.words.listed(pairs))]

    def _links(self, plan: ColumnPlan) -> list[str]:
        digit = notation.column_digit
        return [
            self.words.say(f"plan.{kind}", one=digit(one), two=digit(two))
            for one, two, kind in plan.links
            if kind != "swap"
        ]

    def _otherwise(self, plan: Plan, is_else: bool) -> str:
        if isinstance(plan, ColumnPlan) and plan.is_watchful:
            if not plan.apart:
                return self.words.say("plan.watch")
            return self.words.say("plan.watch_key", column=notation.column_digit(plan.apart[0].column))
        return self.words.say("plan.follow_else" if is_else else "plan.follow")

    def _rules(self, cover: Cover) -> list[str]:
        """The rules by name; all claimevens in one sentence."""
        claimed = [rule.claims[0][1] for rule in cover.rules if rule.name == "claimeven"]
        sentences = []
        for rule in cover.rules:
            if rule.name in ("aftereven", "before"):
                sentences.append(self.words.say(f"plan.rule.{rule.name}", four=self._ends(rule.line)))
            elif rule.name == "lowinverse":
                uppers = self.board.cells_of(sum(upper for _, upper in rule.ups))
                sentences.append(self.words.say("plan.rule.lowinverse", cells=self.cells(uppers)))
            elif rule.name in ("vertical", "baseinverse"):
                cells = self.cells(self.board.cells_of(rule.cells))
                sentences.append(self.words.say(f"plan.rule.{rule.name}", cells=cells))
        if claimed:
            cells = self.cells(self.board.cells_of(sum(claimed)))
            sentences.append(self.words.say("plan.rule.claimeven", cells=cells))
        return sentences

    def _ends(self, line: int) -> str:
        cells = self.board.cells_of(line)
        return f"{cell_words(self.board, cells[0])}–{cell_words(self.board, cells[-1])}"
