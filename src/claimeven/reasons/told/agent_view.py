"""What an agent saw, beside what is true: two voices that are never mixed.

The view is the agent's own: what it searched and how it values the columns, as its `Choice` says. It may be
wrong. The truth is an explanation, and proved.
"""

from dataclasses import dataclass

from claimeven import notation
from claimeven.agents import Agent, Choice, Opinion
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.told.explanation import Explanation, explain
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.words import Words
from claimeven.solver import Solver, score_of


@dataclass(frozen=True)
class AgentView:
    """One choice of an agent: its own view, and the truth about it."""

    agent: str
    position: Position
    choice: Choice
    truth: Explanation

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """What it thinks of every legal column."""
        return tuple(self.choice.opinion(column) for column in self.position.legal)

    @property
    def used(self) -> dict[str, int]:
        """What it used up, in the order in which it is told."""
        effort = self.choice.effort
        used = {"depth": effort.depth, "nodes": effort.nodes, "simulations": effort.playouts}
        return {name: count for name, count in used.items() if count is not None}

    def weight(self, column: int) -> float:
        """With which probability it takes a column."""
        return float(self.choice.weights.get(column, 0.0))

    @property
    def chose(self) -> str:
        column = notation.column_digit(self.choice.column)
        return Words(self.truth.language).say("view.chose", agent=self.agent, column=column)

    @property
    def grounds(self) -> str:
        """What it used up, and how it values its column, as sentences."""
        words, choice = Words(self.truth.language), self.choice
        sentences = [words.say(f"view.{name}", n=count) for name, count in self.used.items() if count]
        if choice.rule is not None:
            code = f"rule.{choice.rule}"
            rule = words.say(code) if code in words.messages else choice.rule  # anybody's agent has its own
            sentences.append(words.say("view.rule", rule=rule))
        opinion, weight = choice.opinion(choice.column), self.weight(choice.column)
        if opinion.kind is not None or weight < 1:
            sentences.append(opinion_words(opinion, weight, words))
        if opinion.score is not None:
            score = score_of(opinion.score, self.position.board.cells, self.position.ply)
            sentences.append(Teller(self.position.board, words.language).verdict(choice.column, score))
        return " ".join(sentences)

    @property
    def saw(self) -> str:
        """Its view as sentences."""
        return f"{self.chose} {self.grounds}".rstrip()

    @property
    def sentence(self) -> str:
        """What is proved about the choice, in one breath."""
        return self.truth.sentence

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

    def to_json(self) -> dict[str, object]:
        return {
            "agent": {
                "name": self.agent,
                "column": notation.column_digit(self.choice.column),
                "columns": [
                    {
                        "column": notation.column_digit(opinion.column),
                        "weight": self.weight(opinion.column),
                        "kind": opinion.kind,
                        "value": told_value(opinion),
                        "visits": opinion.visits,
                    }
                    for opinion in self.opinions
                ],
                "used": {**self.used, **({} if self.choice.rule is None else {"rule": self.choice.rule})},
                "own_words": self.choice.text or None,
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
) -> AgentView:
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
) -> AgentView:
    """The same for a choice that was made already."""
    return AgentView(agent, position, choice, explain(position, choice.column, solver, language, limit))


def told_value(opinion: Opinion) -> int | float | str | None:
    """The value of the kind that is told."""
    match opinion.kind:
        case "scores":
            return opinion.score
        case "ends":
            return opinion.ends
        case "proven":
            return opinion.proven
        case "at_most":
            return opinion.at_most
        case "visits" | "values" | None:
            return opinion.value


def opinion_words(opinion: Opinion, weight: float, words: Words) -> str:
    """What an agent thinks of a column that it takes with this probability, in a sentence."""
    match opinion.kind:
        case None:
            return words.say("view.weight", percent=round(100 * weight))
        case "scores":
            return words.say("view.exact")
        case "ends":
            plies = opinion.ends or 0
            return words.say("view.wins" if plies > 0 else "view.loses", n=abs(plies))
        case "proven":
            return words.say(f"view.proven_{opinion.proven}")
        case "visits":
            return words.say("view.share", n=opinion.visits, percent=round(100 * (opinion.value or 0.0)))
        case "values":
            return words.say("view.value", value=_number(opinion.value))
        case "at_most":
            return words.say("view.at_most", value=_number(opinion.at_most))


def _number(value: float | None) -> str:
    return f"{value or 0.0:.2f}".rstrip("0").rstrip(".")
