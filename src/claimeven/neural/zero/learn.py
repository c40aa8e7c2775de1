"""What a network is told by its own games, and the memory of them."""

import copy
from dataclasses import fields
from typing import Any

import torch
from torch import Tensor, nn

from claimeven.learn.labels import WON
from claimeven.neural.loss import ALLOWED, MOST
from claimeven.neural.model import Network, Size
from claimeven.neural.optimiser import Muon
from claimeven.neural.zero.frame import Frame
from claimeven.neural.zero.play import Lessons
from claimeven.neural.zero.think import kind_of, worth_of


class Memory:
    """The last `most` positions of finished games, on the device that learns: new ones replace old ones."""

    def __init__(self, most: int, width: int, device: str) -> None:
        self.most, self.seen, self.device = most, 0, device
        kinds = {"mine": torch.int64, "mask": torch.int64, "columns": torch.int64, "scores": torch.int64}
        self.rows = {
            field.name: torch.zeros(
                (most, width) if field.name in ("shares", "means") else (most,),
                dtype=kinds.get(field.name, torch.float32),
                device=device,
            )
            for field in fields(Lessons)
        }

    def add(self, lessons: Lessons) -> None:
        places = (torch.arange(len(lessons)) + self.seen) % self.most
        for name, rows in self.rows.items():
            values = torch.from_numpy(getattr(lessons, name).astype(_KINDS[rows.dtype]))
            rows[places.to(self.device)] = values.to(self.device)
        self.seen += len(lessons)

    def batch(self, size: int, chance: torch.Generator) -> dict[str, Tensor]:
        drawn = torch.randint(min(self.seen, self.most), (size,), generator=chance).to(self.device)
        return {name: rows[drawn] for name, rows in self.rows.items()}


_KINDS = {torch.int64: "int64", torch.float32: "float32"}


def loss_of(found: Tensor, legal: Tensor, lesson: dict[str, Tensor], allowed: Tensor) -> Tensor:
    """The network should want what the search played, and expect what became of it."""
    wanted = found[..., 0].masked_fill(~legal, -1e4).log_softmax(-1)
    policy = -(lesson["shares"] * wanted).sum(-1)

    # The column that was played: who won in the end, and by what score.
    played = found[torch.arange(len(found), device=found.device), lesson["columns"], 1:].log_softmax(-1)
    scores = lesson["scores"]
    outcome = -played.masked_fill(~allowed[scores.sign() * WON + 128], -1e4).logsumexp(-1)
    score = -played.gather(-1, (scores + MOST).unsqueeze(-1)).squeeze(-1)

    # All columns that the search looked at: what it thinks of them.
    means = lesson["means"]
    known = ~means.isnan()
    misses = (worth_of(found) - means.nan_to_num()).square() * known
    searched = misses.sum(-1) / known.sum(-1).clamp_min(1)
    return (policy + outcome + 0.25 * score + 2 * searched).mean()


class Learner:
    """The network, the average of its last weights (which is what plays), and the steps that it makes."""

    def __init__(self, frame: Frame, size: Size, rate: float, seed: int, device: str) -> None:
        torch.manual_seed(seed)
        self.frame, self.rate, self.device = frame, rate, device
        self.chance = torch.Generator().manual_seed(seed)
        self.net = Network(size).to(device)
        self.mean = copy.deepcopy(self.net)
        matrices = [self.net.even, self.net.odd, self.net.mix]
        rest = [p for p in self.net.parameters() if not any(p is m for m in matrices)]
        self.muon = Muon(matrices)
        self.adam = torch.optim.AdamW(rest, lr=rate / 10, betas=(0.9, 0.98), weight_decay=0.01)
        self.allowed = ALLOWED.to(device)
        self.steps = 0

    def step(self, memory: Memory, batch: int, fall: float) -> Tensor:
        """One batch, at `fall` of the full rate."""
        lesson = memory.batch(batch, self.chance)
        found = self.frame.outputs(self.net, lesson["mine"], lesson["mask"], kind_of(self.device))
        loss = loss_of(found, self.frame.legal(lesson["mask"]), lesson, self.allowed)
        self.net.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        for group in self.adam.param_groups:
            group["lr"] = self.rate / 10 * fall
        self.adam.step()
        self.muon.step(self.rate * fall)
        with torch.no_grad():
            pull = 1 - min(0.99, (1 + self.steps) / (10 + self.steps))
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), pull)
        self.steps += 1
        return loss.detach()

    def state(self) -> dict[str, Any]:
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "adam": self.adam.state_dict(),
            "velocity": self.muon.velocity,
            "chance": self.chance.get_state(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.adam.load_state_dict(state["adam"])
        self.muon.velocity, self.steps = state["velocity"], state["steps"]
        self.chance.set_state(state["chance"].cpu())
