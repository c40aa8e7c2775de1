"""Kaggle ConnectX submissions as agents: a file with `agent(obs, config)`, run in a process of its own.

The rules are Kaggle's (ConnectX 1.0.1): the last callable of the file is the agent, columns count from 0,
the file is executed on the clock of the first move, and without a limit every move has 2 seconds and the
whole game 60 seconds more.
"""

import json
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from claimeven.agents.agent import NO_LIMIT, AgentError, AgentNonsenseError, Remade, open_columns, sure
from claimeven.agents.apart import submission
from claimeven.agents.apart.child import Child
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.agents.option import rest
from claimeven.errors import SpecError
from claimeven.formats.kaggle import to_board
from claimeven.limit import Limit
from claimeven.notation import quote
from claimeven.position import Position

ACT_TIMEOUT = 2.0  # seconds per move
OVERAGE = 60.0  # seconds more per game


class Observation(TypedDict):
    board: list[int]
    mark: int
    step: int
    remainingOverageTime: float


class Configuration(TypedDict):
    columns: int
    rows: int
    inarow: int
    actTimeout: float
    timeout: float
    agentTimeout: float
    episodeSteps: int
    runTimeout: int


class Question(TypedDict):
    observation: Observation
    configuration: Configuration


class KaggleAgent(Remade):
    """Several threads take turns. A new game, and a crash, start the process anew."""

    def __init__(
        self, name: str, file: str, *, python: Sequence[str] = (sys.executable,), seed: int | None = None
    ) -> None:
        self.name = name
        self._command = [*python, submission.__file__, file, *([] if seed is None else [str(seed)])]
        if not Path(file).is_file():
            raise SpecError("agent.kaggle_file", file=quote(file))
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._overage = OVERAGE
        self._ply = 0  # of the last question: when it does not grow, a new game has begun

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        open_columns(position)
        with self._lock:
            child = self._child_for(position)
            start = time.monotonic()
            seconds = limit.seconds or ACT_TIMEOUT + self._overage
            answer = child.ask(json.dumps(self._question(position, limit)), seconds, limit.stop)
            if limit.seconds is None:
                self._overage -= max(0.0, time.monotonic() - start - ACT_TIMEOUT)
        return sure(_column(answer, position), position)

    def close(self) -> None:
        with self._lock:
            if self._child is not None:
                self._child.close()
                self._child = None

    def _child_for(self, position: Position) -> Child:
        """A submission may remember what it likes, but only for the length of a game."""
        is_next = position.ply > self._ply and position.ply >= 2
        if self._child is None or not self._child.is_running or not is_next:
            if self._child is not None:
                self._child.close()
            self._child = Child(self._command)
        if not is_next:
            self._overage = OVERAGE
        self._ply = position.ply
        return self._child

    def _question(self, position: Position, limit: Limit) -> Question:
        board = position.board
        seconds = limit.seconds or ACT_TIMEOUT
        return {
            "observation": {
                "board": to_board(position),
                "mark": position.side + 1,
                "step": position.ply,
                "remainingOverageTime": self._overage if limit.seconds is None else 0.0,
            },
            "configuration": {
                "columns": board.columns,
                "rows": board.rows,
                "inarow": board.connect,
                "actTimeout": seconds,
                "timeout": seconds,
                "agentTimeout": OVERAGE,
                "episodeSteps": 1000,
                "runTimeout": 1200,
            },
        }


def _column(answer: str, position: Position) -> int:
    try:
        found = json.loads(answer)
    except ValueError:
        raise AgentError(f"the process answered {quote(answer)}") from None
    if "error" in found:
        raise AgentError(f"the submission failed: {found['error']}")
    column = found["column"]
    if column not in position.legal:
        raise AgentNonsenseError(
            f"the submission answered {column}, legal columns (from 0) are {position.legal}"
        )
    return int(column)


KIND = Kind(
    "kaggle",
    "a Kaggle ConnectX submission file",
    lambda name, _, values: KaggleAgent(name, values["file"]),
    (rest("file", "submission.py with agent(obs, config)"),),
)
