"""The examples in deploy/: read by the programs they are for, and a proxy that is really between."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from claimeven.server.doors.limits import Limits
from claimeven.server.environment import PREFIX, adjustable
from claimeven.server.settings import Settings
from faults.process import free_port
from kit.serving import Served, Talker, serving, wait_until

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
