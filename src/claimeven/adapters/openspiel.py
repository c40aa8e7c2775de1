"""A bridge to OpenSpiel: positions to states and back, our agents as its bots, its bots as our agents.

>>> state = state_of(Position.parse("4453"))
>>> state.legal_actions()
[0, 1, 2, 3, 4, 5, 6]
>>> position_of(state).moves
'4453'
"""

from collections.abc import Callable
from typing import Any

import pyspiel

from claimeven.agents.agent import NO_LIMIT, Agent, AgentNonsenseError, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.errors import InputError
from claimeven.formats.history import moves_to
from claimeven.limit import Limit
from claimeven.notation import quote
from claimeven.position import Board, Position

GAME = "connect_four"


def game_of(board: Board) -> Any:
    """OpenSpiel's connect_four of this size."""
    return pyspiel.load_game(GAME, {"columns": board.columns, "rows": board.rows, "x_in_row": board.connect})


def board_of(game: Any) -> Board:
    if game.get_type().short_name != GAME:
        raise InputError("openspiel_game", wanted=GAME, name=quote(game.get_type().short_name))
    sizes = game.get_parameters()
    return Board(sizes["columns"], sizes["rows"], sizes["x_in_row"])


def state_of(position: Position) -> Any:
    """The state of OpenSpiel's game after the same moves (some that lead there, if they are not known)."""
    state = game_of(position.board).new_initial_state()
    for column in moves_to(position):
        state.apply_action(column)
    return state


def position_of(state: Any) -> Position:
    position = Position(board_of(state.get_game()))
    for column in state.history():
        position = position.play(column)
    return position


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot, as in `pyspiel.evaluate_bots(state, [Bot(agent), other], seed)`."""

    def __init__(self, agent: Agent, limit: Limit = NO_LIMIT) -> None:
        super().__init__()
        self._agent = agent
        self._limit = limit

    def step(self, state: Any) -> int:
        return self._agent.choose(position_of(state), self._limit).column

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        choice = self._agent.choose(position_of(state), self._limit)
        return list(choice.weights.items()), choice.column

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        return self.step_with_policy(state)[0]

    def provides_policy(self) -> bool:
        return True

    def restart(self) -> None:
        """Every question to an agent stands alone."""

    def restart_at(self, state: Any) -> None:
        """See `restart`."""


class BotAgent:
    """A bot of OpenSpiel as an agent. Limits are the bot's own: those of `choose` do not reach it.

    `make` is called with a side (0 or 1) and returns the bot that plays it: many know only one side.
    """

    def __init__(self, name: str, make: Callable[[int], Any]) -> None:
        self.name = name
        self._bots = make(0), make(1)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        state = state_of(position)
        bot = self._bots[position.side]
        bot.restart_at(state)
        column = bot.step(state)
        if column not in legal:
            raise AgentNonsenseError(f"the bot answered {column}, legal columns (from 0) are {legal}")
        return sure(int(column), position)


def mcts_agent(
    board: Board, simulations: int = 1000, seed: int = 0, *, exploration: float = 1.41, solve: bool = True
) -> BotAgent:
    """OpenSpiel's own Monte Carlo tree search, on one board."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game_of(board), evaluator, exploration, simulations, 256, solve, seed, False)
    return BotAgent(f"openspiel-mcts-{simulations}", lambda side: bot)
