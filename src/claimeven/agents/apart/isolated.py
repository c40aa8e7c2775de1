"""Any agent in a process of its own: if it stalls, exits or is killed, only its answer is missing."""

import json
import sys
import threading
from typing import cast

from claimeven.agents.agent import (
    NO_LIMIT,
    AgentError,
    AgentNonsenseError,
    AgentTimeoutError,
    Remade,
    open_columns,
    sure,
)
from claimeven.agents.apart.child import Child
from claimeven.agents.apart.talk import Introduction, Question
from claimeven.agents.choice import Choice, Opinion
from claimeven.agents.registry import builtin_kinds
from claimeven.limit import Limit
from claimeven.position import Position

STARTUP = 60.0  # seconds to be made, which may mean to read a large file
PATIENCE = 60.0  # seconds for a move when nothing else says how long it may take
ERRORS = {error.ending: error for error in (AgentError, AgentTimeoutError, AgentNonsenseError)}
APART = ("process", "kaggle")  # these are programs of their own already


class IsolatedAgent(Remade):
    """Made by a spec. It gives the same answers as the agent itself."""

    def __init__(self, spec: str, seed: int | None, *, patience: float = PATIENCE) -> None:
        self.name = spec[:200]
        self._patience = patience
        self._lock = threading.Lock()
        self._child = Child([sys.executable, "-m", "claimeven.agents.apart.host"])
        try:
            self.name = str(self._ask({"spec": spec, "seed": seed}, STARTUP)["name"])
        except AgentError:
            self.close()
            raise

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        open_columns(position)
        question: Question = {
            "position": position.text,
            "board": str(position.board),
            "seconds": limit.seconds,
            "nodes": limit.nodes,
            "depth": limit.depth,
        }
        with self._lock:
            # A limit of time is watched by who set it; here is the last resort.
            seconds = self._patience if limit.seconds is None else limit.seconds + self._patience
            answer = self._ask(question, seconds, limit.stop)
        column = answer["column"]
        if column not in position.legal:
            raise AgentNonsenseError(f"chose {column!r:.100}, legal columns (from 0) are {position.legal}")
        told = cast("list[tuple[int, float]]", answer["outlooks"])
        opinions = tuple(Opinion(int(c), value=float(outlook)) for c, outlook in told)
        return sure(int(column), position, opinions, even=0.0)

    def close(self) -> None:
        self._child.close()

    def _ask(
        self, question: Introduction | Question, seconds: float, stop: threading.Event | None = None
    ) -> dict[str, object]:
        if not self._child.is_running:
            raise AgentError("its process has ended")
        answer = json.loads(self._child.ask(json.dumps(question), seconds, stop))
        if "error" in answer:
            raise ERRORS.get(answer["ending"], AgentError)(answer["error"])
        return dict(answer)


def is_foreign(spec: str) -> bool:
    """Whether it is code of another package that would run inside this process."""
    return spec.partition(":")[0] not in builtin_kinds()


def is_apart(spec: str) -> bool:
    return spec.partition(":")[0] in APART
