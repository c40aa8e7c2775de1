"""Every line of the threat model (docs/threats.md) that can be tried: what must not work, does not."""

import contextlib
import json
import logging
import random
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from claimeven.server import messages as m
from claimeven.server.doors.addresses import Proxies
from claimeven.server.doors.limits import Bucket, Limits
from claimeven.server.logs import JsonLines
from kit.serving import PATIENCE, Served, Talker, serving, wait_until

UPGRADE = (
    b"GET /ws/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    limits = Limits(
        trusts_local=False,
        hello_seconds=1.5,  # long enough for a busy machine
        header_seconds=1.5,
        write_seconds=1.5,
        keep_alive_seconds=1.5,
        connections_per_address=40,
        requests_burst=10_000,
        requests_per_second=10_000,
        games_burst=10_000,
        address_burst=10_000,
    )
    with serving(tmp_path_factory.mktemp("safe"), limits=limits, origins=["https://c4.example"]) as served:
        yield served


@pytest.fixture
def game(server: Served) -> dict[str, Any]:
    return server.new("me", "me")


# Where requests come from --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "http://localhost@evil.example",
        "https://c4.example.evil.example",
        "https://evil-c4.example",
        "http://c4.example",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "",
    ],
)
def test_foreign_pages_get_in_nowhere(server: Served, game: dict[str, Any], origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        server.knock(f"/ws/{game['game']}", additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403
    body = {"seats": [{"kind": "me"}, {"kind": "me"}]}
    answer = server.http.post("/api/games", json=body, headers={"Origin": origin})
    assert answer.status_code == 403


def test_own_pages_and_programs_get_in(server: Served, game: dict[str, Any]) -> None:
    for headers in ({}, {"Origin": server.url}, {"Origin": "https://c4.example"}):
        with server.sit(game["game"], game["token"], additional_headers=headers) as talker:
            assert talker.first["you"] == [1, 2]


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "evil.example:8080", "[::1", "a@b"]
)
def test_a_name_that_others_point_here_is_refused(server: Served, game: dict[str, Any], host: str) -> None:
    """A page whose own name suddenly means this machine must not pass for our own page."""
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert server.http.get(f"/api/games/{game['game']}", headers=headers).status_code in (400, 403)


def test_nothing_changes_by_get(server: Served, game: dict[str, Any]) -> None:
    before = server.state(game["game"])
    for path in ("", "/join", "/record"):
        server.http.get(f"/api/games/{game['game']}{path}", params={"invite": "x", "column": 4})
    after = server.state(game["game"])
    assert (before["seq"], before["moves"]) == (after["seq"], after["moves"])


def test_forwarded_addresses_are_believed_from_known_proxies_only(server: Served) -> None:
    seen = server.limits.counters["refused"]
    for number in range(30):
        server.http.get("/api/health", headers={"X-Forwarded-For": f"10.0.0.{number}"})
    assert {address for _, address in server.limits._buckets} == {"127.0.0.1"}
    assert server.limits.counters["refused"] == seen


@pytest.mark.parametrize("path", ["/metrics", "/status", "/api/status"])
def test_numbers_are_not_for_others(server: Served, path: str) -> None:
    assert server.http.get(path).status_code == 200
    assert server.http.get(path, headers={"X-Forwarded-For": "8.8.8.8"}).status_code == 404
    for hidden in ("/docs", "/redoc", "/openapi.json"):
        assert server.http.get(hidden).status_code in (404, 503)


# Seats and secrets ---------------------------------------------------------------------------------


def test_secrets_are_long_random_and_stored_hashed(server: Served) -> None:
    made = [server.new("me", "friend") for _ in range(20)]
    tokens = {each[name] for each in made for name in ("token", "invite")}
    assert len(tokens) == 40
    assert all(len(token) >= 43 for token in tokens)  # 256 bits
    assert all(len(each["game"]) >= 12 for each in made)  # 72 bits
    for file in Path(server.hub.store.url.database or "").parent.iterdir():
        content = file.read_bytes()
        assert not any(token.encode() in content for token in tokens)


def test_secrets_are_told_to_nobody_else(
    server: Served, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG, "claimeven.server"):
        made = server.new("me", "friend")
        joined = server.http.post(f"/api/games/{made['game']}/join", json={"invite": made["invite"]}).json()
        secrets = [made["token"], made["invite"], joined["token"]]
        said = [server.http.get(f"/api/games/{made['game']}").text]
        said += [server.http.get(path).text for path in ("/api/games", "/metrics", "/status")]
        said.append(server.http.get(f"/api/games/{made['game']}/record").text)
        with (
            server.sit(made["game"]) as watcher,
            server.sit(made["game"], secrets[0]) as lan,
            server.sit(made["game"], secrets[2]) as ada,
        ):
            lan.move(0, 4)
            ada.ask(t="offer", kind="draw")
            lan.say(t="nonsense", token=secrets[0])
            lan.ask(t="resign")
            watcher.hear("state", status="over")
            lan.hear("state", status="over")
            said += [json.dumps(talker.heard) for talker in (watcher, lan, ada)]
    said += [caplog.text, *capsys.readouterr()]
    for secret in secrets:
        assert not any(secret in text for text in said)


def test_every_request_is_checked_against_the_seat(server: Served) -> None:
    game, one, two = server.pair()
    requests: list[dict[str, Any]] = [
        {"t": "move", "take": 0, "ply": 0, "column": 4},
        {"t": "undo", "take": 0, "ply": 0},
        {"t": "redo", "take": 0, "ply": 0},
        {"t": "offer", "kind": "draw"},
        {"t": "answer", "kind": "draw", "yes": True},
        {"t": "resign"},
        {"t": "claim", "result": "win"},
        {"t": "seat", "side": 1, "agent": "level:1"},
        {"t": "hint"},
        {"t": "more_time"},
        {"t": "name", "name": "me"},
    ]
    before = server.state(game)
    with server.sit(game) as watcher:
        for request in requests:
            answer = watcher.ask(**request)
            assert answer["t"] == "error", request
            assert answer["code"] in ("not_your_seat", "not_allowed"), request
    with server.sit(game, two) as ada:
        assert ada.move(0, 4)["code"] == "not_your_turn"
        assert ada.ask(t="seat", side=1, agent="level:1")["code"] == "not_allowed"
    after = server.state(game)
    assert (before["seq"], before["moves"], before["result"]) == (
        after["seq"],
        after["moves"],
        after["result"],
    )
    with server.sit(game, one) as lan:
        lan.ask(t="resign")
        assert lan.move(0, 4)["code"] == "game_over"
    other = server.new("me", "me")
    talker = Talker(server.knock(f"/ws/{game}"), is_quiet=True)
    talker.say(t="hello", protocol=1, token=other["token"])
    assert talker.closing() == 4003


# Floods, sizes, silence ----------------------------------------------------------------------------


def test_who_floods_is_closed_and_others_are_not(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, two) as ada:
        lan = server.sit(game, one, max_queue=None)  # it does not stop reading while it writes
        with contextlib.suppress(ConnectionClosed):
            for _ in range(500):
                lan.say(t="sync")
        assert lan.closing() == 1008
        assert ada.ask(t="ping")["t"] == "pong"
    assert server.limits.counters["rate_closed"] >= 1


def test_addresses_have_limits_too(tmp_path: Path) -> None:
    limits = Limits(
        trusts_local=False, requests_burst=30, requests_per_second=0.1, games_burst=3, games_per_second=0
    )
    with serving(tmp_path, limits=limits) as server:
        body = {"seats": [{"kind": "me"}, {"kind": "me"}]}
        codes = [server.http.post("/api/games", json=body).status_code for _ in range(5)]
        assert codes == [201, 201, 201, 429, 429]
        # Guessing invitations is as slow as everything else.
        codes = [server.http.post("/api/games/x/join", json={"invite": "x"}).status_code for _ in range(40)]
        assert set(codes) == {404, 429}
        assert server.http.get("/api/health").json()["error"]["code"] == "rate"


def test_buckets() -> None:
    bucket = Bucket(3, 1000)
    assert [bucket.take() for _ in range(3)] == [True] * 3
    time.sleep(0.01)
    assert bucket.take()
    assert not Bucket(0, 0).take()


def test_too_big(server: Served, game: dict[str, Any]) -> None:
    talker = server.sit(game["game"], game["token"])
    talker.socket.send(json.dumps({"t": "name", "id": "1", "name": "x" * 5000}))
    assert talker.closing() == 1009
    talker = server.sit(game["game"], game["token"])
    with contextlib.suppress(ConnectionClosed):  # it may be closed before the last piece is sent
        talker.socket.send(iter(["x" * 3000, "x" * 3000]))
    assert talker.closing() == 1009
    big = server.http.post("/api/games", content=b"x" * 20_000)
    assert (big.status_code, big.json()["error"]["code"]) == (413, "too_big")
    chunked = server.http.post(
        "/api/games",
        content=(b"x" * 1000 for _ in range(30)),
        headers={"content-type": "application/json"},
    )
    assert chunked.status_code in (400, 413)
    lie = raw(server, b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n")
    assert b" 400 " in lie or b" 413 " in lie
    headers = raw(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 70_000)
    assert headers == b"" or b" 400 " in headers
    assert server.http.get("/api/health").status_code == 200


def raw(server: Served, data: bytes) -> bytes:
    """Send bytes; what comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        answer = b""
        try:
            line.sendall(data)
            while part := line.recv(65536):
                answer += part
        except ConnectionError:
            pass
        return answer


@pytest.mark.parametrize(
    "start",
    [
        b"",  # says nothing at all
        b"GET / HTTP/1.1\r\nHost: loc",  # half a request
        b"GET /ws/x HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n",  # half a handshake
        b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",  # half a body
        b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api",  # half of the second
    ],
)
def test_half_open_connections_are_cut(server: Served, start: bytes) -> None:
    assert raw(server, start).count(b"HTTP/1.1 2") <= 1  # and the server closes: else this is a TimeoutError


@pytest.mark.parametrize(
    "more",
    [
        b"Content-Length: 5\r\n\r\n",  # a body that does not come
        b"Content-Length: 5\r\n\r\nhello",
        b"Transfer-Encoding: chunked\r\n\r\n",
        b"X-Much: " + b"x" * 9000 + b"\r\n\r\n",
        b"".join(b"X-%d: x\r\n" % n for n in range(1000)) + b"\r\n",
    ],
)
def test_a_handshake_that_cannot_be_is_answered_and_cut(server: Served, more: bytes) -> None:
    assert raw(server, UPGRADE + more).startswith(b"HTTP/1.1 400 ")
    wait_until(lambda: server.limits.open_connections <= 1)  # the HTTP client's


@pytest.mark.parametrize(
    "frame",
    [
        b"\x89\x80" + bytes(4),  # an empty ping
        b"\x89\xfd" + bytes(4 + 125),  # a long one: its answer is not read
        b"\x8a\x80" + bytes(4),  # a pong that nobody asked for
        b"\x00\x80" + bytes(4),  # a part of a message, with nothing in it
    ],
)
def test_frames_that_are_no_messages_count(server: Served, game: dict[str, Any], frame: bytes) -> None:
    """A line full of them is closed: they would take the time and the memory of everybody."""
    before = server.limits.counters["rate_closed"]
    with idle_watcher(server, game["game"]) as line:
        if frame[0] == 0:
            line.sendall(b"\x01\x80" + bytes(4))  # the message begins
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                line.sendall(frame * 1000)
        wait_until(lambda: server.limits.counters["rate_closed"] == before + 1)
        with contextlib.suppress(ConnectionError):
            heard = b""
            while part := line.recv(65536):  # until it is closed: else this is a TimeoutError
                heard += part
            assert b"\x88\x02\x03\xf0" in heard  # 1008
    wait_until(lambda: not server.hub.rooms[game["game"]].has_guests)


def test_answers_that_are_not_read_are_bounded(tmp_path: Path) -> None:
    """Neither the answers to pings nor the goodbye wait for ever."""
    limits = Limits(ping_seconds=0.1, pong_seconds=0.5, max_unsent=10**9)
    with serving(tmp_path, limits=limits) as server:
        game, _, _ = server.pair()
        with idle_watcher(server, game):
            room = server.hub.rooms[game]
            wait_until(lambda: room.has_guests)
            guest = next(iter(room.attendance.guests))
            told = m.Outgoing(m.Error(None, "busy", "x" * 10**7))  # more than the network takes
            server.hub.loop.call_soon_threadsafe(guest.send, told)
            wait_until(lambda: not room.has_guests)
            wait_until(lambda: limits.open_connections <= 1)


def test_a_socket_that_says_no_hello_is_closed(server: Served, game: dict[str, Any]) -> None:
    assert Talker(server.knock(f"/ws/{game['game']}"), is_quiet=True).closing() == 4008


def test_a_line_that_is_dead_is_noticed(tmp_path: Path) -> None:
    """It takes what it is sent, but nobody answers pings any more."""
    with serving(tmp_path, limits=Limits(ping_seconds=0.1, pong_seconds=0.5)) as server:
        game, _, _ = server.pair()
        with idle_watcher(server, game) as dead:
            heard = b""
            while part := dead.recv(65536):
                heard += part
        assert b'"t":"state"' in heard
        wait_until(lambda: not server.hub.rooms[game].has_guests)


def test_a_client_that_never_reads_is_dropped(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, two) as ada, server.sit(game, one) as lan:
        sleeper = idle_watcher(server, game)
        lan.hear("presence", watchers=1)
        room = server.hub.rooms[game]
        guest = next(guest for guest in room.attendance.guests if guest.token_hash is None)
        # As if the game had gone on for very long.
        told = m.Outgoing(m.Error(None, "busy", "x" * 900))
        loop = server.hub.loop

        def flood() -> None:
            for _ in range(100):
                guest.send(told)

        for _ in range(400):
            loop.call_soon_threadsafe(flood)
        lan.hear("presence", watchers=0)
        assert server.limits.counters["slow_readers"] >= 1
        assert ada.ask(t="ping")["t"] == "pong"
        sleeper.close()


def test_one_address_has_so_many_connections(tmp_path: Path) -> None:
    """Who is one too many is told so, in the words of the door, and may come when another has left."""
    limits = Limits(trusts_local=False, connections_per_address=10, header_seconds=3600)
    with serving(tmp_path, limits=limits, text=True) as server:
        assert server.text_port is not None
        with contextlib.ExitStack() as lines:
            for _ in range(10):
                lines.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            wait_until(lambda: limits.open_connections == 10)
            refusal = raw(server, b"")
            assert refusal.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
            assert json.loads(refusal.partition(b"\r\n\r\n")[2])["error"]["code"] == "rate"
            with socket.create_connection(("127.0.0.1", server.text_port), timeout=PATIENCE) as text:
                assert text.recv(100) == b"busy\n"
            assert limits.counters["turned_away"] == 2
        wait_until(lambda: limits.open_connections == 0)
        assert server.http.get("/api/health").status_code == 200


def test_a_full_house(tmp_path: Path) -> None:
    limits = Limits(max_connections=1)
    with (
        serving(tmp_path, limits=limits) as server,
        socket.create_connection(("127.0.0.1", server.port)),
    ):
        wait_until(lambda: limits.open_connections == 1)
        refusal = raw(server, b"")
        assert refusal.startswith(b"HTTP/1.1 503 ")
        assert json.loads(refusal.partition(b"\r\n\r\n")[2])["error"]["code"] == "busy"


def test_a_game_among_many_idle_connections(tmp_path: Path) -> None:
    """Hundreds who watch and say nothing, and as many who do not even greet; more: bench/server/load.py."""
    with contextlib.ExitStack() as crowd, serving(tmp_path, text=True) as server:
        assert server.text_port is not None
        game, one, two = server.pair()
        for port in (server.port, server.text_port) * 100:
            crowd.enter_context(socket.create_connection(("127.0.0.1", port)))
        watchers = [crowd.enter_context(idle_watcher(server, game)) for _ in range(200)]
        wait_until(lambda: server.hub.rooms[game].attendance.watchers == 200)
        with server.sit(game, one) as lan, server.sit(game, two) as ada:
            for ply in range(12):
                player, other = (lan, ada) if ply % 2 == 0 else (ada, lan)
                assert player.move(ply, ply % 7 + 1)["t"] == "ack"
                other.hear("move", ply=ply)
        for watcher in watchers:
            heard = b""
            while b'"ply":11' not in heard:
                heard += watcher.recv(65536)


def idle_watcher(server: Served, game: str) -> socket.socket:
    """A WebSocket that says hello and nothing more."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    line.sendall(
        f"GET /ws/{game} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert line.recv(12) == b"HTTP/1.1 101"
    hello = json.dumps({"t": "hello", "protocol": 1}).encode()
    line.sendall(bytes([0x81, 0x80 | len(hello)]) + b"\0\0\0\0" + hello)
    return line


# Bad input -----------------------------------------------------------------------------------------

NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE games; --",
    "{{7*7}}${7*7}",
    "\u202egnp.exe",
    "a\u0000b",
    "\u2066admin\u2069",
    "../../etc/passwd",
    "%s%n",
    "𝕬𝖉𝖆",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_bounded_cleaned_and_never_markup(server: Served, name: str) -> None:
    made = server.new("me", "me", name=name)
    text = server.state(made["game"])["seats"][0]["name"]
    assert len(text) <= 40
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    view = server.http.get("/status").text
    assert "<script" not in view
    assert "<img" not in view
    record = server.http.get(f"/api/games/{made['game']}/record", params={"format": "c4n"})
    assert record.headers["content-type"].startswith("text/plain")
    assert server.hub.store.counts()["games"] > 0


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        "1e999",
        '{"t":1}',
        '{"t":"move"}',
        '{"t":"move","id":"1","take":0,"ply":0,"column":"4"}',
        '{"t":"move","id":"1","take":0,"ply":0,"column":4.5}',
        '{"t":"move","id":"1","take":-1,"ply":0,"column":4}',
        '{"t":"move","id":"1","take":0,"ply":99999999999999999999999,"column":4}',
        '{"t":"move","id":"","take":0,"ply":0,"column":4}',
        '{"t":"name","id":"1","name":"\\ud800"}',
        "[" * 4000,
        '{"a":' * 700,
        b"\xff\xfe\x00",
        b"",
    ],
)
def test_nonsense_is_answered_and_changes_nothing(
    server: Served, game: dict[str, Any], frame: str | bytes
) -> None:
    before = server.state(game["game"])
    with server.sit(game["game"], game["token"]) as talker:
        talker.socket.send(frame)
        assert talker.hear("error")["code"] == "bad_message"
        assert talker.move(0, 4)["t"] == "ack"  # the connection lives
    assert server.state(game["game"])["seq"] == before["seq"] + 1


def test_noise_on_the_line(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Random frames, legal and not, on many connections: the server lives, and is fair to the others."""
    game, one, two = server.pair()
    noise = random.Random(6)
    words = ["hello", "move", "undo", "sync", "seat", "answer", "id", "take", "ply", "column", "t", "kind"]
    with server.sit(game, two) as ada, caplog.at_level(logging.WARNING):
        for _ in range(60):
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
                line.sendall(
                    f"GET /ws/{game} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                    "Sec-WebSocket-Version: 13\r\n\r\n".encode()
                )
                assert line.recv(12) == b"HTTP/1.1 101"
                token = noise.choice([{}, {"token": one}])
                frames = [json.dumps({"t": "hello", "protocol": 1, **token}).encode()]
                for _ in range(noise.randrange(8)):
                    parts: dict[str, object] = {
                        noise.choice(words): noise.choice([*words, 0, 1, -1, None, [], 1e9]) for _ in range(5)
                    }
                    frames.append(json.dumps(parts).encode() if noise.random() < 0.6 else noise.randbytes(40))
                for frame in frames:
                    opcode = 0x81 if noise.random() < 0.7 else noise.randrange(256)
                    mask = 0x80 if noise.random() < 0.9 else 0
                    head = bytes([opcode, mask | len(frame)]) if len(frame) < 126 else noise.randbytes(10)
                    with contextlib.suppress(ConnectionError):
                        line.sendall(head + (b"\0\0\0\0" if mask else b"") + frame)
        assert ada.ask(t="ping")["t"] == "pong"
        assert ada.ask(t="name", name="Ada")["t"] == "ack"
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("game_id", ["' OR 1=1 --", "x; DROP TABLE moves", "..", "\0", "a" * 65, "*", "é"])
def test_ids_are_only_ids(server: Served, game_id: str) -> None:
    answer = server.http.get(f"/api/games/{quote(game_id, safe='')}")
    assert answer.status_code in (200, 404, 422)  # ".." is the list of games
    talker = Talker(server.knock(f"/ws/{quote(game_id, safe='')}"), is_quiet=True)
    talker.say(t="hello", protocol=1)
    assert talker.closing() == 4004
    assert server.http.get("/api/health").status_code == 200


class Lines(logging.Handler):
    """What is logged, as it is written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.all: list[dict[str, object]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.all.append(json.loads(self.format(record)))


def test_a_request_has_one_id_in_its_answer_and_in_the_logs(server: Served) -> None:
    lines, log = Lines(), logging.getLogger("claimeven.server")
    log.addHandler(lines)
    level = log.level
    log.setLevel(logging.INFO)
    try:
        game = server.new("me", "me")["game"]
        answer = server.http.delete(f"/api/operator/games/{game}")
        assert answer.status_code == 204, answer.text
        id = answer.headers["X-Request-ID"]
        removed = [line for line in lines.all if line["what"] == "game removed"]
        assert [line["request"] for line in removed] == [id]
        assert server.http.get("/api/health").headers["X-Request-ID"] != id
        socket = server.knock(f"/ws/{game}")
        assert socket.response is not None
        assert len(socket.response.headers["X-Request-ID"]) == 16
        socket.close()
    finally:
        log.setLevel(level)
        log.removeHandler(lines)


def test_only_a_proxy_that_is_believed_names_requests(server: Served) -> None:
    def named(id: str) -> str:
        return server.http.get("/api/health", headers={"X-Request-ID": id}).headers["X-Request-ID"]

    assert named("mine-1") != "mine-1"
    server.limits.proxies = Proxies(["127.0.0.1"])
    assert named("mine-1") == "mine-1"
    assert named("a b") != "a b"
    assert named("x" * 65) != "x" * 65


def test_errors_tell_nothing_about_the_inside(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.hub, "now", lambda: 1 / 0)
    answer = server.http.post("/api/games", json={"seats": [{"kind": "me"}, {"kind": "me"}]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "server_error")
    assert "division" not in answer.text
    assert "Traceback" not in answer.text


def test_logs_are_lines_of_json() -> None:
    record = logging.makeLogRecord({"msg": "a\nb %s", "args": ("c",), "levelname": "INFO", "game": "g1"})
    line = JsonLines().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert (found["what"], found["level"], found["game"]) == ("a\nb c", "info", "g1")
