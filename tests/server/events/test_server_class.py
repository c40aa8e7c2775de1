"""A class, or a club behind one router: many people have one address, and keep each other out of nothing."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from claimeven.server.doors.files import PIECE, STATIC, Files
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.socket import Scope
from claimeven.server.settings import Settings
from kit.club.evening import club, look, make
from kit.club.newcomers import ask, visits
from kit.club.somebody import play_round
from kit.serving import serving, wait_until

PEOPLE = 35
PROXY = ("127.0.0.1",)
LOOKED_AT = ("/api/agents", "/api/lobby", "/api/events", "/api/best")
SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni")
NAMES = [f"{one}{other}".title() for one in SYLLABLES for other in SYLLABLES if one != other]


def test_a_class_behind_one_address_comes_and_plays_a_round(tmp_path: Path) -> None:
    """With the limits that every server has; of what comes back in time nothing is needed."""
    limits = Limits(trusts_local=False, requests_per_second=0, files_per_second=0, time_per_second=0)
    with serving(tmp_path, limits=limits, settings=Settings(round_pause=100, event_look=500)) as server:
        assert set(visits(server.port, PEOPLE)) == {200}
        people = club(server, *NAMES[:PEOPLE])
        event = make(people[0], "swiss", rounds=1)
        for one in people:
            assert one.post(f"/api/events/{event}/join").status_code == 200
            assert {one.get(path).status_code for path in LOOKED_AT} == {200}
        assert people[0].post(f"/api/events/{event}/start").status_code == 200
        wait_until(lambda: len(look(people[0], event)["tables"]) == (PEOPLE + 1) // 2)
        tables = [table for table in look(people[0], event)["tables"] if table["game"]]
        with contextlib.ExitStack() as lines:
            for table in tables:  # both players look at the board
                for _ in range(2):
                    lines.enter_context(server.sit(table["game"]))
            play_round(people, event)
            wait_until(lambda: look(people[0], event)["state"] == "over")
        assert not limits.counters["refused"]
        assert not limits.counters["turned_away"]


def test_a_greedy_stranger_is_refused_and_nobody_else(tmp_path: Path) -> None:
    """What comes back in time, and what the loop works, are left out: so it is known who is refused when."""
    limits = Limits(requests_per_second=0, penalty_seconds=0, time_burst=1e9)
    many = int(limits.requests_burst)
    with serving(tmp_path, proxies=PROXY, limits=limits) as server:
        answers = ask(server.port, "/api/health", many + 100, X_Forwarded_For="203.0.113.1")
        assert answers == {200: many, 429: 100}
        assert ask(server.port, "/api/health", 1, X_Forwarded_For="203.0.113.2") == {200: 1}
        assert ask(server.port, "/theme.js", 1, X_Forwarded_For="203.0.113.1") == {200: 1}, "the page comes"


def test_files_beyond_what_everybody_is_given_count_as_requests(tmp_path: Path) -> None:
    limits = Limits(
        files_burst=50, files_per_second=0, requests_burst=10, requests_per_second=0, penalty_seconds=0
    )
    with serving(tmp_path, proxies=PROXY, limits=limits) as server:
        answers = ask(server.port, "/theme.js", 100, X_Forwarded_For="203.0.113.1")
        assert answers == {200: 60, 429: 40}
        assert ask(server.port, "/theme.js", 1, X_Forwarded_For="203.0.113.2") == {200: 1}


def test_a_file_goes_out_in_pieces() -> None:
    """Who asks for the largest over hundreds of lines and reads none of it costs little memory."""
    largest = max((STATIC / "assets").iterdir(), key=lambda file: file.stat().st_size)
    pieces: list[bytes] = []

    async def send(message: Scope) -> None:
        pieces.append(message.get("body", b""))

    scope = {"type": "http", "method": "GET", "path": f"/assets/{largest.name}", "headers": []}
    asyncio.run(Files(nobody)(scope, nobody, send))
    assert b"".join(pieces) == largest.read_bytes()
    assert max(map(len, pieces)) <= PIECE < largest.stat().st_size


async def nobody(*_: object) -> Any:
    raise AssertionError("nothing else is asked")


def test_what_is_no_file_of_the_page_is_a_request(tmp_path: Path) -> None:
    """Also where it looks like one, or brings a body that somebody has to read."""
    limits = Limits(requests_burst=3, requests_per_second=0, penalty_seconds=0)
    with serving(tmp_path, proxies=PROXY, limits=limits) as server:
        assert ask(server.port, "/assets/nothing.js", 4, X_Forwarded_For="203.0.113.1") == {404: 3, 429: 1}
        http = server.at("203.0.113.2").http
        asked = [http.request("GET", "/theme.js", content=b"x").status_code for _ in range(4)]
        assert asked == [200] * 3 + [429]
