"""Q-learning: games that improve a table, with checkpoints from which it can go on.

A game depends on its number and the seed alone. So a training that was interrupted and goes on from its last
checkpoint ends with the same table, byte for byte, as one that was not.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from claimeven.agents import AgentError, close, make_agent
from claimeven.agents.qtable import SELF, Table
from claimeven.errors import InputError
from claimeven.learn.curve import Curve
from claimeven.limit import Limit
from claimeven.notation import plural
from claimeven.position import Position
from claimeven.runner import Progress

SLICE = 20_000  # games between two reports of progress, when the table plays itself
SLICE_WITH_AGENT = 50

Watch = Callable[[dict[str, Any]], None]  # called with every new point of the curve


def train(
    table: Table,
    games: int,
    *,
    out: Path | None = None,
    curve: Curve | None = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Table:
    """Go on until so many games are played in all; the table is changed and returned.

    After every `table.checkpoint` games, and at the end, the curve gets a point and the table is written.
    `limit` is that of the opponent's moves, if it is an agent.
    """
    if games < table.games:
        raise InputError(
            f"the table has {table.games} {plural('game', table.games)} already, more than {games}"
        )
    step = table.checkpoint or games or 1
    if curve is not None and not table.curve:
        _add_point(table, curve, watch)
    while table.games < games:
        _play(table, min(games, (table.games // step + 1) * step), games, limit, progress)
        if curve is not None:
            _add_point(table, curve, watch)
        if out is not None:
            table.write(out)
    return table


def _add_point(table: Table, curve: Curve, watch: Watch | None) -> None:
    point = curve.point(table)
    table.curve.append(point)
    if watch is not None:
        watch(point)


def _play(table: Table, until: int, total: int, limit: Limit | None, progress: Progress | None) -> None:
    rule = table.rule.native()
    while table.games < until:
        if progress is not None:
            progress(table.games, total)
        count = min(until - table.games, SLICE if table.opponent == SELF else SLICE_WITH_AGENT)
        if table.opponent == SELF:
            first, *others = table.parts
            other = others[0] if others else None
            first.train(rule=rule, first_game=table.games, games=count, seed=table.seed, other=other)
        else:
            for number in range(table.games, table.games + count):
                _play_agent(table, number, limit or Limit())
        table.games += count
    if progress is not None:
        progress(table.games, total)


def _play_agent(table: Table, number: int, limit: Limit) -> None:
    """One game with an agent; who begins is drawn by lot."""
    rng, rule, part = random.Random(f"{table.seed}/{number}"), table.rule.native(), table.parts[0]
    side, epsilon = rng.randrange(2), rule.epsilon_at(number)
    opening = rng.randint(0, table.rule.openings)
    opponent = make_agent(table.opponent, rng.getrandbits(63))
    position, columns = Position(table.board), list[int]()
    try:
        while not position.is_over:
            if position.ply < opening:
                column = rng.choice(position.legal)
            elif position.side == side:
                column = part.pick(
                    position.mine, position.mask, rule=rule, epsilon=epsilon, seed=rng.getrandbits(64)
                )
            else:
                column = opponent.choose(position, limit).column
            columns.append(column)
            position = position.play(column)
    except (AgentError, InputError) as error:
        raise InputError(f"in game {number + 1} the opponent {table.opponent} failed: {error}") from error
    finally:
        close(opponent)
    part.learn(columns, side, rule)
