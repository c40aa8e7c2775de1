"""The examples in deploy/: read by the programs they are for, and a proxy that is really between."""

import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from claimeven.server.doors.limits import Limits
from claimeven.server.environment import PREFIX, adjustable
from claimeven.server.settings import Settings
from faults.process import free_port
from kit.club.newcomers import visits
from kit.serving import PATIENCE, Served, Talker, serving, wait_until

DEPLOY = Path(__file__).parents[3] / "deploy"

pytestmark = pytest.mark.slow  # programs of the system that the quick tests do without


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "claimeven.service").read_text()
    command = tmp_path / "claimeven"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    copy = tmp_path / "claimeven.service"
    copy.write_text(unit.replace("/opt/claimeven/bin/claimeven", str(command)))
    said = subprocess.run(
        [program("systemd-analyze"), "verify", "--man=no", copy], capture_output=True, text=True
    )
    about_it = [line for line in said.stderr.splitlines() if "claimeven" in line]
    assert about_it == []
    assert "Unknown key" not in said.stderr


def test_the_examples_name_variables_that_exist() -> None:
    options = {"ORIGIN", "PROXY", "DATABASE", "OPERATOR_KEY", "NATS"}
    known = options | {name.upper() for name in (*adjustable(Settings()), *adjustable(Limits()))}
    for file in DEPLOY.iterdir():
        assert set(re.findall(rf"{PREFIX}([A-Z_]+)", file.read_text())) <= known, file.name


def test_who_supervises_waits_for_what_is_handed_over() -> None:
    texts = "".join((DEPLOY / name).read_text() for name in ("claimeven.service", "compose.yml"))
    assert re.findall(r"(?:TimeoutStopSec=|stop_grace_period: )(\d+)", texts) == ["45", "45"]
    assert "`deploy/` has 45 s" in (DEPLOY.parent / "docs" / "server.md").read_text()
    assert Settings().drain / 1000 + 15 <= 45


@contextmanager
def proxy(command: list[str], url: str) -> Iterator[None]:
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        wait_until(lambda: _answers(url))
        yield
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/health").status_code == 200
    except httpx.HTTPError:
        return False


def nginx(folder: Path, port: int, server: Served) -> list[str]:
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace("443 ssl", f"127.0.0.1:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    text = re.sub(r"    ssl_.*\n", "", text)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off; pid {folder}/pid; error_log stderr; events {{}}"
    whole = f"{head} http {{ access_log off; {places}\n{text}}}"
    (folder / "nginx.conf").write_text(whole)
    return [program("nginx"), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def caddy(folder: Path, port: int, server: Served) -> list[str]:
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace("c4.example {", f"http://c4.example:{port}, http://127.0.0.1:{port} {{")
    (folder / "Caddyfile").write_text(
        "{\n\tadmin off\n}\n" + text.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    )
    return [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def haproxy(folder: Path, port: int, server: Served) -> list[str]:
    text = (DEPLOY / "haproxy.cfg").read_text().replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    (folder / "haproxy.cfg").write_text(re.sub(r"127\.0\.0\.1:808[123]", f"127.0.0.1:{server.port}", text))
    return [program("haproxy"), "-db", "-f", str(folder / "haproxy.cfg")]


@pytest.mark.parametrize("make", [nginx, caddy, haproxy])
def test_a_game_through_the_proxy(make: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    port = free_port()
    with serving(tmp_path, proxies=("127.0.0.1",), origins=("https://c4.example",)) as server:
        url = f"http://127.0.0.1:{port}"
        with proxy(make(tmp_path, port, server), url):  # type: ignore[operator]
            home = {"Host": "c4.example", "Origin": "https://c4.example"}
            wish = {"seats": [{"kind": "me"}, {"kind": "me"}]}
            answer = httpx.post(f"{url}/api/games", json=wish, headers={**home, "X-Request-ID": "mine"})
            made = answer.json()
            assert len(answer.headers["X-Request-ID"]) in (32, 36), "by the proxy, not by the visitor"
            from websockets.sync.client import connect

            with Talker(connect(f"ws://127.0.0.1:{port}/ws/{made['game']}").__enter__(), made["token"]) as me:
                assert me.move(0, 4)["t"] == "ack"
                (connection,) = server.limits.sockets
                assert connection.address == "127.0.0.1"
                assert connection.visitor == "127.0.0.1"  # counted like every visitor
            assert httpx.get(f"{url}/metrics", headers=home).status_code == 404


def test_nginx_lets_a_class_in(tmp_path: Path) -> None:
    """Thirty-five first visits of one address at once, through its limits."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with serving(tmp_path, proxies=("127.0.0.1",)) as server, proxy(nginx(tmp_path, port, server), url):
        assert set(visits(port, 35)) == {200}


def inside(folder: Path) -> str:
    """The configuration of the proxy as its container makes it."""
    compose = (DEPLOY / "compose.yml").read_text()
    script = re.search(r"sed .*? > /tmp/haproxy\.cfg", compose, re.DOTALL)
    assert script is not None
    command = " ".join(script[0].split()).replace("/deploy/", f"{DEPLOY}/")
    made = folder / "inside.cfg"
    subprocess.run(["sh", "-c", command.replace("/tmp/haproxy.cfg", str(made))], check=True)
    return made.read_text()


def test_haproxy_and_the_compose_specification_know_what_is_written(tmp_path: Path) -> None:
    text = inside(tmp_path)
    assert [f"server {name}" in " ".join(text.split()) for name in ("one", "two", "three")] == [True] * 3
    assert "127.0.0.1:808" not in text
    for file in (DEPLOY / "haproxy.cfg", tmp_path / "inside.cfg"):
        subprocess.run([program("haproxy"), "-c", "-f", str(file)], check=True)
    schema = ["--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yml")]
    subprocess.run([sys.executable, "-m", "check_jsonschema", "--quiet", *schema], check=True)


class Names(threading.Thread):
    """A server of names that knows one of all who are asked for, from some time on."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.known: set[str] = set()

    def run(self) -> None:
        while True:
            question, who = self._socket.recvfrom(4096)
            end = question.index(b"\0", 12)
            name = question[13:end].decode()
            is_here = name in self.known and question[end + 1 : end + 3] == b"\0\1"  # an IPv4 address
            code = 0x8180 if name in self.known else 0x8183  # there is no such name
            head = question[:2] + struct.pack("!5H", code, 1, int(is_here), 0, 0)
            answer = b"\xc0\x0c" + struct.pack("!2HIH", 1, 1, 1, 4) + socket.inet_aton("127.0.0.1")
            self._socket.sendto(head + question[12 : end + 5] + (answer if is_here else b""), who)


def test_a_proxy_starts_without_its_servers_and_finds_them_later(tmp_path: Path) -> None:
    names, port = Names(), free_port()
    names.start()
    with serving(tmp_path, proxies=("127.0.0.1",)) as server:
        text = inside(tmp_path).replace("bind :8080", f"bind 127.0.0.1:{port}")
        text = text.replace("parse-resolv-conf", f"nameserver test 127.0.0.1:{names.port}")
        file = tmp_path / "haproxy.cfg"
        file.write_text(re.sub(r"(one|two|three):8080", rf"\1:{server.port}", text))
        url = f"http://127.0.0.1:{port}"
        process = subprocess.Popen([program("haproxy"), "-db", "-f", str(file)], stdin=subprocess.DEVNULL)
        try:
            wait_until(lambda: _status(url) == 503)  # it lives, and has nobody to ask
            names.known = {"two"}
            wait_until(lambda: _status(url) == 200)
            names.known = {"three"}  # the one is gone, another has come
            wait_until(lambda: _status(url) == 200)
        finally:
            process.terminate()
            process.wait(20)


def test_make_cluster_is_ready_plays_on_and_ends() -> None:
    """And begins once more with the games it has: PostgreSQL is there then after another while."""
    for needed in ("haproxy", "nats-server"):
        beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin"])
        if shutil.which(needed, path=beside) is None:
            pytest.skip(f"{needed} is not installed")
    # PostgreSQL's account can enter it.
    folder = Path(tempfile.mkdtemp(prefix="claimeven-made-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        with made_cluster(folder) as (address, servers):
            began = httpx.post(f"{address}/api/games", json={"seats": [{"kind": "me"}, {"kind": "friend"}]})
            game = f"/api/games/{began.json()['game']}"
            os.kill(servers[0], signal.SIGKILL)
            wait_until(lambda: _is_told(f"{address}{game}"))
        assert all(not Path(f"/proc/{pid}").exists() for pid in servers)
        with made_cluster(folder) as (address, _):
            assert _is_told(f"{address}{game}")
    finally:
        shutil.rmtree(folder)


@contextmanager
def made_cluster(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Its address, and the processes of its servers."""
    command = [sys.executable, str(DEPLOY / "cluster.py"), str(folder)]
    variables = os.environ | {"PORT": str(free_port())}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables) as process:
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(4)]
            servers = [int(line.rpartition(" ")[2]) for line in lines[:3]]
            found = re.fullmatch(r"claimeven is at (http://\S+) \(Ctrl-C ends it\)\n", lines[3])
            assert found is not None, lines
            yield found[1], servers
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0


def _is_told(url: str) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(url, timeout=PATIENCE).status_code == 200
    return False


def _status(url: str) -> int:
    try:
        return httpx.get(f"{url}/api/health").status_code
    except httpx.HTTPError:
        return 0
