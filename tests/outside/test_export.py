"""Kaggle submissions, run as Kaggle runs them but without its package (that is in test_export_kaggle.py)."""

import ast
import gc
import itertools
import random
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from claimeven import Board, Position, Solver, book, make_agent
from claimeven.agents.apart.submission import Struct, load
from claimeven.cli import run
from claimeven.errors import InputError
from claimeven.export import LARGEST, submission
from claimeven.export.library import engine_library
from claimeven.formats.kaggle import to_board
from claimeven.solver import opening_book_path

Agent = Callable[[Any, Any], Any]
Player = Callable[[Position], int]

BOARDS = [Board(), Board(4, 4, 3), Board(9, 7, 5), Board(5, 8, 4), Board(10, 10, 4), Board(2, 1, 2)]
HUGE = [Board(20, 5, 4), Board(35, 2, 3)]  # beyond what the engine takes, or at its edge


@cache
def text_of(spec: str, pure: bool = False) -> str:
    return submission(spec, pure=pure)


def broken() -> str:
    """The perfect agent with an engine of which one letter is wrong."""
    text = text_of("perfect")
    place = text.index('ENGINE = """') + 5000
    return text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]


@pytest.fixture
def start(tmp_path: Path) -> Callable[[str], Agent]:
    def loaded(text: str) -> Agent:
        path = tmp_path / "submission.py"
        path.write_text(text)
        agent: Agent = load(str(path))
        return agent

    return loaded


def asked(agent: Agent, seconds: float = 2.0, overage: float = 60.0) -> Player:
    def player(position: Position) -> int:
        board = position.board
        seen = Struct(
            board=to_board(position), mark=position.side + 1, step=position.ply, remainingOverageTime=overage
        )
        settings = Struct(
            columns=board.columns,
            rows=board.rows,
            inarow=board.connect,
            actTimeout=seconds,
            episodeSteps=1000,
        )
        column = agent(seen, settings)
        assert type(column) is int
        return column

    return player


def play(first: Player, second: Player, board: Board | None = None) -> Position:
    position = Position(board or Board())
    while not position.is_over:
        position = position.play((first, second)[position.side](position))
    return position


def at_random(seed: int) -> Player:
    chance = random.Random(seed)
    return lambda position: chance.choice(position.legal)


def points(player: Player, other: Callable[[int], Player], games: int, board: Board | None = None) -> float:
    """Of so many games, half of them with each side."""
    total = 0.0
    for number in range(games):
        side = number % 2
        pair = (player, other(number)) if side == 0 else (other(number), player)
        winner = play(*pair, board).winner
        total += 0.5 if winner is None else winner == side
    return total


def some_positions(board: Board, count: int, seed: int = 1) -> list[Position]:
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position(board)
        for _ in range(chance.randrange(board.cells)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


# The file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "pure"), [("perfect", False), ("perfect", True), ("level:3", False)])
def test_a_submission_is_one_file_that_stands_alone(spec: str, pure: bool) -> None:
    text = text_of(spec, pure)
    assert len(text.encode()) <= LARGEST
    tree = ast.parse(text)
    last = tree.body[-1]
    assert isinstance(last, ast.FunctionDef)
    assert last.name == "agent"
    modules = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    modules |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules <= sys.stdlib_module_names
    assert "__file__" not in re.sub('"""\n[A-Za-z0-9+/=\n]+"""', "", text)
    compile(text, "submission.py", "exec", dont_inherit=True)
    ast.parse(text, feature_version=(3, 8))  # Kaggle's Python may be older


def test_the_engine_needs_only_an_old_system() -> None:
    versions = {
        tuple(map(int, found.split(b"."))) for found in re.findall(rb"GLIBC_([0-9.]+)", engine_library())
    }
    assert max(versions) <= (2, 17)
    assert b"libstdc++.so" not in engine_library()
    assert b"libgcc_s.so" not in engine_library()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rules", "rules cannot be exported; these can: perfect, level:N, minimax and mcts"),
        ("kaggle:file=x.py", "kaggle cannot be exported"),
        ("minimax:ties=random", "minimax is exported without the option ties"),
        ("mcts:reuse", "mcts is exported without the option reuse"),
        ("perfect:threads=2", "perfect is exported without the option threads"),
        ("nobody", "there is no agent 'nobody'"),
    ],
)
def test_what_cannot_be_exported_is_said(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        submission(spec)


def test_pure_goes_with_perfect() -> None:
    with pytest.raises(InputError, match="it goes with perfect, not with level:3"):
        submission("level:3", pure=True)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "submission.py"
    assert run(["export", "kaggle", "minimax:depth=4", "-o", str(path)]) == 0
    assert path.read_text() == text_of("minimax:depth=4")
    assert capsys.readouterr().out == f"{path}: minimax:depth=4 in {path.stat().st_size} bytes\n"
    assert run(["export", "kaggle", "random", "-o", str(path)]) == 2
    assert capsys.readouterr().err.startswith("claimeven: random cannot be exported")


def test_a_book_is_cut_as_it_would_be_built(tmp_path: Path) -> None:
    whole, path = opening_book_path(), tmp_path / "book.bin"
    book.build(4, path, source=whole)
    assert book.shorten(whole, 4) == path.read_bytes()
    with pytest.raises(InputError, match="has 12 plies: 13 cannot be taken from it"):
        book.shorten(whole, 13)


# How it plays --------------------------------------------------------------------------------------


def test_perfect_against_itself_ends_at_ply_41(start: Callable[[str], Agent]) -> None:
    text = text_of("perfect")
    player = asked(start(text))
    last = play(player, player)
    assert (last.ply, last.winner) == (41, 0)


def test_perfect_chooses_a_best_column(start: Callable[[str], Agent]) -> None:
    player, solver = asked(start(text_of("perfect"))), Solver()
    for position in some_positions(Board(), 60):
        assert player(position) in solver.analyse(position).best


def test_the_book_alone_plays_the_opening_perfectly(start: Callable[[str], Agent]) -> None:
    """Quick wins too, which are not in the book: there are some among these."""
    player, solver = asked(start(text_of("perfect", pure=True))), Solver()
    openings = [p for p in some_positions(Board(), 150) if p.ply < 11]
    scores = [solver.analyse(position) for position in openings]
    assert sum(abs(int(found.score or 0)) >= 15 for found in scores) >= 5
    for position, found in zip(openings, scores, strict=True):
        assert player(position) in found.best, str(position)


@pytest.mark.parametrize("board", BOARDS + HUGE, ids=str)
def test_every_board(start: Callable[[str], Agent], board: Board) -> None:
    """Legal to the end (or `play` would raise), and hardly ever beaten by chance."""
    player = asked(start(text_of("perfect")), seconds=0.1)
    games = 2 if board in HUGE else 4
    assert points(player, at_random, games, board) >= games / 2


@pytest.mark.parametrize("spec", ["level:2", "level:9", "minimax:depth=3", "mcts:hybrid"])
def test_other_agents(start: Callable[[str], Agent], spec: str) -> None:
    random.seed(
        2
    )  # a level draws its slips: unseeded, one of the weakest loses half of six games now and then
    player = asked(start(text_of(spec)), seconds=0.1)
    assert points(player, at_random, 6) >= 4
    assert points(player, at_random, 2, Board(6, 5, 3)) >= 0


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=5",
        "minimax:preset=a-source,depth=3",
        "minimax:preset=d,depth_by_width",
        "level:1",
        "level:5",
        "level:8",
        "mcts:simulations=300",
        "mcts:simulations=300,tt,lgr=2,solver,decisive",
    ],
)
def test_it_plays_as_the_agent_does(start: Callable[[str], Agent], spec: str) -> None:
    player, agent = asked(start(text_of(spec)), seconds=1000.0), make_agent(spec, seed=5)
    random.seed(5)
    for board in (Board(), Board(6, 5, 3), Board(9, 9, 5)):
        for position in some_positions(board, 10):
            assert player(position) == agent.choose(position).column, str(position)


# Without the engine --------------------------------------------------------------------------------


def negamax(depth: int) -> Player:
    """Like Kaggle's: looks `depth` plies ahead, knows only wins; among equals by chance."""
    chance = random.Random(depth)

    def value(position: Position, depth: int) -> float:
        if position.is_over:
            return 0.0 if position.winner is None else -1.0 - depth
        if depth == 0:
            return 0.0
        return max(-value(position.play(column), depth - 1) for column in position.legal)

    def choose(position: Position) -> int:
        values = {c: -value(position.play(c), depth - 1) for c in position.legal}
        return chance.choice([c for c in values if values[c] == max(values.values())])

    return choose


def steady(agent: Agent) -> Agent:
    """With a clock that counts how often it is looked at: the same game on any machine."""
    ticks = itertools.count()
    agent.__globals__["time"] = SimpleNamespace(monotonic=lambda: next(ticks) / 1000)
    return agent


def test_python_takes_over_when_the_engine_is_broken(start: Callable[[str], Agent]) -> None:
    agent = steady(start(broken()))
    player = asked(agent, seconds=0.1)
    assert points(player, at_random, 10) >= 9
    memory = agent.__globals__["MEMORY"]
    assert memory.engine is None
    assert memory.book is not None
    assert memory.search is not None


@pytest.mark.parametrize("board", [Board(), Board(5, 5, 3)], ids=str)
def test_python_alone_beats_a_small_search(start: Callable[[str], Agent], board: Board) -> None:
    agent = steady(start(text_of("perfect", pure=True)))
    agent.__globals__["BOOK"] = ""
    player = asked(agent, seconds=0.2)
    assert points(player, lambda number: negamax(2), 4, board) >= 3
    assert agent.__globals__["MEMORY"].engine is None


def test_without_a_disk_the_engine_is_loaded_from_memory(start: Callable[[str], Agent]) -> None:
    agent = start(text_of("level:3"))

    def mkstemp(**_: Any) -> None:
        raise OSError("no space left on device")

    agent.__globals__["tempfile"] = SimpleNamespace(mkstemp=mkstemp)
    assert asked(agent)(Position()) in range(7)
    assert agent.__globals__["MEMORY"].engine is not None


# What it is given ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [dict, SimpleNamespace, Struct])
def test_observations_of_every_kind(start: Callable[[str], Agent], kind: Any) -> None:
    agent = start(text_of("perfect"))
    cells = to_board(Position.parse("121212"))
    assert agent(kind(board=cells, mark=1), kind(columns=7, rows=6, inarow=4)) == 0  # completes a four


@pytest.mark.parametrize(
    ("obs", "config"),
    [
        (None, None),
        ({}, {}),
        ({"board": [0] * 42, "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": -3}),
        ({"board": [1] * 21 + [2] * 21, "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4}),
        ({"board": ["a"] * 41, "mark": None}, {"columns": 7, "rows": 6, "inarow": 4}),
        ({"board": [0] * 35 + [1] * 7, "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4}),
    ],
)
def test_nonsense_is_answered_with_a_column(start: Callable[[str], Agent], obs: Any, config: Any) -> None:
    column = start(text_of("perfect"))(obs, config)
    assert type(column) is int
    assert 0 <= column < 7


def test_many_games_in_one_process_leave_nothing_behind(start: Callable[[str], Agent]) -> None:
    def libraries() -> int:
        gc.collect()
        return sum(".so (deleted)" in line for line in Path("/proc/self/maps").read_text().splitlines())

    text = text_of("level:3")
    before = libraries()
    for _ in range(5):
        assert asked(start(text))(Position()) in range(7)
    assert libraries() <= before + 10  # those of one game, at most
