"""Exported agents in the real kaggle-environments, which has an environment of its own (1.5 GB)."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from claimeven.export import environment, submission
from kit.places import ROOT

PYTHON = ROOT / "build" / "venv-kaggle" / "bin" / "python"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.exists(), reason="`make kaggle` installs kaggle-environments"),
]

SIZES = [(4, 4, 3), (5, 4, 4), (9, 7, 4), (8, 8, 5), (12, 10, 5), (25, 12, 6)]
Games = list[dict[str, Any]]


@cache
def text_of(spec: str, pure: bool) -> str:
    return submission(spec, pure=pure)


def written(folder: Path, spec: str = "perfect", pure: bool = False, is_broken: bool = False) -> str:
    text = text_of(spec, pure)
    if is_broken:
        text = text.replace('ENGINE = """', 'ENGINE = """AAAA')
    path = folder / "submission.py"
    path.write_text(text)
    return str(path)


def play(agent: str, opponent: str, games: int, size: tuple[int, int, int] = (7, 6, 4)) -> Games:
    columns, rows, inarow = size
    match = {
        "agents": [agent, opponent],
        "games": games,
        "configuration": {"columns": columns, "rows": rows, "inarow": inarow},
    }
    done = subprocess.run(
        [PYTHON, environment.__file__],
        input=json.dumps([match]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: Games = json.loads(done.stdout)
    durations = [seconds for game in found for seconds in game["durations"]]
    rewards = [game["reward"] for game in found]
    print(
        f"{Path(agent).name} {size} against {opponent}: {rewards.count(1)} won, {rewards.count(0)} drawn, "
        f"{rewards.count(-1)} lost; seconds per move: mean {sum(durations) / len(durations):.3f}, "
        f"longest {max(durations):.2f}; least overage left {min(game['overage'] for game in found):.0f}"
    )
    for game in found:
        assert game["statuses"] == ["DONE", "DONE"]  # nothing invalid, no error, no timeout
        allowed = 2.0 * len(game["durations"]) + 60.0
        assert sum(game["durations"]) <= allowed / 2
        assert game["overage"] >= 30
    return found


def points(games: Games) -> float:
    rewards: list[int] = [game["reward"] for game in games]
    return sum((reward + 1) / 2 for reward in rewards)


def test_perfect_beats_random_always(tmp_path: Path) -> None:
    games = play(written(tmp_path), "random", 100)
    assert [game["reward"] for game in games] == [1] * 100


def test_perfect_never_loses_to_negamax(tmp_path: Path) -> None:
    games = play(written(tmp_path), "negamax", 20)
    assert all(game["reward"] >= 0 for game in games)
    assert all(game["reward"] == 1 for game in games[::2])  # moving first


def test_perfect_against_itself(tmp_path: Path) -> None:
    path = written(tmp_path)
    [game] = play(path, path, 1)
    assert (game["plies"], game["reward"]) == (41, 1)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("is_broken", [False, True], ids=["native", "broken"])
def test_every_configuration(tmp_path: Path, size: tuple[int, int, int], is_broken: bool) -> None:
    path = written(tmp_path, is_broken=is_broken)
    assert points(play(path, "random", 2, size)) >= 1  # on the smallest boards a draw is easy
    if size[0] < 10:  # on wide boards Kaggle's negamax itself runs out of time
        assert points(play(path, "negamax", 2, size)) >= 1


def test_broken_it_still_beats_random(tmp_path: Path) -> None:
    assert points(play(written(tmp_path, is_broken=True), "random", 40)) >= 38


@pytest.mark.parametrize("size", [(7, 6, 4), (8, 7, 4)], ids=str)
def test_python_alone_is_better_than_negamax(tmp_path: Path, size: tuple[int, int, int]) -> None:
    assert points(play(written(tmp_path, pure=True), "negamax", 10, size)) >= 8


@pytest.mark.parametrize("spec", ["level:1", "level:7", "minimax", "mcts:hybrid"])
def test_other_agents(tmp_path: Path, spec: str) -> None:
    assert points(play(written(tmp_path, spec), "random", 6)) >= 4
