"""The client and `claimeven join`, against a real server in a process of its own."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from claimeven import cli
from claimeven.client import (
    Client,
    Connected,
    Delayed,
    Link,
    Lost,
    Timing,
    create_game,
    game_state,
    join_game,
    new_token,
    words,
)
from claimeven.client.seats import Seats
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from faults.process import ServerProcess
from faults.trouble import failing_disk
from kit.forked import Forked
from kit.places import ROOT
from kit.screen import Screen

Capture = pytest.CaptureFixture[str]
Value = TypeVar("Value")
ME, FRIEND = {"kind": "me"}, {"kind": "friend"}
QUICK = Timing(resend=0.4, first_retry=0.1, last_retry=0.4, look_again=2.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as process:
        yield process


def run(work: Coroutine[Any, Any, Value]) -> Value:
    return asyncio.run(asyncio.wait_for(work, 60))


async def two_seats(address: str, **wishes: object) -> tuple[Link, str, str]:
    link, first, _ = await create_game(address, [ME, FRIEND], name="Lan", **wishes)
    second = new_token()
    await join_game(link, "Ada", second)
    return link, first, second


@asynccontextmanager
async def pair(address: str, **wishes: object) -> AsyncIterator[tuple[Client, Client]]:
    link, first, second = await two_seats(address, **wishes)
    async with Client(link, first, QUICK) as lan, Client(link, second, QUICK) as ada:
        yield lan, ada


async def play(lan: Client, ada: Client, moves: str) -> None:
    for digit in moves:
        await ready(lan)
        await ready(ada)
        mover, other = (lan, ada) if lan.is_my_turn else (ada, lan)
        seq = await mover.move(int(digit) - 1)
        await reached(other, seq)


async def ready(client: Client) -> None:
    await client.until(lambda: client.state is not None)


async def reached(client: Client, seq: int) -> None:
    await client.until(lambda: client.state is not None and client.state.seq >= seq)


# Links -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://localhost:8080/game/q3f_-#invite=x-_y", Link("http://localhost:8080", "q3f_-", "x-_y")),
        ("127.0.0.1:80/game/abc/", Link("http://127.0.0.1:80", "abc")),
        ("[::1]:8080/game/abc", Link("http://[::1]:8080", "abc")),
        ("https://c4.example/game/abc", Link("https://c4.example", "abc")),
        ("wss://c4.example/game/abc", Link("https://c4.example", "abc")),
        ("c4.example", Link("http://c4.example")),
        (" localhost:8080/ ", Link("http://localhost:8080")),
    ],
)
def test_links(text: str, link: Link) -> None:
    assert Link.parse(text) == link
    assert Link.parse(str(link)) == link


@pytest.mark.parametrize(
    "text",
    ["", "http://", "ftp://x/game/a", "x:99999/game/a", "x/games/a", "x/game/a/b", "x/game/a?b", "x/game/ä",
     "x/game/a#inv=1", "x/game/a#invite=ä", "http://me:secret@x/game/a", "http://[x/game/a"],
)  # fmt: skip
def test_what_is_no_link_gets_one_sentence(text: str, capsys: Capture) -> None:
    with pytest.raises(InputError):
        Link.parse(text)
    assert cli.run(["join", "--", text]) == 2
    assert re.fullmatch("claimeven: .* is no (address of|link to) a game: .*\n", capsys.readouterr().err)


def test_seats_are_remembered_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = Seats(tmp_path / "deep" / "seats.json")
    link = Link("http://localhost", "abc", "code")
    assert seats.token(link) is None
    seats.keep(link, "secret")
    assert seats.token(link._replace(invite=None)) == "secret"
    assert seats.token(link._replace(game="abd")) is None
    assert seats.path.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr("claimeven.client.seats.MAX_SEATS", 3)
    for n in range(3):
        seats.keep(link._replace(game=f"g{n}"), "t")
    assert seats.token(link) is None
    assert seats.token(link._replace(game="g0")) == "t"
    seats.forget(link._replace(game="g0"))
    assert seats.token(link._replace(game="g0")) is None
    seats.path.write_text("[1, 2")
    assert seats.token(link) is None


# The client --------------------------------------------------------------------------------------


def test_a_game_of_two(server: ServerProcess) -> None:
    async def work() -> None:
        async with pair(server.address) as (lan, ada), Client(lan.link) as watcher:
            await play(lan, ada, "4455667")
            for client in (lan, ada, watcher):
                await client.until(lambda client=client: client.is_over)  # type: ignore[misc]
                assert client.state is not None
                assert client.state.moves == "4455667"
                assert client.position == Position.parse("4455667")
            assert (await game_state(lan.link)).moves == "4455667"
            assert watcher.state is not None
            assert watcher.state.you == ()
            assert words.result(watcher.state, watcher.position) == "Lan wins with d1 e1 f1 g1"
            assert lan.state is not None
            assert ada.state is not None
            assert words.result(lan.state, lan.position) == "you win with d1 e1 f1 g1"
            assert words.result(ada.state, ada.position) == "Lan wins with d1 e1 f1 g1"

    run(work())


def test_refusals_have_words(server: ServerProcess) -> None:
    async def work() -> None:
        async with pair(server.address) as (lan, ada), Client(lan.link) as watcher:
            await ada.until(lambda: ada.state is not None)
            await watcher.until(lambda: watcher.state is not None)
            for client, column, code in ((ada, 3, "not_your_turn"), (watcher, 3, "not_your_seat")):
                with pytest.raises(RefusedError) as refused:
                    await client.move(column)
                assert refused.value.code == code
            await play(lan, ada, "444444")
            with pytest.raises(RefusedError, match="column 4 is full"):
                await lan.move(3)

    run(work())


def test_offers_undo_and_rematch(server: ServerProcess) -> None:
    async def work() -> None:
        async with pair(server.address) as (lan, ada):
            await play(lan, ada, "44")
            await ada.undo()
            await lan.until(lambda: lan.state is not None and lan.state.offers.undo == 2)
            assert lan.state is not None
            assert words.offers(lan.state) == ["Ada asks to take the last move back (yes or no)"]
            await lan.answer("undo", True)
            await ada.until(lambda: ada.is_my_turn)
            assert ada.state is not None
            assert (ada.state.moves, ada.state.take) == ("4", 1)
            await ada.move(2)
            await lan.offer("draw")
            await ada.until(lambda: ada.state is not None and ada.state.offers.draw == 1)
            await ada.answer("draw", True)
            await lan.until(lambda: lan.is_over)
            assert words.result(lan.state, lan.position) == "a draw by agreement"
            await ada.offer("rematch")
            await lan.answer("rematch", True)
            await ada.until(lambda: ada.state is not None and ada.state.rematch is not None)
            again = ada.link._replace(game=ada.state.rematch)
            async with Client(again, ada.token) as next_ada:
                await next_ada.until(lambda: next_ada.is_my_turn)  # colours swapped: Ada begins
                await next_ada.move(0)
                await next_ada.resign()
                assert next_ada.state is not None
                assert words.result(next_ada.state, next_ada.position) == "Lan wins: you resigned"

    run(work())


def test_a_hint_against_an_agent(server: ServerProcess) -> None:
    async def work() -> None:
        agent = {"kind": "agent", "agent": "first"}
        link, token, _ = await create_game(server.address, [ME, agent], moves="4455")
        async with Client(link, token) as me:
            await me.until(lambda: me.is_my_turn)
            hint = await me.hint()
            assert hint.columns == ("3", "6")
            await me.move(5)
            await me.until(lambda: me.is_my_turn)
            assert me.state is not None
            assert me.state.moves == "61"
            await me.undo()
            assert me.state.moves == ""

    run(work())


def test_the_example_of_the_docs(server: ServerProcess, capsys: Capture) -> None:
    page = ROOT / "docs" / "protocol.md"
    (example,) = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    exec(example.replace("http://127.0.0.1:8080", server.address), {})
    assert re.fullmatch(r"[1-7]{7,42} (1-0|0-1|1/2-1/2)\n", capsys.readouterr().out)


def test_the_server_sends_strangers_away(server: ServerProcess) -> None:
    async def work() -> None:
        link, _, _ = await two_seats(server.address)
        for wrong, token, code in (
            (link._replace(game="nosuchgame"), None, "no_such_game"),
            (link, new_token(), "not_your_seat"),
        ):
            async with Client(wrong, token) as client:
                with pytest.raises(RefusedError) as refused:
                    await client.until(lambda: client.state is not None)
                assert refused.value.code == code
        with pytest.raises(RefusedError) as refused:
            await join_game(link, "third", new_token())
        assert refused.value.code == "seat_taken"

    run(work())


def test_a_game_outlives_kills_and_restarts(tmp_path: Path) -> None:
    """Moves made while the server is dead arrive when it is back; nobody does anything about it."""
    server = ServerProcess(tmp_path)
    news: list[object] = []

    async def listen(client: Client) -> None:
        async for event in client:
            news.append(event)

    async def work() -> None:
        async with pair(server.address) as (lan, ada):
            listener = asyncio.create_task(listen(ada))
            await play(lan, ada, "44")
            server.kill()
            waiting = asyncio.create_task(lan.move(4))
            await asyncio.sleep(0.3)
            assert not waiting.done()
            await asyncio.to_thread(server.start)
            await waiting
            await ada.until(lambda: ada.is_my_turn)
            assert await asyncio.to_thread(server.stop) == 0
            waiting = asyncio.create_task(ada.move(0))
            await asyncio.to_thread(server.start)
            await waiting
            await lan.until(lambda: lan.is_my_turn)
            assert lan.state is not None
            assert lan.state.moves == "4451"
            assert lan.reconnects > 0
            listener.cancel()
        kinds = [type(event) for event in news]
        assert kinds[0] is Connected
        assert Lost in kinds
        assert kinds.count(Connected) == 3
        assert m.Notice in kinds  # of the second restart: the first came without warning

    with server:
        run(work())


def test_a_server_that_cannot_store_is_asked_again(server: ServerProcess) -> None:
    """The player is told, and the request is granted when the disk works again, once."""

    async def play() -> None:
        link, one, two = await two_seats(server.address, clock={"initial": 60_000, "increment": 0})
        async with Client(link, one, QUICK) as lan, Client(link, two, QUICK) as ada:
            await lan.until(lambda: lan.is_my_turn)
            with failing_disk(server.pid):
                gift = asyncio.create_task(lan.more_time())
                async for event in lan:
                    if isinstance(event, Delayed):
                        break
                assert isinstance(event, Delayed)
                assert "cannot store anything" in event.reason
                assert not gift.done()
            seq = await gift
            await ada.until(lambda: ada.state is not None and ada.state.seq >= seq)
            assert ada.state is not None
            assert ada.state.clock is not None
            assert ada.state.clock.left == (60_000, 75_000)

    run(play())


def test_a_frozen_server_is_noticed(server: ServerProcess) -> None:
    """A line that is open but dead is given up and opened again."""

    async def work() -> None:
        link, first, second = await two_seats(server.address)
        impatient = Timing(resend=0.2, ping=0.3, dead=0.6, first_retry=0.1, last_retry=0.2)
        async with Client(link, first, impatient) as lan, Client(link, second, QUICK) as ada:
            await lan.until(lambda: lan.is_my_turn)
            server.signal(signal.SIGSTOP)
            waiting = asyncio.create_task(lan.move(3))
            await lan.until(lambda: lan.reconnects > 0)
            server.signal(signal.SIGCONT)
            await waiting
            await ada.until(lambda: ada.is_my_turn)
            assert (await game_state(link)).moves == "4"

    run(work())


# Words -------------------------------------------------------------------------------------------


def state_of(**changes: object) -> m.State:
    seats = (
        m.SeatState(1, "human", "Lan", None, "online", None),
        m.SeatState(2, "human", "Ada", None, "reconnecting", 12_000),
    )
    whole: dict[str, Any] = {
        "seq": 1, "protocol": 1, "game": "g", "you": (1,), "owner": True, "server_time": 0,
        "board": m.BoardShape(7, 6, 4), "start": "", "moves": "", "take": 0, "redo": "", "turn": 2,
        "landing": {}, "seats": seats, "clock": m.ClockState(180_000, 0, (171_000, 60_000), 2, 1_000),
        "think": 1000, "offers": m.Offers(), "result": None, "four": (), "status": "playing", "watchers": 0,
        "rematch": None,
    }  # fmt: skip
    return m.State(**(whole | changes))


def test_players_presence_and_clocks_in_words() -> None:
    assert words.players(state_of(), 4_500) == [
        "  x  Lan (you), 2:51",
        "> o  Ada, reconnecting, 8 s, 0:56",
    ]
    assert words.players(state_of(), 60_000)[1] == "> o  Ada, gone, 0:01.0"
    assert words.players(state_of(clock=None, you=()), 0)[0] == "  x  Lan"


@pytest.mark.parametrize(
    ("result", "you", "told"),
    [
        (m.ResultState("1-0", 1, "resign"), (1,), "you win: Ada resigned"),
        (m.ResultState("1-0", 1, "resign"), (2,), "Lan wins: you resigned"),
        (m.ResultState("0-1", 2, "time"), (1,), "Ada wins: your time is up"),
        (m.ResultState("0-1", 2, "time"), (), "Ada wins: the time of Lan is up"),
        (m.ResultState("1-0", 1, "abandon"), (1,), "you win: Ada left"),
        (m.ResultState("1/2-1/2", None, "agreement"), (1,), "a draw by agreement"),
        (m.ResultState("1/2-1/2", None, "full"), (1,), "a draw: the board is full"),
        (m.ResultState("*", None, "abort"), (1,), "the game was called off"),
        (m.ResultState("1-0", 1, "crash"), (1,), "you win: Ada failed"),
        (m.ResultState("1-0", 1, "illegal"), (1,), "you win: Ada chose a column that cannot be played"),
    ],
)
def test_results_in_words(result: m.ResultState, you: tuple[int, ...], told: str) -> None:
    assert words.result(state_of(result=result, you=you), Position()) == told


# claimeven join ----------------------------------------------------------------------------------


@pytest.fixture
def joined(tmp_path: Path) -> Iterator[Callable[..., "Joined"]]:
    """`joined(who, arguments…)` runs `claimeven join` at the home of somebody."""
    everybody: list[Joined] = []

    def join(who: str, *arguments: str) -> Joined:
        everybody.append(Joined(tmp_path / who, *arguments))
        return everybody[-1]

    yield join
    for each in everybody:
        each.close()


class Joined:
    """`claimeven join` in a process; what it prints, as it comes."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.child = Forked(
            [sys.executable, "-m", "claimeven", "join", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"XDG_STATE_HOME": str(folder), "COLUMNS": "200"},
            bufsize=0,
        )
        self.text = ""

    def until(self, words: str) -> str:
        """Read until these words came; what came before them."""
        assert self.child.stdout is not None
        while words not in self.text:
            data = os.read(self.child.stdout.fileno(), 4096)
            assert data, f"{words!r} did not come: {self.text}"
            self.text += data.decode()
        before, _, self.text = self.text.partition(words)
        return before

    def type(self, *lines: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def rest(self) -> str:
        """End the input; what is still printed."""
        assert self.child.stdin is not None
        self.child.stdin.close()
        assert self.child.stdout is not None
        self.text += self.child.stdout.read().decode()
        assert self.child.wait(timeout=30) == 0
        return self.text

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            assert pipe is not None
            pipe.close()


Join = Callable[..., Joined]


def test_two_terminals_and_a_watcher(
    server: ServerProcess, joined: Join, golden: Callable[..., None]
) -> None:
    lan = joined("lan", server.address.removeprefix("http://"), "--name", "Lan")
    lan.until("claimeven join '")
    link = lan.until("'\n")
    assert Link.parse(link).invite is not None
    ada = joined("ada", link, "--name", "Ada")
    seen = ada.until("x to move: Lan\n")
    watcher = joined("eve", link, "--watch")
    watcher.until("x to move: Lan")
    for columns in ("44", "55"):
        lan.type(columns[0])
        seen += ada.until("o to move: you\n")
        ada.type(columns[1])
        lan.until("x to move: you\n")
        seen += ada.until("x to move: Lan\n")
    ada.type("d")
    offered = "you offered a draw\n"  # before the help is asked for, which no server is asked for
    seen += ada.until(offered) + offered
    ada.type("?")
    lan.until("Ada offers a draw (yes or no)")
    lan.type("n")
    seen += ada.until("Lan declines\n")
    lan.type("6")
    seen += ada.until("o to move: you\n")
    ada.type("m", "6")
    lan.until("x to move: you\n")
    seen += ada.until("x to move: Lan\n")
    lan.type("7", "n")
    assert "you win with d1 e1 f1 g1.\n" in lan.rest()
    assert watcher.rest().endswith("Lan wins with d1 e1 f1 g1.\n")
    seen += ada.rest()
    golden("join.txt", re.sub(r"^(Lan is|  1 watching).*\n", "", seen, flags=re.MULTILINE))


def test_moves_written_in_advance(server: ServerProcess, joined: Join) -> None:
    link, _, _ = run(create_game(server.address, [FRIEND, {"kind": "agent", "agent": "first"}]))
    lan = joined("lan", str(link))
    lan.type("2", "3", "zz", "4", "5")
    said = lan.rest()
    assert "'zz' is no column and no command" in said
    assert said.endswith("you win with b1 c1 d1 e1.\n\n")


def test_whoever_comes_back_sits_on_the_same_seat(server: ServerProcess, joined: Join) -> None:
    link, _, _ = run(create_game(server.address, [FRIEND, ME]))
    first = joined("lan", str(link), "--name", "Lan")
    first.type("4", "q")
    assert f"come back with: claimeven join {link._replace(invite=None)}" in first.rest()
    for back in (link, link._replace(invite=None)):
        again = joined("lan", str(back))
        again.until("x  Lan (you)")
        again.rest()
    for _ in range(2):
        stranger = joined("eve", str(link))
        stranger.until("claimeven: the seat is taken already\n")
        assert stranger.child.wait(timeout=30) == 2


def test_join_refuses(server: ServerProcess, capsys: Capture) -> None:
    for link, told in (
        (f"{server.address}/game/nosuchgame", "there is no such game"),
        ("127.0.0.1:1/game/abc", "http://127.0.0.1:1 cannot be reached: connection refused"),
    ):
        assert cli.run(["join", link]) == 2
        assert capsys.readouterr().err == f"claimeven: {told}\n"


def test_in_a_real_terminal(server: ServerProcess) -> None:
    """Arrows, Enter, a picture that is drawn in its place; against an agent."""
    agent = {"kind": "agent", "agent": "first"}
    link, _, _ = run(create_game(server.address, [ME, agent], name="Lan"))
    screen = Screen("join", str(link), LINES="40", COLUMNS="100")
    screen.until("● to move: Lan")  # without the token one only watches
    screen.type("4")
    screen.until("you only watch")
    screen.type("q")
    assert screen.leave() == 0
    screen = Screen("join", server.address, LINES="40", COLUMNS="100")
    screen.until("claimeven join '")
    screen.until("waiting for the other player")
    screen.type("?")
    screen.until("Left and right move the disc")
    screen.type("\x04")
    screen.until("come back with: claimeven join http")
    assert screen.leave() == 0
