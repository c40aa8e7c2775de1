"""What an operator sets by the environment."""

from pathlib import Path

import httpx
import pytest

from claimeven import cli
from claimeven.errors import InputError
from claimeven.server.doors.limits import Limits
from claimeven.server.environment import adjustable, adjusted
from claimeven.server.settings import Settings
from faults.process import ServerProcess
from kit.serving import NO_TLS, PATIENCE


def test_every_number_has_a_variable_of_its_own() -> None:
    names = [*adjustable(Settings()), *adjustable(Limits())]
    assert len(names) == len(set(names))
    assert {"grace", "games_burst", "hello_seconds", "max_unsent"} <= set(names)
    assert not {"open_connections", "trusts_local", "proxies", "counters"} & set(names)


def test_numbers_are_adjusted() -> None:
    environment = {"CLAIMEVEN_GRACE": "2000", "CLAIMEVEN_GAMES_PER_SECOND": "2.5", "CLAIMEVEN_SWEEP": ""}
    assert adjusted(Settings(), environment) == Settings(grace=2000)
    assert adjusted(Settings(), {"CLAIMEVEN_KEEP_DAYS": "0"}) == Settings()  # what is off may be said off
    assert adjusted(Limits(), environment).games_per_second == 2.5


@pytest.mark.parametrize("text", ["0", "-1", "many", "nan", "inf", "2.5"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="CLAIMEVEN_GRACE is a number above 0, not"):
        adjusted(Settings(), {"CLAIMEVEN_GRACE": text})


def test_a_server_reads_its_environment(tmp_path: Path) -> None:
    variables = {"CLAIMEVEN_MAX_BODY": "100", "CLAIMEVEN_ORIGIN": "https://one.example https://two.example"}
    with ServerProcess(tmp_path, variables=variables) as server:
        wish = {"seats": [{"kind": "me"}, {"kind": "me"}], "name": "x" * 100}
        answer = httpx.post(f"{server.address}/api/games", json=wish, timeout=PATIENCE, verify=NO_TLS)
        assert answer.status_code == 413
        known = {"Host": "two.example"}, {"Host": "three.example"}
        codes = [
            httpx.get(server.address, headers=host, timeout=PATIENCE, verify=NO_TLS).status_code
            for host in known
        ]
        assert codes == [200, 403]


def test_playing_here_reads_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("CLAIMEVEN_GRACE", "many")
    assert cli.run(["play"]) == 2
    assert "CLAIMEVEN_GRACE is a number above 0, not 'many'" in capsys.readouterr().err
