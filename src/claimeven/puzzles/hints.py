"""Hints: facts about the answer, from a danger over the idea and where to look to the column itself."""

from dataclasses import dataclass

from claimeven import notation
from claimeven.picture import last_cell
from claimeven.position import Board, Position
from claimeven.reasons import Fact, certify, facts
from claimeven.reasons.told.line import DECIDED, decision
from claimeven.reasons.told.nudges import region
from claimeven.reasons.told.tell import Teller

# Facts about the first column that say something and do not give it away.
TELLING = ("blocks", "threatens", "denies_fork", "safe_replies", "gains_odd", "gains_even")


@dataclass(frozen=True)
class Hint:
    """A fact and how much of it is told: `code` names the sentence."""

    code: str
    fact: Fact
    player: str | None = None  # the winner, where it is told

    def text(self, board: Board, language: str = "en") -> str:
        teller = Teller(board, language)
        return teller.words.say(
            f"hint.{self.code}",
            cells=teller.cells(self.fact.cells),
            column=notation.column_digit(self.fact.column),
            player=self.player,
        )


def hints(position: Position, goal: str, line: tuple[int, ...], end: str, value: int) -> tuple[Hint, ...]:
    """For a puzzle with this solution; the last hint is the answer."""
    if goal == "who":
        return _about_the_ending(position, line, value)
    column, board = line[0], position.board
    seen = _about_the_first(facts(position, column))
    danger = [hint for hint in seen if hint.code == "blocks"]
    goals = _about_the_end(position, line, end)
    # The idea is what the line leads to, or else what the first column does; then where that is.
    ideas = goals[:1] or [hint for hint in seen if hint.code != "blocks"][:1]
    where = goals[1:] or [Hint(region(board, column), Fact("area", column))]
    return (*danger, *ideas, *where, Hint("answer", Fact("answer", column, line=line, value=value)))


def _about_the_end(position: Position, line: tuple[int, ...], end: str) -> list[Hint]:
    """What the line leads to: the idea first, then its cells."""
    for column in line[:-1]:
        position = position.play(column)
    seen = decision(position, line[-1])
    if seen is not None and end in DECIDED:
        return [Hint(seen.kind, seen), *([Hint("cells", seen)] if end != "zugzwang" else [])]
    if seen is not None and end == "win":
        return [Hint("wins_now", seen)] if len(line) == 1 else []
    plan = certify(position.play(line[-1])) if end == "plan" else None
    if plan is None:
        return []
    if not plan.keys:
        return [Hint("plan_hold", Fact("plan_hold", line[-1]))]
    keys = Fact("plan_key", line[-1], plan.keys)
    return [Hint("plan", keys), Hint("keys", keys)]


def _about_the_first(seen: tuple[Fact, ...]) -> list[Hint]:
    by_kind = {fact.kind: fact for fact in reversed(seen)}
    return [Hint(kind, by_kind[kind]) for kind in TELLING if kind in by_kind]


def _about_the_ending(position: Position, line: tuple[int, ...], value: int) -> tuple[Hint, ...]:
    """Who wins: what to count, the cells that matter, the answer. The facts name the last column played."""
    side = position.side
    for column in line:
        position = position.play(column)
    plan, last = certify(position), last_cell(position)
    assert plan is not None, "a quiz is about a plan"
    assert last is not None, "a puzzle comes from a game"
    found = [Hint("parity", Fact("parity", last.column, count=position.board.cells - position.ply))]
    if plan.keys:
        found.append(Hint("keys", Fact("plan_key", last.column, plan.keys)))
    winner = None if value == 0 else notation.STONES[side if value > 0 else 1 - side]
    return (
        *found,
        Hint("who_draw" if winner is None else "who", Fact("who", last.column, value=value), winner),
    )
