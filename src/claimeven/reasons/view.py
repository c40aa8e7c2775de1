"""What an agent saw, beside what is true: two voices that are never mixed.

The view is the agent's own: what it searched and how it values the columns, from `Choice.info` and its
weights. It may be wrong. The truth is an explanation, and proved.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimeven import notation
from claimeven.agents import Agent, Choice
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.explanation import Explanation, explain
from claimeven.reasons.words import Words
from claimeven.solver import Solver

# What an agent may have used, in the order in which it is told.
USED = ("depth", "nodes", "simulations", "rule")
# How it may value a column, the most certain kind first: exact score, decided within its search, proven by
# its playouts, share of points, value of its heuristic, a bound.
KINDS = ("scores", "ends", "proven", "visits", "values", "at_most")


@dataclass(frozen=True)
class ColumnView:
    """An agent's opinion of one column."""

    column: int
    weight: float  # with which probability it takes the column
    kind: str | None  # one of KINDS; None when it says nothing about the column
    value: Any  # a score, plies (negative: it loses), an outcome, a share, a value
    visits: int | None  # playouts through the column

    def text(self, words: Words) -> str:
        """What it thinks, in a sentence."""
        if self.kind is None:
            return words.say("view.weight", percent=round(100 * self.weight))
        if self.kind == "scores":
            return words.say("view.exact")
        if self.kind == "ends":
            return words.say("view.wins" if self.value > 0 else "view.loses", n=abs(self.value))
        if self.kind == "proven":
            return words.say(f"view.proven_{self.value}")
        if self.kind == "visits":
            return words.say("view.share", n=self.visits, percent=round(100 * self.value))
        return words.say("view.value", value=f"{self.value:.2f}".rstrip("0").rstrip("."))


@dataclass(frozen=True)
class View:
    """One choice of an agent: its own view, and the truth about it."""

    agent: str
    position: Position
    choice: Choice
    columns: tuple[ColumnView, ...]
    used: Mapping[str, Any]
    truth: Explanation

    @property
    def own_words(self) -> str | None:
        """What the agent itself says, in English; nobody has checked it."""
        said = self.choice.info.get("text")
        return said if isinstance(said, str) else None

    @property
    def saw(self) -> str:
        """Its view as sentences."""
        words = Words(self.truth.language)
        column = notation.column_digit(self.choice.column)
        sentences = [words.say("view.chose", agent=self.agent, column=column)]
        for name, value in self.used.items():
            if name == "rule":
                sentences.append(words.say("view.rule", rule=value))
            else:
                sentences.append(words.say(f"view.{name}", n=value))
        for view in self.columns:
            if view.column == self.choice.column and (view.kind is not None or view.weight < 1):
                sentences.append(view.text(words))
        return " ".join(sentences)

    @property
    def sentence(self) -> str:
        """What is proved about the choice, in one breath."""
        return f"{self.truth.verdict} {self.truth.reason}".strip()

    @property
    def text(self) -> str:
        words = Words(self.truth.language)
        return "\n".join(
            [
                words.say("view.title", agent=self.agent),
                self.saw,
                "",
                words.say("view.truth"),
                self.truth.text,
            ]
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": {
                "name": self.agent,
                "column": notation.column_digit(self.choice.column),
                "columns": [
                    {
                        "column": notation.column_digit(view.column),
                        "weight": view.weight,
                        "kind": view.kind,
                        "value": view.value,
                        "visits": view.visits,
                    }
                    for view in self.columns
                ],
                "used": dict(self.used),
                "own_words": self.own_words,
                "saw": self.saw,
            },
            "truth": self.truth.to_json(),
        }


def ask_agent(
    agent: Agent,
    position: Position,
    solver: Solver | None,
    language: str = "en",
    limit: Limit | None = None,
    truth_limit: Limit | None = None,
) -> View:
    """Let an agent choose, under `limit`, and lay the truth beside its view, under `truth_limit`.

    Without a solver the truth is what the rules show.
    """
    choice = agent.choose(position, limit or Limit())
    return view_of(agent.name, choice, position, solver, language, truth_limit)


def view_of(
    agent: str,
    choice: Choice,
    position: Position,
    solver: Solver | None,
    language: str = "en",
    limit: Limit | None = None,
) -> View:
    """The same for a choice that was made already."""
    used = {name: choice.info[name] for name in USED if choice.info.get(name) is not None}
    truth = explain(position, choice.column, solver, language, limit)
    return View(agent, position, choice, opinions(choice, position), used, truth)


def opinions(choice: Choice, position: Position) -> tuple[ColumnView, ...]:
    """What an agent thinks of every legal column. Agents are anyone's code: nothing is taken for granted."""
    return tuple(_opinion(choice, column) for column in position.legal)


def _opinion(choice: Choice, column: int) -> ColumnView:
    weight = float(choice.weights.get(column, 0.0))
    visits = _known(choice, "visits")
    for kind in KINDS:
        values = _known(choice, "values" if kind == "visits" else kind)
        if column in values and (kind != "visits" or column in visits):
            return ColumnView(column, weight, kind, values[column], visits.get(column))
    return ColumnView(column, weight, None, None, None)


def _known(choice: Choice, name: str) -> Mapping[int, Any]:
    values = choice.info.get(name)
    return values if isinstance(values, Mapping) else {}
