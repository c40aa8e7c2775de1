"""Openings: complete, distinct, balanced where they say so, the same for the same seed."""

from pathlib import Path

import pytest

from claimeven.arena.play.openings import layer, suite
from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.solver import Solver


@pytest.mark.parametrize(("name", "count"), [("0-ply", 1), ("1-ply", 4), ("2-ply", 25), ("3-ply", 121)])
def test_all_openings_of_a_ply(name: str, count: int) -> None:
    found = suite(name, Board(), 10_000)
    assert len(found) == count == len({position.canonical_key for position in found})
    assert {position.ply for position in found} == {int(name[0])}


def test_with_mirror_images_the_counts_are_the_published_ones() -> None:
    assert [len({p.key for q in layer(Board(), ply) for p in (q, q.mirror())}) for ply in (2, 3, 4)] == [
        49,
        238,
        1120,
    ]


def test_every_balanced_position_of_ply_6_is_found() -> None:
    found = suite("balanced-6", Board(), 10_000)
    assert len({p.key for q in found for p in (q, q.mirror())}) == 1943


def test_balanced_openings_are_drawn_and_varied() -> None:
    found = suite("balanced", Board(), 60, seed=3)
    assert [position.ply for position in found] == [6, 8] * 30
    assert {score.value for score in Solver(megabytes=16).scores(found)} == {0}
    assert len({position.canonical_key for position in found}) == 60
    # From the beginning they differ in more than the last two moves.
    assert len({position.moves[:4] for position in found if position.moves}) > 40


def test_balanced_on_another_board() -> None:
    found = suite("balanced-2", Board(4, 4), 100)
    assert found
    assert {Solver(megabytes=16).outcome(position) for position in found} == {"draw"}


@pytest.mark.parametrize("name", ["short", "3-ply", "balanced-6"])
def test_the_same_seed_gives_the_same_openings(name: str) -> None:
    def moves(seed: int) -> list[str | None]:
        return [position.moves for position in suite(name, Board(), 20, seed)]

    assert moves(1) == moves(1) != moves(2)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# my openings\n44  # centre\n\n7/7/7/7/7/3x3 o\n44\n")
    found = suite(str(path), Board(), 10)
    assert {str(position) for position in found} == {
        str(Position.parse(text)) for text in ("44", "7/7/7/7/7/3x3 o")
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("48\n", "line 1 of .*: character 2 of '48'"),
        ("4\n\n1212121\n", "line 3 of .*: '1212121': the game is over"),
        ("# nothing\n", "there are none"),
    ],
)
def test_bad_files_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        suite(str(path), Board(), 10)


@pytest.mark.parametrize(
    ("name", "board", "words"),
    [
        ("4ply", Board(), "neither short, N-ply"),
        ("9-ply", Board(), "at most 8 stones"),
        ("balanced-99999", Board(), "at most 8 stones"),
        ("balanced", Board(9, 7), "at most 42 cells"),
        ("balanced-8", Board(2, 2, 2), "no position with 8 stones is drawn"),
        ("5-ply", Board(2, 2, 2), "there are none"),
    ],
)
def test_impossible_suites_are_refused(name: str, board: Board, words: str) -> None:
    with pytest.raises(InputError, match=words):
        suite(name, board, 10)
