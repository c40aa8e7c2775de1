"""What a cluster costs: the processor time of a move where it is the server's own and where it is another's,
and how long a game stands still when its server is killed or stopped.

    python bench/server/cluster.py --moves 2000

Processor time is that of all servers together, less what they use when nothing happens, for a move that both
players and nobody else is told of.
"""

import argparse
import os
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from faults.process import ServerProcess
from kit.cluster import House, Match, house
from kit.serving import Talker

IDLE_SECONDS = 10.0
LINE = "121212343434565656"  # nobody connects four, on any board of seven columns


def used(servers: list[ServerProcess]) -> float:
    """Seconds of the processor so far."""
    ticks = 0
    for server in servers:
        fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def play(match: Match, players: list[Talker], times: list[float]) -> None:
    for ply, column in enumerate(LINE):
        began = time.monotonic()
        assert players[ply % 2].move(ply, int(column))["t"] == "ack"
        times.append(time.monotonic() - began)


def measured(servers: House, places: tuple[int, int], moves: int, idle: float) -> tuple[float, list[float]]:
    """Games of the first server, with players at these: milliseconds of the processor for a move, and the
    seconds that each took."""
    times: list[float] = []
    spent = 0.0
    while len(times) < moves:
        match = servers.begin(servers.servers[0]).join(servers.servers[0])
        tokens = (match.first, match.second)
        players = [match.sit(servers.servers[n], token) for n, token in zip(places, tokens, strict=True)]
        before, began = used(servers.servers), time.monotonic()
        play(match, players, times)
        spent += used(servers.servers) - before - idle * (time.monotonic() - began)
        for player in players:
            player.close()
    return spent * 1000 / len(times), times


def stopped(servers: House, number: signal.Signals) -> float:
    """Seconds from a signal to the owner of a game to the next move that is acknowledged, elsewhere."""
    owner, one, other = servers.servers
    match = servers.begin(owner).join(one)
    players = [match.sit(one, match.first), match.sit(other, match.second)]
    assert players[0].move(0, 4)["t"] == "ack"
    began = time.monotonic()
    owner.signal(number)
    for player in players:
        player.closing()
    with match.sit_patiently([other], match.second, 60) as player:
        assert player.move(1, 4)["t"] == "ack"
    seconds = time.monotonic() - began
    if number == signal.SIGKILL:
        owner.kill()
    else:
        owner.ended(30)
    owner.start()
    servers.wait_ready(owner, 60)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a cluster of three servers on this machine.")
    parser.add_argument("--moves", type=int, default=1000, help="for each line")
    parser.add_argument("--stops", type=int, default=5, help="of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as servers:
        lines = {"both at the owner": (0, 0), "one elsewhere": (0, 1), "both elsewhere": (1, 2)}
        measured(servers, (1, 2), 100, 0.0)  # warm
        before = used(servers.servers)
        time.sleep(IDLE_SECONDS)
        idle = (used(servers.servers) - before) / IDLE_SECONDS
        each = idle * 1000 / len(servers.servers)
        print(f"{'idle':>18}: {each:.1f} ms of the processor per second and server")
        for about, places in lines.items():
            cost, times = measured(servers, places, options.moves, idle)
            median = statistics.median(times) * 1000
            print(f"{about:>18}: {cost:.2f} ms of the processor, acknowledged after {median:.1f} ms (median)")
        for number in (signal.SIGTERM, signal.SIGKILL):
            taken = sorted(stopped(servers, number) for _ in range(options.stops))
            print(f"{number.name:>18}: played on after {taken[0]:.2f} to {taken[-1]:.2f} s")


if __name__ == "__main__":
    main()
