"""Labelled positions: exact, the same bytes for the same seed, resumable."""

import json
from pathlib import Path

import numpy as np
import pytest

from claimeven import Board, Solver
from claimeven.agents.kinds.network import shipped_path
from claimeven.arrays import positions_of
from claimeven.cli import run
from claimeven.count import distinct_positions
from claimeven.errors import InputError
from claimeven.learn.labels import ILLEGAL, LOST, VALUE, WON, Wanted, make, make_labels, merged, read_labels
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.sample import all_positions

SMALL = Wanted("5x4x4", (3, 12))


def test_every_column_has_its_exact_score() -> None:
    labels, solver = make_labels(SMALL, 300, seed=1), Solver(megabytes=16)
    positions = positions_of(labels.words(), labels.board)
    assert len(positions) > 200
    assert {position.ply for position in positions} == set(range(3, 13))
    for position, row in zip(positions, labels.scores, strict=True):
        assert position.key == position.canonical_key
        exact = {column: score.value for column, score in solver.analyse(position).scores.items()}
        assert {c: int(value) for c, value in enumerate(row) if value != ILLEGAL} == exact


def test_an_outcome_is_the_sign_of_the_score() -> None:
    exact = make_labels(SMALL, 200, seed=1)
    rough = make_labels(Wanted("5x4x4", (3, 12), only_outcome=True), 200, seed=1)
    assert (exact.keys == rough.keys).all()
    assert set(np.unique(rough.scores)) == {ILLEGAL, LOST, 0, WON}
    is_legal = exact.scores != ILLEGAL
    assert (np.sign(exact.scores[is_legal]) * np.int8(WON) == rough.scores[is_legal]).all()
    both = merged(exact.board, [(rough.keys, rough.scores), (exact.keys, exact.scores)], {})
    assert (both.scores == exact.scores).all()


def test_a_mere_value_is_the_best_score() -> None:
    exact = make_labels(SMALL, 200, seed=1)
    short = make_labels(Wanted("5x4x4", (3, 12), only_value=True), 200, seed=1)
    is_legal = exact.scores != ILLEGAL
    assert ((short.scores != ILLEGAL) == is_legal).all()
    best = np.broadcast_to(exact.scores.max(axis=1, keepdims=True) + VALUE, exact.scores.shape)
    assert (short.scores[is_legal] == best[is_legal]).all()
    rough = make_labels(Wanted("5x4x4", (3, 12), only_outcome=True), 200, seed=1)
    for better, worse in ((exact, short), (rough, short)):
        both = merged(exact.board, [(worse.keys, worse.scores), (better.keys, better.scores)], {})
        assert (both.scores == better.scores).all()


def test_the_same_seed_gives_the_same_bytes_also_when_interrupted(tmp_path: Path) -> None:
    small = Wanted("4x4x4", (2, 9))
    make_labels(small, 4500, seed=5).write(tmp_path / "one")
    make_labels(small, 4500, seed=5, workers=2, folder=tmp_path / "kept").write(tmp_path / "two")
    shards = sorted((tmp_path / "kept").glob("*.jsonl"))
    assert len(shards) == 3
    shards[1].unlink()  # as if it had been stopped before that one
    make_labels(small, 4500, seed=5, folder=tmp_path / "kept").write(tmp_path / "three")
    make_labels(small, 4500, seed=6).write(tmp_path / "other")
    contents = [(tmp_path / name).read_bytes() for name in ("one", "two", "three", "other")]
    assert contents[0] == contents[1] == contents[2] != contents[3]
    with pytest.raises(InputError, match="another"):
        make_labels(SMALL, 4500, seed=5, folder=tmp_path / "kept")


def test_every_position_is_there_once() -> None:
    labels = make_labels(Wanted("5x4x4", (0, 6), every=True), 1)
    plies = np.bitwise_count(Geometry(labels.board).stones_of(labels.keys)[1])
    assert (labels.keys[1:] > labels.keys[:-1]).all()
    counted = [ply.total - ply.won for ply in distinct_positions(Board(5, 4, 4), 6)]
    images = np.where(labels.keys == Geometry(labels.board).mirror(labels.keys), 1, 2)
    assert [int(images[plies == ply].sum()) for ply in range(7)] == counted


def test_every_position_is_counted_once_not_for_every_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def counting(geometry: Geometry, plies: int) -> "tuple[np.ndarray, np.ndarray]":
        counted.append(plies)
        return all_positions(geometry, plies)

    monkeypatch.setattr(make, "all_positions", counting)
    labels = make_labels(Wanted("6x4x4", (0, 6), every=True), 1)
    assert len(labels.keys) > 2 * make.SHARD
    assert counted == [6]


def test_positions_that_a_network_is_unsure_of() -> None:
    sure, unsure = (
        make_labels(Wanted("7x6x4", (30, 36), network=str(shipped_path("tiny")), unsure=unsure), 40, seed=2)
        for unsure in (0.0, 0.2)
    )
    decisive = [_decisive(labels.scores) for labels in (sure, unsure)]
    assert decisive[1] > decisive[0]


def _decisive(scores: "np.ndarray") -> float:
    """The share of positions whose columns differ in outcome."""
    rows = [{int(np.sign(value)) for value in row if value != ILLEGAL} for row in scores]
    return sum(len(row) > 1 for row in rows) / len(rows)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "labels"
    asked = [
        "label",
        "--board",
        "4x4",
        "--plies",
        "4-8",
        "--count",
        "100",
        "--workers",
        "1",
        "--out",
        str(out),
    ]
    assert run([*asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    labels = read_labels(out)
    assert said == {"board": "4x4x4", "positions": len(labels.keys), "bytes": out.stat().st_size}
    assert labels.board == Board(4, 4, 4)
    for more, reason in (
        ([], "is there already"),
        (["--plies", "8-4", "--out", str(out) + "2"], "plies are two numbers"),
        (["--plies", "4-99", "--out", str(out) + "2"], "plies are two numbers"),
        (["--plies", "x", "--out", str(out) + "2"], "plies are two numbers"),
        (["--network", "x", "--out", str(out) + "2"], "knows 7x6x4 only"),
        (["--outcome", "--value", "--out", str(out) + "2"], "exclude each other"),
        (["--board", "9x9", "--out", str(out) + "2"], "cannot be labelled"),
    ):
        assert run([*asked, *more]) == 2
        assert reason in capsys.readouterr().err


def test_what_is_no_file_of_labels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    make_labels(Wanted("4x4x4", (4, 6)), 50).write(path)
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    for content, reason in ((bytes(data), "damaged"), (b"hello", "no file of labels")):
        path.write_bytes(content)
        with pytest.raises(InputError, match=reason):
            read_labels(path)
