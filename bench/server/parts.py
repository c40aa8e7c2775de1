"""What a player costs a cluster, part by part: the figures behind the sum in docs/server.md.

    python bench/server/parts.py --games 60

Games of two people at three servers, both players at a server that chance gives them, as behind a proxy. All
games move at once, so that what can be written together is. Processor time does not depend on what else the
machine does, as far as that is possible.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from kit.cluster import House, Match, house
from kit.serving import Talker

LINE = "121212343434565656"  # nobody connects four, on any board of seven columns
IDLE_SECONDS = 10.0
SILENT_SECONDS = 20.0  # two pings
LOOKS = 300


def ticks(pids: Iterable[int]) -> float:
    """Seconds of the processor so far."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


class Parts:
    """Everything that a move passes through."""

    def __init__(self, servers: House) -> None:
        self._servers = servers
        self._master = int(Path(servers.postgres._data, "postmaster.pid").read_text().split()[0])

    def used(self) -> dict[str, float]:
        nats = self._servers.nats._process
        assert nats is not None
        return {
            "servers": ticks(server.pid for server in self._servers.servers),
            "PostgreSQL": ticks(family(self._master)),
            "NATS": ticks([nats.pid]),
        }

    def of(self, work: Callable[[], None], idle: dict[str, float] | None = None) -> dict[str, float]:
        before, began = self.used(), time.monotonic()
        work()
        seconds = time.monotonic() - began
        return {
            name: value - before[name] - (idle or {}).get(name, 0.0) * seconds
            for name, value in self.used().items()
        }


def wal(servers: House) -> int:
    """Bytes that PostgreSQL has written to its log so far."""
    with psycopg.connect(servers.postgres.url) as look:
        row = look.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()
        assert row is not None
        return int(row[0])


def resident(servers: House) -> int:
    return sum(server.resident() for server in servers.servers)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a player costs a cluster of three servers.")
    parser.add_argument("--games", type=int, default=60, help="at once")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as servers:
        parts = Parts(servers)
        players = begin(servers, 6, rng)
        play(players)  # warm
        close(players)
        idle = {
            name: value / IDLE_SECONDS for name, value in parts.of(lambda: time.sleep(IDLE_SECONDS)).items()
        }
        tell("nothing happens, a second", idle, 1)
        empty = resident(servers)
        players = begin(servers, options.games, rng)
        full = resident(servers)
        written = wal(servers)
        moves = len(players) * len(LINE)
        tell(f"a move, {options.games} games at once", parts.of(lambda: play(players), idle), moves)
        print(f"{'log of PostgreSQL':>36}: {(wal(servers) - written) / moves:.0f} bytes a move")
        print(f"{'memory':>36}: {(full - empty) / (2 * len(players)) / 1024:.0f} KiB a player")
        silent = parts.of(lambda: time.sleep(SILENT_SECONDS), idle)
        tell("a player who thinks, a second", silent, round(2 * len(players) * SILENT_SECONDS), 3)
        tell("a look into the lobby", parts.of(lambda: look(servers, rng), idle), LOOKS)
        match = servers.begin(servers.servers[0], clock={"initial": 180_000, "increment": 2_000})
        with match.sit(servers.servers[1], match.first):
            tell("who waits says so", parts.of(lambda: wait(servers, match, rng), idle), LOOKS)
        close(players)


def begin(servers: House, count: int, rng: random.Random) -> list[tuple[Talker, Talker]]:
    found = []
    for _ in range(count):
        match: Match = servers.begin(rng.choice(servers.servers)).join(rng.choice(servers.servers))
        places = rng.choices(servers.servers, k=2)
        found.append((match.sit(places[0], match.first), match.sit(places[1], match.second)))
    return found


def look(servers: House, rng: random.Random) -> None:
    for _ in range(LOOKS):
        answer = servers.http.get(f"{rng.choice(servers.servers).address}/api/lobby")
        assert answer.status_code == 200


def wait(servers: House, match: Match, rng: random.Random) -> None:
    """Wherever one came in."""
    wish = {"game": match.game, "invite": match.invite}
    for _ in range(LOOKS):
        answer = servers.http.post(f"{rng.choice(servers.servers).address}/api/lobby", json=wish)
        assert answer.json() == {"take": None}


def play(players: list[tuple[Talker, Talker]]) -> None:
    for ply, column in enumerate(LINE):
        for pair in players:
            pair[ply % 2].say(t="move", id=f"m{ply}", take=0, ply=ply, column=int(column))
        for pair in players:
            pair[ply % 2].hear("ack", id=f"m{ply}")
            pair[1 - ply % 2].hear("move", ply=ply)


def close(players: list[tuple[Talker, Talker]]) -> None:
    for pair in players:
        for player in pair:
            player.close()


def tell(about: str, spent: dict[str, float], count: int, digits: int = 2) -> None:
    values = ", ".join(f"{name} {value * 1000 / count:.{digits}f} ms" for name, value in spent.items())
    print(f"{about:>36}: {values}", flush=True)


if __name__ == "__main__":
    main()
