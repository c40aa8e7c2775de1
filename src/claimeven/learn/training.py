"""Q-learning: games that improve a table, with checkpoints from which it can go on.

A game depends on its number and the seed alone. So a training that was interrupted and goes on, from where
Ctrl-C ended it or from its last checkpoint, ends with the same table, byte for byte, as one that was not.
"""

import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from claimeven.agents import AgentError, close, make_agent
from claimeven.agents.kinds.qcurve import Point
from claimeven.agents.kinds.qtable import SELF, Table
from claimeven.errors import InputError
from claimeven.learn.curve import Curve
from claimeven.limit import Limit
from claimeven.notation import plural
from claimeven.position import Position
from claimeven.runner import Progress

SLICE = 2_000  # games between two reports of progress, when the table plays itself: Ctrl-C waits so long

Watch = Callable[[Point], None]  # called with every new point of the curve


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

    After every `table.checkpoint` games, and at the end, the curve gets a point and the table is written;
    after Ctrl-C, too. `limit` is that of the opponent's moves, if it is an agent.
    """
    if games < table.games:
        raise InputError("training.games_done", n=table.games, noun=plural("game", table.games), games=games)
    step = table.checkpoint or games or 1
    try:
        _look(table, curve, watch, is_due=table.games % step == 0)
        while table.games < games:
            _play(table, min(games, (table.games // step + 1) * step), games, limit, progress)
            _look(table, curve, watch, is_due=True)
            if out is not None:
                table.write(out)
    except KeyboardInterrupt:
        if out is not None and table.games:
            table.write(out)
        raise
    return table


def _look(table: Table, curve: Curve | None, watch: Watch | None, *, is_due: bool) -> None:
    """Add a point to the curve, unless it has that of so many games already."""
    if curve is None or not is_due or (table.curve and table.curve[-1].games == table.games):
        return
    point = curve.point(table)
    table.curve.append(point)
    if watch is not None:
        watch(point)


def _play(table: Table, until: int, total: int, limit: Limit | None, progress: Progress | None) -> None:
    rule = table.rule.native()
    while table.games < until:
        if progress is not None:
            progress(table.games, total)
        if table.opponent == SELF:
            first, *others = table.parts
            other = others[0] if others else None
            count = min(until - table.games, SLICE)
            with undisturbed():
                first.train(rule=rule, first_game=table.games, games=count, seed=table.seed, other=other)
                table.games += count
        else:
            columns, side = _game_with_agent(table, table.games, limit or Limit())
            with undisturbed():
                table.parts[0].learn(columns, side, rule)
                table.games += 1
    if progress is not None:
        progress(table.games, total)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until the end: a table and the number of its games belong together."""
    if threading.current_thread() is not threading.main_thread():  # Ctrl-C is for the main thread
        yield
        return
    is_wished = False

    def remember(*_: object) -> None:
        nonlocal is_wished
        is_wished = True

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if is_wished:
        signal.raise_signal(signal.SIGINT)


def _game_with_agent(table: Table, number: int, limit: Limit) -> tuple[list[int], int]:
    """One game with an agent, and the table's side; who begins is drawn by lot."""
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
        raise InputError(
            "training.opponent", game=number + 1, opponent=table.opponent, cause=error
        ) from error
    finally:
        close(opponent)
    return columns, side
