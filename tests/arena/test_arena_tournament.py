"""Tournaments: the same result however they are played, and villains that lose nothing but their games."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claimeven.arena import standings, store
from claimeven.arena.play import tournament
from claimeven.arena.play.played import Played
from claimeven.arena.play.schedule import Plan
from claimeven.arena.play.tournament import Standing
from claimeven.arena.quality import judge
from claimeven.arena.result import Faults, Quality
from claimeven.arena.sprt import Sprt
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Board
from claimeven.solver import Solver

THREE = Plan(("mcts:simulations=20", "minimax:depth=2", "random"), games=6, limit=Limit(nodes=500), seed=4)


def kept(folder: Path, plan: Plan, games: list[Played]) -> tuple[bytes, bytes]:
    """The two files that must not depend on how the tournament was played."""
    store.write(folder, games, standings.result(plan, games), "")
    return (folder / store.GAMES).read_bytes(), (folder / store.RESULT).read_bytes()


# The plan


def test_who_meets_whom() -> None:
    specs = ("first", "random", "rules", "random")
    robin = Plan(specs, games=4)
    assert robin.names == ("first", "random #1", "rules", "random #2")
    assert robin.pairings == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert Plan(specs, games=4, format="gauntlet").pairings == [(0, 1), (0, 2), (0, 3)]
    assert robin.pairs == len(robin.items()) == 12
    starts = [item.start for item in robin.items()]
    assert starts[:6] == [starts[0]] * 6, "all pairings play the same openings"
    assert starts[0] != starts[6]


@pytest.mark.parametrize(
    ("specs", "options", "words"),
    [
        (("first",), {}, "at least two agents"),
        (("first", "nobody"), {}, "there is no agent 'nobody'"),
        (("first", "random"), {"games": 3}, "even number"),
        (("first", "random"), {"games": 0}, "even number"),
        (("first", "random"), {"games": 10**23}, "at most 10,000,000"),
        (("first", "random"), {"format": "swiss"}, "round-robin or gauntlet"),
        (("first", "random", "rules"), {"sprt": Sprt()}, "SPRT compares two"),
        (("first", "random"), {"openings": "none"}, "openings 'none'"),
    ],
)
def test_impossible_plans_are_refused(specs: tuple[str, ...], options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Plan(specs, **options)


# Playing


def test_pairs_swap_colours_on_the_same_opening() -> None:
    games = tournament.play(THREE)
    assert [game.number for game in games] == list(range(18))
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.players == other.players[::-1]
        assert one.record.start == other.record.start
    assert Counter(game.players for game in games) == {
        (a, b): 3 for a in range(3) for b in range(3) if a != b
    }
    assert all(player.seed is not None for game in games for player in game.record.players)
    assert not any(game.record.times_ms or game.record.created or game.record.id for game in games)
    assert all(len(game.ms) == len(game.record.moves) for game in games)


def test_the_same_result_for_one_and_two_workers(tmp_path: Path) -> None:
    one = kept(tmp_path / "one", THREE, tournament.play(THREE, workers=1))
    two = kept(tmp_path / "two", THREE, tournament.play(THREE, workers=2))
    assert one == two


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_arena_tournament import LONG, tournament
if __name__ == "__main__":
    tournament.play(LONG, workers={workers}, folder=Path({folder!r}))
"""
LONG = Plan(("mcts:simulations=300", "minimax:depth=4"), games=40, seed=9)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_tournament_goes_on_without_loss_or_repetition(workers: int, tmp_path: Path) -> None:
    folder = tmp_path / "out" / store.RUN
    script = tmp_path / "run.py"
    script.write_text(RUN.format(tests=str(Path(__file__).parent), workers=workers, folder=str(folder)))
    process = subprocess.Popen([sys.executable, str(script)], start_new_session=True)
    deadline = time.monotonic() + 60
    while len(list(folder.glob("0*.jsonl"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = {path.name: path.read_bytes() for path in folder.glob("0*.jsonl")}
    assert 5 <= len(before) < 20
    seen: list[int] = []
    games = tournament.play(LONG, folder=folder, watch=lambda standing: seen.append(standing.resumed))
    assert seen[0] == 2 * len(before)
    assert before.items() <= {path.name: path.read_bytes() for path in folder.glob("0*.jsonl")}.items()
    whole = kept(tmp_path / "out", LONG, games)
    assert whole == kept(tmp_path / "other", LONG, tournament.play(LONG))
    assert not folder.exists(), "what is finished needs no parts"


def test_a_sequential_test_stops_at_the_same_pair(tmp_path: Path) -> None:
    plan = Plan(("minimax:depth=3", "random"), games=400, sprt=Sprt(0, 100))
    seen: list[Standing] = []
    games = tournament.play(plan, watch=seen.append)
    result = standings.result(plan, games)
    assert result.sprt is not None
    assert result.sprt.verdict == "elo1"
    assert 4 < len(games) < 200
    shorter = standings.result(plan, games[:-2]).sprt
    assert shorter is not None
    assert (shorter.verdict, seen[-1].games) == ("none", len(games))
    assert kept(tmp_path / "1", plan, games) == kept(tmp_path / "2", plan, tournament.play(plan, workers=2))


# What is counted


def test_totals_are_counted_from_the_games() -> None:
    games = tournament.play(THREE)
    result = standings.result(THREE, games)
    assert result.games == 18
    assert sum(agent.wins for agent in result.agents) == sum(a.losses for a in result.agents)
    for number, agent in enumerate(result.agents):
        own = [game for game in games if number in game.players]
        assert agent.wins + agent.draws + agent.losses == len(own) == 12
        assert agent.score * 12 == pytest.approx(sum(game.points(number) for game in own))
        seats = zip(agent.as_first.all, agent.as_second.all, strict=True)
        assert tuple(map(sum, seats)) == agent.ends.all
    for pairing in result.pairings:
        assert sum(pairing.pairs) == 3
        points = sum(i * n for i, n in enumerate(pairing.pairs)) / 2
        assert points == pairing.wins + pairing.draws / 2
        assert pairing.p <= pairing.p_holm <= 1
    assert sum(result.endings.values()) == 18
    assert result.agents[1].rating.value > result.agents[2].rating.value


def test_quality_is_judged_by_exact_scores() -> None:
    plan = Plan(("perfect", "random"), games=4, openings="balanced-8", seed=2)
    games = tournament.play(plan)
    quality = judge(games, 2, moves=30)
    perfect, random = quality[0], quality[1]
    assert perfect.moves == perfect.optimal.count > 0
    assert perfect.decisive == perfect.keeping.count
    assert random.optimal.share < 1
    assert quality == judge(games, 2, moves=30)


def test_quality_on_another_board() -> None:
    plan = Plan(("rules", "random"), games=2, board=Board(4, 4, 3))
    games = tournament.play(plan)
    quality = judge(games, 2)
    assert quality[0].unknown == 0
    solver, worst = Solver(megabytes=16), 0
    for game in games:
        whole = Game.from_record(game.record)
        for position, column in zip(whole.positions, whole.columns, strict=False):
            found = solver.analyse(position)
            worst += game.players[position.side] == 1 and found.scores[column] != found.score
    assert random_errors(quality[1]) == worst


def random_errors(quality: Quality) -> int:
    return int(quality.moves - quality.optimal.count)


# Villains

VILLAINS = {
    "illegal": ("def agent(obs, config):\n    return 99\n", "illegal"),
    "lying": ("def agent(obs, config):\n    return 'the best column'\n", "illegal"),
    "raising": ("def agent(obs, config):\n    raise RuntimeError('a\\nb\\x00c')\n", "crash"),
    "exiting": ("import os\ndef agent(obs, config):\n    os._exit(3)\n", "crash"),
    "stalling": ("import time\ndef agent(obs, config):\n    time.sleep(60)\n", "time"),
    "flooding": (
        "def agent(obs, config):\n    print('x' * 300_000)\n    return obs.board[:7].index(0)\n",
        None,
    ),
}


def test_villains_lose_only_their_own_games(tmp_path: Path) -> None:
    specs = []
    for name, (text, _) in VILLAINS.items():
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        specs.append(f"kaggle:file={path}")
    plan = Plan(("rules", *specs), games=2, format="gauntlet", limit=Limit(seconds=1.5), seed=1)
    games = tournament.play(plan, workers=2)
    result = standings.result(plan, games)
    assert len(games) == 12
    for agent, (_, fault) in zip(result.agents[1:], VILLAINS.values(), strict=True):
        assert agent.losses == 2, agent
        expected = replace(Faults(0, 0, 0), **({fault: 2} if fault else {}))
        assert agent.faults == expected, (agent, [game.record.tags for game in games])
    assert result.agents[0].faults == Faults(0, 0, 0)
    assert result.agents[0].wins == 12
    store.write(tmp_path / "out", games, result, "")
    assert [game.record for game in store.read_games(tmp_path / "out", result)] == [g.record for g in games]


def test_an_agent_that_vanishes_loses(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("def agent(obs, config):\n    return 0\n")
    plan = Plan(("first", f"kaggle:file={path}"), games=2)
    path.unlink()
    games = tournament.play(plan)
    assert {(game.winner, game.reason) for game in games} == {(0, "crash")}
    assert "there is no file" in games[0].record.tags["Error"]


def test_who_fails_often_is_called_unreliable(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("def agent(obs, config):\n    raise ValueError\n")
    plan = Plan(("first", f"kaggle:file={path}"), games=4)
    result = standings.result(plan, tournament.play(plan, workers=2))
    assert [agent.is_reliable for agent in result.agents] == [True, False]


# The folder


def test_folders_that_hold_something_else_are_refused(tmp_path: Path) -> None:
    plan, folder = Plan(("first", "random"), games=2), tmp_path / "out"
    assert not store.prepare(folder, plan, resume=False)
    with pytest.raises(InputError, match="no tournament to go on with"):
        store.prepare(folder, plan, resume=True)
    games = tournament.play(plan, folder=folder / store.RUN)
    with pytest.raises(InputError, match="--resume goes on with it"):
        store.prepare(folder, plan, resume=False)
    assert not store.prepare(folder, plan, resume=True)
    store.write(folder, games, standings.result(plan, games), "")
    with pytest.raises(InputError, match="finished tournament"):
        store.prepare(folder, plan, resume=False)
    assert store.prepare(folder, plan, resume=True)
    with pytest.raises(InputError, match="another tournament: other openings and seed"):
        store.prepare(folder, Plan(("first", "random"), games=2, seed=1, openings="0-ply"), resume=True)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="neither empty nor"):
        store.prepare(tmp_path, plan, resume=True)


DAMAGES: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda result: result["agents"][1].pop("score"), "missing required field score, at agents[1]"),
    (lambda result: result["agents"][0].update(wins=1.5), "Expected int, got float, at agents[0].wins"),
    (lambda result: result["agents"][0].update(is_reliable=1), "Expected bool, got int"),
    (lambda result: result["pairings"][0].update(score=float("nan")), "NaN"),
    (lambda result: result["pairings"][0].update(pairs=[1, 2]), "array of length 5, got 2"),
    (lambda result: result["pairings"][0].update(interval=None), "Expected array, got null"),
    (lambda result: result["plan"].update(board=7), "Expected str, got int, at plan.board"),
    (lambda result: result.update(endings=[]), "Expected object, got array, at endings"),
    (lambda result: result.update(endings={"full": "x"}), "Expected int, got str"),
    (lambda result: result.update(extra=1), "unknown field extra"),
]


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    plan = Plan(("first", "random"), games=2)
    games = tournament.play(plan)
    result = standings.result(plan, games)
    with pytest.raises(InputError, match="holds no tournament"):
        store.read_result(tmp_path)
    store.write(tmp_path, games, result, "")
    assert store.read_result(tmp_path) == result
    (tmp_path / store.TIMES).write_text("nonsense")
    assert [game.ms for game in store.read_games(tmp_path, result)] == [(), ()]
    lines = (tmp_path / store.GAMES).read_text().splitlines(keepends=True)
    (tmp_path / store.GAMES).write_text(lines[0])
    with pytest.raises(InputError, match="1 games, but the result is of 2"):
        store.read_games(tmp_path, result)
    (tmp_path / store.GAMES).write_text(lines[0].replace('"moves":"', '"moves":"8') + lines[1])
    with pytest.raises(InputError, match="line 1"):
        store.read_games(tmp_path, result)
    whole = json.loads((tmp_path / store.RESULT).read_text())
    for change, words in DAMAGES:
        damaged = json.loads(json.dumps(whole))
        change(damaged)
        (tmp_path / store.RESULT).write_text(json.dumps(damaged))
        with pytest.raises(InputError, match=f"is damaged: .*{re.escape(words)}"):
            store.read_result(tmp_path)
    (tmp_path / store.RESULT).write_text("{}")
    with pytest.raises(InputError, match="no result of a tournament"):
        store.read_result(tmp_path)
