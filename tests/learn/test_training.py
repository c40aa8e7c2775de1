"""The example that trains an agent (docs/training.md): its network, its seat in a match, a short training."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimeven import Position, play_match
from claimeven.adapters.planes import planes
from kit.places import ROOT
from kit.scripts import load

EXAMPLES = ROOT / "docs/examples"
SHAPES = [(96, 48), (128, 12 * 96), (128, 128), (7, 128)]


def example(name: str) -> Any:
    return load(EXAMPLES / f"{name}.py")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """An untrained network, as train_ppo.py stores one."""
    chance = np.random.default_rng(1)
    weights: dict[str, Any] = {f"layer{n}": chance.normal(0, 0.1, shape) for n, shape in enumerate(SHAPES)}
    weights |= {f"bias{n}": chance.normal(0, 0.1, shape[0]) for n, shape in enumerate(SHAPES)}
    np.savez(tmp_path / "untrained.npz", **weights)
    return tmp_path / "untrained.npz"


def test_the_network_is_the_same_in_a_mirror(policy: Path) -> None:
    with np.load(policy) as weights:
        network = example("ppo_agent").Network(dict(weights))
    position = Position.parse("4453")
    straight = network.logits(planes(position, 0))
    assert np.allclose(straight, network.logits(planes(position.mirror(), 0))[::-1])
    assert np.ptp(straight) > 0.01
    assert not np.allclose(straight, network.logits(planes(position, 1)))


def test_what_was_trained_has_a_seat(policy: Path) -> None:
    agent = example("ppo_agent").load(policy)
    within = play_match(agent, "first", games=8, seed=1)
    assert within.names == ("untrained", "first")
    program = f"process:command={sys.executable} {EXAMPLES / 'ppo_agent.py'} {policy}"
    apart = play_match(program, "first", games=8, seed=1)
    for result in (within, apart):
        assert (result.faults(0), result.faults(1)) == ({}, {})
    assert [game.game.moves for game in within.games] == [game.game.moves for game in apart.games]


def test_a_guard_completes_and_stops_lines_and_leaves_the_rest_to_the_network(policy: Path) -> None:
    module = example("ppo_agent")
    plain = module.load(policy)
    guarded = module.Guarded(plain)
    for moves, column in (("121212", 0), ("12121", 0), ("1212127", 1)):
        assert guarded.choose(Position.parse(moves)).column == column
    for quiet in map(Position.parse, ("", "4453", "1726")):
        assert guarded.choose(quiet).column == plain.choose(quiet).column


@pytest.mark.slow
def test_a_short_training(tmp_path: Path) -> None:
    """The network in numpy is the one that torch trained: their preferences agree in every position."""
    command = [sys.executable, str(EXAMPLES / "train_ppo.py"), "--steps", "2000", "--envs", "8"]
    command += ["--games", "4", "--out", str(tmp_path / "policy.npz"), "--model", str(tmp_path / "model.zip")]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert [line.split()[:2] for line in said.splitlines()[-2:]] == [
        ["policy", "level:4,ladder=first"],
        ["policy", "level:5,ladder=first"],
    ]
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(EXAMPLES)!r})
        import numpy as np, random, torch, train_ppo
        from claimeven import Position
        from claimeven.adapters.planes import planes
        model = train_ppo.MaskablePPO.load("model.zip")
        with np.load("policy.npz") as weights:
            network = train_ppo.Network(dict(weights))
        chance = random.Random(1)
        position = Position()
        while not position.is_over:
            seen = planes(position, position.side)
            asked = model.policy.get_distribution(torch.as_tensor(seen[None]))
            theirs = asked.distribution.logits[0].detach().numpy()
            ours = network.logits(seen)
            assert np.allclose(ours - ours.mean(), theirs - theirs.mean(), atol=1e-4), (ours, theirs)
            position = position.play(chance.choice(position.legal))
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


@pytest.mark.slow
def test_a_short_training_by_self_play(tmp_path: Path) -> None:
    """Its games keep the rules, its network is the one that plays, and the same seed gives the same."""
    program = [sys.executable, str(EXAMPLES / "train_selfplay.py"), "--steps", "1024", "--threads", "1"]
    program += ["--games", "64", "--plies", "8", "--judge", "4"]
    for name in ("one", "two"):
        command = [*program, "--out", str(tmp_path / f"{name}.npz")]
        said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
        assert said.splitlines()[-1].split()[:2] == [name, "level:5,ladder=first"]
    with np.load(tmp_path / "one.npz") as one, np.load(tmp_path / "two.npz") as two:
        assert one.files == two.files
        assert all(np.array_equal(one[part], two[part]) for part in one.files)
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(EXAMPLES)!r})
        import numpy as np, torch, train_selfplay
        from ppo_agent import Network
        from claimeven import Board, Position
        from claimeven.adapters.planes import mask, planes
        torch.manual_seed(1)
        trained = train_selfplay.Network(128, 128)
        games, numpy_network = train_selfplay.Games(50, "cpu"), Network(trained.weights())
        for _ in range(60):
            stones = zip(games.mine.tolist(), games.mask.tolist())
            positions = [Position(Board(), *each) for each in stones]
            seen = np.stack([planes(position, position.side) for position in positions])
            assert np.array_equal(games.planes().numpy()[:, :2], seen.transpose(0, 3, 1, 2))
            assert np.array_equal(games.legal().numpy(), np.stack([mask(p) for p in positions]))
            logs, _ = trained(games.planes(), games.legal())
            for log, observation in zip(logs.detach().numpy(), seen):
                ours = numpy_network.logits(observation)
                at = log > -1e8
                assert np.allclose((ours - ours[at].mean())[at], (log - log[at].mean())[at], atol=1e-4)
            columns = torch.multinomial(games.legal().float(), 1)[:, 0]
            won, over = games.play(columns)
            after = [position.play(column) for position, column in zip(positions, columns.tolist())]
            assert won.tolist() == [position.winner is not None for position in after]
            assert over.tolist() == [position.is_over for position in after]
            games.begin_anew(over)
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
