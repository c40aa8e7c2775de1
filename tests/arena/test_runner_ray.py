"""The runner on a real Ray cluster of this machine: the same results, also when a worker is killed.

Slow: `make test-all` installs the extra `ray`.
"""

import json
import os
import signal
import socket
from pathlib import Path

import pytest

from claimeven import cli
from claimeven.arena import standings, store
from claimeven.arena.play import tournament
from claimeven.arena.play.played import Played
from claimeven.arena.play.schedule import Plan
from claimeven.arena.play.tournament import Standing
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.runner import on_ray, run, seed_of
from kit import runner_tasks as tasks
from kit.places import TESTS

PLAN = Plan(("mcts:simulations=300", "minimax:depth=4"), games=40, limit=Limit(nodes=3000), seed=9)


def test_without_ray_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install 'claimeven\[ray\]'"):
        on_ray("auto")


def workers_of_ray() -> list[int]:
    """The processes that work for a cluster started from here: grandchildren that call themselves so."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(b"ray::answer_of"):
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                grandparent = Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1]
                if int(grandparent) == os.getpid():
                    found.append(int(entry.name))
        except OSError:
            continue
    return found


def listening() -> set[str]:
    """Addresses other than loopback on which processes of this machine listen, with their ports."""
    found = set()
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        path = Path("/proc/net") / table
        for line in path.read_text().splitlines()[1:] if path.exists() else ():
            (local, port), state = line.split()[1].split(":"), line.split()[3]
            words = [bytes.fromhex(local[i : i + 8])[::-1] for i in range(0, len(local), 8)]
            address = socket.inet_ntop(family, b"".join(words))
            if state == "0A" and not address.startswith(("127.", "::1", "::ffff:127.")):
                found.add(f"{address} {int(port, 16)}")
    return found


def kept(folder: Path, games: list[Played]) -> tuple[bytes, bytes]:
    store.write(folder, games, standings.result(PLAN, games), "")
    return (folder / store.GAMES).read_bytes(), (folder / store.RESULT).read_bytes()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_tournament_on_ray_is_the_same_when_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    before, exposed, killed = listening(), set[str](), list[int]()

    def watch(standing: Standing) -> None:
        exposed.update(listening() - before)
        if standing.games >= 8 and not killed and (pids := workers_of_ray()):
            assert len(pids) <= 2
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    games = tournament.play(PLAN, watch=watch, execute=on_ray("auto", workers=2))
    assert killed, "no worker was there to be killed"
    assert not exposed, "the cluster can be reached from other machines"
    assert not workers_of_ray()
    assert kept(tmp_path / "ray", games) == kept(tmp_path / "local", tournament.play(PLAN, workers=2))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_deaths_and_errors_on_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    log = tmp_path / "log"
    items = [(str(log), i) for i in range(8)]
    assert list(run(tasks.die_once, items, execute=on_ray("auto", 2))) == list(range(8))
    with pytest.raises(ValueError, match="three is refused"):
        list(run(tasks.refuse_three, range(8), execute=on_ray("auto", 2)))
    results = list(run(tasks.die, range(4), seed=3, careful=tasks.echo, execute=on_ray("auto", 2)))
    assert results == [0, 1, [2, seed_of(3, 2)], 3]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_command_on_ray(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    options = ["arena", "rules", "first", "--games", "8", "--judge", "0", "--json", "--workers", "2"]
    assert cli.run([*options, "--ray", "auto"]) == 0
    on_cluster = json.loads(capsys.readouterr().out)
    assert cli.run(options) == 0
    assert json.loads(capsys.readouterr().out) == on_cluster
    assert cli.run([*options, "--ray", "127.0.0.1:1"]) == 2
    assert capsys.readouterr().err.startswith("claimeven: there is no Ray cluster at '127.0.0.1:1'")
