"""docs/experiments: every table is made from a kept result, and every result from the command above it."""

import json
import math
import shlex
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from claimeven import cli
from claimeven.agents import make_agent
from claimeven.agents.kinds.level import FIRST, HIGHEST, PLAYERS, RATINGS
from kit.places import ROOT
from kit.scripts import load

EXPERIMENTS = load(ROOT / "bench" / "players" / "experiments.py")
COMMANDS: dict[str, str] = EXPERIMENTS.COMMANDS


def specs_and_options(name: str) -> tuple[list[str], dict[str, str]]:
    words = shlex.split(COMMANDS[name])[1:]
    specs = [word for i, word in enumerate(words) if not word.startswith("--") and (i == 0 or ":" in word)]
    return specs + (["rules"] if "rules" in words else []), {
        word: following for word, following in pairwise(words) if word.startswith("--")
    }


def test_the_page_shows_what_was_found() -> None:
    page = EXPERIMENTS.PAGE.read_text()
    assert EXPERIMENTS.with_tables(page) == page, "run python bench/players/experiments.py tables"
    assert all(f"<!-- {name} -->" in page for name in COMMANDS)
    changed = page.replace("| `mcts:lgr=2` | 2293", "| `mcts:lgr=2` | 2294")
    assert changed != page
    assert EXPERIMENTS.with_tables(changed) == page


@pytest.mark.parametrize("name", COMMANDS)
def test_a_result_is_of_its_command(name: str) -> None:
    result: dict[str, Any] = EXPERIMENTS.kept(name)
    specs, options = specs_and_options(name)
    if COMMANDS[name].startswith("arena"):
        assert sorted(result["plan"]["agents"]) == sorted(specs)
        assert result["plan"]["games"] == int(options["--games"])
        assert result["plan"]["limit"] == options.get("--limit", "")
        assert result["plan"]["openings"] == options["--openings"]
        assert result["games"] == int(options["--games"]) * len(result["pairings"])
        assert all(agent["is_reliable"] for agent in result["agents"])
    else:
        assert [agent["agent"] for agent in result["agents"]] == [make_agent(spec).name for spec in specs]
        assert result["limit"] == options.get("--limit", "")
        assert result["agents"][0]["all"]["positions"] == 6 * int(options.get("--count", 1000))


def test_the_ratings_of_levels_are_the_measured_ones() -> None:
    """One scale for both ladders: level 6 is the first ladder's level 4."""
    found = [agent["rating"]["value"] for agent in EXPERIMENTS.kept("ladder")["agents"]]
    first = [agent["rating"]["value"] for agent in EXPERIMENTS.kept("first-ladder")["agents"]]
    assert replace(PLAYERS[6], rating=0) == replace(FIRST[4], rating=0)
    assert list(RATINGS) == list(range(1, HIGHEST + 1))
    for level, rating in RATINGS.items():
        assert rating == 10 * round((FIRST[4].rating + found[level - 1] - found[5]) / 10)
    for level, player in FIRST.items():
        assert player.rating == 10 * round((600 + first[level - 1] - first[0]) / 10)


def test_levels_1_to_9_rise_in_even_steps() -> None:
    """No step is further from their mean than the games can tell, and perfect play is beyond them."""
    ratings = [agent["rating"] for agent in EXPERIMENTS.kept("ladder")["agents"]]
    steps = [above["value"] - below["value"] for below, above in pairwise(ratings[:9])]
    mean = sum(steps) / len(steps)
    for step, (below, above) in zip(steps, pairwise(ratings[:9]), strict=True):
        halves = [(one["interval"][1] - one["interval"][0]) / 2 for one in (below, above)]
        assert abs(step - mean) <= math.hypot(*halves), (step, mean)
    assert ratings[9]["interval"][0] > ratings[8]["interval"][1]


@pytest.mark.slow
def test_a_command_gives_the_kept_result_again(capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for word in shlex.split(COMMANDS["simulations"]) if not word.endswith("0000")]
    assert cli.run([*words, "--workers", "2"]) == 0
    found = json.loads(capsys.readouterr().out)["agents"]
    assert found == EXPERIMENTS.kept("simulations")["agents"][: len(found)]
    assert len(found) == 4
