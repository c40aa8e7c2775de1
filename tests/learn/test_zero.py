"""Self-play from nothing: the search of many games side by side, and the loop around it."""

import json
from pathlib import Path

import numpy as np
import pytest

from claimeven import Board, _core
from claimeven.learn.labels import Wanted, make_labels

BOARD = Board(5, 4, 4)


def forest(simulations: int, threads: int = 1) -> _core.Forest:
    return _core.Forest(5, 4, 4, exploration=1.5, slope=0.0, simulations=simulations, threads=threads)


def grow(trees: _core.Forest, mine: "np.ndarray", mask: "np.ndarray") -> "tuple[np.ndarray, np.ndarray]":
    """With a network that knows nothing."""
    trees.start(mine.tobytes(), mask.tobytes())
    while count := len(trees.leaves()[0]) // 8:
        nothing = np.zeros((count, 5), np.float32).tobytes()
        trees.learn(nothing, nothing)
    found, best = trees.found()
    return np.frombuffer(found, np.float32).reshape(-1, 5, 2), np.frombuffer(best, np.int8)


def test_trees_side_by_side_find_exact_ends_with_a_network_that_knows_nothing() -> None:
    labels = make_labels(Wanted("5x4x4", (11, 16)), 300, seed=3)
    mine, mask = (np.ascontiguousarray(half) for half in labels.words().T)
    found, best = grow(forest(400), mine, mask)
    scores = labels.scores.astype(int)
    rows = np.arange(len(best))
    keeps = np.sign(scores[rows, best]) == np.sign(scores.max(-1))
    assert keeps.mean() > 0.99
    assert np.abs(found[..., 0].sum(-1) - 1).max() < 1e-5
    assert (found[..., 0][scores == -128] == 0).all()
    again, same = grow(forest(400, threads=3), mine, mask)
    assert (same == best).all()
    assert np.array_equal(again, found, equal_nan=True)


def test_noise_changes_what_is_tried_and_nothing_else() -> None:
    start = np.zeros(1, np.uint64)
    shares = []
    for column in (0, 4):
        trees = forest(40)
        trees.start(start.tobytes(), start.tobytes())
        is_new = True
        while count := len(trees.leaves()[0]) // 8:
            nothing = np.zeros((count, 5), np.float32).tobytes()
            trees.learn(nothing, nothing)
            if is_new:
                trees.stir(np.eye(5, dtype=np.float32)[column].tobytes(), 0.9)
            is_new = False
        shares.append(np.frombuffer(trees.found()[0], np.float32).reshape(5, 2)[:, 0])
    assert shares[0].argmax() == 0
    assert shares[1].argmax() == 4


def test_what_is_no_position_and_what_has_the_wrong_size_is_refused() -> None:
    trees = forest(5)
    words = np.array([2], np.uint64).tobytes()
    with pytest.raises(ValueError, match="floats"):
        trees.start(words, words)
    with pytest.raises(ValueError, match="mask must be 1 numbers"):
        trees.start(words, b"")
    trees.start(bytes(8), bytes(8))
    assert len(trees.leaves()[0]) == 8
    with pytest.raises(ValueError, match="wishes must be 5 numbers"):
        trees.learn(b"", b"")
    with pytest.raises(ValueError, match="at most 64"):
        _core.Forest(10, 10, 4, exploration=1, slope=0, simulations=1, threads=1)


@pytest.mark.slow
def test_a_frame_shows_7x6_as_the_network_knows_it() -> None:
    """Needs PyTorch, as what follows: with `make test-all` it is there."""
    import torch

    from claimeven.arena.measure import pons_questions
    from claimeven.arrays import words_of
    from claimeven.neural.model import features, planes_of
    from claimeven.neural.zero.frame import Frame

    words = words_of([question.position for question in pons_questions(20)]).astype(np.int64)
    mine, mask = map(torch.from_numpy, words.T.copy())
    assert torch.equal(Frame(Board()).planes(mine, mask), planes_of(features(mine, mask), torch.float32))


@pytest.mark.slow
@pytest.mark.parametrize("size", ["5x4x4", "6x5x4", "3x3x3"])
def test_a_mirror_image_stays_one_on_every_board(size: str) -> None:
    import torch

    from claimeven.learn.labels.bits import Geometry
    from claimeven.neural.model import Network, Size
    from claimeven.neural.zero.frame import Frame

    board = Board.parse(size)
    labels = make_labels(Wanted(size, (2, 6)), 50, seed=1)
    frame, geometry = Frame(board), Geometry(board)
    net = Network(Size(8, 4, 2))
    with torch.no_grad():
        both = [
            frame.outputs(net, *(torch.from_numpy(half.astype(np.int64)) for half in halves))
            for halves in (
                [labels.words()[:, i] for i in (0, 1)],
                [geometry.mirror(labels.words()[:, i]) for i in (0, 1)],
            )
        ]
    assert torch.allclose(both[0], both[1].flip(1), atol=1e-5)


@pytest.mark.slow
def test_a_training_from_nothing_learns_and_goes_on_as_if_it_had_not_been_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from claimeven.neural.zero.run import Plan, Zero, train_zero

    plan = Plan("4x4x4", 600, rounds=30, games=32, simulations=16, batch=64, memory=4000, seed=4)
    whole = train_zero(plan, tmp_path / "whole.network")
    stopped = Zero(plan)
    for _ in range(12):
        stopped.round()
    stopped.look(tmp_path / "parts.network")
    parts = train_zero(plan, tmp_path / "parts.network", resume=True)
    assert (tmp_path / "whole.network").stat().st_size > 10_000
    for one, other in zip(whole.learner.mean.parameters(), parts.learner.mean.parameters(), strict=True):
        assert (one == other).all()
    assert whole.groups[0].finished == parts.groups[0].finished > 50
    points = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert points[-1]["searched"] == parts.curve[-1].judged["searched"].keeps > 80


@pytest.mark.slow
def test_games_in_two_groups_are_the_same_every_time_and_new_ones_begin_without_those_of_before(
    tmp_path: Path,
) -> None:
    from claimeven.neural.zero.run import Plan, Zero, train_zero

    plan = Plan("4x4x4", 600, rounds=16, games=32, simulations=8, batch=64, memory=4000, groups=2)
    one, other = (train_zero(plan, tmp_path / f"{name}.network") for name in ("one", "other"))
    assert one.learner.steps > 5
    for first, second in zip(one.learner.mean.parameters(), other.learner.mean.parameters(), strict=True):
        assert (first == second).all()
    (tmp_path / "one.games").unlink()
    again = Zero(plan)
    again.resume(tmp_path / "one.network")
    assert (again.rounds, again.memory.seen) == (16, 0)
    again.round()
