"""A dump of PostgreSQL while games are played on two servers, and the games go on from it elsewhere."""

import threading
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from kit.cluster import House, Match, Nats, house
from kit.databases import Postgres
from kit.serving import wait_until

LINE = "121212343434565656"  # nobody connects four
GAMES = 6
pytestmark = pytest.mark.slow


class Evening:
    """Games of people at both servers, move after move in a thread of its own."""

    def __init__(self, servers: House) -> None:
        one, other = servers.servers
        self.matches = [servers.begin((one, other)[number % 2]).join(one) for number in range(GAMES)]
        self.acknowledged = [""] * GAMES
        self._is_enough = threading.Event()
        self._used = ExitStack()
        self._players = [
            [
                self._used.enter_context(match.sit(one, match.first)),
                self._used.enter_context(match.sit(other, match.second)),
            ]
            for match in self.matches
        ]
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def _play(self) -> None:
        for ply, column in enumerate(LINE):
            for number, players in enumerate(self._players):
                if self._is_enough.is_set():
                    return
                assert players[ply % 2].move(ply, int(column))["t"] == "ack"
                players[1 - ply % 2].hear("move", ply=ply)
                self.acknowledged[number] += column
                self._is_enough.wait(0.02)

    @property
    def count(self) -> int:
        return sum(map(len, self.acknowledged))

    def end(self) -> None:
        self._is_enough.set()
        self._thread.join()
        self._used.close()


def _leases(postgres: Postgres) -> int:
    with psycopg.connect(postgres.url) as look:
        row = look.execute("SELECT count(*) FROM cluster_leases").fetchone()
        assert row is not None
        return int(row[0])


def test_games_go_on_from_a_dump_that_was_made_while_they_were_played(tmp_path: Path) -> None:
    dump = tmp_path / "dump"
    (tmp_path / "first").mkdir()
    with house(tmp_path / "first", 2) as servers:
        evening = Evening(servers)
        wait_until(lambda: evening.count > 2 * GAMES)
        before = list(evening.acknowledged)
        servers.postgres.dump(dump)
        after = [line + LINE[len(line) : len(line) + 1] for line in evening.acknowledged]  # one under way
        played_meanwhile = evening.count - sum(map(len, before))
        evening.end()
    assert played_meanwhile > 0
    (tmp_path / "second").mkdir()
    with Postgres() as fresh, Nats() as nats, ExitStack() as used:
        fresh.restore(dump)
        later = House(tmp_path / "second", fresh, nats, 2)
        used.callback(later.end)
        later.start()
        wait_until(lambda: _leases(fresh) == 0)  # of the dead
        for number, old in enumerate(evening.matches):
            match = Match(later, old.game, old.first, old.invite)
            moves = match.moves(later.servers[number % 2])
            assert moves.startswith(before[number]), "what was acknowledged before is there"
            assert after[number].startswith(moves)
            token = (old.first, old.second)[len(moves) % 2]
            with match.sit(later.servers[1 - number % 2], token) as player:
                assert player.move(len(moves), int(LINE[len(moves)]))["t"] == "ack"
