"""Perft and distinct positions: Python, C++ and the published numbers must all agree."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from claimeven import count
from claimeven.errors import InputError
from claimeven.position import Board, Position
from kit.referee import Referee

SMALL = {"4x4x4": "4x4k4", "5x4x4": "5x4k4", "5x5x4": "5x5k4", "4x4x3": "4x4k3"}  # names in oracles.json

# No published numbers: here three implementations must agree. Both sides of the 64-bit seam (8x7 is 64
# bits, 9x7 72; 2x31 64, 2x32 66; 1x63 64), the 128-bit end (1x127, 16x7, 32x3), connects out of reach.
UNPUBLISHED = [
    ("12x6x4", 3),
    ("6x4x4", 5),
    ("9x7x4", 3),
    ("8x7x4", 4),
    ("10x10x5", 3),
    ("16x7x5", 3),
    ("1x63x4", 63),
    ("1x127x4", 127),
    ("1x63x1", 63),
    ("2x31x2", 8),
    ("2x32x2", 8),
    ("2x31x4", 9),
    ("2x32x4", 9),
    ("2x63x3", 9),
    ("35x2x2", 2),
    ("35x1x3", 2),
    ("32x3x2", 2),
    ("3x3x4", 9),
    ("3x2x5", 6),
    ("3x3x1", 3),
    ("1x1x1", 1),
    ("1x1x2", 1),
    ("5x1x3", 5),
    ("1x5x3", 5),
    ("3x3x1000000", 6),
]


# The same counts with the readable rules -----------------------------------------------------------


def python_perft(position: Position, depth: int) -> tuple[int, int]:
    if depth == 0:
        return 1, int(position.winner is not None)
    below = [python_perft(position.play(column), depth - 1) for column in position.legal]
    return sum(total for total, _ in below), sum(won for _, won in below)


def python_plies(board: Board) -> Iterator[count.Distinct]:
    """What count.distinct_positions says, ply by ply, found with Position alone."""
    layer = {0: Position(board)}
    while layer:
        canonical = {p.canonical_key: p for p in layer.values()}
        won = sum(p.winner is not None for p in layer.values())
        yield count.Distinct(len(layer), won, len(canonical), sum(map(is_unforced, canonical.values())))
        children = (p.play(column) for p in layer.values() for column in p.legal)
        layer = {child.key: child for child in children}


def is_unforced(position: Position) -> bool:
    """Not over, and no stone of either side dropped now would complete a line."""
    board = position.board
    if position.winner is not None:
        return False
    for column in position.legal:
        landing = board.bit(column, position.height(column))
        if board.has_four(position.mine | landing) or board.has_four(position.theirs | landing):
            return False
    return True


# Published numbers ---------------------------------------------------------------------------------


def test_perft_is_as_published(oracles: dict[str, Any]) -> None:
    for row in oracles["perft"]["rows"][:12]:
        found = count.perft(Position(), row["ply"])
        assert found == (row["sequences"], row["games_won_at_ply"])


@pytest.mark.slow
def test_perft_is_as_published_to_ply_12(oracles: dict[str, Any]) -> None:
    row = oracles["perft"]["rows"][12]
    assert count.perft(Position(), 12) == (row["sequences"], row["games_won_at_ply"])


def test_perft_in_python_is_as_published(oracles: dict[str, Any]) -> None:
    for row in oracles["perft"]["rows"][:6]:
        assert python_perft(Position(), row["ply"]) == (row["sequences"], row["games_won_at_ply"])


def check_plies(plies: tuple[count.Distinct, ...], oracles: dict[str, Any]) -> None:
    totals = oracles["positions_per_ply"]["plies_0_42"]
    terminals = [row["terminal_win"] for row in oracles["wdl_per_ply"]["rows"]]
    folded = oracles["positions_up_to_reflection"]["plies_0_25"]
    last = len(plies)
    assert [ply.total for ply in plies] == totals[:last]
    assert [ply.won for ply in plies] == terminals[:last]
    assert [ply.canonical for ply in plies] == folded[:last]
    symmetric = [2 * ply.canonical - ply.total for ply in plies]
    assert symmetric == oracles["positions_up_to_reflection"]["symmetric_0_25"][:last]


def test_positions_are_as_published(oracles: dict[str, Any]) -> None:
    plies = count.distinct_positions(Board(), 12)
    assert (len(plies), plies[12].total) == (13, 12_236_101)
    check_plies(plies, oracles)


@pytest.mark.slow
def test_positions_are_as_published_to_ply_14(oracles: dict[str, Any]) -> None:
    check_plies(count.distinct_positions(Board(), 14), oracles)


def test_positions_in_python_are_as_published(oracles: dict[str, Any]) -> None:
    plies = tuple(ply for _, ply in zip(range(7), python_plies(Board()), strict=False))
    check_plies(plies, oracles)
    assert plies == count.distinct_positions(Board(), 6)


def test_the_uci_positions(oracles: dict[str, Any]) -> None:
    """Eight stones, nobody can win at once: the 67,557 positions of the UCI data set."""
    ply = count.distinct_positions(Board(), 8)[8]
    assert ply.unforced == oracles["uci_8ply"]["unforced_up_to_reflection"] == 67_557
    assert ply.total - ply.won == oracles["uci_8ply"]["nonterminal"]


def test_the_uci_positions_in_python() -> None:
    plies = [ply for _, ply in zip(range(9), python_plies(Board()), strict=False)]
    assert plies[8] == count.Distinct(184_275, 1_892, 92_244, 67_557)


@pytest.mark.parametrize("board", ["4x4x4", "4x4x3", pytest.param("5x4x4", marks=pytest.mark.slow)])
def test_small_boards_to_the_end(board: str, oracles: dict[str, Any]) -> None:
    on, published = Board.parse(board), oracles["small_boards_per_ply"][SMALL[board]]
    plies = count.distinct_positions(on, on.cells)
    assert [ply.total for ply in plies] == published["positions"]
    if "terminal_wins" in published:
        assert [ply.won for ply in plies] == published["terminal_wins"]


@pytest.mark.parametrize("board", ["4x4x3", pytest.param("4x4x4", marks=pytest.mark.slow)])
def test_small_boards_to_the_end_in_python(board: str) -> None:
    on = Board.parse(board)
    assert tuple(python_plies(on)) == count.distinct_positions(on, on.cells)


@pytest.mark.parametrize("board", SMALL)
def test_small_boards(board: str, oracles: dict[str, Any]) -> None:
    on, published = Board.parse(board), oracles["small_boards_per_ply"][SMALL[board]]
    for depth in range(11):
        found = count.perft(Position(on), depth)
        assert found.total == published["perft"][depth]
        assert found.won == published.get("won_at_ply", {depth: found.won})[depth]
        if depth < 6:
            assert python_perft(Position(on), depth) == found
    plies = count.distinct_positions(on, 12)
    assert [ply.total for ply in plies] == published["positions"][:13]


@pytest.mark.parametrize("board", ["4x4x3", pytest.param("4x4x4", marks=pytest.mark.slow)])
def test_perft_of_small_boards_to_the_end(board: str, oracles: dict[str, Any]) -> None:
    on, published = Board.parse(board), oracles["small_boards_per_ply"][SMALL[board]]
    assert [count.perft(Position(on), depth).total for depth in range(17)] == published["perft"]


@pytest.mark.slow
def test_5x5_to_the_end(oracles: dict[str, Any]) -> None:
    plies = count.distinct_positions(Board(5, 5), 25)
    assert [ply.total for ply in plies] == oracles["small_boards_per_ply"]["5x5k4"]["positions"]


def test_totals_of_many_boards(oracles: dict[str, Any]) -> None:
    published = {f"{size}x4": total for size, total in oracles["positions_total_by_board"]["values"].items()}
    for name, total in oracles["positions_total_other_k"]["values"].items():
        published[name.replace("k", "x")] = total
    tried = {name: total for name, total in published.items() if total <= 1_800_000}
    assert len(tried) > 50
    for name, total in tried.items():
        board = Board.parse(name)
        plies = count.distinct_positions(board, board.cells)
        assert sum(ply.total for ply in plies) == total, name
        if total < 5000:
            assert tuple(python_plies(board)) == plies, name


# No published numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "depth"), UNPUBLISHED)
def test_python_core_and_referee_agree(board: str, depth: int) -> None:
    on = Board.parse(board)
    for moves in {0, 1, 2, depth // 2, depth}:
        found = count.perft(Position(on), moves)
        assert python_perft(Position(on), moves) == found
        assert Referee(on.columns, on.rows, on.connect).perft(moves) == found
    plies = count.distinct_positions(on, depth)
    assert tuple(ply for _, ply in zip(range(depth + 1), python_plies(on), strict=False)) == plies


@pytest.mark.parametrize("board", [board for board, _ in UNPUBLISHED] + ["7x6x4", "5x5x3", "4x8x4"])
def test_python_and_core_agree_to_the_end_of_random_games(board: str) -> None:
    """From a few moves before the end: the top rows and the last columns are tried too."""
    on = Board.parse(board)
    for seed in range(12):
        rng = random.Random(f"{board} {seed}")
        line = [Position(on)]
        while not line[-1].is_over:
            line.append(line[-1].play(rng.choice(line[-1].legal)))
        for back in (0, 1, 2, 3):
            position = line[max(0, len(line) - 1 - back)]
            for depth in range(back + 1):
                assert python_perft(position, depth) == count.perft(position, depth)


def test_the_mirror_image_counts_the_same() -> None:
    for moves in ("", "1", "12", "4453", "1122", "7261"):
        position = Position.parse(moves)
        assert count.perft(position, 5) == count.perft(position.mirror(), 5)


def test_a_finished_game_has_no_continuation() -> None:
    won = Position.parse("1212121")
    assert count.perft(won, 0) == (1, 1)
    assert count.perft(won, 1) == (0, 0)


def test_nothing_comes_after_the_last_cell() -> None:
    assert count.perft(Position(), 43) == (0, 0)
    assert count.perft(Position(Board(2, 2)), 5) == (0, 0)
    assert len(count.distinct_positions(Board(2, 2), 100)) == 5


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(InputError, match="at least 0"):
        count.perft(Position(), -1)
    with pytest.raises(InputError, match="at least 0"):
        count.distinct_positions(Board(), -1)


def test_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit itself is tried in tests/native/board.cpp, with a smaller one."""

    def refuse(*_: int) -> None:
        raise ValueError("the positions of ply 15 do not fit in memory")

    monkeypatch.setattr("claimeven._core.count_positions", refuse)
    with pytest.raises(InputError, match="ply 15 do not fit in memory"):
        count.distinct_positions(Board(), 20)
