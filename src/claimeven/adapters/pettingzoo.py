"""A PettingZoo environment for any board, with the conventions of its own connect_four_v3.

>>> env = env(board="7x6x4")
>>> env.reset()
>>> env.step(3)
>>> env.agent_selection
'player_1'
"""

from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from claimeven.adapters.pixels import pixels
from claimeven.adapters.planes import Info, Plane, board_of, mask, mask_space, planes, planes_space
from claimeven.board import STANDARD
from claimeven.picture import position_text
from claimeven.position import Board, Position


def env(board: Board | str = STANDARD, render_mode: str | None = None) -> Any:
    """The environment as PettingZoo wraps its own: an illegal move loses, calls out of order are errors."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(board, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class Observation(TypedDict):
    observation: Plane
    action_mask: NDArray[np.int8]


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801
    """Two players drop discs in turn. Rewards come at the end: 1 and -1, or 0 for a draw."""

    metadata = {  # noqa: RUF012
        "name": "claimeven_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, board: Board | str = STANDARD, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, board, render_mode)
        super().__init__()
        self.board = board_of(board)
        self.render_mode = render_mode
        self.position = Position(self.board)
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        space = spaces.Dict({"observation": planes_space(self.board), "action_mask": mask_space(self.board)})
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = {agent: spaces.Discrete(self.board.columns) for agent in self.agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        self.position = Position(self.board)
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """The board as this player sees it; the mask is empty while it is the other's turn."""
        side = self.possible_agents.index(agent)
        is_turn = agent == self.agent_selection
        legal = mask(self.position) if is_turn else np.zeros(self.board.columns, np.int8)
        return {"observation": planes(self.position, side), "action_mask": legal}

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.position.side
        self.position = self.position.play(int(action))
        self._clear_rewards()
        self._cumulative_rewards[self.agent_selection] = 0
        if self.position.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            if self.position.winner is not None:
                self.rewards = {
                    agent: 1 if side == self.position.winner else -1
                    for side, agent in enumerate(self.possible_agents)
                }
        self.agent_selection = self.possible_agents[1 - mover]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        if self.render_mode == "rgb_array":
            return pixels(self.position)
        if self.render_mode == "human":
            print(position_text(self.position))
        return position_text(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
