"""The text door: two people over plain TCP, with and without line ends."""

import random
import socket
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimeven.position import Position
from claimeven.server.doors import tcp
from claimeven.server.doors.limits import Limits
from claimeven.server.game.session import Session
from claimeven.server.storage.store import Store
from kit.serving import Served, serving, wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("text"), text=True) as served:
        patch.setattr(tcp, "GAP_SECONDS", 0.005)
        yield served


class Caller:
    def __init__(self, server: Served) -> None:
        assert server.text_port is not None
        self.line = socket.create_connection(("127.0.0.1", server.text_port), timeout=10)
        self.words = self.line.makefile("r", newline="\n")
        self.heard: list[str] = []

    def hear(self, beginning: str) -> str:
        """The next message that begins like this."""
        while True:
            message = self.words.readline()
            assert message.endswith("\n"), f"closed, after {self.heard[-3:]}"
            self.heard.append(message[:-1])
            if message.startswith(beginning):
                return message[:-1]

    def rest(self) -> list[str]:
        return self.words.read().splitlines()

    def say(self, text: str) -> None:
        self.line.sendall(text.encode())

    def close(self) -> None:
        self.words.close()
        self.line.close()


@pytest.fixture
def pair(server: Served) -> Iterator[tuple[Caller, Caller]]:
    one = Caller(server)
    assert one.hear("") == "1"
    two = Caller(server)
    assert two.hear("") == "2"
    yield one, two
    one.close()
    two.close()


def play(pair: tuple[Caller, Caller], columns: str, end: str = "") -> None:
    for ply, column in enumerate(columns):
        mover, other = pair[ply % 2], pair[1 - ply % 2]
        mover.hear("your_turn")
        other.hear(f"wait:{ply % 2 + 1}")
        mover.say(column + end)
        boards = [caller.hear("board:") for caller in pair]
        assert boards[0] == boards[1]


def newest(server: Served) -> Session:
    """The game that began last."""
    return max((room.session for room in server.hub.rooms.values()), key=lambda session: session.created)


def test_a_game_by_clients_without_line_ends(server: Served, pair: tuple[Caller, Caller]) -> None:
    play(pair, "343434")
    game = newest(server).id
    pair[0].hear("your_turn")
    pair[0].say("3")
    for caller in pair:
        caller.hear("board:")
    for caller in pair:
        assert caller.rest()[-1:] == ["win:1"]
    _, rows, following = pair[0].heard[-1].split(":")
    board = literal_eval(rows)
    assert (len(board), len(board[0]), following) == (6, 7, "2")
    assert drawn(board) == [".......", ".......", "...x...", "...xo..", "...xo..", "...xo.."]
    stored = server.hub.store.load(game)
    assert stored is not None
    assert stored.game.moves == "4545454"


def drawn(board: list[list[int]]) -> list[str]:
    """The window of the earlier system's client, from its top: it draws row r at height - (100 r + 50)."""
    side = 100
    height = side * (len(board) + 1)  # a row above the board is for the hand
    cells = {
        height - (side * r + side // 2): "".join(".xo"[cell] for cell in row) for r, row in enumerate(board)
    }
    return [cells[y] for y in sorted(cells)]


def test_lines_of_any_kind(pair: tuple[Caller, Caller]) -> None:
    one, two = pair
    one.hear("your_turn")
    two.say("3\n")  # not theirs to move: not heard
    for nonsense in ("7\n", "-1\n", "33\n", "x\n", "１\n", "+1\r\n"):
        one.say(nonsense)
        assert one.hear("your_turn")
    one.say("2\r\n")
    for caller in pair:
        assert caller.hear("board:").startswith("board:[[0, 0, 1, 0, 0, 0, 0], [0,")
    two.hear("your_turn")
    two.say("2")
    two.say("\n")  # the end of the same line, late
    assert one.hear("board:").endswith(":1")


def test_a_full_column_is_asked_for_again(pair: tuple[Caller, Caller]) -> None:
    play(pair, "000000", "\n")
    pair[0].hear("your_turn")
    pair[0].say("0\n")
    pair[0].hear("your_turn")
    pair[0].say("1\n")
    pair[0].hear("board:")


def test_a_draw(pair: tuple[Caller, Caller]) -> None:
    play(pair, draw(), "\n")
    for caller in pair:
        assert caller.rest()[-1:] == ["draw"]


def draw() -> str:
    """A game that fills the board."""
    luck = random.Random(4)
    while True:
        position = Position()
        while not position.is_over:
            position = position.play(luck.choice(position.legal))
        if position.winner is None:
            return "".join(str(int(digit) - 1) for digit in position.moves or "")


def test_waiting_is_repeated(pair: tuple[Caller, Caller]) -> None:
    for _ in range(3):
        pair[1].hear("wait:1")


def test_an_opponent_who_leaves(server: Served, pair: tuple[Caller, Caller]) -> None:
    play(pair, "33")
    live = newest(server)
    pair[0].close()
    assert pair[1].rest()[-1:] == ["opponent_disconnected"]
    assert live.result is not None
    assert (live.result.score, live.result.reason) == ("0-1", "abandon")


def test_who_leaves_while_waiting_is_forgotten(server: Served) -> None:
    for _ in range(2):
        wait_until(lambda: not server.door.players)
        gone = Caller(server)
        assert gone.hear("") == "1"
        gone.close()
    wait_until(lambda: not server.door.players)


def test_new_games_are_limited_here_too(tmp_path: Path) -> None:
    limits = Limits(trusts_local=False, games_burst=1, games_per_second=0)
    with serving(tmp_path, text=True, limits=limits) as server:
        callers = [Caller(server)]
        for word in ("1", "2", "1"):
            assert callers[-1].hear("") == word
            callers.append(Caller(server))
        assert callers[-1].rest() == ["busy"]
        play((callers[0], callers[1]), "34")
        for caller in callers:
            caller.close()


def test_garbage_is_cut_off_and_others_go_on(server: Served, pair: tuple[Caller, Caller]) -> None:
    noise = random.Random(5)
    for _ in range(10):
        vandal = Caller(server)
        vandal.say("")
        vandal.line.sendall(noise.randbytes(2000))
        vandal.rest()
        vandal.close()
    play(pair, "34")


def test_shutdown_is_announced(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("stop")
    with serving(folder, text=True) as server:
        one, two = Caller(server), Caller(server)
        play((one, two), "33")
        game = next(iter(server.hub.rooms))
    for caller in (one, two):
        assert caller.rest()[-1:] == ["server_shutdown"]
        caller.close()
    store = Store(f"sqlite:///{folder}/games.db")
    live = store.load(game)
    store.close()
    assert live is not None
    assert live.game.moves == "44"
