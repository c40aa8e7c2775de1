"""Who takes part: a spec, an agent, or what makes one; and the agent that sits down to a game."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeGuard

from claimeven.agents import Agent, AgentError, Choice, close, make_agent
from claimeven.agents.agent import NO_LIMIT
from claimeven.agents.apart.isolated import IsolatedAgent, is_apart, is_foreign
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Position

# A spec, an agent (then it plays all games), or what makes one from a seed.
Entrant = str | Agent | Callable[[int], Agent]
NAME_LENGTH = 100


def is_agent(entrant: Entrant) -> TypeGuard[Agent]:
    """Whether it is there already, not to be made for every game. A class makes agents."""
    return hasattr(entrant, "choose") and not isinstance(entrant, type)


def names(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """The agents' own names, numbered where several are alike. A wrong spec is found out here, not later."""
    names = []
    for entrant in entrants:
        agent = entrant if is_agent(entrant) else _make(entrant, 0)
        name = one_line(agent.name)
        names.append(name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1]}…")
        if agent is not entrant:
            close(agent)
    total, seen = Counter(names), Counter[str]()
    for i, name in enumerate(names):
        seen[name] += 1
        if total[name] > 1:
            names[i] = f"{name} #{seen[name]}"
    return tuple(names)


def one_line(text: str) -> str:
    """What an agent said, as a record can hold it."""
    text = " ".join(text.split())
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


class Seated:
    """An agent in one game."""

    def __init__(self, entrant: Entrant, seed: int, *, is_careful: bool = False) -> None:
        self._entrant = entrant
        self._inner = entrant if is_agent(entrant) else _made(entrant, seed, is_careful)
        self.name = one_line(self._inner.name)[:200]

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        return self._inner.choose(position, limit)

    def close(self) -> None:
        """Who was there before stays."""
        if self._inner is not self._entrant:
            close(self._inner)


def _made(entrant: Entrant, seed: int, is_careful: bool) -> Agent:
    """Code of others, and when care is needed every agent, gets a process of its own."""
    try:
        if isinstance(entrant, str) and (is_foreign(entrant) or (is_careful and not is_apart(entrant))):
            return IsolatedAgent(entrant, seed)
        return _make(entrant, seed)
    except Exception as error:  # its file has gone, its module is broken: it loses, the others play on
        return _Broken(entrant if isinstance(entrant, str) else repr(entrant), error)


def _make(entrant: Entrant, seed: int) -> Agent:
    if isinstance(entrant, str):
        return make_agent(entrant, seed)
    if not callable(entrant):
        raise InputError("agent.entrant", entrant=f"{entrant!r:.60}")
    return entrant(seed)


class _Broken:
    """An agent that could not be made."""

    def __init__(self, name: str, error: Exception) -> None:
        self.name = name[:200]
        self._error = error

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        raise AgentError(f"{type(self._error).__name__}: {self._error}")
