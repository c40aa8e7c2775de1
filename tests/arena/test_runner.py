"""The runner: order, seeds, resuming, interruption, death."""

import io
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from claimeven.errors import InputError
from claimeven.runner import Bar, Shard, WorkerError, run, seed_of, write_whole
from claimeven.runner.shard import Answers, Work
from kit import runner_tasks as tasks
from kit.places import TESTS


def logged_calls(log: Path) -> list[int]:
    return [int(line.split()[0]) for line in log.read_text().splitlines()]


# Order and seeds


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("per_shard", [1, 3, 100])
def test_results_come_in_order_and_depend_on_the_seed_only(workers: int, per_shard: int) -> None:
    results = list(run(tasks.late_first, range(10), workers=workers, seed=7, per_shard=per_shard))
    assert results == [[i, seed_of(7, i)] for i in range(10)]


def test_seeds() -> None:
    assert seed_of(7, 0) == 16403258703644632223, "the seeds of old runs must not change"
    seeds = {seed_of(seed, number) for seed in (-1, 0, 1, 2**70) for number in range(1000)}
    assert len(seeds) == 4000
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_no_items() -> None:
    assert list(run(tasks.echo, [], workers=2)) == []


@pytest.mark.parametrize("arguments", [{"workers": 0}, {"per_shard": 0}])
def test_impossible_runs_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="at least 1"):
        list(run(tasks.echo, [1], **arguments))


def test_one_worker_is_this_process_and_more_are_others() -> None:
    assert set(run(tasks.process_number, range(3))) == {os.getpid()}
    others = set(run(tasks.process_number, range(8), workers=2))
    assert len(others) == 2
    assert os.getpid() not in others


def test_results_come_while_others_are_computed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    items = [(str(log), i, 0.05) for i in range(100)]
    results = run(tasks.logged, items, workers=2)
    assert [next(results), next(results)] == [0, 1]
    assert len(logged_calls(log)) < 50
    results.close()
    assert multiprocessing.active_children() == []
    calls = logged_calls(log)
    time.sleep(0.2)
    assert logged_calls(log) == calls


def test_workers_have_ended_when_the_results_are_there() -> None:
    list(run(tasks.echo, range(4), workers=2))
    assert multiprocessing.active_children() == []


def test_from_a_thread() -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(run(tasks.echo, [5], workers=2)))
    thread.start()
    thread.join()
    assert found == [[5, seed_of(0, 0)]]


def test_work_can_be_done_elsewhere() -> None:
    def backwards(work: Work, shards: list[Shard]) -> Answers:
        for shard in reversed(shards):
            yield shard.number, work(shard)

    assert [item for item, _ in run(tasks.echo, "abcde", per_shard=2, execute=backwards)] == list("abcde")


# Errors and deaths


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_names_the_item(workers: int) -> None:
    results = run(tasks.refuse_three, range(8), workers=workers, per_shard=2)
    with pytest.raises(ValueError, match="three is refused") as raised:
        list(results)
    assert raised.value.__notes__[0] == "in item 3: 3"
    assert workers == 1 or "runner_tasks.py" in raised.value.__notes__[1]
    assert multiprocessing.active_children() == []


def test_an_exception_that_cannot_travel_is_told() -> None:
    with pytest.raises(RuntimeError, match="UnportableError: one and two") as raised:
        list(run(tasks.refuse_unportably, [1], workers=2))
    assert raised.value.__notes__[0] == "in item 0: 1"


def test_a_result_that_cannot_travel_is_told() -> None:
    with pytest.raises((AttributeError, RuntimeError), match="pickle"):
        list(run(tasks.answer_with_a_function, [1], workers=2))


def test_long_items_are_cut_in_messages() -> None:
    with pytest.raises(tasks.UnportableError) as raised:
        list(run(tasks.refuse_unportably, ["x" * 5000]))
    assert len(raised.value.__notes__[0]) < 250


def test_a_dead_worker_is_replaced_and_its_work_done_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    items = [(str(log), i) for i in range(8)]
    assert list(run(tasks.die_once, items, workers=2)) == list(range(8))
    assert sorted(logged_calls(log)) == [0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7]


@pytest.mark.parametrize(
    ("task", "how"),
    [(tasks.die, "the last one was killed by signal 11"), (tasks.leave, "the last exit code was 7")],
)
def test_work_that_always_kills_is_told(task: Any, how: str) -> None:
    with pytest.raises(WorkerError) as raised:
        list(run(task, range(6), workers=2))
    assert str(raised.value) == f"item 2: 3 workers died of it; {how}"
    with pytest.raises(WorkerError, match=r"^items 2 to 3: "):
        list(run(task, range(6), workers=2, per_shard=2))
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("task", [tasks.die, tasks.leave])
def test_work_that_killed_twice_is_done_carefully(task: Any) -> None:
    results = list(run(task, range(5), workers=2, seed=3, careful=tasks.echo))
    assert results == [0, 1, [2, seed_of(3, 2)], 3, 4]


# Folders


def test_a_folder_keeps_what_is_finished(tmp_path: Path) -> None:
    folder, log = tmp_path / "deep" / "run", tmp_path / "log"
    items = [(str(log), i, 0.0) for i in range(7)]
    for _ in range(2):
        results = list(run(tasks.logged, items, per_shard=3, folder=folder))
        assert results == [0, 1, 4, 9, 16, 25, 36]
        assert logged_calls(log) == list(range(7))
    names = ["000000.jsonl", "000001.jsonl", "000002.jsonl", "lock", "run.json"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert (folder / "000001.jsonl").read_text() == "9\n16\n25\n"
    assert json.loads((folder / "run.json").read_text())["items"] == 7
    (folder / "000001.jsonl").unlink()
    assert list(run(tasks.logged, items, per_shard=3, folder=folder, workers=2)) == results
    assert sorted(logged_calls(log)[7:]) == [3, 4, 5]


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    def attempt(items: Iterable[int] = range(4), **changes: Any) -> list[Any]:
        arguments: dict[str, Any] = {"seed": 1, "parameters": {"plies": 5, "name": [1, 2]}, "name": "book"}
        return list(run(tasks.echo, items, folder=tmp_path / "run", **(arguments | changes)))

    assert attempt() == attempt(workers=2)
    others: dict[str, dict[str, Any]] = {
        "its seed is 1, not 2": {"seed": 2},
        'its name is "book", not "other"': {"name": "other"},
        "its items is 4, not 5": {"items": range(5)},
        "its per_shard is 1, not 2": {"per_shard": 2},
    }
    for words, changes in others.items():
        with pytest.raises(InputError) as raised:
            attempt(**changes)
        assert str(raised.value) == f"{tmp_path / 'run'} holds another run: {words}"
    for parameters, words in (
        ({"plies": 6, "name": [1, 2]}, "its plies is 5, not 6"),
        ({"plies": 5, "name": [1, 2], "more": 1}, "its more is null, not 1"),
        ({"plies": 5}, r"its name is \[1, 2\], not null"),
    ):
        with pytest.raises(InputError, match=words):
            attempt(parameters=parameters)


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    results = list(run(tasks.echo, range(3), folder=folder))
    for damage in (b"", b"[0, 1]\n[0, 1]\n", b"[0,\n", b"\xff\n"):
        (folder / "000001.jsonl").write_bytes(damage)
        with pytest.raises(InputError, match=r"000001\.jsonl is damaged: without it"):
            list(run(tasks.echo, range(3), folder=folder))
    (folder / "000001.jsonl").unlink()
    assert list(run(tasks.echo, range(3), folder=folder)) == results
    for damage in (b"", b"[]", b"{}", b'{"parameters": 1}', b"\xff"):
        (folder / "run.json").write_bytes(damage)
        with pytest.raises(InputError, match=r"run\.json is damaged"):
            list(run(tasks.echo, range(3), folder=folder))
    (folder / "run.json").unlink()
    with pytest.raises(InputError, match="is neither empty nor the folder of a run"):
        list(run(tasks.echo, range(3), folder=folder))


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    first = run(tasks.echo, range(3), folder=tmp_path)
    next(first)
    with pytest.raises(InputError, match="another run is at work in"):
        list(run(tasks.echo, range(3), folder=tmp_path))
    assert len(list(first)) == 2
    assert len(list(run(tasks.echo, range(3), folder=tmp_path))) == 3


@pytest.mark.parametrize("item", [(1, 2), {1: 2}, float("nan")])
def test_what_json_cannot_keep_is_refused(item: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no JSON value"):
        list(run(tasks.echo, [item], folder=tmp_path))
    assert [path.name for path in tmp_path.glob("*.jsonl")] == []


def test_write_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


# Interruption

PROGRAM = """
import sys
sys.path.insert(0, {tests!r})
from kit import runner_tasks
from pathlib import Path
from claimeven.runner import run

if __name__ == "__main__":
    try:
        print("go", flush=True)
        items = [({log!r}, i, {seconds} if i >= {quick} else 0.01) for i in range(40)]
        list(run(runner_tasks.logged, items, workers=2, folder=Path({folder!r})))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def start(tmp_path: Path, quick: int, seconds: float) -> "subprocess.Popen[str]":
    """A program with a run on two workers: some quick items, then slow ones."""
    program = tmp_path / "program.py"
    log, folder = str(tmp_path / "log"), str(tmp_path / "run")
    program.write_text(PROGRAM.format(tests=str(TESTS), log=log, folder=folder, quick=quick, seconds=seconds))
    return subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that a signal to its group is a Ctrl-C for it and its workers
    )


def wait_for(condition: Any, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def check_resumption(tmp_path: Path) -> None:
    """Go on where it was: what is in the folder is not computed again."""
    log, folder = tmp_path / "log", tmp_path / "run"
    kept = {int(path.stem) for path in folder.glob("*.jsonl")}
    before = logged_calls(log)
    assert len(kept) >= 10
    assert len(before) == len(set(before)) <= len(kept) + 3  # on the way when it ended: two, or being written
    quick = [(str(log), i, 0.0) for i in range(40)]  # the same items, but nobody waits a minute this time
    assert list(run(tasks.logged, quick, folder=folder)) == [i * i for i in range(40)]
    assert sorted(logged_calls(log)[len(before) :]) == sorted(set(range(40)) - kept)


def test_killed_and_resumed(tmp_path: Path) -> None:
    child = start(tmp_path, quick=10, seconds=60)
    log, folder = tmp_path / "log", tmp_path / "run"
    wait_for(lambda: len(list(folder.glob("*.jsonl"))) == 10 and len(logged_calls(log)) == 12)
    workers = {int(line.split()[1]) for line in log.read_text().splitlines()}
    assert len(workers) == 2
    assert all(map(is_running, workers))
    child.kill()
    child.communicate()
    wait_for(lambda: not any(map(is_running, workers)), 10)  # though their tasks take a minute
    check_resumption(tmp_path)


def test_interrupted_and_resumed(tmp_path: Path) -> None:
    child = start(tmp_path, quick=10, seconds=60)
    log, folder = tmp_path / "log", tmp_path / "run"
    wait_for(lambda: len(list(folder.glob("*.jsonl"))) == 10 and len(logged_calls(log)) == 12)
    workers = {int(line.split()[1]) for line in log.read_text().splitlines()}
    os.killpg(child.pid, signal.SIGINT)
    began = time.monotonic()
    out, err = child.communicate(timeout=20)
    assert time.monotonic() - began < 5
    assert (out, err, child.returncode) == ("go\ninterrupted\n", "", 0)
    assert not any(map(is_running, workers))
    check_resumption(tmp_path)


@pytest.mark.parametrize("attempt", range(4))
def test_interrupted_at_any_moment_without_noise(attempt: int, tmp_path: Path) -> None:
    child = start(tmp_path, quick=30, seconds=60)
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(random.uniform(0, 0.6))
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert (out, err, child.returncode) == ("interrupted\n", "", 0)
    assert all(path.read_text().endswith("\n") for path in (tmp_path / "run").glob("0*.jsonl"))
    assert list((tmp_path / "run").glob(".*")) == []


# Progress


def test_progress_is_told_and_starts_with_what_is_kept(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    list(run(tasks.echo, range(5), per_shard=2, folder=tmp_path, progress=lambda *call: calls.append(call)))
    assert calls == [(0, 5), (2, 5), (4, 5), (5, 5)]
    (tmp_path / "000001.jsonl").unlink()
    calls.clear()
    list(run(tasks.echo, range(5), per_shard=2, folder=tmp_path, progress=lambda *call: calls.append(call)))
    assert calls == [(3, 5), (5, 5)]


def test_progress_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0
    monkeypatch.setattr("claimeven.runner.progress.time.monotonic", lambda: now)
    stream = io.StringIO()
    with Bar(stream) as bar:
        show = bar.of("solving")
        for now, done in ((0, 100), (1, 110), (40, 200), (41, 210), (100, 300), (101, 1000)):  # noqa: B007
            show(done, 1000)
    assert stream.getvalue().splitlines() == [
        "solving: 200 of 1000, about 5 min left",
        "solving: 300 of 1000, about 6 min left",
        "solving: 1000 of 1000",
    ]


def test_what_is_only_for_watchers_is_quiet_elsewhere() -> None:
    stream = io.StringIO()
    with Bar(stream, only_watched=True) as bar:
        bar.of("solving")(10, 10)
        bar.count("nodes")(10)
    assert stream.getvalue() == ""
