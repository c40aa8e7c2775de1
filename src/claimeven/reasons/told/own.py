"""Why a minimax agent chose: the line it expects, and what its own evaluation counts where that line ends.

System D told its moves so, by runs of two and three. The counts come from the one evaluator: with a weight of
1 on one feature and 0 on all others its value *is* the count.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from claimeven.agents import Agent, Choice
from claimeven.agents.kinds.minimax import MinimaxAgent
from claimeven.agents.kinds.weights import PAIRS, Evaluation, Pair
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.words import Words

LISTS = ("own", "their", "own_runs", "their_runs")  # weights by the number of stones


@dataclass(frozen=True)
class Term:
    """One feature of an evaluation at a position: how often it is there, and what each is worth."""

    code: str  # of its name in the catalogue
    stones: int | None  # of the lines or runs that it counts
    count: float
    weight: float

    @property
    def value(self) -> float:
        return self.count * self.weight

    def text(self, words: Words) -> str:
        return words.say(f"term.{self.code}", **({} if self.stones is None else {"stones": self.stones}))


@dataclass(frozen=True)
class OwnTerms:
    line: tuple[int, ...]  # what it expects, its own move first
    terms: tuple[Term, ...]  # at the end of the line, seen by the agent; none where the game is over there
    value: float | None  # their sum

    def line_text(self, words: Words) -> str:
        return words.say("view.line", line=words.line(self.line))


def own_terms(agent: Agent, choice: Choice, position: Position, limit: Limit) -> OwnTerms | None:
    """The terms of a choice of this agent; None for other agents, and where the limit is too short."""
    if not isinstance(agent, MinimaxAgent) or not choice.effort.depth:
        return None
    line = agent.expected(position, choice, limit)
    if line is None:
        return None
    end = position
    for column in line:
        end = end.play(column)
    if end.is_over:
        return OwnTerms(line, (), None)
    return OwnTerms(
        line,
        tuple(terms_of(agent.evaluation, end, position.side)),
        agent.evaluation.value(end, position.side),
    )


def terms_of(evaluation: Evaluation, position: Position, side: int) -> Iterator[Term]:
    """What an evaluation counts at a position that is not over, seen by a side, without what is not there."""
    nothing: dict[str, Any] = dict.fromkeys((*LISTS, *PAIRS), ())

    def count(name: str, one: Pair) -> float:
        return replace(evaluation, **(nothing | {name: one})).value(position, side)

    for name in LISTS:
        weights = getattr(evaluation, name)
        for index, weight in enumerate(weights):
            one = tuple(float(index == other) for other in range(len(weights)))
            # The last weight is that of connect - 1 stones.
            stones = position.board.connect - len(weights) + index
            if weight and (found := count(name, one)):
                yield Term(name, stones, found, weight)
    for name in PAIRS:
        for index, weight in enumerate(getattr(evaluation, name)):
            if weight and (found := count(name, ((1.0,), (0.0, 1.0))[index])):
                yield Term(f"{name}.{('own', 'their')[index]}", None, found, weight)
