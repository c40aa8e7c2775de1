"""Nothing heavy in the event loop: what every route takes of it, with the largest input that it allows.

Measured is the time that the thread of the loop itself works, so other processes do not count, and told as a
multiple of what the least request takes.
"""

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from claimeven.board import Board
from claimeven.position import Position
from claimeven.server.doors.limits import Limits
from kit.serving import Served, serving

MOST = 25  # times the least request, for each request that a visitor is charged
TRIES, ROUNDS = 3, 3


def long_game(board: str, stones: int) -> Position:
    """A game that fills most of the board."""
    for seed in range(1_000):
        rng, position = random.Random(seed), Position(Board.parse(board))
        while not position.is_over:
            position = position.play(rng.choice(position.legal))
        if position.ply >= stones:
            return position
    raise AssertionError


LONG = long_game("25x4x12", 100)  # on the largest board that is tried
USUAL = long_game("7x6x4", 40)
ASKED = f"moves={(LONG.moves or '')[:-3]}&board=25x4x12"
SEATS = [{"kind": "me"}, {"kind": "me"}]
KEYS = json.dumps({f"a{number}": 1 for number in range(20_000)})  # 250 kB, and every one is wrong
MANY_KEYS = json.dumps({f"a{number}": 1 for number in range(1_300)})
ROWS = ["." * 25] * 4

# Route: what is asked. Work that goes elsewhere is asked too: what of it stays in the loop?
PROBES: dict[str, list[tuple[str, str, Any]]] = {
    "/api/games": [
        ("GET", "/api/games", None),
        ("POST", "/api/games", {"seats": SEATS, "board": "25x4x12", "moves": (LONG.moves or "")[:-1]}),
        ("POST", "/api/games", {"seats": SEATS, "name": "x\u0301" * 200}),
        ("POST", "/api/games", MANY_KEYS),
        ("POST", "/api/games", "[" * 16_000),
    ],
    "/api/games/{game}": [("GET", "/api/games/GAME", None)],
    "/api/games/{game}/join": [("POST", "/api/games/GAME/join", {"invite": "x" * 128, "name": "x" * 400})],
    "/api/games/{game}/record": [
        ("GET", f"/api/games/GAME/record?format={name}", None) for name in ("json", "c4n", "kaggle-replay")
    ],
    "/api/games/{game}/thought": [("GET", "/api/games/GAME/thought?ply=1", None)],
    "/api/lobby": [
        ("GET", "/api/lobby", None),
        ("POST", "/api/lobby", {"game": "GAME", "invite": "x", "mine": ["x" * 64] * 200}),
        ("POST", "/api/lobby", MANY_KEYS),
    ],
    "/api/lobby/{game}/join": [("POST", "/api/lobby/GAME/join", {"token": "x" * 40, "name": "x" * 400})],
    "/api/players": [("POST", "/api/players", {"name": "x\u0301" * 200, "key": "x" * 128})],
    "/api/players/move": [("POST", "/api/players/move", {"code": "x" * 40, "key": "x" * 128})],
    "/api/players/{player}": [("GET", "/api/players/nobody", None)],
    "/api/players/{player}/mute": [("POST", "/api/players/nobody/mute", {"on": True})],
    "/api/me": [("GET", "/api/me", None)],
    "/api/me/name": [("POST", "/api/me/name", {"name": "x" * 400})],
    "/api/me/code": [("POST", "/api/me/code", None)],
    "/api/me/muted": [("GET", "/api/me/muted", None)],
    "/api/me/delete": [("POST", "/api/me/delete", {"games": True})],
    "/api/games/{game}/seat": [("POST", "/api/games/GAME/seat", {"token": "x" * 128})],
    "/api/games/{game}/delete": [("POST", "/api/games/GAME/delete", {"token": "x" * 128})],
    "/api/games/{game}/report": [("POST", "/api/games/GAME/report", {"reason": "rude"})],
    "/api/best": [("GET", "/api/best", None)],
    "/api/events": [("GET", "/api/events", None), ("POST", "/api/events", MANY_KEYS)],
    "/api/events/{event}": [("GET", "/api/events/nothing", None)],
    "/api/events/{event}/fair": [("GET", "/api/events/nothing/fair", None)],
    "/api/events/{event}/games.jsonl": [("GET", "/api/events/nothing/games.jsonl", None)],
    "/api/events/{event}/result.json": [("GET", "/api/events/nothing/result.json", None)],
    **{
        f"/api/events/{{event}}/{what}": [("POST", f"/api/events/nothing/{what}", MANY_KEYS)]
        for what in ("join", "leave", "levels", "remove", "start", "stop")
    },
    "/api/agents": [("GET", "/api/agents", None)],
    "/api/health": [("GET", "/api/health", None)],
    "/api/ready": [("GET", "/api/ready", None)],
    "/api/status": [("GET", "/api/status", None)],
    "/api/operator/games/{game}": [("DELETE", "/api/operator/games/nothing", None)],
    "/api/operator/reports": [("GET", "/api/operator/reports", None)],
    "/api/map": [("GET", "/api/map", None)],
    "/api/map/place": [("GET", "/api/map/place?moves=4", None)],
    "/api/analyse": [("GET", f"/api/analyse?{ASKED}", None)],
    "/api/values": [("GET", f"/api/values?moves={USUAL.moves}", None)],
    "/api/explain": [("GET", f"/api/explain?{ASKED}&column=1", None)],
    "/api/why-not": [("GET", f"/api/why-not?{ASKED}&column=1", None)],
    "/api/explorer": [("GET", f"/api/explorer?{ASKED}", None)],
    "/api/opinion": [("GET", f"/api/opinion?{ASKED}&agent=minimax:depth=2&think=100", None)],
    "/api/hint": [("GET", f"/api/hint?{ASKED}&stage=1", None)],
    "/api/match": [("POST", "/api/match", {"agents": ["first", "random"], "pairs": 1})],
    "/api/review": [("POST", "/api/review", {"text": "{c}" * 60_000}), ("POST", "/api/review", KEYS)],
    "/api/decided": [("GET", f"/api/decided?{ASKED}", None)],
    "/api/formats": [("GET", "/api/formats", None)],
    "/api/convert": [
        ("POST", "/api/convert", {"text": "{c}" * 60_000}),
        ("POST", "/api/convert", {"text": "4" * 200_000}),
        ("POST", "/api/convert", {"text": LONG.moves, "board": "25x4x12", "to": "c4n"}),
        ("POST", "/api/convert", {"text": "(" * 1_000}),
        ("POST", "/api/convert", KEYS),
    ],
    "/api/picture.png": [("GET", f"/api/picture.png?{ASKED}", None)],
    "/api/picture.gif": [("GET", f"/api/picture.gif?{ASKED}", None)],
    "/api/picture.svg": [("GET", f"/api/picture.svg?{ASKED}", None)],
    "/api/position": [("POST", "/api/position", {"rows": ROWS, "board": "25x4x12"})],
    "/api/puzzles": [("GET", "/api/puzzles", None)],
    "/api/puzzles/daily": [("GET", "/api/puzzles/daily", None)],
    "/api/puzzles/{name}": [("GET", "/api/puzzles/nothing", None)],
    "/api/puzzles/{name}/hint": [("GET", "/api/puzzles/nothing/hint", None)],
    "/api/puzzles/{name}/answer": [("POST", "/api/puzzles/nothing/answer", MANY_KEYS)],
    "/api/puzzles/{name}/solution": [("GET", "/api/puzzles/nothing/solution", None)],
    "/api/school": [("GET", "/api/school", None)],
    "/api/school/{name}": [("GET", "/api/school/forks", None), ("GET", "/api/school/nothing", None)],
    "/api/school/{name}/game": [("POST", "/api/school/rules/game", MANY_KEYS)],
    "/api/school/tasks/{id}": [("POST", "/api/school/tasks/rules.1", MANY_KEYS)],
    "/api/test": [("GET", "/api/test", None)],
    "/api/connect4-move": [
        ("POST", "/api/connect4-move", {"board": [[0] * 35] * 100, "current_player": 1, "valid_moves": [0]}),
        ("POST", "/api/connect4-move", MANY_KEYS),
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("loop")) as served:
        yield served


@pytest.fixture(scope="module")
def game(server: Served) -> str:
    made = server.new("me", "me", board="25x4x12", moves=(LONG.moves or "")[:-1])
    return str(made["game"])


def worked(server: Served) -> float:
    """Seconds that the loop's thread has worked so far."""
    found: list[float] = []
    is_known = threading.Event()

    def look() -> None:
        found.append(time.thread_time())
        is_known.set()

    server.hub.loop.call_soon_threadsafe(look)
    assert is_known.wait(20)
    return found[0]


def cost(server: Served, method: str, path: str, body: Any) -> float:
    """Seconds of the loop, the least of a few tries."""
    text = None if body is None else body if isinstance(body, str) else json.dumps(body)
    tries: list[float] = []
    for _ in range(TRIES):
        before = worked(server)
        answer = server.http.request(method, path, content=text, headers={"Content-Type": "application/json"})
        tries.append(worked(server) - before)
        assert answer.status_code < 500 or path == "/api/ready"
    charged = 1 + (0 if text is None else len(text) // server.limits.bytes_per_request)
    return min(tries) / charged


def test_every_route_is_tried(server: Served) -> None:
    assert set(PROBES) == set(server.http.get("/api/openapi.json").json()["paths"])


@pytest.mark.parametrize("route", PROBES)
def test_no_route_keeps_the_loop(server: Served, game: str, route: str) -> None:
    least = cost(server, "GET", "/api/health", None)
    for method, path, body in PROBES[route]:
        ratio = float("inf")
        for _ in range(ROUNDS):  # what else the thread had to do meanwhile, such as garbage, counts only once
            ratio = min(ratio, cost(server, method, re.sub("GAME", game, path), body) / least)
            if ratio < MOST:
                break
        print(f"{ratio:6.1f} {method} {path[:40]}")
        assert ratio < MOST


def test_big_bodies_count_as_many_requests() -> None:
    limits = Limits(requests_burst=200, requests_per_second=0)
    taken = sum(limits.take_request("203.0.113.1", 256 * 1024) for _ in range(20))
    assert taken == 200 // (1 + 256 * 1024 // limits.bytes_per_request)
