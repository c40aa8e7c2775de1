"""The engine for browsers: kept as a file (web/engine/engine.wasm), it answers as the native core does."""

import json
import math
import random
import runpy
import shutil
import subprocess
from array import array
from pathlib import Path
from typing import Any

import pytest

from claimeven import _core, pons
from claimeven.agents.kinds.level import PLAYERS, evaluation_for
from claimeven.agents.kinds.network import network_of, shipped_path
from claimeven.export.parts.players import Level
from claimeven.export.players import player_of
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver, opening_book_path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "web" / "engine" / "engine.wasm"
ASKED = ROOT / "tests" / "kit" / "node" / "wasm.mjs"
BOARDS = ("7x6x4", "6x5x4", "4x4x3", "9x7x4", "5x4x3", "9x9x5")


def ask(*requests: list[Any], module: Path = KEPT, book: bool = False) -> list[Any]:
    """What the engine answers; what it refuses is a text."""
    command = ["node", str(ASKED), str(module), *([str(opening_book_path())] if book else [])]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [told.get("answer", told.get("error")) for told in answers]


def positions(seed: int, count: int) -> list[Position]:
    """Of random games on many boards, not over."""
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position(Board.parse(BOARDS[len(found) % len(BOARDS)]))
        for _ in range(chance.randrange(position.board.cells)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


def test_pons_positions_are_exact() -> None:
    sample = [scored for name in ("L3_R1", "L2_R1", "L2_R2", "L1_R3") for scored in pons.read_set(name)[:5]]
    assert ask(*(["score", moves] for moves, _ in sample), book=True) == [score for _, score in sample]


def test_a_book_of_another_board_takes_the_place_of_one() -> None:
    small, large = (
        str(ROOT / "src" / "claimeven" / path) for path in ("data/books/book-6x5x4.bin", "book-7x6x4.bin")
    )
    on_small: list[Any] = ["column", "", 2, {"board": "6x5x4"}]
    on_large: list[Any] = ["column", "4", 3, {}]
    by_turns = [["useBook", small], on_small, ["useBook", large], on_large] * 6
    told = ask(*by_turns, on_small)
    assert told[1::4] == [{"column": 2, "low": 0, "high": 0, "nodes": 0}] * 6
    assert told[3::4] == [{"column": 3, "low": -1, "high": -1, "nodes": 0}] * 6
    assert told[-1]["low"] == told[-1]["high"] == 0 < told[-1]["nodes"]
    assert told[-3] < told[2] + 4  # megabytes: those before are gone, of which the large one has 4.9


def test_it_searches_the_very_tree_of_the_native_solver() -> None:
    """With so many nodes both come equally far: bounds, line and the count are the same on every board."""
    sample = positions(1, 24)
    told = ask(*(["analyse", p.moves, {"board": str(p.board), "nodes": 3000}] for p in sample))
    for position, found in zip(sample, told, strict=True):
        native = Solver(book=None, megabytes=64).analyse(position, Limit(nodes=3000))
        bounds = {each["column"]: (each["low"], each["high"]) for each in found["columns"]}
        assert (bounds, tuple(found["line"]), found["nodes"]) == (native.bounds, native.line, native.nodes)


def test_time_ends_a_search_and_what_it_says_is_sound() -> None:
    cut, late = ask(["analyse", "", {"seconds": 0.05}], ["analyse", "4444443512", {}])
    assert cut["score"] is None
    known = (-2, -1, 0, 1, 0, -1, -2)
    assert all(
        each["low"] <= score <= each["high"] for each, score in zip(cut["columns"], known, strict=True)
    )
    assert late["score"] == Solver().score(Position.parse("4444443512")).value


def test_levels_weigh_as_they_do_in_python() -> None:
    """Noise, oversights and parity: every value of every column, for the same seed."""
    sample, level, seed = positions(2, 12), 7, 12345
    player = player_of(f"level:{level}")
    assert isinstance(player, Level)
    told = ask(*(["minimax", p.moves, str(p.board), player.weights, seed, 4] for p in sample))
    known = PLAYERS[level]
    weights = evaluation_for(known).native(known.noise, known.miss, seed)
    for position, found in zip(sample, told, strict=True):
        board = position.board
        place = (board.columns, board.rows, board.reach, position.mine, position.mask)
        native = _core.minimax(
            *place,
            weights=weights,
            depth=4,
            all_exact=False,
            megabytes=16,
            nodes=None,
            seconds=None,
            stop=None,
        )
        assert [(each["column"], each["value"]) for each in found] == [
            (each.column, each.value) for each in native.columns
        ], position


def test_the_rules_and_refusals() -> None:
    sample = positions(3, 12)
    told = ask(*(["position", p.moves, str(p.board)] for p in sample))
    for position, found in zip(sample, told, strict=True):
        assert (int(found["mine"]), int(found["mask"])) == (position.mine, position.mask)
        rows = {each["column"]: each["row"] for each in found["open"]}
        assert rows == {column: position.height(column) for column in position.legal}
    won, perft, *refused = ask(
        ["position", "4141414"],
        ["perft", 7, 6, 4, 6],
        ["position", "48"],
        ["position", "4444444"],
        ["position", "41414141"],
        ["position", "", "99x99x4"],
        ["analyse", "4141414"],
    )
    assert (won["winner"], won["isOver"]) == (0, True)
    assert {(each["column"], each["row"]) for each in won["four"]} == {(3, row) for row in range(4)}
    assert perft == [0, 7**6, 0, 0]
    assert refused == [
        "column 8 cannot be played",
        "column 4 cannot be played",
        "the game is over",
        "board: at most 35 columns",
        "the game is over",
    ]


def test_each_level_plays_and_takes_a_win() -> None:
    moves = ask(
        *(["level", "414141", level] for level in range(6, 11)), *(["level", "", 1] for _ in range(3))
    )
    assert moves[:5] == [3] * 5
    assert all(0 <= column < 7 for column in moves[5:])


def test_the_kept_levels_are_those_of_the_package() -> None:
    made = runpy.run_path(str(ROOT / "web" / "engine" / "levels.py"))["levels_text"]()
    assert (ROOT / "web" / "engine" / "levels.js").read_text() == made


@pytest.mark.parametrize("name", ["tiny", "best"])
def test_a_network_thinks_and_searches_as_in_the_core(name: str) -> None:
    """The best looks at the boards that follow, asked of the part that was asked of the board itself."""
    network = network_of(shipped_path(name))
    asked = [Position.parse(scored.moves) for name in pons.NAMES for scored in pons.read_set(name)[:4]]
    game = pons.read_set("L3_R1")[0].moves
    asked += [Position.parse(moves) for moves in ("414141", game[:11], game[:19])]
    command = [
        "node",
        str(ROOT / "tests" / "kit" / "node" / "network.mjs"),
        str(KEPT.with_name("network.wasm")),
        str(shipped_path(name)),
    ]
    text = "".join(f"{position.mine} {position.mask}\n" for position in asked)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    for position, line in zip(asked, done.stdout.splitlines(), strict=True):
        views, wishes, (depth, nodes, _, *values), searched = json.loads(line)
        words = [word.to_bytes(8, "little") for word in (position.mine, position.mask)]
        no_limit: dict[str, Any] = {"seconds": None, "stop": None}
        stones = position.mine, position.mask
        looked = network.search(*stones, depth=2, nodes=None, **no_limit)
        assert (depth, nodes) == (looked.depth, looked.nodes)
        numbers = (
            (views, array("f", network.views(*words))),
            (wishes, array("f", network.wishes(*words))),
            (values, looked.values),
        )
        for here, there in (pair for each in numbers for pair in zip(*each, strict=True)):
            assert (
                math.isinf(there) if here is None else here == pytest.approx(there, abs=1e-3)
            )  # a full column
        found = network.puct(*stones, exploration=1.0, simulations=30, **no_limit)
        assert searched[:2] == [found.best, found.simulations]


@pytest.mark.slow
def test_all_pons_positions_with_the_book_and_600_without() -> None:
    sets = [pons.read_set(name) for name in pons.NAMES]
    every = [scored for one in sets for scored in one]
    assert ask(*(["score", moves] for moves, _ in every), book=True) == [score for _, score in every]
    some = [scored for one in sets for scored in one[:100]]
    assert ask(*(["score", moves] for moves, _ in some)) == [score for _, score in some]


@pytest.mark.slow
def test_a_fresh_build_answers_like_the_kept_one(tmp_path: Path) -> None:
    if not (shutil.which("clang++-19") and Path("/usr/include/wasm32-wasi/c++").exists()):
        pytest.skip("needs what native/web/build.sh names")
    fresh = tmp_path / "engine.wasm"
    subprocess.run(["sh", str(ROOT / "native" / "web" / "build.sh"), str(fresh)], check=True)
    asked = [
        request
        for p in positions(4, 60)
        for request in (
            ["analyse", p.moves, {"board": str(p.board), "nodes": 20_000}],
            ["position", p.moves, str(p.board)],
        )
    ]
    assert ask(*asked, module=fresh) == ask(*asked)
