"""Why a minimax agent moved, in its own terms: they add up to its own value, on every board."""

import random
from collections.abc import Mapping
from typing import Any, cast

import pytest

from claimeven.agents import make_agent
from claimeven.agents.kinds.weights import PRESETS
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.reasons import own_terms
from claimeven.reasons.told.own import terms_of
from claimeven.reasons.words import LANGUAGES, Words

BOARDS = (Board(), Board(5, 4, 3), Board(8, 7, 5))


def positions(board: Board, count: int, seed: int) -> list[Position]:
    luck, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position(board)
        for _ in range(luck.randrange(board.cells // 2)):
            if not position.is_over:
                position = position.play(luck.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_the_terms_add_up_to_the_value(preset: str, board: Board) -> None:
    evaluation = PRESETS[preset]
    for position in positions(board, 60, 1):
        for side in (0, 1):
            terms = list(terms_of(evaluation, position, side))
            value = evaluation.value(position, side)
            assert sum(term.value for term in terms) == pytest.approx(value)
            assert evaluation.swapped().value(position, 1 - side) == pytest.approx(-value)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_the_expected_line_ends_at_the_value_of_the_choice(preset: str, board: Board) -> None:
    agent = make_agent(f"minimax:preset={preset},depth=4")
    valued = 0
    for position in positions(board, 25, 2):
        choice = agent.choose(position)
        told = own_terms(agent, choice, position, Limit())
        info = cast("Mapping[str, Any]", choice.info)
        assert told is not None
        assert told.line[0] == choice.column
        if told.value is None:
            assert choice.column in info["ends"] or len(told.line) == board.cells - position.ply
        else:
            valued += 1
            assert len(told.line) == info["depth"]
            assert told.value == pytest.approx(info["values"][choice.column])
    assert valued > 5


def test_runs_of_two_and_three_as_system_d_told_them() -> None:
    """o lies on d1 and e1, and moves: x has nothing."""
    position = Position.parse("14151")
    terms = {
        (term.code, term.stones): (term.count, term.weight) for term in terms_of(PRESETS["d"], position, 1)
    }
    assert terms[("own", 2)] == (3, 1)  # b1–e1, c1–f1 and d1–g1
    assert terms[("their", 3)] == (1, -2)  # the column of three


def test_only_minimax_has_such_terms_and_a_short_limit_none() -> None:
    for spec in ("rules", "mcts:simulations=10", "level:5", "perfect"):
        agent = make_agent(spec, seed=1)
        assert own_terms(agent, agent.choose(Position()), Position(), Limit()) is None
    agent = make_agent("minimax:depth=12")
    assert own_terms(agent, agent.choose(Position()), Position(), Limit(nodes=10)) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_has_a_name(language: str) -> None:
    words = Words(language)
    for preset in PRESETS.values():
        for position in positions(Board(), 30, 3):
            for term in terms_of(preset, position, position.side):
                assert term.text(words)
