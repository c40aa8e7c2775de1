"""What a cluster costs: the processor time of a move where it is the server's own and where it is another's,
and how long a game stands still when its server is killed or stopped.

    python bench/server/cluster.py --games 1 --rounds 20 [--stops 5]
    python bench/server/cluster.py --games 50 --rounds 5 --stops 0

Processor time is that of all servers and of NATS together, less what they use when nothing happens, for a
move that both players and nobody else is told of. The places of the players take turns, round by round, so
that what the machine does to one it does to the others; with more games at once all of them move at once, as
in a full house.
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

from kit.cluster import House, house
from kit.serving import Talker

IDLE_SECONDS = 10.0
LINE = "121212343434565656"  # nobody connects four, on any board of seven columns
# The servers at which the two players came in; the game is of the first.
PLACES = {"both at the owner": (0, 0), "one elsewhere": (0, 1), "both elsewhere": (1, 2)}


def used(servers: House) -> float:
    """Seconds of the processor so far, by the scheduler's own count: nanoseconds of every thread."""
    nats = servers.nats._process
    assert nats is not None
    spent = 0
    for pid in (nats.pid, *(server.pid for server in servers.servers)):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


def measured(servers: House, places: tuple[int, int], games: int, idle: float, times: list[float]) -> float:
    """Games of the first server, with players at these: milliseconds of the processor for a move; the seconds
    that each took are added to `times`."""
    home = servers.servers[0]
    players: list[list[Talker]] = []
    for _ in range(games):
        match = servers.begin(home).join(home)
        tokens = (match.first, match.second)
        players.append([match.sit(servers.servers[n], of) for n, of in zip(places, tokens, strict=True)])
    before, began = used(servers), time.monotonic()
    for ply, column in enumerate(LINE):
        asked = time.monotonic()
        for pair in players:
            pair[ply % 2].say(t="move", id=f"m{ply}", take=0, ply=ply, column=int(column))
        for pair in players:
            pair[ply % 2].hear("ack", id=f"m{ply}")
            times.append(time.monotonic() - asked)
        for pair in players:
            pair[1 - ply % 2].hear("move", ply=ply)
    spent = used(servers) - before - idle * (time.monotonic() - began)
    for pair in players:
        for player in pair:
            player.close()
    return spent * 1000 / (games * len(LINE))


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
    parser.add_argument("--games", type=int, default=1, help="at once")
    parser.add_argument("--rounds", type=int, default=20, help="of each place of the players, in turn")
    parser.add_argument("--stops", type=int, default=5, help="of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as servers:
        for places in PLACES.values():
            measured(servers, places, options.games, 0.0, [])  # warm
        before = used(servers)
        time.sleep(IDLE_SECONDS)
        idle = (used(servers) - before) / IDLE_SECONDS
        print(f"{'idle':>18}: {1000 * idle:.1f} ms of the processor per second, three servers and NATS")
        costs: dict[str, list[float]] = {about: [] for about in PLACES}
        times: dict[str, list[float]] = {about: [] for about in PLACES}
        for _ in range(options.rounds):
            for about, places in PLACES.items():
                costs[about].append(measured(servers, places, options.games, idle, times[about]))
        home = statistics.median(costs["both at the owner"])
        for about, found in costs.items():
            cost, wait = statistics.median(found), statistics.median(times[about]) * 1000
            print(
                f"{about:>18}: {cost:.3f} ms of the processor a move ({min(found):.3f} to {max(found):.3f}),"
                f" {cost - home:+.3f} or {cost / home:.2f} times; acknowledged after {wait:.2f} ms (medians)",
                flush=True,
            )
        for number in (signal.SIGTERM, signal.SIGKILL):
            taken = sorted(stopped(servers, number) for _ in range(options.stops))
            if taken:
                print(f"{number.name:>18}: played on after {taken[0]:.2f} to {taken[-1]:.2f} s", flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
