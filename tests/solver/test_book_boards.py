"""Books of other boards: exact, named by their board, and found by whoever needs them."""

import json
import random
from pathlib import Path

import pytest

from claimeven import _core, book, cli
from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.server.study.analysis import book_plies
from claimeven.solver import Solver, open_book, own_path
from kit.plain_solver import plain_score, random_position

Capture = pytest.CaptureFixture[str]
BOARDS = [("4x4x4", 5), ("4x4x3", 4), ("5x3x3", 6), ("3x5x3", 5), ("2x2x2", 3), ("1x9x4", 8), ("6x2x7", 3)]
FOLDER = Path(book.__file__).parent / "data" / "books"
LARGEST = 200_000


def built(tmp_path: Path, size: str, plies: int) -> Path:
    path = tmp_path / f"{size}.bin"
    book.build(plies, path, board=Board.parse(size), megabytes=4)
    return path


@pytest.mark.parametrize(("size", "plies"), BOARDS)
def test_every_position_has_the_score_of_plain_minimax(size: str, plies: int, tmp_path: Path) -> None:
    board, path = Board.parse(size), built(tmp_path, size, plies)
    solver, known = Solver(book=path), dict[int, int]()
    layer = {Position(board).key: Position(board)}
    for _ in range(plies + 1):
        for position in layer.values():
            assert solver.score(position).value == plain_score(position, known), position.moves
            set_up = Position.from_stones(board, *stones_of(position))
            assert solver.score(set_up).value == plain_score(position, known)
        children = [p.play(c) for p in layer.values() for c in p.legal]
        layer = {child.key: child for child in children}
    assert [*book.verify(path, sample=5)][1].startswith("All ")


def stones_of(position: Position) -> tuple[int, int]:
    mine, theirs = position.mine, position.mine ^ position.mask
    return (mine, theirs) if position.side == 0 else (theirs, mine)


def test_a_book_is_looked_into_and_not_searched(tmp_path: Path) -> None:
    path = built(tmp_path, "6x4", 4)
    start = Position(Board(6, 4))
    assert Solver(book=path).solve(start).nodes == 0 < Solver(book=False).solve(start).nodes
    # Of another board it says nothing.
    assert (
        Solver(book=path).solve(Position(Board(4, 6))).nodes
        == Solver(book=False).solve(Position(Board(4, 6))).nodes
    )


def test_stones_that_no_game_leads_to_are_searched(tmp_path: Path) -> None:
    board = Board(5, 4)
    path = built(tmp_path, "5x4", 6)
    for text in ("5/5/ox3/oxx2 o 5x4x4", "5/xo3/ox3/ox3 x 5x4x4", "5/5/xo2x/ox2o x 5x4x4"):
        position = Position.parse(text)
        assert position.board == board
        assert Solver(book=path).score(position) == Solver(book=False).score(position)


def test_the_command_builds_where_every_solver_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    board = Board.parse("6x4x4")
    start = Position(board)
    assert Solver().solve(start).nodes > 0
    assert cli.run(["book", "build", "--board", "6x4", "--plies", "3", "--workers", "1"]) == 0
    path = own_path(board)
    told_of = capsys.readouterr().out
    assert (told_of.split(":")[0], " positions to ply 3 in " in told_of) == (str(path), True)
    assert Solver().solve(start).nodes == 0
    assert book_plies(start) == 3
    assert cli.run(["book", "info", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["board"], told["version"], told["plies"]) == ("6x4x4", 2, 3)
    assert cli.run(["solve", "--board", "6x4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"] == -1
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    other = own_path(board)
    other.parent.mkdir(parents=True)
    other.write_bytes(path.read_bytes()[:-1])
    assert cli.run(["solve", "--board", "6x4"]) == 2
    assert capsys.readouterr().err == f"claimeven: book {other}: the file is damaged\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--board 8x8 --plies 2", "8x8x4 can have no book: columns x (rows + 1) must be at most 64"),
        ("--board 2x2 --plies 4", "a book has 0 to 3 plies, not 4"),
        ("--board 6x5 --plies 2 --from 5x4.bin", "book 5x4.bin is of 5x4x4"),
        ("--board nine --plies 2", "a board is written columns x rows x connect"),
    ],
)
def test_refusals(
    arguments: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    built(tmp_path, "5x4", 2).rename("5x4.bin")
    assert cli.run(["book", "build", "--out", "out.bin", *arguments.split()]) == 2
    assert capsys.readouterr().err.startswith(f"claimeven: {words}")


def test_a_book_of_a_board_that_can_have_none_is_damaged(tmp_path: Path) -> None:
    path = built(tmp_path, "5x4", 2)
    whole = path.read_bytes()
    for size in (bytes([8, 8, 4]), bytes([0, 4, 4]), bytes([5, 4, 0]), bytes([255, 255, 255])):
        path.write_bytes(whole[:9] + size + whole[12:])
        with pytest.raises(InputError, match="the file is damaged"):
            open_book(path)
    path.write_bytes(whole[:9] + bytes([4, 5, 4]) + whole[12:])  # another board: the checksum tells
    with pytest.raises(InputError, match="the file is damaged"):
        open_book(path)


def test_the_core_refuses_what_has_no_book() -> None:
    with pytest.raises(ValueError, match="at most 64 bits"):
        _core.book_layer(8, 8, 4, 2)


# Those that come with the package ------------------------------------------------------------------

SHIPPED = sorted(FOLDER.glob("*.bin"))


def test_some_are_shipped() -> None:
    assert len(SHIPPED) >= 3


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_books_are_small_and_found(path: Path) -> None:
    about = book.describe(path)
    assert path.name == f"book-{about.board}.bin"
    assert about.bytes <= LARGEST
    assert Solver().solve(Position(about.board)).nodes == 0


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_books_have_the_scores_that_search_finds(path: Path) -> None:
    about, seed = book.describe(path), random.Random(8)
    with_book, without = Solver(book=path, megabytes=16), Solver(book=False, megabytes=16)
    for _ in range(3):
        position = random_position(about.board, seed, about.plies)
        assert with_book.score(position) == without.score(position), position.moves


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_books_are_whole_and_agree_from_ply_to_ply(path: Path) -> None:
    assert len([*book.verify(path, sample=300)]) == 3
