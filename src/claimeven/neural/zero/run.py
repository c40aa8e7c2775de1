"""The loop: play, learn, and now and then be judged by exact scores, which nothing is learned from."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from claimeven.arena.measure import pons_questions
from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.labels import ILLEGAL, Wanted, make_labels
from claimeven.learn.points import CurvePoint, Quality, curve_json
from claimeven.neural.export import exported
from claimeven.neural.model import BEST, TINY, Size
from claimeven.neural.zero.frame import Frame
from claimeven.neural.zero.learn import Learner, Memory
from claimeven.neural.zero.play import Array, Games, forest_of, search
from claimeven.neural.zero.think import Thinker

SIZES = {"best": BEST, "middle": Size(64, 64, 8), "tiny": TINY, "toy": Size(16, 8, 3)}
JUDGES = 1000  # positions that judge, on boards without published ones
STEADY = 0.5  # the share of the time before the rate begins to fall
PLAYED = ("mine", "mask", "log", "moves", "finished")  # of games that are being played
NUMBERS = ("rounds", "owed", "loss", "spent", "processor")
WEIGH = 1.0  # how much the scores count beside the wish, when the network plays alone


@dataclass(frozen=True)
class Plan:
    board: str
    seconds: float
    rounds: int | None = None  # ends earlier, after so many moves of every game
    size: str = "toy"
    games: int = 256  # side by side
    simulations: int = 32  # for a move
    memory: int = 100_000  # positions
    batch: int = 512
    reuse: float = 4.0  # how often a position is learned from
    rate: float = 0.02
    look_every: float = 30.0  # seconds
    judge_simulations: int = 32
    threads: int = 1
    seed: int = 1
    groups: int = 1  # of games: while one waits for the network, the trees of another grow


class Zero:
    def __init__(self, plan: Plan, device: str = "cpu") -> None:
        self.plan, self.device = plan, device
        self.board = Board.parse(plan.board)
        self.frame = Frame(self.board, device)
        self.learner = Learner(self.frame, SIZES[plan.size], plan.rate, plan.seed, device)
        self.memory = Memory(plan.memory, self.board.columns, device)
        each, threads = (max(1, whole // plan.groups) for whole in (plan.games, plan.threads))
        self.groups = [
            Games(self.board, each, plan.simulations, plan.seed + number, threads)
            for number in range(plan.groups)
        ]
        self.think = Thinker(self.frame, self.learner.mean, device, each)
        self.rounds, self.owed = 0, 0.0
        self.loss: float | torch.Tensor = 0.0
        self.spent, self.processor = 0.0, 0.0  # seconds, by the clock and of processors
        self.curve: list[CurvePoint] = []
        self.judges: tuple[Array, Array, Array] | None = None

    def round(self) -> None:
        """A move of every game, and as many steps as the positions that it brought are worth."""
        plan = self.plan
        with ThreadPoolExecutor(len(self.groups)) as threads:
            for lessons in threads.map(lambda games: games.move(self.think), self.groups):
                self.memory.add(lessons)
                self.owed += len(lessons) * plan.reuse / plan.batch
        share = self.spent / plan.seconds if plan.rounds is None else self.rounds / plan.rounds
        fall = min(1.0, (self.learner.steps + 1) / 100, max(0.0, 1 - share) / (1 - STEADY))
        while self.owed >= 1 and self.memory.seen >= plan.batch:
            self.loss = self.learner.step(self.memory, plan.batch, fall)
            self.owed -= 1
        self.rounds += 1

    def judge(self) -> dict[str, Quality]:
        """Shares of exactly solved positions in percent, alone and with search: outcome kept, and optimal."""
        if self.judges is None:
            self.judges = judges_of(self.board)
        mine, mask, scores = self.judges
        is_legal = scores != ILLEGAL
        wishes, values = self.think(mine, mask)
        alone = np.where(is_legal, wishes + WEIGH * values, -np.inf).argmax(-1)
        forest = forest_of(self.board, self.plan.judge_simulations, self.plan.threads)
        search(forest, mine, mask, self.think)
        searched = np.frombuffer(forest.found()[1], np.int8)
        best = scores.max(-1)
        judged = {}
        for name, columns in (("alone", alone), ("searched", searched)):
            got = np.take_along_axis(scores, columns[:, None].astype(np.int64), -1)[:, 0]
            keeps = round(100 * float(np.mean(np.sign(got) == np.sign(best))), 2)
            judged[name] = Quality(keeps, round(100 * float(np.mean(got == best)), 2))
        return judged

    def look(self, out: Path) -> CurvePoint:
        self.loss = float(self.loss)
        point = CurvePoint(
            self.judge(),
            seconds=round(self.spent, 1),
            rounds=self.rounds,
            processor=round(self.processor, 1),
            games=sum(group.finished for group in self.groups),
            positions=self.memory.seen,
            steps=self.learner.steps,
            loss=round(self.loss, 4),
        )
        self.curve.append(point)
        self.write(out)
        return point

    def write(self, out: Path) -> None:
        """The network, and beside it all that is needed to go on as if nothing had happened: in `.state` what
        was learned, in `.games` what it remembers and is playing."""
        card = {"plan": asdict(self.plan), "curve": curve_json(self.curve)}
        replace(exported(self.learner.mean, WEIGH, 0.0, card), board=str(self.board)).write(out)
        state: dict[str, Any] = {"plan": asdict(self.plan), "learner": self.learner.state()}
        state |= {"curve": curve_json(self.curve), **{name: getattr(self, name) for name in NUMBERS}}
        torch.save(state, out.with_suffix(".state"))
        memory = {"memory": self.memory.rows, "seen": self.memory.seen}
        games = [{name: getattr(group, name) for name in PLAYED} for group in self.groups]
        chances = [group.rng.bit_generator.state for group in self.groups]
        torch.save({**memory, "games": games, "chances": chances}, out.with_suffix(".games"))

    def resume(self, out: Path) -> None:
        # The file is our own and holds arrays of numpy, too.
        state: dict[str, Any] = torch.load(out.with_suffix(".state"), self.device, weights_only=False)
        for name in ("board", "size", "games", "groups", "memory"):
            if state["plan"][name] != getattr(self.plan, name):
                raise InputError(
                    "training.other",
                    out=out,
                    name=name,
                    was=state["plan"][name],
                    wanted=getattr(self.plan, name),
                )
        self.learner.restore(state["learner"])
        self.curve = [CurvePoint.from_json(point) for point in state["curve"]]
        for name in NUMBERS:
            setattr(self, name, state[name])
        kept = out.with_suffix(".games")
        if not kept.exists():  # it is large: who left it behind plays new games
            return
        state = torch.load(kept, self.device, weights_only=False)
        self.memory.rows, self.memory.seen = state["memory"], state["seen"]
        for group, games, chance in zip(self.groups, state["games"], state["chances"], strict=True):
            group.rng.bit_generator.state = chance
            for name in PLAYED:
                setattr(group, name, games[name])


def judges_of(board: Board) -> tuple[Array, Array, Array]:
    """Positions and the exact scores of their columns: P. Pons' 6,000, or some of any other board."""
    if board.is_standard:
        questions = pons_questions()
        stones = [(question.position.mine, question.position.mask) for question in questions]
        scores = np.full((len(questions), board.columns), ILLEGAL, np.int8)
        for row, question in zip(scores, questions, strict=True):
            row[list(question.scores)] = list(question.scores.values())
        mine, mask = np.array(stones, np.uint64).T
        return mine.copy(), mask.copy(), scores
    labels = make_labels(Wanted(str(board), (0, board.cells - 3)), JUDGES, seed=0)
    mine, mask = labels.words().T
    return mine.copy(), mask.copy(), labels.scores


def train_zero(plan: Plan, out: Path, device: str = "cpu", *, resume: bool = False) -> Zero:
    """Until the time of the plan is over, in all, or its rounds are played; a line of JSON at every look."""
    zero = Zero(plan, device)
    if resume:
        zero.resume(out)
    began, used = time.monotonic() - zero.spent, time.process_time() - zero.processor
    looked = time.monotonic()
    while zero.spent < plan.seconds and (plan.rounds is None or zero.rounds < plan.rounds):
        zero.round()
        zero.spent, zero.processor = time.monotonic() - began, time.process_time() - used
        if time.monotonic() - looked > plan.look_every:
            print(json.dumps(zero.look(out).to_json()), flush=True)
            looked = time.monotonic()
    print(json.dumps(zero.look(out).to_json()), flush=True)
    return zero
