"""Plays games in the real kaggle-environments: `python kaggle_games.py < matches.json`.

Run by tests/test_export_kaggle.py with the Python of an environment that has that package. A match is
{"agents": [A, B], "games": N, "configuration": {…}}; for each, a line of JSON tells what happened.
"""

import contextlib
import json
import sys
from typing import Any

with contextlib.redirect_stdout(sys.stderr):
    from kaggle_environments import make


def play(match: dict[str, Any], number: int) -> dict[str, Any]:
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


for match in json.load(sys.stdin):
    with contextlib.redirect_stdout(sys.stderr):
        games = [play(match, number) for number in range(match["games"])]
    print(json.dumps(games), flush=True)
