"""One position in, one choice out: what every player of claimeven looks like from outside."""

from typing import Protocol

from claimeven.agents.choice import Choice, Effort, Opinion
from claimeven.errors import MoveError
from claimeven.limit import Limit
from claimeven.position import Position

NO_LIMIT = Limit()


class Agent(Protocol):
    """Anything that chooses a column.

    An agent made twice from the same spec and seed gives the same answers to the same questions. It
    never changes the position, and it may be asked from several threads. One that holds something
    (a process) has a `close` method as well.
    """

    @property
    def name(self) -> str:
        """The spec that makes this agent, in its shortest form."""

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        """Answer with a legal column, or raise AgentError; a finished game is a MoveError."""


class AgentError(RuntimeError):
    """An agent failed to answer. A match records this as the ending of the game."""

    ending = "crash"


class AgentTimeoutError(AgentError):
    """An agent took far longer than it may."""

    ending = "time"


class AgentNonsenseError(AgentError):
    """An agent answered with something that is not a legal column."""

    ending = "illegal"


def sure(
    column: int,
    position: Position,
    opinions: tuple[Opinion, ...] = (),
    effort: Effort = Effort(),  # noqa: B008 - it is frozen
    text: str = "",
    rule: str | None = None,
) -> Choice:
    """The choice of a deterministic agent."""
    weights = {c: float(c == column) for c in position.legal}
    return Choice(column, weights, opinions, effort, rule, text=text)


def open_columns(position: Position) -> tuple[int, ...]:
    """The legal columns; every agent asks here first, so that all refuse a finished game alike."""
    columns = position.legal
    if not columns:
        raise MoveError("the game is over: there is nothing to choose")
    return columns


def close(agent: Agent) -> None:
    """Let go of what an agent holds, if it holds anything."""
    action = getattr(agent, "close", None)
    if action is not None:
        action()
