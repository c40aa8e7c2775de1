"""A Gymnasium environment: one player learns, anything that chooses a column is its opponent.

>>> import gymnasium
>>> env = gymnasium.make("claimeven.adapters.gymnasium:claimeven/ConnectFour-v0", opponent="level:3")
>>> observation, info = env.reset(seed=1)
"""

import operator
from collections.abc import Callable
from typing import Any, Literal, cast, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from claimeven.adapters.pixels import pixels
from claimeven.adapters.planes import Info, Plane, board_of, mask, planes, planes_space
from claimeven.agents import Agent, AgentNonsenseError, Choice, make_agent
from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.board import STANDARD
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.picture import position_text
from claimeven.position import Board, Position

ID = "claimeven/ConnectFour-v0"
Turn = Literal["first", "second", "random"]
# A spec (it makes a fresh agent for every game), an agent, or what answers a position with a column.
Opponent = str | Agent | Callable[[Position], Any]


class ConnectFour(gymnasium.Env[Any, Any]):
    """An action is a column, an observation the board as the learner sees it (see planes.py).

    Rewards come at the end: 1 for a win, -1 for a loss, 0 for a draw. An illegal move loses;
    `info["action_mask"]` and `action_masks()` tell the legal ones. `info["moves"]` is the game so far.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponent: Opponent = "random",
        board: Board | str = STANDARD,
        turn: Turn = "random",
        limit: str = "",
        render_mode: str | None = None,
    ) -> None:
        """`limit`: what an agent may use per move, like 100ms or 5000n."""
        if turn not in get_args(Turn):
            raise InputError("environment.turn", turn=f"{turn!r:.60}", known=", ".join(get_args(Turn)))
        self.board = board_of(board)
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self.board.columns)
        self.observation_space = planes_space(self.board)
        self.position = Position(self.board)
        self._turn = turn
        self._limit = Limit.parse(limit)
        self._side = 0
        self._is_over = True  # until the first reset
        self.set_opponent(opponent)
        self._agent = _seat(opponent)

    def set_opponent(self, opponent: Opponent) -> None:
        """Who plays against the learner from the next `reset` on."""
        _seat(opponent)  # what cannot play is refused here, not in the middle of a training
        self._opponent = opponent

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Plane, Info]:
        """`options={"start": …}`: the position to begin with, or its text (then the moves may be unknown)."""
        super().reset(seed=seed)
        start = (options or {}).get("start", "")
        position = Position.parse(start, self.board) if isinstance(start, str) else start
        if position.is_over or position.board != self.board:
            raise InputError("environment_start", board=self.board, position=position)
        self._agent = _seat(self._opponent, int(self.np_random.integers(2**31)))
        chance = int(self.np_random.integers(2))
        self._side = {"first": 0, "second": 1, "random": chance}[self._turn]
        self._is_over = False
        self.position = position
        if self._side != position.side:
            self._reply()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Plane, float, bool, bool, Info]:
        if self._is_over:
            raise ResetNeeded("the episode is over, or has not begun: call reset")
        column = operator.index(action)
        if column not in self.position.legal:
            self._is_over = True
            return self._seen(), -1.0, True, False, self._info() | {"illegal": True}
        self.position = self.position.play(column)
        if not self.position.is_over:
            self._reply()
        self._is_over = self.position.is_over
        winner = self.position.winner
        reward = 0.0 if winner is None else 1.0 if winner == self._side else -1.0
        return self._seen(), reward, self._is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal columns, where sb3-contrib's MaskablePPO looks for them."""
        return mask(self.position).view(np.bool_)

    def render(self) -> Any:
        if self.render_mode == "rgb_array":
            return pixels(self.position)
        return position_text(self.position) if self.render_mode == "ansi" else None

    def _reply(self) -> None:
        self.position = self.position.play(self._agent.choose(self.position, self._limit).column)

    def _seen(self) -> Plane:
        return planes(self.position, self._side)

    def _info(self) -> Info:
        return {"action_mask": mask(self.position), "moves": self.position.moves}


class Policy:
    """What was learned here, as an agent: for self-play, and for matches against all others.

    `predict(observation, action_mask)` answers with a column; it sees what the environment shows.
    """

    def __init__(self, name: str, predict: Callable[[Plane, Plane], Any]) -> None:
        self.name = name
        self._predict = predict

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        open_columns(position)
        return _checked(self._predict(planes(position, position.side), mask(position)), position)


class _Function:
    """A function from positions to columns, as an agent."""

    name = "function"

    def __init__(self, function: Callable[[Position], Any]) -> None:
        self._function = function

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        return _checked(self._function(position), position)


def _checked(answer: Any, position: Position) -> Choice:
    """The choice of a column that may be numpy's."""
    try:
        column = operator.index(answer)
    except TypeError:
        column = -1
    if column not in position.legal:
        raise AgentNonsenseError(f"chose {answer!r}, legal columns (from 0) are {position.legal}")
    return sure(column, position)


def _seat(opponent: Opponent, seed: int | None = None) -> Agent:
    if isinstance(opponent, str):
        return make_agent(opponent, seed)
    if hasattr(opponent, "choose"):
        return cast(Agent, opponent)
    if callable(opponent):
        return _Function(opponent)
    raise InputError("agent.opponent", opponent=f"{opponent!r:.100}")


gymnasium.register(ID, "claimeven.adapters.gymnasium:ConnectFour")
