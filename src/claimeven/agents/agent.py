"""One position in, one choice out: what every player of claimeven looks like from outside."""

import operator
from typing import Protocol, Self

from claimeven.agents.choice import Choice, Effort, Opinion
from claimeven.errors import MoveError
from claimeven.limit import Limit
from claimeven.position import Position, needed

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


class Remade:
    """An agent that holds what cannot be pickled: a copy is made anew as this one was, with the same seed,
    and has nothing of what was learned or started since."""

    _made_from: tuple[tuple[object, ...], dict[str, object]]

    def __new__(cls, *args: object, **options: object) -> Self:
        self = super().__new__(cls)
        self._made_from = args, options
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _remake, (type(self), *self._made_from)


def _remake(kind: type[Remade], args: tuple[object, ...], options: dict[str, object]) -> Remade:
    return kind(*args, **options)


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
    even: float = 0.5,
) -> Choice:
    """The choice of a deterministic agent."""
    weights = {c: float(c == column) for c in position.legal}
    return Choice(column, weights, opinions, effort, rule, text=text, even=even)


def open_columns(position: Position) -> tuple[int, ...]:
    """The legal columns; every agent asks here first, so that all refuse a finished game alike."""
    columns = needed(position).legal
    if not columns:
        raise MoveError("over.nothing_to_choose")
    return columns


def chosen_column(choice: object, position: Position) -> int:
    """The column of anyone's answer: of a choice, or just a number. What is not legal is nonsense."""
    answer = getattr(choice, "column", choice)
    try:
        column = operator.index(answer)  # type: ignore[arg-type]  # or a TypeError
    except TypeError:
        column = -1
    if isinstance(answer, bool) or column not in position.legal:
        raise AgentNonsenseError(f"chose {answer!r:.100}, legal columns (from 0) are {position.legal}")
    return column


def close(agent: Agent) -> None:
    """Let go of what an agent holds, if it holds anything."""
    action = getattr(agent, "close", None)
    if action is not None:
        action()
