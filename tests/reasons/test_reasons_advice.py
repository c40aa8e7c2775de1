"""One hint for every door: the best columns, and why; honest when nothing is proved."""

import pytest

from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.reasons import advise, explain
from claimeven.reasons.words import LANGUAGES
from claimeven.solver import Solver


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=16)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_proved(language: str, solver: Solver) -> None:
    position = Position.parse("4455")
    advice = advise(position, solver, language)
    assert (advice.best, advice.column, advice.depth) == ((2, 5), 2, None)
    assert advice.text.endswith(explain(position, 2, solver, language).reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_that_is_not_proved_says_so(language: str) -> None:
    position = Position.parse("55", Board(9, 7, 4))
    advice = advise(position, Solver(megabytes=16), language, Limit(nodes=5000))
    assert advice.best == (advice.column,)
    assert advice.explanation.score is None
    assert advice.depth is not None
    assert str(advice.depth) in advice.text
    assert advice.text.endswith(advice.explanation.reason)


def test_a_threat_is_met_even_when_nothing_is_proved() -> None:
    position = Position.parse("1515", Board(9, 7, 4)).play(0)
    advice = advise(position, Solver(megabytes=16), limit=Limit(nodes=5000))
    assert advice.column == 0
    assert "It takes a4, where they would win with their next disc." in advice.text


def test_a_language_that_there_is_not(solver: Solver) -> None:
    with pytest.raises(InputError):
        advise(Position(), solver, "xx")
