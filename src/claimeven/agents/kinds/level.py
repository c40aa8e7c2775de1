"""Opponents of ten strengths that err like people: they look ahead less far and overlook lines.

The model follows van Opheusden et al. (Nature 2023): a player weighs lines (with noise), overlooks some of
them, diagonals more than others, looks ahead a few plies, and now and then moves without looking at all.
"""

import random
from dataclasses import dataclass, replace

from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.agents.kinds.minimax import EVEN, MEGABYTES, search, seen_by
from claimeven.agents.kinds.perfect import PerfectAgent
from claimeven.agents.kinds.rules import blocks, wins
from claimeven.agents.kinds.weights import PRESETS, Evaluation
from claimeven.agents.option import whole, word
from claimeven.limit import Limit
from claimeven.position import Position


@dataclass(frozen=True)
class Player:
    """What a level can do."""

    depth: int  # plies it looks ahead
    noise: float  # standard deviation of its judgement; a line that lacks one stone is worth 3
    miss: tuple[float, float]  # probability to overlook a line: straight, diagonal
    lapse: float  # probability to look only at its own next move
    knows_parity: bool  # which rows favour whom
    is_attentive: bool  # never overlooks a line that is completed next
    rating: int  # among the levels, in Elo points


# Spaced by people, as they are modelled (docs/people.md): 3 is a beginner, 5 an average person, 6 a strong
# one, 9 beyond almost all; 1 to 9 rise in even steps. The ratings were measured, 200 games of everyone with
# everyone (docs/experiments), on the scale of the first ladder, whose level 4 is level 6.
PLAYERS = {
    1: Player(1, 9.0, (0.60, 0.82), 0.30, False, False, 490),
    2: Player(1, 4.2, (0.34, 0.64), 0.20, False, False, 620),
    3: Player(2, 4.5, (0.36, 0.62), 0.25, False, False, 740),
    4: Player(2, 3.8, (0.20, 0.47), 0.14, False, False, 850),
    5: Player(2, 2.7, (0.09, 0.33), 0.10, False, False, 1000),
    6: Player(2, 2.2, (0.04, 0.22), 0.08, False, True, 1140),
    7: Player(4, 1.7, (0.01, 0.12), 0.05, False, True, 1290),
    8: Player(6, 1.8, (0.00, 0.06), 0.04, True, True, 1420),
    9: Player(8, 0.8, (0.00, 0.00), 0.00, True, True, 1580),
}
# The ladder before it, which was not spaced by people: what was measured with it (ratings of puzzles, the
# model of people, docs/experiments, docs/training.md) still asks for it. It never changes.
FIRST = {
    1: Player(1, 4.0, (0.30, 0.60), 0.20, False, False, 600),
    2: Player(2, 4.0, (0.22, 0.50), 0.15, False, False, 820),
    3: Player(2, 2.8, (0.10, 0.35), 0.10, False, False, 980),
    4: Player(2, 2.2, (0.04, 0.22), 0.08, False, True, 1140),
    5: Player(4, 2.2, (0.02, 0.16), 0.06, False, True, 1260),
    6: Player(6, 1.6, (0.00, 0.08), 0.04, False, True, 1360),
    7: Player(6, 1.2, (0.00, 0.03), 0.02, True, True, 1480),
    8: Player(8, 0.8, (0.00, 0.00), 0.00, True, True, 1580),
    9: Player(12, 0.4, (0.00, 0.00), 0.00, True, True, 1700),
}
LADDERS = {"people": PLAYERS, "first": FIRST}
HIGHEST = 10
RATINGS = {level: player.rating for level, player in PLAYERS.items()} | {HIGHEST: 1910}

# A stone with nothing beside it is worth something too, most of all in the middle: people like the centre.
_SIGHTED = replace(PRESETS["claimeven"], own=(0.3, 1, 3), their=(-0.3, -1, -3), center=(2, -2))
_BLIND_TO_PARITY = replace(_SIGHTED, parity=(), zugzwang=())


def evaluation_for(player: Player) -> Evaluation:
    return _SIGHTED if player.knows_parity else _BLIND_TO_PARITY


class LevelAgent:
    def __init__(self, name: str, seed: int | None, player: Player) -> None:
        self.name = name
        self._player = player
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        player = self._player
        at_hand = wins(position, legal)
        forced = at_hand or blocks(position, legal)
        if player.is_attentive and forced:
            return sure(forced[0], position, rule="win" if at_hand else "block")
        is_lapse = self._random.random() < player.lapse
        weights = evaluation_for(player).native(player.noise, player.miss, self._random.getrandbits(63))
        depth = min(1 if is_lapse else player.depth, limit.depth or player.depth)
        result = search(position, weights, depth, limit, all_exact=False, megabytes=MEGABYTES)
        column = result.columns[0].column
        rule = "lapse" if is_lapse else None
        return sure(column, position, *seen_by(result, column, position), rule=rule, even=EVEN)


def _make(name: str, seed: int | None, level: int, ladder: str) -> LevelAgent | PerfectAgent:
    if level == HIGHEST:
        return PerfectAgent(name, seed)
    return LevelAgent(name, seed, LADDERS[ladder][level])


KIND = Kind(
    "level",
    "an opponent of strength 1 to 10 that errs like people do; 10 is perfect",
    lambda name, seed, values: _make(name, seed, values["level"], values["ladder"]),
    (
        whole("level", 5, "1 to 10; 5 is an average person", 1, HIGHEST),
        word("ladder", "people", "which levels: spaced by people, or the first ones", tuple(LADDERS)),
    ),
    bare="level",
)
