"""What train_ppo.py learned, as an agent: numpy and claimeven[envs] are all it needs.

python ppo_agent.py policy.npz                        a program for `process:`
python ppo_agent.py policy.npz --guard                one that also completes lines and stops them
python ppo_agent.py policy.npz --judge 400 --seed 21  matches against the levels
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from claimeven import Position, play_match
from claimeven.adapters.gymnasium import Policy
from claimeven.agents.agent import sure
from claimeven.agents.kinds.rules import blocks, wins
from claimeven.arena.statistics import wilson


class Network:
    """The trained policy: the board and its mirror image through the same layers, a number per column."""

    def __init__(self, weights):
        self.layers = [(weights[f"layer{n}"].T, weights[f"bias{n}"]) for n in range(4)]

    def logits(self, observation):
        own, other = observation[:, :, 0], observation[:, :, 1]
        taken = own + other
        below = np.vstack([taken[1:], np.ones_like(taken[:1])])
        planes = np.stack([own, other, below * (1 - taken)]).astype(
            np.float32
        )  # the last: where a disc lands
        both = np.stack([planes, planes[:, :, ::-1]])
        (windows, bias), *layers, (last, last_bias) = self.layers
        seen = sliding_window_view(both, (4, 4), axis=(2, 3)).transpose(0, 2, 3, 1, 4, 5).reshape(2, 12, 48)
        hidden = np.maximum(seen @ windows + bias, 0).transpose(0, 2, 1).reshape(2, -1)
        for layer, bias in layers:
            hidden = np.maximum(hidden @ layer + bias, 0)
        straight, mirrored = hidden @ last + last_bias
        return straight + mirrored[::-1]

    def best(self, observation, action_mask):
        return np.argmax(np.where(action_mask, self.logits(observation), -np.inf))


class Guarded:
    """An agent that is not asked when a line can be completed, or must be stopped."""

    def __init__(self, agent):
        self.name = f"{agent.name}+guard"
        self._agent = agent

    def choose(self, position, limit=None):
        forced = wins(position, position.legal) or blocks(position, position.legal)
        return sure(forced[0], position) if forced else self._agent.choose(position)


def load(path):
    """The agent of a file."""
    with np.load(path) as weights:
        network = Network(dict(weights))
    return Policy(Path(path).stem, network.best)


def judge(agent, games, seed):
    for spec in ("random", *(f"level:{n},ladder=first" for n in range(1, 6))):
        result = play_match(agent, spec, games=games, seed=seed)
        low, high = wilson(result.wins, games)
        counts = f"{result.wins}-{result.draws}-{result.losses}"
        print(f"{agent.name} {spec} {counts}: wins {low:.1%} to {high:.1%}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("policy")
    parser.add_argument("--guard", action="store_true")
    parser.add_argument("--judge", type=int, metavar="GAMES", help="play matches instead of answering")
    parser.add_argument("--seed", type=int, default=1, help="of the matches")
    given = parser.parse_args()
    agent = Guarded(load(given.policy)) if given.guard else load(given.policy)
    if given.judge:
        judge(agent, given.judge, given.seed)
        return
    for line in sys.stdin:  # the moves so far; the answer is a column, both counted from 1
        print(agent.choose(Position.parse(line.strip())).column + 1, flush=True)


if __name__ == "__main__":
    main()
