"""The exact solver: every answer against an independent one."""

import hashlib
import pickle
import random
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from claimeven import pons
from claimeven.position import Board, Position
from claimeven.solver import Score, Solver, outcome_of, score_of
from kit.plain_solver import plain_score, random_position


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(book=False)


def scored(name: str, step: int = 1) -> list[pons.Scored]:
    return pons.read_set(name)[::step]


# Scores as values --------------------------------------------------------------------------------


def test_a_score_in_words() -> None:
    assert [str(score_of(value, 42, 4)) for value in (19, 1, 0, -1, -18)] == [
        "wins in 1 move",
        "wins in 19 moves",
        "draw",
        "loses in 19 moves",
        "loses in 2 moves",
    ]
    won = Solver().score(Position.parse("1122334"))
    assert (won, str(won), str(-won)) == (Score(-18, 0), "has lost", "has won")


def test_scores_compare_and_change_sign() -> None:
    win, draw, loss = Score(3, 5), Score(0, None), Score(-3, 5)
    assert loss < draw < win
    assert win > draw
    assert max(draw, win, loss) is win
    assert -win == loss
    assert (-win).moves == 5
    assert -draw == draw
    assert [score.outcome for score in (win, draw, loss)] == ["win", "draw", "loss"]
    assert [int(score) for score in (win, draw, loss)] == [3, 0, -3]
    assert {win, Score(3, 5), draw} == {draw, win}
    assert pickle.loads(pickle.dumps(win)) == win
    assert repr(win) == "Score(value=3, moves=5)"
    assert (win == 3, win > 2, abs(loss), loss < 0, draw == 0.0, win == 4, win == "3") == (
        (True, True, 3, True, True, False, False)
    )
    with pytest.raises(AttributeError):
        win.value = 4


def test_moves_of_a_score_on_both_parities() -> None:
    """A value stands for two numbers of stones; the side to move tells which."""
    for cells in (9, 12):
        for ply in range(cells):
            for move in range(1, (cells - ply + 1) // 2 + 1):
                before = ply + 2 * (move - 1)  # stones when the side to move wins with this move
                assert score_of((cells + 1 - before) // 2, cells, ply).moves == move
            for move in range(1, (cells - ply) // 2 + 1):
                before = ply + 1 + 2 * (move - 1)
                assert score_of(-((cells + 1 - before) // 2), cells, ply).moves == move


# Published scores --------------------------------------------------------------------------------


def test_the_sets_are_the_published_ones(oracles: dict[str, Any]) -> None:
    for name, entry in oracles["pons_test_sets"]["files"].items():
        data = (files("claimeven") / "data" / "pons" / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert pons.NAMES[name.removeprefix("Test_")] == entry["name"]


@pytest.mark.parametrize(
    ("name", "step"), [("L3_R1", 1), ("L2_R1", 1), ("L1_R1", 1), ("L2_R2", 1), ("L1_R2", 12), ("L1_R3", 120)]
)
def test_published_scores(name: str, step: int, solver: Solver) -> None:
    wrong = {
        moves: score
        for moves, score in scored(name, step)
        if int(solver.score(Position.parse(moves))) != score
    }
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("name", ["L1_R2", "L1_R3"])
def test_all_published_scores(name: str, part: int, solver: Solver) -> None:
    wrong = {
        moves: score
        for moves, score in scored(name)[part::10]
        if int(solver.score(Position.parse(moves))) != score
    }
    assert wrong == {}


@pytest.mark.parametrize("name", pons.NAMES)
def test_published_scores_with_the_book(name: str) -> None:
    solver = Solver(threads=2)
    some = scored(name, step=5 if name != "L1_R2" else 25)
    assert [int(s) for s in solver.scores(Position.parse(p.moves) for p in some)] == [p.score for p in some]


@pytest.mark.parametrize(
    ("name", "step"),
    [
        *(("L3_R1", 10), ("L2_R1", 10), ("L1_R1", 100), ("L2_R2", 50), ("L1_R2", 400)),
        pytest.param("L1_R3", 100, marks=pytest.mark.slow),
    ],
)
def test_children_solved_separately(name: str, step: int, solver: Solver) -> None:
    """The analysis, the score and each child with a table that knows nothing: all the same."""
    for moves, score in scored(name, step):
        position = Position.parse(moves)
        solver.clear()
        analysis = solver.analyse(position)
        assert analysis.is_exact
        assert analysis.score is not None
        assert int(analysis.score) == score
        assert set(analysis.scores) == set(position.legal)
        for column, found in analysis.scores.items():
            solver.clear()
            child = solver.score(position.play(column))
            assert found == -child
            # The stone in this column is a move of the side to move.
            if found.moves is not None and child.moves is not None:
                assert found.moves == child.moves + (found.value > 0)
        assert max(analysis.scores.values()) == analysis.score
        assert analysis.best == tuple(c for c, s in analysis.scores.items() if s == analysis.score)
        assert solver.outcome(position) == outcome_of(score)


# Plain minimax -----------------------------------------------------------------------------------

# Board, and how many empty cells plain minimax can take.
BOARDS = [
    ("1x1x1", 1),
    ("1x1x4", 1),
    ("2x2x2", 4),
    ("2x3x2", 6),
    ("3x3x3", 9),
    ("3x4x3", 11),
    ("4x3x3", 11),
    ("4x3x4", 11),
    ("3x5x4", 11),
    ("4x4x3", 11),
    ("4x4x4", 11),
    ("5x3x3", 10),
    ("5x4x5", 9),
    ("5x5x4", 9),
    ("5x5x1", 9),
    ("6x5x2", 9),
    ("4x4x9", 10),
    ("7x6x4", 9),
    ("7x6x3", 9),
    ("7x6x5", 8),
    ("8x7x4", 8),
    ("9x3x3", 8),
    ("12x2x3", 9),
    ("35x1x4", 8),
    ("3x20x4", 11),
    ("1x63x4", 20),
    ("9x7x4", 8),
    ("20x5x4", 8),
    ("16x7x5", 8),
    ("18x6x4", 8),
    ("2x60x4", 14),
    ("1x127x3", 20),
]


def some_positions(board: Board, empties: int, count: int, seed: object) -> Iterator[Position]:
    generator = random.Random(f"{board} {seed}")
    for _ in range(count):
        ply = board.cells - generator.randint(0, min(empties, board.cells))
        yield random_position(board, generator, ply, may_be_over=True)


@pytest.mark.parametrize(("text", "empties"), BOARDS)
def test_plain_minimax_agrees(text: str, empties: int, solver: Solver) -> None:
    board = Board.parse(text)
    for position in some_positions(board, empties, 25, "minimax"):
        if board.cells - position.ply > empties:  # over before that
            continue
        score = plain_score(position)
        assert int(solver.score(position)) == score, str(position)
        assert solver.outcome(position) == outcome_of(score)
        analysis = solver.analyse(position)
        assert {c: int(s) for c, s in analysis.scores.items()} == {
            c: -plain_score(position.play(c)) for c in position.legal
        }


@pytest.mark.parametrize("text", ["3x3x3", "4x3x3", "3x4x3", "2x5x3", "4x3x4", "7x1x3", "5x2x3"])
def test_every_position_of_tiny_boards(text: str, solver: Solver) -> None:
    known: dict[int, int] = {}
    start = Position(Board.parse(text))
    plain_score(start, known)
    todo, seen = [start], set()
    while todo:
        position = todo.pop()
        if position.key in seen:
            continue
        seen.add(position.key)
        assert int(solver.score(position)) == plain_score(position, known), str(position)
        todo += [position.play(column) for column in position.legal]


# What must hold everywhere -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "empties"), [*BOARDS, ("7x6x4", 24), ("6x5x4", 22), ("9x7x4", 18), ("13x8x4", 14)]
)
def test_lines_lead_to_the_claimed_end(text: str, empties: int, solver: Solver) -> None:
    board = Board.parse(text)
    for position in some_positions(board, empties, 12, "line"):
        analysis = solver.analyse(position)
        score = analysis.score
        assert score is not None
        assert (analysis.best == ()) == (analysis.line == ()) == position.is_over
        end = position
        for column in analysis.line:
            end = end.play(column)  # refuses what is not legal
        assert end.is_over
        assert set(analysis.line[:1]) <= set(analysis.best)
        if score.value == 0:
            assert end.winner is None
            continue
        winner = position.side if score.value > 0 else 1 - position.side
        assert end.winner == winner
        moves = [ply for ply in range(position.ply, end.ply) if ply % 2 == winner]
        assert len(moves) == score.moves
        assert abs(score.value) == (board.cells + 2 - end.ply) // 2


@pytest.mark.parametrize(("text", "empties"), [("7x6x4", 22), ("6x7x4", 22), ("9x4x4", 20), ("5x5x3", 25)])
def test_mirror_and_negamax(text: str, empties: int, solver: Solver) -> None:
    board = Board.parse(text)
    for position in some_positions(board, empties, 25, "mirror"):
        analysis = solver.analyse(position)
        solver.clear()
        mirrored = solver.analyse(position.mirror())
        assert mirrored.score == analysis.score
        assert {board.columns - 1 - c: s for c, s in mirrored.scores.items()} == analysis.scores
        if not position.is_over:
            assert analysis.score == max(-solver.score(position.play(c)) for c in position.legal)


def test_the_same_for_all_threads_tables_and_books() -> None:
    options: list[dict[str, Any]] = [
        {"megabytes": 1},
        {"threads": 2},
        {"threads": 3, "megabytes": 2},
        {"book": True},
    ]
    plain, others = Solver(book=False), [Solver(**{"book": False} | option) for option in options]
    some = [
        Position.parse(moves) for name in pons.NAMES for moves, _ in scored(name, 150)[:6] if name != "L1_R3"
    ]
    some += [random_position(Board(8, 7), random.Random(i), 38) for i in range(10)]
    for position in some:
        mine, outcome = plain.analyse(position), plain.outcome(position)
        for option, other in zip(options, others, strict=True):
            theirs = other.analyse(position)
            assert mine.scores == theirs.scores, option
            assert mine.best == theirs.best, option
            assert outcome == other.outcome(position), option
    scores = plain.scores(some)
    for option, other in zip(options, others, strict=True):
        assert scores == other.scores(some), option


def test_a_batch_of_everything(solver: Solver) -> None:
    """Any boards, finished games, positions without a history, in any order."""
    generator = random.Random(5)
    texts = ["7x6x4", "4x4x3", "20x5x4", "1x1x1", "9x7x4", "35x1x4"]
    some = []
    for i in range(300):
        board = Board.parse(texts[i % len(texts)])
        ply = board.cells - generator.randint(0, min(8, board.cells))
        position = random_position(board, generator, ply, may_be_over=True)
        some.append(Position.parse(str(position)) if i % 4 == 0 else position)
    assert solver.scores(iter(some)) == [solver.score(position) for position in some]
    assert solver.scores([]) == []


def test_finished_games(solver: Solver) -> None:
    won, full = Position.parse("1122334"), Position.parse("121212", Board(2, 3, 4))
    for position, score in ((won, Score(-18, 0)), (full, Score(0, None))):
        analysis = solver.analyse(position)
        assert analysis.score == solver.score(position) == score
        assert analysis.score.moves == score.moves
        assert (dict(analysis.scores), dict(analysis.bounds), analysis.best, analysis.line) == (
            {},
            {},
            (),
            (),
        )
        assert analysis.is_exact
    assert (solver.outcome(won), solver.outcome(full)) == ("loss", "draw")


def test_a_cleared_solver_is_like_a_new_one() -> None:
    position = Position.parse("274552224131661")
    solver = Solver(book=False)
    first = solver.solve(position)
    assert solver.solve(position).nodes < first.nodes  # it remembers
    for _ in range(300):  # more than an entry of the table can count
        solver.clear()
    assert solver.solve(position) == first == Solver(book=False).solve(position)


@pytest.mark.parametrize(
    "options", [{"threads": 0}, {"threads": -1}, {"megabytes": 0}, {"megabytes": 1 << 30}]
)
def test_impossible_options(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Solver(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("board", ["7x6x42", "11x10x12", "7x6x8"])
def test_where_no_line_fits_nothing_is_searched(board: str) -> None:
    analysis = Solver(book=False).analyse(Position(Board.parse(board)))
    assert {score.outcome for score in analysis.scores.values()} == {"draw"}
    assert analysis.nodes < 1000
