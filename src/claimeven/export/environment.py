"""Plays games in the real kaggle-environments: `python environment.py < matches.json`.

This file is executed on its own, by a Python that has that package: it imports nothing of claimeven. A match
is {"agents": [A, B], "games": N, "configuration": {…}}; for each, a line of JSON tells what happened.
"""

import contextlib
import importlib
import json
import sys
from typing import Any, TypedDict


class Match(TypedDict):
    agents: list[str]
    games: int


class Configured(Match, total=False):
    configuration: dict[str, int]  # of the environment


class Played(TypedDict):
    """A game, as the first agent of its match sees it."""

    reward: int | None
    statuses: list[str]
    plies: int
    durations: list[float]
    overage: float


def play(make: Any, match: Configured, number: int) -> Played:
    """One game, as the first agent of the match sees it; it moves first in every second one."""
    env = make("connectx", configuration=match.get("configuration", {}))
    agents = match["agents"] if number % 2 == 0 else match["agents"][::-1]
    steps = env.run(agents)
    ours = number % 2
    last = steps[-1]
    return {
        "reward": last[ours].reward,
        "statuses": [last[ours].status, last[1 - ours].status],
        "plies": len(steps) - 1,
        "durations": [log[ours]["duration"] for log in env.logs if len(log) > ours and log[ours]],
        "overage": last[ours].observation.remainingOverageTime,
    }


def main() -> None:
    with contextlib.redirect_stdout(sys.stderr):
        # By name, since it is a large package that claimeven does not depend on.
        make = importlib.import_module("kaggle_environments").make
    for match in json.load(sys.stdin):
        with contextlib.redirect_stdout(sys.stderr):
            games = [play(make, match, number) for number in range(match["games"])]
        print(json.dumps(games), flush=True)


if __name__ == "__main__":
    main()
