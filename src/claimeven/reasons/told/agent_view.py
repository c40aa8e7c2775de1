"""What an agent saw, what it overlooked, and what is true: voices that are never mixed.

The view is the agent's own: how far it looked and what it expects, as its `Choice` says. It may be wrong.
What it overlooked is its mistake as a person would call it; like the truth, an explanation, it is proved.
"""

from dataclasses import dataclass
from typing import TypedDict

from claimeven import notation
from claimeven.agents import Agent, Choice, Opinion
from claimeven.agents.choice import OpinionKind
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.reviewed.blame import told_mistake
from claimeven.reasons.reviewed.mistake import Mistake, MistakeKind, mistake
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.told.explanation import Explanation, ExplanationJson, explain
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.words import Words
from claimeven.solver import Solver, score_of


class OpinionJson(TypedDict):
    column: str
    weight: float
    kind: OpinionKind | None
    value: int | float | str | None
    visits: int | None


class OverlookedJson(TypedDict):
    kind: MistakeKind
    depth: int
    text: str


class SawJson(TypedDict):
    name: str
    column: str
    columns: list[OpinionJson]
    used: dict[str, int | str]
    own_words: str | None
    saw: str
    title: str
    overlooked: OverlookedJson | None


class AgentViewJson(TypedDict):
    agent: SawJson
    truth: ExplanationJson


@dataclass(frozen=True)
class AgentView:
    """One choice of an agent: its own view, and the truth about it."""

    agent: str
    position: Position
    choice: Choice
    truth: Explanation
    wrong: Mistake | None = None

    @property
    def title(self) -> str:
        """What people call it; a stranger's agent by its own name."""
        return agent_title(self.agent, Words(self.truth.language))

    @property
    def overlooked(self) -> str:
        """Its mistake in words; "" for a good move."""
        if self.wrong is None:
            return ""
        words = Words(self.truth.language)
        names = [words.say("side.other")] * 2
        names[self.position.side] = self.title
        sentences = told_mistake(self.wrong, Voice(words, None, (names[0], names[1])))
        looked, plies = self.used.get("depth"), self.wrong.plies
        if looked and looked < plies:
            sentences = (*sentences, words.say("view.too_near", n=looked, plies=plies))
        return " ".join(sentences)

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
        words = Words(self.truth.language)
        column = words.column(self.choice.column)
        return words.say("view.chose", agent=self.title, column=column)

    @property
    def grounds(self) -> str:
        """How far it looked and what it expects, as sentences; numbers on a scale of its own tell nothing."""
        words, choice = Words(self.truth.language), self.choice
        told = {name: count for name, count in self.used.items() if count and name != "nodes"}
        sentences = [words.say(f"view.{name}", n=count) for name, count in told.items()]
        if choice.rule is not None:
            code = f"rule.{choice.rule}"
            rule = words.say(code) if code in words.messages else choice.rule  # anybody's agent has its own
            sentences.append(words.say("view.rule", rule=rule))
        opinion, weight = choice.opinion(choice.column), self.weight(choice.column)
        if opinion.kind not in (None, "values", "at_most") or weight < 1:
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
        return "\n\n".join(map("\n".join, self.paragraphs))

    @property
    def paragraphs(self) -> tuple[tuple[str, ...], ...]:
        """Its voices; the first line of each says whose it is."""
        words = Words(self.truth.language)
        view = (words.say("view.title", agent=self.title), self.saw)
        truth = (words.say("view.truth"), *self.truth.lines)
        if self.wrong is None:
            return view, truth
        return view, (words.say("view.overlooked"), self.overlooked), truth

    def to_json(self) -> AgentViewJson:
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
                "title": self.title,
                "overlooked": None
                if self.wrong is None
                else {"kind": self.wrong.kind, "depth": self.wrong.depth, "text": self.overlooked},
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
    truth = explain(position, choice.column, solver, language, limit)
    analyse = None if solver is None else lambda asked: solver.analyse(asked, limit)
    return AgentView(agent, position, choice, truth, mistake(position, choice.column, analyse))


def agent_title(spec: str, words: Words) -> str:
    """A name that people can read, of the agents that come with the house."""
    kind, _, options = spec.partition(":")
    code = f"agent.{kind}"
    if kind == "level":
        return words.say(code, n=int(options)) if options.isdigit() else spec
    return words.say(code) if code in words.messages else spec


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
