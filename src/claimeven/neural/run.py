"""A training from files of labels: `claimeven train network`."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from claimeven.arena.measure import pons_questions
from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.labels import ILLEGAL, Labels, read_labels
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.sample import canonical
from claimeven.neural.data import Data
from claimeven.neural.model import BEST, PART, TINY, Size, features, plies_of
from claimeven.neural.training import Plan, Training, train

SIZES = {"best": BEST, "part": PART, "tiny": TINY, "toy": Size(16, 8, 3)}
Judge = tuple[Tensor, Tensor]


def train_network(
    paths: Sequence[Path],
    out: Path,
    size: str,
    plan: Plan,
    device: str = "cpu",
    *,
    plies: tuple[int, int] = (0, 41),
    resume: bool = False,
) -> Training:
    """Train for the time of the plan, with looks at Pons' sets; the network is written at every look.

    It learns from positions of these plies, and is judged by such: one that is a part of a network.
    """
    files = [read_labels(path) for path in paths]
    for path, labels in zip(paths, files, strict=True):
        if not labels.board.is_standard:
            raise InputError("training.labels", path=path, board=labels.board)
    judges, without = pons_judges(device)
    judges = {name: kept for name, judge in judges.items() if len((kept := _of_plies(judge, plies))[1])}
    data = Data(sum(len(labels.keys) for labels in files), device, without)
    for labels in files:
        _add(data, labels, plies)
    training = Training(SIZES[size], plan, data, device)
    spent = 0.0
    if resume:
        training.resume(out)
        spent = training.curve[-1].seconds or 0.0
    train(training, out, judges, lambda: None, spent)
    return training


def _add(data: Data, labels: Labels, plies: tuple[int, int]) -> None:
    words = labels.words()
    there = np.bitwise_count(words[:, 1])
    is_asked = (there >= plies[0]) & (there <= plies[1])
    data.add(words[is_asked, 0], words[is_asked, 1], labels.scores[is_asked])


def _of_plies(judge: Judge, plies: tuple[int, int]) -> Judge:
    words, labels = judge
    there = plies_of(words)
    is_asked = (there >= plies[0]) & (there <= plies[1])
    return words[:, is_asked], labels[is_asked]


def pons_judges(device: str) -> "tuple[dict[str, Judge], np.ndarray]":
    """All of Pons' positions and each set of them, and their canonical keys: they judge, and never teach."""
    questions = pons_questions()
    mine = np.array([question.position.mine for question in questions], np.uint64)
    mask = np.array([question.position.mask for question in questions], np.uint64)
    scores = np.full((len(questions), 7), ILLEGAL, np.int8)
    for row, question in zip(scores, questions, strict=True):
        row[list(question.scores)] = list(question.scores.values())
    words = features(*(torch.from_numpy(half.astype(np.int64)).to(device) for half in (mine, mask)))
    labels = torch.from_numpy(scores).to(device)
    judges = {"pons": (words, labels)}
    for name in dict.fromkeys(question.set for question in questions):
        chosen = torch.tensor([question.set == name for question in questions], device=device)
        judges[name] = words[:, chosen], labels[chosen]
    return judges, canonical(Geometry(Board()), mine, mask)
