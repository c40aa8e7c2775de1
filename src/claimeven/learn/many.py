"""Columns of an agent in many positions at once, as `choose` would give them one by one."""

from typing import TYPE_CHECKING

from claimeven.agents import Agent
from claimeven.agents.checked import CheckedAgent
from claimeven.arrays import positions_of
from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.labels.bits import Geometry

if TYPE_CHECKING:
    from claimeven.arrays import Values, Words

NOTHING = -1


def columns_of(agent: Agent, board: Board, mine: "Words", mask: "Words") -> "Values":
    """The positions must have been reached by play, and of two mirror images be the one with the smaller key
    where the agent is symmetric."""
    import numpy as np

    if isinstance(agent, CheckedAgent):
        return _checked(agent, board, mine, mask)
    choices = getattr(agent, "choices", None)
    if choices is not None and board.is_standard:
        given = choices(mine.astype("<u8").tobytes(), mask.astype("<u8").tobytes())
        return np.frombuffer(given, np.int8)
    return _one_by_one(agent, board, mine, mask)


def _one_by_one(agent: Agent, board: Board, mine: "Words", mask: "Words") -> "Values":
    import numpy as np

    taken = []
    for position in positions_of(np.stack([mine, mask], axis=1), board):
        choice = agent.choose(position)
        if choice.weights[choice.column] < 1:
            raise InputError("certify.chance", agent=agent.name)
        taken.append(choice.column)
    return np.array(taken, np.int8)


def _checked(agent: CheckedAgent, board: Board, mine: "Words", mask: "Words") -> "Values":
    """Most wishes win, by one question to the solver for each; the others are asked about one by one."""
    import numpy as np

    geometry = Geometry(board)
    columns = np.array([geometry.column(c) for c in range(board.columns)], np.uint64)
    is_checked = np.bitwise_count(mask) >= agent.stones
    taken = np.where(is_checked, _forced(geometry, columns, mine, mask), NOTHING)
    asked = np.flatnonzero(taken == NOTHING)
    taken[asked] = columns_of(agent.agent, board, mine[asked], mask[asked])
    theirs, stones = mine ^ mask, mask | (geometry.landing(mask) & columns[taken])
    asked = asked[
        is_checked[asked] & (stones[asked] != np.uint64(geometry.full))
    ]  # none of these wins at once
    values = agent.solver.reached_values(theirs[asked], stones[asked], board, only_outcome=True)
    doubtful = asked[values >= 0]
    taken[doubtful] = _one_by_one(agent, board, mine[doubtful], mask[doubtful])
    return taken


def _forced(geometry: Geometry, columns: "Words", mine: "Words", mask: "Words") -> "Values":
    """As `forced_column` has it, NOTHING where it is none."""
    import numpy as np

    landing = geometry.landing(mask)
    wins = geometry.winning(mine, mask) & landing
    threats = geometry.winning(mine ^ mask, mask) & landing
    cells = np.where(wins != 0, wins, np.where(np.bitwise_count(threats) == 1, threats, np.uint64(0)))
    found = np.full(len(mine), NOTHING, np.int8)
    for column in reversed(geometry.board.from_centre):  # the central one is written last, and stays
        found[cells & columns[column] != 0] = column
    return found
