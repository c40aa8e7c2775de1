"""How quickly the server answers those who study: python bench/server/study.py [POSITIONS]

A server is started on a free port. Middle game positions of Pons' set L2_R2 are analysed and explained over
HTTP, one after the other, each for the first time; then once more, from memory; games of agents are reviewed.
Seconds of the wall clock, as somebody at the page would see them.
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from claimeven.agents import make_agent
from claimeven.game import Game

SET = Path(__file__).parents[2] / "src" / "claimeven" / "data" / "pons" / "Test_L2_R2"
GAMES = 5


def main(count: int) -> None:
    positions = [line.split()[0] for line in SET.read_text().splitlines()[:count]]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "claimeven", "serve", "--port", "0"]
        command += ["--database", f"sqlite:///{folder}/games.db"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found, "the server did not start"
                with httpx.Client(base_url=found[0], timeout=60) as http:
                    measure(http, positions)
            finally:
                server.terminate()


def measure(http: httpx.Client, positions: list[str]) -> None:
    http.get("/api/analyse")  # the first question also loads the book
    best: list[int] = []

    def analyse(moves: str) -> None:
        answer = http.get("/api/analyse", params={"moves": moves}).raise_for_status().json()
        assert answer["exact"]
        best.append(answer["best"][0])

    def explain(moves: str, column: int) -> None:
        http.get("/api/explain", params={"moves": moves, "column": column}).raise_for_status()

    report("analysis", [timed(analyse, moves) for moves in positions])
    columns = dict(zip(positions, best, strict=True))
    report("explanation", [timed(explain, moves, columns[moves]) for moves in positions])
    report("analysis again", [timed(analyse, moves) for moves in positions])
    games = [game(seed) for seed in range(GAMES)]
    report(
        "review of a game", [timed(lambda m: http.post("/api/review", json={"text": m}), m) for m in games]
    )


def timed(call: Callable[..., object], *arguments: object) -> float:
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start


def game(seed: int) -> str:
    """Between two levels."""
    players = make_agent("level:3,ladder=first", seed), make_agent("level:5,ladder=first", seed)
    played = Game()
    while not played.position.is_over:
        played.play(players[played.ply % 2].choose(played.position).column)
    return played.moves


def report(name: str, seconds: list[float]) -> None:
    seconds.sort()
    late = seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
    median = statistics.median(seconds)
    print(f"{name:18} median {median:.3f} s, 95 % within {late:.3f} s, most {seconds[-1]:.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
