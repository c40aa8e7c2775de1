"""How a column compares with the others: one fact, the goal that it serves, and how tempting it looks."""

from collections.abc import Iterable, Mapping
from typing import Literal

from claimeven.agents import Opinion, make_agent
from claimeven.position import Position
from claimeven.reasons.seen.fact import Fact, FactKind, RankKind
from claimeven.reasons.seen.move import facts
from claimeven.solver import Score

Goal = Literal["win_now", "win_sooner", "avoid_losing", "lose_later"]
# What a person sees at once in a move, best first.
TELLING: tuple[FactKind, ...] = (
    *("wins_now", "open_three", "fork", "stacked", "zugzwang", "blocks", "blocks_one"),
    *("seven_trap", "stacked_pair", "denies_fork", "gains_odd", "gains_even"),
)


def most_telling(position: Position, columns: Iterable[int]) -> int:
    """Of columns that are as good as each other the one to tell: where most can be seen, then the middle."""
    found = list(columns)
    if len(found) < 2:
        return found[0]
    shown = {column: {fact.kind for fact in facts(position, column)} for column in found}
    order = {
        column: next((place for place, kind in enumerate(TELLING) if kind in kinds), len(TELLING))
        for column, kinds in shown.items()
    }
    wasteful = {column for column, kinds in shown.items() if "wastes_threat" in kinds}
    best = min((column in wasteful, order[column]) for column in found)
    return position.board.central([c for c in found if (c in wasteful, order[c]) == best])


def rank(position: Position, column: int, scores: Mapping[int, Score]) -> Fact | None:
    """The comparison worth telling; of a drop its columns are all that keep the outcome."""
    score = scores[column]
    others = {c: s for c, s in scores.items() if c != column}
    if not others:
        return Fact("only_legal", column)
    top = max(others.values())
    best = most_telling(position, [c for c in others if others[c] == top])
    if top > score:
        kinds: dict[tuple[str, str], RankKind] = {
            ("win", "win"): "slow_win",
            ("win", "draw"): "throws_win",
            ("win", "loss"): "blunders",
            ("draw", "loss"): "walks_into_loss",
            ("loss", "loss"): "lose_sooner",
        }
        keeping = [c for c in others if others[c].outcome == top.outcome != score.outcome]
        kind = kinds[top.outcome, score.outcome]
        return Fact(kind, column, other=best, moves=top.moves, columns=tuple(sorted(keeping)))
    if score.outcome == "win":
        if score.moves == 1:
            return None  # there is nothing to compare with a win at once
        return Fact("only_win" if top.value <= 0 else "win_sooner" if top < score else "as_soon", column)
    if score.outcome == "draw":
        lost = [c for c in others if others[c].value < 0]
        if not lost:
            return Fact("all_draw", column)
        return Fact("only_draw" if len(lost) == len(others) else "avoids_losing", column)
    return Fact("all_lose" if set(scores.values()) == {score} else "lose_later", column)


def goal(column: int, scores: Mapping[int, Score]) -> Goal | None:
    """What the choice serves, of the four goals that the explaining program of old named."""
    score, others = scores[column], [s for c, s in scores.items() if c != column]
    if score.outcome == "win" and score.moves == 1:
        return "win_now"
    if not others or max(others) > score:
        return None
    if score.outcome == "win":
        return "win_sooner"
    if score.outcome == "draw":
        return "avoid_losing" if min(others).value < 0 else None
    return "lose_later" if min(others) < score else None


def temptation(position: Position) -> dict[int, float]:
    """How good the columns look to someone who sees four plies ahead."""
    choice = make_agent("minimax:depth=4,values").choose(position)
    return {column: _looks(choice.opinion(column)) for column in position.legal}


def _looks(opinion: Opinion) -> float:
    if opinion.ends is not None:
        return 1e6 - opinion.ends if opinion.ends > 0 else -1e6 - opinion.ends
    return opinion.value or 0.0
