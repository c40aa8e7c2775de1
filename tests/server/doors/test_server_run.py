"""The command: a real process, stopped kindly and unkindly, and started again."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from claimeven import cli
from claimeven.server.storage.store import Store
from kit.databases import postgres
from kit.forked import Forked, run
from kit.serving import NO_TLS, PATIENCE, Talker, serving


class Process:
    """`claimeven serve` on a free port: a fork, or a real start."""

    def __init__(self, database: str, *arguments: str, start: type[subprocess.Popen[str]] = Forked) -> None:
        command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--database", database]
        self.child = start(
            [*command, *(arguments or ("--tcp-port", "0"))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.child.stdout is not None
        self.words = self.child.stdout.readline()
        assert self.words.startswith("claimeven serves http://127.0.0.1:"), self.child.communicate()
        self.url = self.words.split()[-1]

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = httpx.post(
            self.url + path, json=body, timeout=PATIENCE, verify=NO_TLS
        ).json()
        return answer

    def pair(self, **wishes: Any) -> tuple[str, list[str]]:
        made = self.post("/api/games", {"seats": [{"kind": "me"}, {"kind": "friend"}], **wishes})
        joined = self.post(f"/api/games/{made['game']}/join", {"invite": made["invite"]})
        return made["game"], [made["token"], joined["token"]]

    def sit(self, game: str, token: str | None = None) -> Talker:
        return Talker(connect(f"{self.url.replace('http', 'ws')}/ws/{game}").__enter__(), token)

    def end(self, signal_number: int) -> tuple[int, str, str]:
        self.child.send_signal(signal_number)
        out, err = self.child.communicate(timeout=PATIENCE)
        return self.child.returncode, out, err


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    started: list[Process] = []

    def begin(*arguments: str, start: type[subprocess.Popen[str]] = Forked) -> Process:
        started.append(Process(f"sqlite:///{tmp_path}/games.db", *arguments, start=start))
        return started[-1]

    yield begin
    for process in started:
        process.child.kill()
        process.child.communicate()


def test_killed_and_started_again(start: Callable[..., Process]) -> None:
    """What was acknowledged is there, and the game goes on with the same tokens."""
    first = start()
    game, tokens = first.pair(clock={"initial": 60_000, "increment": 0})
    players = [first.sit(game, token) for token in tokens]
    for ply, column in enumerate((4, 4, 5)):
        assert players[ply % 2].move(ply, column)["t"] == "ack"
        players[1 - ply % 2].hear("move", ply=ply)
    seq = players[0].heard[-1].get("seq", 0)
    left = players[1].heard[-1]["clock"]["left"][1]
    first.end(signal.SIGKILL)
    for player in players:
        player.closing()
    second = start()
    with second.sit(game, tokens[1]) as ada, second.sit(game) as watcher:
        for state in (ada.first, watcher.first):
            assert (state["moves"], state["status"], state["turn"]) == ("445", "playing", 2)
        assert ada.first["seq"] >= seq
        assert ada.first["clock"]["left"][1] == left  # no time was lost while nobody was there
        assert ada.first["clock"]["since"] >= ada.first["server_time"] - 5_000
        assert ada.move(1, 4)["t"] == "ack"  # once more: it was made
        assert ada.move(3, 3)["t"] == "ack"
        assert watcher.hear("move", ply=3)["column"] == 3


def test_stopped_kindly(start: Callable[..., Process]) -> None:
    process = start("--tcp-port", "0", "--log", "debug", start=subprocess.Popen)
    game, tokens = process.pair()
    player = process.sit(game, tokens[0])
    player.move(0, 4)
    code, _, err = process.end(signal.SIGTERM)
    assert player.closing() == 1012
    assert {"t": "notice", "code": "restart"} in player.heard
    assert code == 0
    for line in err.splitlines():
        json.loads(line)
    assert not any(token in err for token in tokens)


def test_interrupted_before_anything(start: Callable[..., Process]) -> None:
    code, _, err = start(start=subprocess.Popen).end(signal.SIGINT)
    assert (code, "Traceback" in err) == (0, False)


def test_bad_command_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = f"sqlite:///{tmp_path}/games.db"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        cases = [
            (["--port", port], "cannot be taken: address already in use"),
            (["--host", "not an address"], "is no address of this machine"),
            (["--log", "loud"], "--log is debug, info, warning or error"),
            (["--port", "0", "--agent", "nobody"], "there is no agent 'nobody'"),
            (["--port", "0", "--legacy-agent", "nobody"], "there is no agent 'nobody'"),
            (["--database", f"{database}x", "--backup", str(tmp_path / "x.db")], "there is no such database"),
        ]
        for arguments, words in cases:
            assert cli.run(["serve", "--database", database, "--tcp-port", "0", *arguments]) == 2, arguments
            said = capsys.readouterr().err
            assert words in said
            assert said.count("\n") == 1


def test_backup_of_a_running_server(start: Callable[..., Process], tmp_path: Path) -> None:
    process = start()
    game, tokens = process.pair()
    with process.sit(game, tokens[0]) as player:
        player.move(0, 4)
    copy = tmp_path / "copy.db"
    assert cli.run(["serve", "--database", f"sqlite:///{tmp_path}/games.db", "--backup", str(copy)]) == 0
    store = Store(f"sqlite:///{copy}")
    live = store.load(game)
    store.close()
    assert live is not None
    assert live.game.moves == "4"


def test_play_opens_a_browser_or_does_without(tmp_path: Path) -> None:
    """`claimeven play`: the address is printed whether there is a browser or not."""
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "BROWSER": "false", "DISPLAY": ""}
    command = [sys.executable, "-m", "claimeven", "play"]
    child = Forked(
        [*command, "--agent", "mcts:simulations=9", "--first", "agent", "--board", "5x4x3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert child.stdout is not None
    words = child.stdout.readline()
    try:
        url = words.split()[3]
        place, _, invite = child.stdout.readline().split()[-1].partition("#invite=")
        game = place.rpartition("/")[2]
        joined = httpx.post(f"{url}/api/games/{game}/join", json={"invite": invite}).json()
        assert (joined["sides"], joined["state"]["owner"]) == ([2], True)
        assert joined["state"]["board"] == {"columns": 5, "rows": 4, "connect": 3}
        assert joined["state"]["seats"][0]["agent"] == "mcts:simulations=9"
        # A second time, the page of the first is opened.
        again = run(command, env=environment)
        assert (again.returncode, again.stdout) == (0, f"claimeven is at {url} already\n")
    finally:
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, err) == (0, "")
    assert (tmp_path / "claimeven" / "games.db").is_file()


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


def test_a_game_on_postgresql(postgres_url: str) -> None:
    for expected in ("", "44"):
        with serving(postgres_url) as server:
            if not expected:
                game, one, two = server.pair()
            with server.sit(game, one) as lan, server.sit(game, two) as ada:
                assert lan.first["moves"] == expected
                ply = len(expected)
                assert lan.move(ply, 4)["t"] == "ack"
                assert ada.move(ply + 1, 4)["t"] == "ack"
    with serving(postgres_url) as server:
        assert server.state(game)["moves"] == "4444"


def test_a_postgresql_server_that_restarts_delays_but_loses_nothing(postgres_url: str) -> None:
    with serving(url := postgres_url) as server:
        game, one, _ = server.pair()
        folder = url.partition("host=")[2]
        with server.sit(game, one) as lan:
            # Every connection of the server is cut, as a restart would do.
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            found = subprocess.run(
                ["psql", "-h", folder, "-U", url.partition("//")[2].partition("@")[0], "games", "-c", cut],
                capture_output=True,
            )
            assert found.returncode == 0
            try:
                assert lan.move(0, 4)["t"] == "ack"
            except ConnectionClosed:
                lan.close()
        assert server.state(game)["moves"] in ("", "4")
        with server.sit(game, one) as lan:
            assert lan.move(0, 4)["t"] == "ack"
