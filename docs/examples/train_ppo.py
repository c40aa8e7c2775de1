"""Train an agent with sb3-contrib's MaskablePPO; docs/training.md says how strong it becomes.

    pip install 'claimeven[envs,train]'
    python train_ppo.py --steps 500000 --seed 1 --out policy.npz

Opponents are random, levels 1 to 5 of the first ladder and earlier selves. Each game's opponent is drawn;
those that are neither beaten nor hopeless are drawn most, so that the curriculum makes itself.
"""

import argparse
import random
import time

import gymnasium
import numpy as np
import torch
from ppo_agent import Network, judge, load
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv

from claimeven import Position
from claimeven.adapters.gymnasium import ConnectFour, Policy

LEVELS = ["random", *(f"level:{n},ladder=first" for n in range(1, 6))]
FILTERS, WIDTH, SELVES = 96, 128, 3


class Trunk(BaseFeaturesExtractor):
    """The board and its mirror image, each through the same layers.

    The first layer sees every 4x4 window: each line of four lies in one. A third plane says where discs land.
    """

    def __init__(self, space):
        super().__init__(space, 2 * WIDTH)
        conv, relu, flat = torch.nn.Conv2d(3, FILTERS, 4), torch.nn.ReLU(), torch.nn.Flatten()
        first, second = torch.nn.Linear(12 * FILTERS, WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.layers = torch.nn.Sequential(conv, relu, flat, first, relu, second, relu)

    def forward(self, observation):
        own, other = observation[..., 0], observation[..., 1]
        taken = own + other
        below = torch.cat([taken[:, 1:], torch.ones_like(taken[:, :1])], 1)
        planes = torch.stack([own, other, below * (1 - taken)], 1)
        return torch.cat([self.layers(planes), self.layers(planes.flip(3))], 1)


class Mirrored(torch.nn.Module):
    """Column c of the board and column 6 - c of its mirror image are one column."""

    def __init__(self):
        super().__init__()
        self.columns = torch.nn.Linear(WIDTH, 7)

    def forward(self, both):
        seen, mirrored = both.chunk(2, 1)
        return self.columns(seen) + self.columns(mirrored).flip(1)


class MirrorPolicy(MaskableActorCriticPolicy):
    def _build(self, lr_schedule):
        super()._build(lr_schedule)
        self.action_net = Mirrored()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Pool:
    """The opponents, and how the learner fares against each."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scores = dict.fromkeys(LEVELS, 0.5)  # of the learner, the latest games count most
        self.selves = {}

    def draw(self):
        names = list(self.scores)
        weights = [(score * (1 - score)) ** 2 + 0.002 for score in self.scores.values()]
        return self.random.choices(names, weights)[0]

    def opening(self):
        """Up to eight moves by chance: who only knows its own games is lost outside of them."""
        position = Position()
        for _ in range(self.random.randrange(9)):
            after = position.play(self.random.choice(position.legal))
            position = position if after.is_over else after
        return position

    def add_self(self, name, network):
        def sampled(observation, action_mask):  # not the best column but one by its probability: games differ
            chance = np.where(action_mask, np.exp(network.logits(observation)), 0.0)
            return self.random.choices(range(len(chance)), chance)[0]

        self.selves[name], self.scores[name] = Policy(name, sampled), 0.5
        if len(self.selves) > SELVES:
            oldest = next(iter(self.selves))
            del self.selves[oldest], self.scores[oldest]


class Varied(gymnasium.Wrapper):
    """Another opponent of the pool for every game."""

    def __init__(self, env, pool):
        super().__init__(env)
        self.pool, self.name = pool, "random"

    def reset(self, **given):
        self.name = self.pool.draw()
        self.unwrapped.set_opponent(self.pool.selves.get(self.name, self.name))
        return super().reset(**given, options={"start": self.pool.opening()})

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        if terminated and self.name in self.pool.scores:
            self.pool.scores[self.name] += 0.01 * ((reward + 1) / 2 - self.pool.scores[self.name])
        return observation, reward, terminated, truncated, info


class Progress(BaseCallback):
    """Says how it goes, and sends a copy of the learner into the pool now and then."""

    def __init__(self, pool, every, out):
        super().__init__()
        self.pool, self.every, self.out, self.next, self.began = pool, every, out, every, time.monotonic()

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        if self.num_timesteps >= self.next:
            self.next += self.every
            weights = weights_of(self.model)
            np.savez(self.out, **weights)
            self.pool.add_self(f"self@{self.num_timesteps}", Network(weights))
            scores = " ".join(f"{name} {score:.2f}" for name, score in self.pool.scores.items())
            print(f"{time.monotonic() - self.began:5.0f} s {self.num_timesteps} steps: {scores}", flush=True)


def weights_of(model):
    """The policy as numpy arrays, without the part that only training needs."""
    conv, _, _, first, _, second, _ = model.policy.features_extractor.layers
    layers = [conv, first, second, model.policy.action_net.columns]
    found = [(f"layer{n}", layer.weight.flatten(1)) for n, layer in enumerate(layers)]
    found += [(f"bias{n}", layer.bias) for n, layer in enumerate(layers)]
    return {name: array.detach().numpy().copy() for name, array in found}


def train(steps, seed, envs, out, model_file):
    torch.set_num_threads(1)
    pool = Pool(seed)
    worlds = DummyVecEnv([lambda: Varied(ConnectFour(), pool)] * envs)
    model = MaskablePPO(
        MirrorPolicy,
        worlds,
        n_steps=128,
        batch_size=512,
        n_epochs=6,
        learning_rate=lambda left: 1e-3 * left + 5e-5,
        gamma=0.99,
        gae_lambda=0.9,
        ent_coef=0.01,
        seed=seed,
        device="cpu",
        policy_kwargs={"features_extractor_class": Trunk, "net_arch": []},
    )
    model.learn(steps, callback=Progress(pool, max(steps // 30, 1), out))
    np.savez(out, **weights_of(model))
    if model_file:
        model.save(model_file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--envs", type=int, default=32)
    parser.add_argument("--games", type=int, default=400, help="of every match at the end")
    parser.add_argument("--out", default="policy.npz", help="the policy alone, for ppo_agent.py")
    parser.add_argument("--model", help="also store all of it here, for MaskablePPO.load")
    given = parser.parse_args()
    train(given.steps, given.seed, given.envs, given.out, given.model)
    judge(load(given.out), given.games, given.seed)
