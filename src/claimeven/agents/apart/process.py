"""Any program as an agent: it reads a moves string per line and answers each with a column.

The first line may be empty: that is the empty board. Columns count from 1, as in the moves. On boards
other than 7x6x4 the program finds the board in the environment variable CLAIMEVEN_BOARD, and the seed,
if there is one, in CLAIMEVEN_SEED.
"""

import shlex
import shutil
import threading

from claimeven.agents.agent import NO_LIMIT, AgentNonsenseError, Remade, open_columns, sure
from claimeven.agents.apart.child import Child
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind, Values
from claimeven.agents.option import decimal, rest
from claimeven.errors import NotationError, SpecError
from claimeven.formats.history import moves_to
from claimeven.limit import Limit
from claimeven.notation import moves_text, parse_column, quote
from claimeven.position import Board, Position

TIMEOUT = 10.0  # seconds per move when there is no limit
STARTUP = 5.0  # seconds more for the first answer of a process


class ProcessAgent(Remade):
    """Several threads take turns. The program is started when it is first asked, and again after a crash."""

    def __init__(self, name: str, seed: int | None, *, command: str, timeout: float = TIMEOUT) -> None:
        self.name = name
        self._command = _split(command)
        self._seed = seed
        self._timeout = timeout
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._board: Board | None = None

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        open_columns(position)
        line = moves_text(moves_to(position))
        with self._lock:
            is_new = self._child is None or not self._child.is_running or self._board != position.board
            child = self._start(position.board) if is_new else self._child
            assert child is not None
            seconds = (limit.seconds or self._timeout) + (STARTUP if is_new else 0.0)
            answer = child.ask(line, seconds, limit.stop)
        return sure(legal_column(answer, position), position)

    def close(self) -> None:
        with self._lock:
            if self._child is not None:
                self._child.close()
                self._child = None

    def _start(self, board: Board) -> Child:
        if self._child is not None:
            self._child.close()
        environment = {"CLAIMEVEN_BOARD": str(board)}
        if self._seed is not None:
            environment["CLAIMEVEN_SEED"] = str(self._seed)
        self._child, self._board = Child(self._command, environment), board
        return self._child


def legal_column(answer: str, position: Position) -> int:
    """Read the answer of a program; what is no legal column is nonsense."""
    try:
        column = parse_column(answer, position.board.columns)
        position.play(column)
    except (NotationError, ValueError) as error:
        raise AgentNonsenseError(f"the answer {quote(answer)} is no move: {error}") from None
    return column


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SpecError("agent.command", command=quote(command), reason=str(error).lower()) from None
    if not words or shutil.which(words[0]) is None:
        raise SpecError("agent.no_program", command=quote(command), program=quote(words[0] if words else ""))
    return words


def _make(name: str, seed: int | None, values: Values) -> ProcessAgent:
    return ProcessAgent(name, seed, **values)


KIND = Kind(
    "process",
    "any program: it reads a moves string per line and answers a column",
    _make,
    (
        decimal("timeout", TIMEOUT, "seconds per move when there is no limit", 0.001, 86_400),
        rest("command", "the program and its arguments"),
    ),
)
