"""Facts, lines and plans in the words of a language. Nothing is decided here."""

from collections.abc import Iterable, Sequence
from typing import get_args

from claimeven import notation
from claimeven.position import Board, Cell
from claimeven.reasons.planned.column_plan import ColumnPlan
from claimeven.reasons.planned.cover import Cover
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.seen.fact import Fact, FactKind, RankKind
from claimeven.reasons.told.line import Line
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.words import Words
from claimeven.solver import Score

RANKS: tuple[FactKind, ...] = get_args(RankKind)
FORCED: dict[FactKind, str] = {
    "forced_fork": "forced.fork",
    "forced_stacked": "forced.stacked",
    "forced_zugzwang": "forced.zugzwang",
}
SHOWN = 9  # moves of a line that are written out; of a longer one the beginning


class Teller:
    """Writes sentences about one board in one language."""

    def __init__(self, board: Board, language: str) -> None:
        self.board, self.words = board, Words(language)

    # Pieces --------------------------------------------------------------------------------------

    def columns(self, columns: Iterable[int]) -> str:
        return self.words.listed([notation.column_digit(column) for column in sorted(columns)])

    def cells(self, cells: Iterable[Cell], code: str = "and") -> str:
        return self.words.listed([self.board.cell_name(cell) for cell in cells], code)

    def line(self, columns: tuple[int, ...]) -> str:
        shown = " ".join(map(notation.column_digit, columns[:SHOWN]))
        return shown if len(columns) <= SHOWN else f"{shown} …"

    def four(self, fact: Fact) -> str:
        cells = fact.fours[0]
        ends = [self.board.cell_name(cell) for cell in (cells[0], cells[-1])]
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

    def fact(self, fact: Fact) -> Reason:
        """What a fact says about the chosen move."""
        return Reason.of(fact, self._fact(fact))

    def has_words(self, fact: Fact) -> bool:
        """Whether there is a sentence for this kind of fact; some only serve others."""
        return fact.kind in RANKS or fact.kind in FORCED or fact.kind in self.words.messages

    def _fact(self, fact: Fact) -> str:
        say = self.words.say
        match fact.kind:
            case kind if kind in RANKS:
                return self._rank(fact)
            case "forced_stacked":
                lower, upper = self._stack(fact)
                return say("forced.stacked", line=self.line(fact.line), lower=lower, upper=upper)
            case kind if kind in FORCED:
                return say(FORCED[kind], line=self.line(fact.line), cells=self.cells(fact.cells))
            case "stacked" | "undercuts":
                lower, upper = self._stack(fact)
                return say(fact.kind, lower=lower, upper=upper)
            case "wins_now":
                return say("wins_now", four=self.four(fact))
            case "safe_replies":
                columns = self.columns(cell.column for cell in fact.cells)
                return say("safe_replies", n=fact.count, columns=columns)
            case "takes_only" | "takes_one" | "stops_line":
                return self._prevented(fact)
            case "joins" | "kills":
                return say(fact.kind, n=fact.count, stones=fact.stones)
        code = "or" if fact.kind == "leaves_win" else "and"
        return say(fact.kind, cells=self.cells(fact.cells, code))

    def _rank(self, fact: Fact) -> str:
        other = "" if fact.other is None else notation.column_digit(fact.other)
        held = self.words.say("held", n=fact.moves or 0)
        in_moves = self.in_moves(fact.moves)
        return self.words.say(f"rank.{fact.kind}", other=other, in_moves=in_moves, held=held)

    def _prevented(self, fact: Fact) -> str:
        cells, four = self.cells(fact.cells), self.four(fact) if fact.fours else ""
        if len(fact.columns) == fact.count:
            return self.words.say(f"{fact.kind}.all", cells=cells, four=four)
        columns = self.columns(fact.columns)
        return self.words.say(fact.kind, n=len(fact.columns), columns=columns, cells=cells, four=four)

    def _stack(self, fact: Fact) -> tuple[str, str]:
        lower, upper = fact.cells[:2]
        return self.board.cell_name(lower), self.board.cell_name(upper)

    # Lines of play -------------------------------------------------------------------------------

    def ending(self, line: Line, mover: int, is_answer: bool = True) -> Reason:
        """Where a line ends; a single answer is told as one, unless it stands for others."""
        cells = line.plan.keys if line.plan is not None else () if line.seen is None else line.seen.cells
        fours = () if line.seen is None else line.seen.fours
        return Reason("line", self._ending(line, mover, is_answer), cells, fours, line.columns)

    def _ending(self, line: Line, mover: int, is_answer: bool) -> str:
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
            lower, upper = self._stack(line.seen)
            return self.words.say(code, line=moves, lower=lower, upper=upper)
        return self.words.say(code, line=moves, cells=self.cells(line.seen.cells))

    def no_more(self, line: Line) -> Reason:
        """Why a draw is all there is."""
        return Reason(
            "no_more", self.words.say("line.no_more", line=self.line(line.columns)), moves=line.columns
        )

    # Plans ---------------------------------------------------------------------------------------

    def plan_now(self) -> Reason:
        return Reason("plan_now", self.words.say("plan.now"))

    def plan(self, plan: Plan) -> list[Reason]:
        """What to do, from the side of its holder; the last sentence says what comes of it."""
        if isinstance(plan, Cover):
            code = "plan.follow_rules" if plan.needs_odd_column else "plan.follow_else"
            steps = [*self._rules(plan), Reason("plan_follow", self.words.say(code))]
        else:
            steps = self._swaps(plan)
            if isinstance(plan, ColumnPlan):
                steps += self._links(plan)
            steps.append(Reason("plan_follow", self._otherwise(plan, bool(steps))))
        if plan.keys:
            text = self.words.say("plan.key", n=len(plan.keys), cells=self.cells(plan.keys, "or"))
            return [*steps, Reason("plan_key", text, plan.keys)]
        if plan.bound < 0:
            return [*steps, Reason("plan_last", self.words.say("plan.last"))]
        return [*steps, Reason("plan_hold", self.words.say("plan.hold"))]

    def _swaps(self, plan: Plan) -> list[Reason]:
        swaps = [(self.board.cell_name(one), self.board.cell_name(two)) for one, two in plan.swaps]
        cells = tuple(cell for swap in plan.swaps for cell in swap)
        if len(swaps) == 1:
            one, two = swaps[0]
            return [Reason("plan_swap", self.words.say("plan.swap", one=one, two=two), cells)]
        pairs = self.words.listed([self.words.say("plan.pair", one=one, two=two) for one, two in swaps])
        return [Reason("plan_swap", self.words.say("plan.swaps", pairs=pairs), cells)] if swaps else []

    def _links(self, plan: ColumnPlan) -> list[Reason]:
        digit = notation.column_digit
        return [
            Reason("plan_link", self.words.say(f"plan.{kind}", one=digit(one), two=digit(two)))
            for one, two, kind in plan.links
            if kind != "swap"
        ]

    def _otherwise(self, plan: Plan, is_else: bool) -> str:
        if isinstance(plan, ColumnPlan) and plan.is_watchful:
            if not plan.apart:
                return self.words.say("plan.watch")
            return self.words.say("plan.watch_key", column=notation.column_digit(plan.apart[0].column))
        return self.words.say("plan.follow_else" if is_else else "plan.follow")

    def _rules(self, cover: Cover) -> list[Reason]:
        """The rules by name; all claimevens in one sentence."""
        cells_of = self.board.cells_of
        claimed = cells_of(sum(rule.claims[0][1] for rule in cover.rules if rule.name == "claimeven"))
        reasons = []
        for rule in cover.rules:
            match rule.name:
                case "aftereven" | "before":
                    four = cells_of(rule.line)
                    text = self.words.say(f"plan.rule.{rule.name}", four=self._ends(four))
                    reasons.append(Reason("plan_rule", text, fours=(four,)))
                case "lowinverse":
                    uppers = cells_of(sum(upper for _, upper in rule.ups))
                    text = self.words.say("plan.rule.lowinverse", cells=self.cells(uppers))
                    reasons.append(Reason("plan_rule", text, uppers))
                case "vertical" | "baseinverse":
                    cells = cells_of(rule.cells)
                    text = self.words.say(f"plan.rule.{rule.name}", cells=self.cells(cells))
                    reasons.append(Reason("plan_rule", text, cells))
        if claimed:
            text = self.words.say("plan.rule.claimeven", cells=self.cells(claimed))
            reasons.append(Reason("plan_rule", text, claimed))
        return reasons

    def _ends(self, four: tuple[Cell, ...]) -> str:
        return f"{self.board.cell_name(four[0])}–{self.board.cell_name(four[-1])}"
