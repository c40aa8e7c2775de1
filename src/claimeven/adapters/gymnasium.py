"""A Gymnasium environment: one player learns, an agent of claimeven is its opponent.

>>> import gymnasium
>>> env = gymnasium.make("claimeven.adapters.gymnasium:claimeven/ConnectFour-v0", opponent="level:3")
>>> observation, info = env.reset(seed=1)
"""

from typing import Any, Literal

import gymnasium
from gymnasium import spaces

from claimeven.adapters.planes import Plane, board_of, mask, planes, planes_space
from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.picture import position_text
from claimeven.position import Board, Position

ID = "claimeven/ConnectFour-v0"
Turn = Literal["first", "second", "random"]


class ConnectFour(gymnasium.Env[Any, Any]):
    """An action is a column, an observation the board as the learner sees it (see planes.py).

    Rewards come at the end: 1 for a win, -1 for a loss, 0 for a draw. An illegal move loses;
    `info["action_mask"]` tells the legal ones. `info["position"]` is the position as text.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponent: str = "random",
        board: Board | str = "7x6x4",
        turn: Turn = "random",
        limit: str = "",
        render_mode: str | None = None,
    ) -> None:
        """`opponent`: the spec of an agent; `limit`: what it may use per move, like 100ms or 5000n."""
        self.board = board_of(board)
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self.board.columns)
        self.observation_space = planes_space(self.board)
        self.position = Position(self.board)
        self._opponent = opponent
        self._turn = turn
        self._limit = Limit.parse(limit)
        self._agent = make_agent(opponent)
        self._side = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Plane, dict[str, Any]]:
        super().reset(seed=seed)
        self._agent = make_agent(self._opponent, seed=int(self.np_random.integers(2**31)))
        chance = int(self.np_random.integers(2))
        self._side = {"first": 0, "second": 1, "random": chance}[self._turn]
        self.position = Position(self.board)
        if self._side == 1:
            self._reply()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Plane, float, bool, bool, dict[str, Any]]:
        if self.position.is_over:
            raise RuntimeError("the game is over: call reset")
        if int(action) not in self.position.legal:
            return self._seen(), -1.0, True, False, self._info() | {"illegal": True}
        self.position = self.position.play(int(action))
        if not self.position.is_over:
            self._reply()
        winner = self.position.winner
        reward = 0.0 if winner is None else 1.0 if winner == self._side else -1.0
        return self._seen(), reward, self.position.is_over, False, self._info()

    def render(self) -> Any:
        return position_text(self.position) if self.render_mode == "ansi" else None

    def _reply(self) -> None:
        self.position = self.position.play(self._agent.choose(self.position, self._limit).column)

    def _seen(self) -> Plane:
        return planes(self.position, self._side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": mask(self.position), "position": str(self.position)}


gymnasium.register(ID, "claimeven.adapters.gymnasium:ConnectFour")
