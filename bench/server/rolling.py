"""A rolling restart under load: python bench/server/rolling.py [--games 100] [--clock 600] [--kill]

PostgreSQL, NATS, three servers and HAProxy with `deploy/haproxy.cfg`, all real. Every player comes in
through the proxy and does what the page does: who is sent away waits for a quarter to half a second, doubled
from the third failure on, comes back, and asks again for what was not answered. Meanwhile each server is told
to stop (SIGTERM), ends, starts again, and when it is ready the next one follows. Told is how long players had
no line, how long a move took from the wish to the acknowledgement, and what was lost. With `--kill` each
server is killed (SIGKILL) instead, and its games are taken over; with `--clock` they have one, so those that
live share them at once.
"""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import msgspec

from faults.process import ServerProcess, free_port
from kit.cluster import House, house
from lines import HANDSHAKE, Line, post
from load import drawn_games, many_files

DEPLOY = Path(__file__).parents[2] / "deploy"
FIRST_PAUSE = 0.5  # of web/src/lib/game/connection.ts, which takes the half of it to all of it
QUICK_TRIES = 3  # with that pause
LONGEST_PAUSE = 8.0
RESEND_AFTER = 2.5
BEFORE, AFTER = 8.0, 5.0  # seconds of play around the restarts
PROMISED = 1.0, 5.0  # seconds that a player may lose by a restart, and by a death
SETTLED = 8.0  # seconds from one death to the next start, when all is taken over
# All come from one address, as no real visitors do.
LIMITS = {
    f"CLAIMEVEN_{name}": "1000000"
    for name in (
        "ADDRESS_BURST",
        "CONNECTIONS_PER_ADDRESS",
        "GAMES_BURST",
        "REQUESTS_BURST",
        "TIME_BURST",
    )
}


@dataclass
class Tally:
    games: int = 0
    moves: int = 0
    away: list[float] = field(default_factory=list)  # seconds without a line, each time
    ends: Counter[str] = field(default_factory=Counter)  # why lines ended
    tries: Counter[str] = field(default_factory=Counter)  # to come back, or to begin, that led nowhere
    delays: list[float] = field(default_factory=list)  # seconds from the wish to move to the acknowledgement
    posts: list[float] = field(default_factory=list)  # seconds until a game was begun
    errors: list[str] = field(default_factory=list)


class Table:
    """Two players who play a drawn game to its end."""

    def __init__(self, port: int, options: argparse.Namespace, script: Sequence[int], tally: Tally) -> None:
        self.port, self.pace, self.script, self.tally = port, options.pace, script, tally
        self.clock = {"clock": {"initial": options.clock * 1000, "increment": 0}} if options.clock else {}
        self.game = ""
        self.is_over = asyncio.Event()
        self.is_closing = False

    async def play(self) -> None:
        began = time.perf_counter()
        seats = [{"kind": "me"}, {"kind": "friend"}]
        wish = {"seats": seats, "key": secrets.token_urlsafe(32), **self.clock}
        made = await self.asked("/api/games", wish)
        self.game = made["game"]
        token = secrets.token_urlsafe(32)
        await self.asked(f"/api/games/{self.game}/join", {"invite": made["invite"], "token": token})
        self.tally.posts.append(time.perf_counter() - began)
        self.tally.games += 1
        players = [Player(self, side, of) for side, of in ((1, made["token"]), (2, token))]
        for player in players:
            player.come()
        await self.is_over.wait()
        for player in players:
            player.leave()

    async def asked(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Until it is answered: what is asked acts once, by its key or its token."""
        for failures in range(20):
            with suppress(OSError, AssertionError, IndexError, ValueError):
                return await post(self.port, path, body)
            self.tally.tries["request"] += 1
            await asyncio.sleep(pause(failures))
        raise TimeoutError(path)


class Player:
    """As the page does it."""

    def __init__(self, table: Table, side: int, token: str) -> None:
        self.table, self.side = table, side
        self.hello = json.dumps({"t": "hello", "protocol": 1, "token": token}).encode()
        self.line: Line | None = None
        self.lost_at: float | None = None
        self.failures = 0
        self.asked: tuple[int, bytes] | None = None  # a move that is not answered
        self.wished_at = 0.0
        self.moved = -1  # the last ply that was acknowledged
        self.is_gone = False

    def come(self) -> None:
        if not self.is_gone:
            asyncio.get_running_loop().create_task(self._come())

    async def _come(self) -> None:
        request = HANDSHAKE.format(game=self.table.game, port=self.table.port).encode()
        line = Line(request, self.hello, self.hear, lambda: self.lost(line.end))
        try:
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: line, "127.0.0.1", self.table.port)
        except OSError:
            self.lost("no proxy")

    def lost(self, why: str) -> None:
        if self.is_gone:
            return
        if self.line is not None:
            self.lost_at = time.perf_counter()
            self.table.tally.ends[why] += 1
        else:
            self.table.tally.tries[why] += 1
        self.line = None
        asyncio.get_running_loop().call_later(pause(self.failures), self.come)
        self.failures += 1

    def hear(self, line: Line, text: bytes) -> None:
        if text.startswith(b'{"t":"state"'):
            self.greeted(line, msgspec.json.decode(text))
        elif text.startswith(b'{"t":"ack"'):
            self.acknowledged(msgspec.json.decode(text)["id"])
        elif text.startswith(b'{"t":"move"'):
            move = msgspec.json.decode(text)
            self.seen(move["ply"] + 1, move["turn"])
        elif text.startswith(b'{"t":"error"'):
            self.table.tally.errors.append(text.decode())

    def greeted(self, line: Line, state: dict[str, Any]) -> None:
        if self.lost_at is not None:
            self.table.tally.away.append(time.perf_counter() - self.lost_at)
            self.lost_at = None
        self.line, self.failures = line, 0
        if self.asked is not None:
            line.send(self.asked[1])
        elif state["seats"][1]["kind"] == "human" and state["result"] is None:
            self.seen(len(state["moves"]), state["turn"])

    def seen(self, ply: int, turn: int | None) -> None:
        """So many moves are made; after the last one the game is over."""
        if ply == len(self.table.script) or (self.table.is_closing and self.asked is None):
            self.table.is_over.set()
        elif turn == self.side and self.asked is None:
            asyncio.get_running_loop().call_later(self.table.pace, self.move, ply)

    def move(self, ply: int) -> None:
        if self.is_gone or self.asked is not None or ply <= self.moved:
            return
        body = {"t": "move", "id": str(ply), "take": 0, "ply": ply, "column": self.table.script[ply] + 1}
        self.asked = ply, json.dumps(body).encode()
        self.wished_at = time.perf_counter()
        self.ask(ply)

    def ask(self, ply: int) -> None:
        """And again, if there is no answer."""
        if self.asked is None or self.asked[0] != ply or self.is_gone:
            return
        if self.line is not None:
            self.line.send(self.asked[1])
        asyncio.get_running_loop().call_later(RESEND_AFTER, self.ask, ply)

    def acknowledged(self, id: str) -> None:
        if self.asked is not None and id == str(self.asked[0]):
            self.table.tally.moves += 1
            self.table.tally.delays.append(time.perf_counter() - self.wished_at)
            self.moved = self.asked[0]
            self.asked = None
            self.seen(int(id) + 1, None)

    def leave(self) -> None:
        self.is_gone = True
        if self.line is not None:
            self.line.send(b'{"t":"bye"}')
            self.line.transport.close()


def pause(failures: int) -> float:
    doublings = max(0, failures - QUICK_TRIES + 1)
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**doublings) * random.uniform(0.5, 1.0)


@contextmanager
def proxy(folder: Path, servers: Sequence[ServerProcess]) -> Iterator[int]:
    """HAProxy as `deploy/` has it, before these servers: its port."""
    program = shutil.which("haproxy", path=os.pathsep.join([os.environ["PATH"], "/usr/sbin"]))
    if program is None:
        sys.exit("HAProxy is not installed: apt-get install haproxy")
    port = free_port()
    places = iter([port, *(server.port for server in servers)])
    text = (DEPLOY / "haproxy.cfg").read_text()
    (folder / "haproxy.cfg").write_text(
        re.sub(r"127\.0\.0\.1:808[0-3]", lambda _: f"127.0.0.1:{next(places)}", text)
    )
    with subprocess.Popen([program, "-db", "-f", str(folder / "haproxy.cfg")]) as running:
        try:
            yield port
        finally:
            running.terminate()


async def measure(servers: House, port: int, options: argparse.Namespace) -> Tally:
    rng = random.Random(options.seed)
    scripts, tally = drawn_games(rng, 20), Tally()
    tables: list[Table] = []
    is_closing = asyncio.Event()

    async def one_after_the_other(delay: float) -> None:
        await asyncio.sleep(delay)
        while not is_closing.is_set():
            tables.append(table := Table(port, options, rng.choice(scripts), tally))
            await table.play()

    tasks = [asyncio.create_task(one_after_the_other(rng.random() * 5)) for _ in range(options.games)]
    await asyncio.sleep(BEFORE)
    promised = PROMISED[options.kill]
    tell("before", tally, promised)
    tally.delays.clear()
    tally.posts.clear()
    began = time.perf_counter()
    for _ in range(options.rounds):
        for server in servers.servers:
            await asyncio.to_thread(kill if options.kill else restart, servers, server)
    what, seconds = "deaths" if options.kill else "restarts", time.perf_counter() - began
    print(f"{what:>9}: {3 * options.rounds} in {seconds:.0f} s", flush=True)
    await asyncio.sleep(AFTER)
    is_closing.set()
    for table in tables:
        table.is_closing = True
    await asyncio.wait(tasks, timeout=20)
    for task in tasks:
        if task.done():
            task.result()
        task.cancel()
    tell("during", tally, promised)
    stored = await asyncio.to_thread(moves_on_disk, servers)
    print(f"{'on disk':>9}: {stored:,} moves, {tally.moves:,} acknowledged, {len(tally.errors)} errors")
    for error in tally.errors[:3]:
        print(error)
    if not stored >= tally.moves:
        sys.exit("an acknowledged move was lost")
    return tally


def restart(servers: House, server: ServerProcess) -> None:
    server.stop()
    server.start()
    servers.wait_ready(server, 60)


def kill(servers: House, server: ServerProcess) -> None:
    """And start it again, when others have its games."""
    server.kill()
    time.sleep(SETTLED)
    server.start()
    servers.wait_ready(server, 60)


def moves_on_disk(servers: House) -> int:
    import psycopg

    with psycopg.connect(servers.postgres.url) as look:
        row = look.execute("SELECT count(*) FROM moves").fetchone()
        assert row is not None
        return int(row[0])


def tell(about: str, tally: Tally, promised: float) -> None:
    for name, values in (
        ("without a line", tally.away),
        ("from the wish to move to the acknowledgement", tally.delays),
        ("to begin a game", tally.posts),
    ):
        ordered = sorted(values)
        if ordered:
            late_ones = f"{sum(value > promised for value in ordered)} over {promised:.0f} s"
            middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
            print(
                f"{about:>9}: {name}, {len(ordered):,} times: p50 {middle:.3f} s, p99 {late:.3f} s,"
                f" at most {ordered[-1]:.3f} s; {late_ones}"
            )
    print(
        f"{about:>9}: {tally.games} games; lines ended {counted(tally.ends)};"
        f" tries to come back or to begin that failed {counted(tally.tries)}",
        flush=True,
    )


def counted(what: Counter[str]) -> str:
    return ", ".join(f"{name} {count} times" for name, count in what.items()) or "none"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a rolling restart under load.")
    parser.add_argument("--games", type=int, default=100, help="at once, two players each")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds from a move to the next")
    parser.add_argument("--rounds", type=int, default=1, help="restarts of each server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill", action="store_true", help="each server, instead of telling it to stop")
    parser.add_argument("--clock", type=int, default=0, help="of each game, seconds for a side; 0: none")
    options = parser.parse_args()
    variables = {**LIMITS, "CLAIMEVEN_PROXY": "127.0.0.1"}
    with (
        tempfile.TemporaryDirectory() as name,
        house(Path(name), variables=variables) as servers,
        proxy(Path(name), servers.servers) as port,
        many_files(),
    ):
        asyncio.run(measure(servers, port, options))
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
