"""The pie rule: how any agent decides whether to take the first disc, and which one to drop itself.

Nothing of it is in a position: whoever holds the game asks here while nobody knows yet whose the first disc
will be. An agent that tells what it expects (`Choice.outlook`) is believed: it takes a disc that it
would not like to play against, and drops the one that favours nobody. One that tells nothing takes the disc
that it would have dropped itself.
"""

import time
from dataclasses import replace

from claimeven.agents.agent import NO_LIMIT, Agent, chosen_column, sure
from claimeven.agents.choice import Choice
from claimeven.limit import Limit
from claimeven.position import Position


def choose_in_pie(agent: Agent, position: Position, limit: Limit = NO_LIMIT) -> Choice:
    """The choice of an agent on the empty board, or, where it may swap, after the first disc: `swaps` says
    whether it takes that, and `column` what it would play instead."""
    return _answered(agent, position, limit) if position.ply else _first_disc(agent, position, limit)


def _answered(agent: Agent, position: Position, limit: Limit) -> Choice:
    began = time.monotonic()
    choice = _asked(agent, position, limit)
    outlook = choice.outlook(choice.column)
    if outlook is not None:
        return replace(choice, swaps=outlook < 0)
    left = limit if limit.seconds is None else _left(limit, limit.seconds - (time.monotonic() - began))
    if left is None:
        return choice
    board = position.board
    own = _asked(agent, Position(board), left).column
    disc = board.column_of(position.mask)
    return replace(choice, swaps=disc in (own, board.columns - 1 - own))


def _first_disc(agent: Agent, position: Position, limit: Limit) -> Choice:
    """Half of the limit for its own view of the board, the other for how it would answer each disc, where
    that view does not tell of all. Mirror images are asked about once."""
    board = position.board
    half = _share(limit, 2)
    choice = _asked(agent, position, half)
    outlooks = {column: choice.outlook(column) for column in position.legal}
    if None in outlooks.values() and outlooks[choice.column] is not None:
        several = range((board.columns + 1) // 2)
        for column in several:
            after = position.play(column)
            if after.is_over:
                return choice  # one disc is all it takes
            reply = _asked(agent, after, _share(half, len(several)))
            outlooks[column] = outlooks[board.columns - 1 - column] = reply.outlook(reply.column)
    known = [c for c in board.from_centre if outlooks.get(c) is not None]
    if not known:
        return choice
    column = min(known, key=lambda c: abs(outlooks[c] or 0.0))
    return sure(column, position, choice.opinions, choice.effort, even=choice.even)


def _asked(agent: Agent, position: Position, limit: Limit) -> Choice:
    """Anyone's code may answer with just a number."""
    choice = agent.choose(position, limit)
    column = chosen_column(choice, position)
    return choice if isinstance(choice, Choice) else sure(column, position)


def _share(limit: Limit, parts: int) -> Limit:
    return replace(
        limit,
        seconds=None if limit.seconds is None else limit.seconds / parts,
        nodes=None if limit.nodes is None else max(1, limit.nodes // parts),
    )


def _left(limit: Limit, seconds: float) -> Limit | None:
    return replace(limit, seconds=seconds) if seconds > 0 else None
