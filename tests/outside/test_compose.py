"""`deploy/compose.yml`, carried out: seven containers, their network and names, a game through the proxy."""

import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from faults.process import free_port
from kit.containers import COMPOSE, Containers
from kit.places import ROOT
from kit.serving import Talker, wait_until

pytestmark = pytest.mark.slow

PROJECT = "claimeven-compose-test"
SERVERS = ("one", "two", "three")
# What the image of PostgreSQL does at its start: at first it makes a cluster, and a database for that user.
POSTGRES = """#!/bin/sh
set -e
bin=$(echo /usr/lib/postgresql/*/bin | cut -d' ' -f1)
data=/var/lib/postgresql/data
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
mkdir -p $data /run/postgresql /var && ln -sf /run /var/run && chown postgres $data /run/postgresql
if ! test -s $data/PG_VERSION; then
  echo "$POSTGRES_PASSWORD" > /tmp/password && chown postgres /tmp/password
  as $bin/initdb -D $data -U "$POSTGRES_USER" --pwfile /tmp/password -A scram-sha-256 -E UTF8
  echo "host all all all scram-sha-256" >> $data/pg_hba.conf
  as $bin/pg_ctl -D $data -w -o "-c listen_addresses=" start
  PGPASSWORD="$POSTGRES_PASSWORD" $bin/createdb -h /run/postgresql -U "$POSTGRES_USER" "$POSTGRES_USER"
  as $bin/pg_ctl -D $data -w stop
fi
exec setpriv --reuid postgres --regid postgres --clear-groups $bin/postgres -D $data -c 'listen_addresses=*'
"""


class House:
    def __init__(self, containers: Containers, folder: Path) -> None:
        self._containers = containers
        self.port = free_port()
        self.deploy = folder / "deploy"
        shutil.copytree(ROOT / "deploy", self.deploy)
        compose = (self.deploy / "compose.yml").read_text()
        changed = compose.replace('"8080:8080"', f'"127.0.0.1:{self.port}:8080"')
        assert changed != compose
        (self.deploy / "compose.yml").write_text(changed)
        self.http = httpx.Client(base_url=f"http://localhost:{self.port}", timeout=30)

    def compose(self, *words: str) -> None:
        file = str(self.deploy / "compose.yml")
        self._containers.run(str(COMPOSE), "-p", PROJECT, "-f", file, *words)

    def podman(self, *words: str, of: str) -> None:
        self._containers.run("podman", *words, f"{PROJECT}_{of}_1")

    def is_well(self, server: str) -> bool:
        try:
            self.podman("healthcheck", "run", of=server)
        except AssertionError:
            return False
        return True

    def is_ready(self) -> bool:
        try:
            return self.http.get("/api/ready").status_code == 200
        except httpx.HTTPError:
            return False

    def sit(self, game: str, token: str) -> Talker:
        door = connect(f"ws://localhost:{self.port}/ws/{game}", origin=Origin("http://localhost:8080"))
        return Talker(door.__enter__(), token)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    containers = Containers(tmp_path / "containers")
    try:
        containers.image("docker.io/library/postgres:17", 'CMD ["/start"]', {"start": POSTGRES})
        containers.image("docker.io/library/nats:2", 'CMD ["nats-server"]')
        containers.image("docker.io/library/haproxy:3.0", 'CMD ["haproxy"]')
        # How our own image starts; that it is built and serves is tests/outside/test_image.py.
        start = (ROOT / "Dockerfile").read_text().split("\nUSER player\n")[1].replace("VOLUME /data\n", "")
        for service in ("one", "two", "three", "work"):
            containers.image(f"localhost/{PROJECT}_{service}", f"USER player\n{start}")
        found = House(containers, tmp_path)
        try:
            found.compose("up", "-d", "--no-build")
            wait_until(found.is_ready, 120)
            yield found
        finally:
            found.http.close()
            found.compose("down", "-v")
    finally:
        containers.end()


def test_a_game_through_the_proxy_outlives_every_container(house: House) -> None:
    made = house.http.post("/api/games", json={"seats": [{"kind": "me"}, {"kind": "friend"}]}).json()
    game = made["game"]
    friend = house.http.post(f"/api/games/{game}/join", json={"invite": made["invite"]}).json()
    tokens = (made["token"], friend["token"])
    columns = "44444423"
    for ply, column in enumerate(columns):
        move(house, game, tokens[ply % 2], ply, int(column))
        if ply < 3:
            house.podman("restart", "-t", "20", of=SERVERS[ply])
        elif ply < 5:
            # A server that starts just as the database stops ends with a sentence. Docker starts it again;
            # podman does not, where it was the last to restart it.
            for server in SERVERS:
                wait_until(partial(house.is_well, server), 60)
            house.podman("restart", "-t", "5", of=("nats", "postgres")[ply - 3])
        elif ply == 5:
            wait_until(house.is_ready, 60)
            house.podman("restart", "-t", "0", of="two")  # killed
    with house.sit(game, tokens[0]) as first:
        assert first.first["moves"] == columns
    wait_until(house.is_ready, 60)
    for server in SERVERS:
        wait_until(partial(house.is_well, server), 60)
    against = house.http.post(
        "/api/games", json={"seats": [{"kind": "agent", "agent": "level:3"}, {"kind": "me"}]}
    ).json()
    with house.sit(against["game"], against["token"]) as player:
        assert re.fullmatch("[1-7]", str(player.hear("move", ply=0)["column"]))


def move(house: House, game: str, token: str, ply: int, column: int) -> None:
    """As the page does it: who is sent away comes back, and asks again for what is not there."""
    done = False

    def tried() -> bool:
        nonlocal done
        try:
            with house.sit(game, token) as player:
                done = len(player.first["moves"]) > ply or player.move(ply, column)["t"] == "ack"
        except (ConnectionClosed, InvalidStatus, OSError):  # a server, or the proxy that has none
            return False
        return done

    wait_until(tried, 60)
