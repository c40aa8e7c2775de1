"""Minimax: its evaluator beside one written with lists, its search beside the textbook's."""

import json
import threading
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven import _core
from claimeven.agents import Opinion, make_agent
from claimeven.agents.kinds.minimax import depth_by_width, plies_to_end, search
from claimeven.agents.kinds.weights import PRESETS, SCALE, Evaluation
from claimeven.errors import MoveError
from claimeven.limit import Limit
from claimeven.position import Board, Position
from kit.places import DATA
from kit.plain_minimax import WIN, plain_minimax, plain_value

SMALL = [
    Board(*sizes) for sizes in ((4, 4, 3), (5, 4, 4), (4, 5, 4), (7, 6, 4), (3, 3, 3), (9, 7, 4), (6, 2, 2))
]

numbers = st.integers(-40, 40).map(lambda n: n / 2)
vectors = st.lists(numbers, max_size=4).map(tuple)
pairs = st.lists(numbers, max_size=2).map(tuple)
evaluations = st.sampled_from(list(PRESETS.values())) | st.builds(
    Evaluation,
    own=vectors,
    their=vectors,
    own_runs=vectors,
    their_runs=vectors,
    threats=st.sampled_from(["all", "level", "playable"]),
    vertical=st.sampled_from(["windows", "top"]),
    center=pairs,
    height=pairs,
    drop=pairs,
    drop_windows=st.sampled_from(["through", "start"]),
    parity=pairs,
    zugzwang=pairs,
)


@st.composite
def open_positions(draw: st.DrawFn, boards: list[Board] = SMALL, most: int = 30) -> Position:
    """Positions in which somebody can still move."""
    position = Position(draw(st.sampled_from(boards)))
    for choice in draw(st.lists(st.integers(0, 34), max_size=most)):
        after = position.play(position.legal[choice % len(position.legal)])
        if after.is_over:
            break
        position = after
    return position


def found(position: Position, depth: int, evaluation: Evaluation, **settings: Any) -> _core.MinimaxResult:
    limit = settings.pop("limit", Limit())
    settings = {"all_exact": False, "megabytes": 1} | settings
    return search(position, evaluation.native(), depth, limit, **settings)


# The evaluator -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry", json.loads((DATA / "evaluations.json").read_text()), ids=lambda e: e["moves"]
)
def test_presets_match_what_the_systems_compute(entry: dict[str, Any]) -> None:
    position = Position.parse(entry["moves"], Board.parse(entry["board"]))
    for name in entry.keys() - {"board", "moves"}:
        assert [PRESETS[name].value(position, side) for side in (0, 1)] == entry[name], name


def test_the_preset_a_plays_as_system_a_does() -> None:
    """Its program takes the first of equal moves by another order, and has no hurry: so not all."""
    played = json.loads((DATA / "moves_of_a.json").read_text())
    positions = [(Position.parse(each["moves"]), each["column"] - 1) for each in played]

    def agreement(preset: str) -> int:
        agent = make_agent(f"minimax:preset={preset},depth=5")
        return sum(agent.choose(position).column == column for position, column in positions)

    assert agreement("a") >= 85
    assert agreement("a-playable") <= 75  # it was called a once, and lost three games of five to A's program


@settings(max_examples=300)
@given(open_positions(), evaluations, st.sampled_from([0, 1]))
def test_the_evaluator_is_the_plain_one(position: Position, evaluation: Evaluation, side: int) -> None:
    assert evaluation.value(position, side) == pytest.approx(plain_value(evaluation, position, side))


def test_system_bs_worked_example() -> None:
    """A three that can be completed counts 3 and its upper two 1 more; blocked, it counts nothing."""
    position = Position.parse("1317441")  # x: a1 a2 a3 and d1; o: the diagonal c1 d2, and g1
    assert PRESETS["b"].value(position, 1) == -3
    assert PRESETS["b"].value(position.play(0), 1) == 1
    assert PRESETS["b10"].value(position, 1) == -10


def test_a_gap_filled_by_the_opponent_is_no_three() -> None:
    """System B counted x o x as a three on diagonals and columns, and targets outside the board as open."""
    column = Position.parse("1112")  # x o x on column 1
    diagonal = Position.parse("1322353")  # x on a1 and c3, o on b2
    for position in (column, diagonal):
        assert Evaluation(own_runs=(0, 0, 1)).value(position, 0) == 0


# The search --------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(open_positions(), evaluations, st.integers(1, 4))
def test_its_value_is_that_of_plain_minimax(position: Position, evaluation: Evaluation, depth: int) -> None:
    plain = {
        c: as_native(-plain_minimax(position.play(c), depth - 1, evaluation, position.side))
        for c in position.legal
    }
    best = max(plain.values())
    result = found(position, depth, evaluation)
    assert result.columns[0].value == best
    ties = {c.column for c in result.columns if c.is_exact and c.value == best}
    assert ties == {column for column, value in plain.items() if value == best}
    if plies_to_end(best, position.ply) is None:
        assert result.depth == min(depth, position.board.cells - position.ply)
        assert all(c.value >= plain[c.column] for c in result.columns)  # bounds hold
    every = found(position, depth, evaluation, all_exact=True)
    assert {c.column: c.value for c in every.columns} == plain


def as_native(value: float) -> int:
    if abs(value) > WIN // 2:
        plies = WIN - abs(value)
        return int(_core.WIN - plies if value > 0 else plies - _core.WIN)
    return round(value * SCALE)


@settings(max_examples=30, deadline=None)
@given(open_positions([Board(), Board(6, 5, 4), Board(9, 7, 4)], most=20), evaluations)
def test_the_table_changes_no_value(position: Position, evaluation: Evaluation) -> None:
    tiny, large = (found(position, 6, evaluation, megabytes=size, all_exact=True) for size in (0.001, 16))
    assert [(c.column, c.value) for c in tiny.columns] == [(c.column, c.value) for c in large.columns]


@settings(max_examples=25, deadline=None)
@given(open_positions([Board(4, 4, 4), Board(4, 4, 3), Board(5, 4, 4)], most=16))
def test_deep_enough_it_is_exact(position: Position) -> None:
    """Searched to the end it knows the result, and how far it is."""
    cells = position.board.cells - position.ply
    if cells > 12:
        return
    result = found(position, cells, Evaluation())
    best = max(as_native(-exact(position.play(c))) for c in position.legal)
    assert result.columns[0].value == best


def exact(position: Position) -> float:
    return plain_minimax(position, position.board.cells, Evaluation(), 0)


# What the systems did wrong ----------------------------------------------------------------------

NAMES = [f"minimax:preset={name}" for name in PRESETS]


@pytest.mark.parametrize("spec", NAMES)
def test_a_win_at_hand_is_taken_though_the_opponent_has_one_too(spec: str) -> None:
    """System B saw its own win too late, system E preferred a later double four."""
    agent = make_agent(f"{spec},depth=5")
    position = Position.parse("526272c", Board(12, 6, 4))  # o has b1 b2 b3, x has e1 f1 g1
    assert agent.choose(position).column == 1
    assert agent.choose(Position.parse("526272", Board(12, 6, 4))).column in (3, 7)


@pytest.mark.parametrize("spec", NAMES)
def test_wins_are_hurried_and_losses_delayed(spec: str) -> None:
    """Systems A, D and E had no depth term: they dawdled when they were winning."""
    position = Position.parse("4455")
    for depth in (3, 6, 9):
        agent = make_agent(f"{spec},depth={depth}")
        win = agent.choose(position)
        assert win.opinion(win.column).ends == 3
        loss = agent.choose(position.play(win.column))
        assert loss.opinion(loss.column).ends == -2


@pytest.mark.parametrize("spec", NAMES)
def test_a_lone_threat_is_blocked(spec: str) -> None:
    """System A could leave one open."""
    agent = make_agent(f"{spec},depth=5")
    assert agent.choose(Position.parse("12121")).column == 0
    assert agent.choose(Position.parse("27375")).column == 3  # between b1, c1 and e1


@pytest.mark.parametrize("spec", NAMES)
def test_a_full_board_is_a_draw(spec: str) -> None:
    """System B valued a full board as the worst loss or the best win, system A asked for a move on it."""
    choice = make_agent(f"{spec},values").choose(Position.parse("112", Board(2, 2, 3)))
    assert (choice.column, choice.opinions) == (1, (Opinion(1, value=0.0),))
    with pytest.raises(MoveError, match="the game is over"):
        make_agent(spec).choose(Position.parse("1122", Board(2, 2, 3)))


def test_boards_of_any_size_and_connect() -> None:
    """System E knew only 7x6x4, system B only 12x6."""
    for text in ("1x1x1", "35x2x3", "1x127x5", "16x7x5", "10x10x4", "4x4x9"):
        board = Board.parse(text)
        assert make_agent("minimax:depth=3").choose(Position(board)).column in range(board.columns)


def test_depth_by_width_is_system_ds() -> None:
    assert [depth_by_width(width) for width in range(4, 11)] == [6, 5, 5, 4, 4, 4, 3]
    effort = make_agent("minimax:depth_by_width").choose(Position()).effort
    assert effort.depth == 4


def test_random_ties_never_hand_over_a_win() -> None:
    """System D weighted by safe replies, but did not leave out moves after which a reply wins."""
    agent = make_agent(
        "minimax:depth=1,own=0,their=0,parity=0,zugzwang=0,ties=random", seed=1
    )  # everything is equal
    position = Position.parse("12121")
    choices = [agent.choose(position) for _ in range(20)]
    assert {choice.column for choice in choices} == {0}
    assert choices[0].weights == {0: 1.0} | dict.fromkeys(range(1, 7), 0.0)
    lost = agent.choose(Position.parse("44556"))  # two wins cannot be stopped
    assert set(lost.weights.values()) == {1 / 7}


# Limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 7, 50, 999, 123_456])
def test_it_ends_on_nodes_whatever_the_time(nodes: int) -> None:
    position = Position.parse("4444")
    first, second = (make_agent("minimax").choose(position, Limit(nodes=nodes)) for _ in range(2))
    assert first.effort.nodes == nodes
    assert dict(first.info, seconds=0) == dict(second.info, seconds=0)


def test_with_hardly_any_nodes_it_still_blocks() -> None:
    assert make_agent("minimax").choose(Position.parse("12121"), Limit(nodes=1)).column == 0


def test_it_ends_on_depth() -> None:
    assert make_agent("minimax").choose(Position(), Limit(depth=3)).effort.depth == 3
    assert make_agent("minimax:depth=2").choose(Position(), Limit(depth=3)).effort.depth == 2


def test_it_ends_when_told_to_stop() -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    start = time.perf_counter()
    choice = make_agent("minimax:depth=42").choose(Position(), Limit(stop=stop))
    assert time.perf_counter() - start < 5  # how closely is measured in bench/players/agents.py
    assert (choice.effort.depth or 0) >= 4
