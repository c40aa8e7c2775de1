"""What an operator does about abuse: addresses in the log, bans, games deleted."""

import logging
import os
import time
from pathlib import Path

import pytest

from claimeven.errors import InputError
from claimeven.server.doors import bans
from claimeven.server.doors.bans import Bans
from claimeven.server.doors.limits import Limits
from kit.serving import serving

KEY = "a key of the operator"


def write(file: Path, text: str) -> None:
    file.write_text(text)
    os.utime(file, (time.time(), time.time() + len(text)))  # changed, also within one tick of the clock


def test_bans_are_addresses_and_networks(tmp_path: Path) -> None:
    file = tmp_path / "bans"
    write(file, "192.0.2.7\n10.0.0.0/8  # all of them\n\n2001:db8::1\n")
    banned = Bans(file)
    inside = ("192.0.2.7", "::ffff:192.0.2.7", "10.200.3.4", "2001:db8::1", "2001:db8::/64")
    assert all(address in banned for address in inside)
    assert not any(address in banned for address in ("192.0.2.8", "2001:db8:1::1", "nonsense", ""))
    assert "192.0.2.7" not in Bans()


def test_a_changed_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "LOOK_SECONDS", 0.0)
    file = tmp_path / "bans"
    write(file, "192.0.2.7\n")
    banned = Bans(file)
    write(file, "192.0.2.8 \n")
    assert "192.0.2.8" in banned
    assert "192.0.2.7" not in banned
    write(file, "192.0.2.9 nonsense\n")
    assert "192.0.2.8" in banned  # what cannot be read changes nothing
    file.unlink()
    assert "192.0.2.8" in banned


def test_a_file_that_cannot_be_read_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bans"):
        Bans(tmp_path / "none")
    write(tmp_path / "bad", "somewhere\n")
    with pytest.raises(InputError, match="somewhere"):
        Bans(tmp_path / "bad")


def test_banned_addresses_are_not_let_in(tmp_path: Path) -> None:
    write(tmp_path / "bans", "192.0.2.7\n")
    limits = Limits(bans=Bans(tmp_path / "bans"))
    with serving(tmp_path, proxies=("127.0.0.1",), limits=limits) as server:
        codes = [server.at(f"192.0.2.{n}").http.get("/api/agents").status_code for n in (7, 8)]
        assert codes == [403, 200]


def test_lines_of_banned_addresses_are_cut(tmp_path: Path) -> None:
    write(tmp_path / "bans", "127.0.0.1\n")
    with serving(tmp_path, limits=Limits(bans=Bans(tmp_path / "bans"))) as server:
        answer = server.http.get("/api/health")
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")


def test_the_log_names_who_broke_a_limit(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    limits = Limits(requests_burst=3, requests_per_second=0.01)
    logging.getLogger("claimeven.server").propagate = True
    with serving(tmp_path, proxies=("127.0.0.1",), limits=limits) as server:
        for _ in range(20):
            server.at("192.0.2.7").http.get("/api/health")
        server.at("192.0.2.8").http.get("/api/health")
    said = [record for record in caplog.records if record.message == "over a limit"]
    assert [(record.address, record.limit) for record in said] == [("192.0.2.7", "requests")]  # type: ignore[attr-defined]


def test_strangers_do_not_fill_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("claimeven.server").propagate = True
    monkeypatch.setattr(bans, "MAX_BLAMED", 5)
    blame = bans.Blame()
    for number in range(100):
        blame(f"192.0.2.{number}", "requests")
    assert len(caplog.records) == 5


def test_the_operator_deletes_a_game(tmp_path: Path) -> None:
    with serving(tmp_path, operator_key=KEY) as server:
        game, first, _ = server.pair(name="Lan")
        with server.sit(game, first) as player, server.sit(game) as watcher:
            assert player.move(0, 4)["t"] == "ack"
            path = f"/api/operator/games/{game}"
            assert server.http.delete(path).status_code == 401
            key = {"Authorization": f"Bearer {KEY}"}
            assert server.http.delete(path, headers=key).status_code == 204
            assert (player.closing(), watcher.closing()) == (4004, 4004)
        assert server.http.get(f"/api/games/{game}").status_code == 404
        assert server.http.delete(path, headers=key).status_code == 404
        assert server.hub.store.counts() == {"games": 0, "moves": 0}
