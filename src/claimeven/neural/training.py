"""Training by the clock: as many steps as fit, the rate falling to nothing at the end.

New labels may arrive meanwhile. Every look judges the averaged weights by exact scores on Pons' six sets,
which are never trained on; positions held out of the labels decide how a choice is made of the outputs.
"""

import copy
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from claimeven.learn.points import CurvePoint, Quality, curve_json
from claimeven.neural.data import Data
from claimeven.neural.export import exported
from claimeven.neural.loss import ALLOWED, is_exact, judged, loss_of, wishes
from claimeven.neural.model import Network, Size, planes_of, plies_of
from claimeven.neural.optimiser import Muon

CHOICES = [(weigh, slope) for weigh in (0.0, 1.0, 2.0, 4.0, 8.0) for slope in (0.2, 0.5)]
PART = 4096  # positions judged at once
PARTS = [8, 12, 16, 20, 28]  # of a game: plies where the next one begins


@dataclass(frozen=True)
class Plan:
    seconds: float
    batch: int = 8192
    rate: float = 0.02  # of the matrices
    adam_rate: float = 0.002  # of the rest
    steady: float = 0.35  # the share of the time before the rate begins to fall
    average: float = 0.999
    duty: float = 1.0  # the share of the time that it computes: who shares a device leaves some to others
    look_every: float = 45.0
    seed: int = 1


class Training:
    def __init__(self, size: Size, plan: Plan, data: Data, device: str) -> None:
        torch.manual_seed(plan.seed)
        self.plan, self.data, self.device = plan, data, device
        self.net = Network(size).to(device)
        self.mean = copy.deepcopy(self.net)
        matrices = [self.net.even, self.net.odd, self.net.mix]
        rest = [p for p in self.net.parameters() if not any(p is m for m in matrices)]
        self.muon = Muon(matrices)
        self.adam = torch.optim.AdamW(rest, lr=plan.adam_rate, betas=(0.9, 0.98), weight_decay=0.01)
        self.kind = torch.bfloat16 if device == "cuda" else torch.float32
        self.allowed = ALLOWED.to(device)
        self.steps = 0
        self.curve: list[CurvePoint] = []

    def step(self, share: float) -> Tensor:
        """One batch; `share` of the time is over."""
        plan = self.plan
        words, labels = self.data.batch(plan.batch)
        loss = loss_of(self.net(planes_of(words, self.kind)), labels, self.allowed)
        self.net.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        fall = min(1.0, (self.steps + 1) / 200, (1 - share) / (1 - plan.steady))
        for group in self.adam.param_groups:
            group["lr"] = plan.adam_rate * fall
        self.adam.step()
        self.muon.step(plan.rate * fall)
        with torch.no_grad():
            pull = 1 - min(plan.average, (1 + self.steps) / (10 + self.steps))
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), pull)
        self.steps += 1
        return loss.detach()

    @torch.no_grad()
    def outputs(self, words: Tensor) -> Tensor:
        parts = [
            self.mean(planes_of(words[:, i : i + PART], torch.float32))
            for i in range(0, words.shape[1], PART)
        ]
        return torch.cat(parts)

    def judge(
        self, words: Tensor, labels: Tensor, weigh: float = 2.0, slope: float = 0.3
    ) -> tuple[float, float]:
        keeps, is_best = judged(wishes(self.outputs(words), weigh, slope), labels)
        return keeps.double().mean().item(), is_best.double().mean().item()

    def best_choice(self) -> tuple[float, float]:
        """How the choice is best made of wish and scores, on the positions held out."""
        words, labels = self.data.held_out()
        is_known = is_exact(labels)
        words, labels = words[:, is_known], labels[is_known]
        found = self.outputs(words)

        groups = torch.bucketize(plies_of(words), torch.tensor(PARTS, device=words.device), right=True)
        there = [groups == group for group in groups.unique()]

        def quality(choice: tuple[float, float]) -> float:
            """Every part of a game counts the same: late positions are many, and cheap to label."""
            keeps, is_best = judged(wishes(found, *choice), labels)
            right = keeps.double() + 0.1 * is_best.double()
            return sum(right[group].mean().item() for group in there)

        return max(CHOICES, key=quality)

    def write(self, path: Path, card: dict[str, object]) -> None:
        weigh, slope = self.best_choice()
        exported(self.mean, weigh, slope, card).write(path)
        state = {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "adam": self.adam.state_dict()}
        state |= {"velocity": self.muon.velocity, "steps": self.steps, "curve": curve_json(self.curve)}
        torch.save(state, path.with_suffix(".state"))

    def resume(self, path: Path) -> None:
        state = torch.load(path.with_suffix(".state"), map_location=self.device)
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.adam.load_state_dict(state["adam"])
        self.muon.velocity, self.steps = state["velocity"], state["steps"]
        self.curve = [CurvePoint.from_json(point) for point in state["curve"]]


def train(
    training: Training,
    out: Path,
    judges: dict[str, tuple[Tensor, Tensor]],
    more: Callable[[], None],
    already: float = 0.0,
) -> None:
    """Train for the time of the plan, less what was trained already; `more` adds labels that have arrived."""
    plan = training.plan
    start = time.monotonic() - already
    looked = time.monotonic()
    loss = torch.zeros(())
    card: dict[str, object] = {"size": asdict(training.net.size), "plan": asdict(plan)}
    while (spent := time.monotonic() - start) < plan.seconds:
        began = time.monotonic()
        loss = training.step(spent / plan.seconds)
        if plan.duty < 1:
            if training.device == "cuda":
                torch.cuda.synchronize()
            time.sleep((time.monotonic() - began) * (1 / plan.duty - 1))
        if training.steps % 50 == 0 and time.monotonic() - looked > plan.look_every:
            looked = time.monotonic()
            more()
            look(training, out, judges, spent, loss, card)
    look(training, out, judges, plan.seconds, loss, card)


def look(
    training: Training,
    out: Path,
    judges: dict[str, tuple[Tensor, Tensor]],
    spent: float,
    loss: Tensor,
    card: dict[str, object],
) -> None:
    judged = {}
    for name, (words, labels) in judges.items():
        keeps, is_best = training.judge(words, labels)
        judged[name] = Quality(round(100 * keeps, 3), round(100 * is_best, 3))
    point = CurvePoint(
        judged,
        seconds=round(spent, 1),
        steps=training.steps,
        loss=round(loss.item(), 4),
        labels=training.data.count,
    )
    training.curve.append(point)
    print(json.dumps(point.to_json()), flush=True)
    training.write(out, {**card, "curve": curve_json(training.curve)})
