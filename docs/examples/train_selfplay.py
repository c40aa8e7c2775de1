"""Train an agent that plays only itself, thousands of games side by side (docs/training.md).

    pip install 'claimeven[envs]' torch
    python train_selfplay.py --steps 20000000 --seed 1 --threads 2 --out policy.npz

PPO in torch alone: games, network and learning are tensors, on a processor or (`--device cuda`) a graphics
card. The same seed, threads and device give the same network.
"""

import argparse
import time

import numpy as np
import torch
from ppo_agent import judge, load

COLUMNS, ROWS = 7, 6
# The bits of claimeven.board: seven for each column, from the bottom up, the topmost always 0.
BOTTOM = sum(1 << 7 * column for column in range(COLUMNS))
FULL = BOTTOM * 63
OPENINGS, LONGEST = 1 << 16, 8


class Games:
    """Many games side by side; those that end begin anew from an opening by chance."""

    def __init__(self, count, device):
        numbers = torch.arange(COLUMNS, device=device)
        self.column = torch.tensor(63, device=device) << 7 * numbers
        self.top = torch.tensor(32, device=device) << 7 * numbers
        rows = torch.arange(ROWS - 1, -1, -1, device=device)  # the top row first, as the environment shows it
        self.cells = (7 * numbers + rows[:, None]).flatten()
        self.mine = torch.zeros(OPENINGS, dtype=torch.int64, device=device)  # of who is to move
        self.mask = self.mine.clone()
        self.starts = self._openings()
        self.mine, self.mask = (stones[:count] for stones in self.starts)

    def _openings(self):
        """Up to eight moves by chance: who only knows its own games is lost outside of them."""
        length = torch.randint(LONGEST + 1, self.mine.shape, device=self.mine.device)
        for ply in range(LONGEST):
            before = self.mine, self.mask
            won, _ = self.play(torch.multinomial(self.legal().float(), 1)[:, 0])
            is_kept = (length > ply) & ~won
            self.mine, self.mask = (
                torch.where(is_kept, new, old)
                for new, old in zip((self.mine, self.mask), before, strict=True)
            )
        return self.mine, self.mask

    def legal(self):
        return (self.mask[:, None] & self.top) == 0

    def planes(self):
        """The stones of who is to move, the other's, and where discs land."""
        landings = (self.mask + BOTTOM) & FULL
        stones = torch.stack([self.mine, self.mine ^ self.mask, landings], 1)
        return ((stones[:, :, None] >> self.cells) & 1).float().unflatten(2, (ROWS, COLUMNS))

    def play(self, columns):
        """A disc for each; who has won, and which games are over."""
        stones = self.mine | (self.mask + BOTTOM) & self.column[columns]
        won = torch.zeros_like(stones, dtype=torch.bool)
        for distance in (1, 6, 7, 8):
            pairs = stones & (stones >> distance)
            won |= (pairs & (pairs >> 2 * distance)) != 0
        self.mine, self.mask = self.mine ^ self.mask, self.mask | stones
        return won, won | (self.mask == FULL)

    def begin_anew(self, over):
        drawn = torch.randint(OPENINGS, over.shape, device=over.device)
        mine, mask = (stones[drawn] for stones in self.starts)
        self.mine, self.mask = torch.where(over, mine, self.mine), torch.where(over, mask, self.mask)


class Network(torch.nn.Module):
    """The board and its mirror image through the same layers: everything is learned once for both.

    The first layer sees every 4x4 window: each line of four lies in one.
    """

    def __init__(self, filters, width):
        super().__init__()
        self.windows = torch.nn.Conv2d(3, filters, 4)
        self.first, self.second = torch.nn.Linear(12 * filters, width), torch.nn.Linear(width, width)
        self.columns, self.value = torch.nn.Linear(width, COLUMNS), torch.nn.Linear(width, 1)

    def forward(self, planes, legal):
        hidden = torch.relu(self.windows(torch.cat([planes, planes.flip(3)]))).flatten(1)
        hidden = torch.relu(self.second(torch.relu(self.first(hidden))))
        straight, mirrored = hidden.chunk(2)
        logits = self.columns(straight) + self.columns(mirrored).flip(1)
        value = torch.tanh(self.value(straight + mirrored)[:, 0])
        return torch.log_softmax(logits.masked_fill(~legal, -1e9), 1), value

    def weights(self):
        """The policy as numpy arrays for ppo_agent.py, without what only training needs."""
        layers = [self.windows, self.first, self.second, self.columns]
        found = [(f"layer{n}", layer.weight.flatten(1)) for n, layer in enumerate(layers)]
        found += [(f"bias{n}", layer.bias) for n, layer in enumerate(layers)]
        return {name: array.detach().cpu().numpy().copy() for name, array in found}


@torch.no_grad()
def play(games, network, plies, gamma=0.99, smoothing=0.9):
    """Every game goes on for some plies; what was seen and done there, and what it was worth."""
    kept = []
    for _ in range(plies):
        planes, legal = games.planes(), games.legal()
        logs, value = network(planes, legal)
        column = torch.multinomial(logs.exp(), 1)[:, 0]
        won, over = games.play(column)
        games.begin_anew(over)
        kept.append((planes, legal, column, logs.gather(1, column[:, None])[:, 0], value, won, over))
    planes, legal, column, log, value, won, over = map(torch.stack, zip(*kept, strict=True))
    _, after = network(games.planes(), games.legal())
    worth, advantage = torch.zeros_like(value), torch.zeros_like(after)
    for ply in reversed(range(plies)):
        goes_on = (~over[ply]).float()
        # What comes next is the opponent's: its value and advantage count against who moves here.
        surprise = won[ply].float() - gamma * goes_on * after - value[ply]
        advantage = surprise - gamma * smoothing * goes_on * advantage
        after, worth[ply] = value[ply], advantage
    return [part.flatten(0, 1) for part in (planes, legal, column, log, worth, worth + value)]


def learn(network, optimizer, seen, epochs, batch, entropy_weight):
    """PPO: more of what went better than expected, in small steps."""
    advantages = seen[4]
    seen[4] = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(epochs):
        order = torch.randperm(len(seen[0]), device=seen[0].device)
        for chosen in order.split(batch):
            planes, legal, column, log, advantage, worth = (part[chosen] for part in seen)
            logs, value = network(planes, legal)
            ratio = (logs.gather(1, column[:, None])[:, 0] - log).exp()
            gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
            loss = 0.5 * (value - worth).square().mean() - gain - entropy_weight * entropy
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return entropy.item(), (value - worth).square().mean().item()


def train(given):
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    games = Games(given.games, given.device)
    network = Network(given.filters, given.width).to(given.device)
    optimizer = torch.optim.Adam(network.parameters(), lr=given.rate)
    began, a_round = time.monotonic(), given.games * given.plies
    rounds = max(given.steps // a_round, 1)
    for number in range(1, rounds + 1):
        optimizer.param_groups[0]["lr"] = given.rate * max(1 - number / rounds, 0.02)
        seen = play(games, network, given.plies)
        entropy, error = learn(network, optimizer, seen, given.epochs, given.batch, given.entropy)
        if number % max(rounds // 40, 1) == 0 or number == rounds:
            np.savez(given.out, **network.weights())
            said = f"{number * a_round} plies: entropy {entropy:.3f}, error of values {error:.3f}"
            print(f"{time.monotonic() - began:6.0f} s {said}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--steps", type=int, default=20_000_000, help="plies to play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--games", type=int, default=1024, help="side by side")
    parser.add_argument("--plies", type=int, default=32, help="of each before it learns")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--filters", type=int, default=128)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--judge", type=int, default=400, help="games of every match at the end; 0: none")
    parser.add_argument("--out", default="policy.npz", help="the policy, for ppo_agent.py")
    given = parser.parse_args()
    train(given)
    if given.judge:
        judge(load(given.out), given.judge, given.seed)
