"""What the stages of a hint ask and say is true of the board, before the disc is on it."""

import random
from collections import Counter

import pytest

from claimeven.agents import make_agent
from claimeven.position import Position
from claimeven.reasons import advise
from claimeven.reasons.words import LANGUAGES, catalogue
from claimeven.solver import Solver
from kit.coach.hinted import HintReading


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def some_positions(seed: int, games: int) -> list[Position]:
    """Of games of levels 2 to 6, from the seventh disc on."""
    chance, found = random.Random(seed), list[Position]()
    for _ in range(games):
        position = Position()
        agents = [make_agent(f"level:{chance.randint(2, 6)}", chance.getrandbits(32)) for _ in range(2)]
        while not position.is_over:
            if position.ply >= 6 and chance.random() < 0.4:
                found.append(position)
            position = position.play(agents[position.ply % 2].choose(position).column)
    return found


def read(position: Position, solver: Solver) -> HintReading:
    advice = advise(position, solver)
    return HintReading(position, advice.column, [stage.text for stage in advice.stages], solver)


def test_every_question_and_idea_is_true(solver: Solver) -> None:
    positions, asked, warned = some_positions(5, 30), Counter[str](), 0
    assert len(positions) > 200
    for position in positions:
        reading = read(position, solver)
        asked[reading.check()] += 1
        score = solver.solve(position).low
        losing = reading.losing_at_once()
        is_blocking = "Put your disc where" in reading.stages[1]
        if score < 0 and not is_blocking and reading.spot not in losing:
            assert reading.warned() == losing, (str(position), reading.stages)
            warned += bool(losing)
        else:
            assert not reading.warned(), (str(position), reading.stages)
    assert warned > 10
    assert len(asked) > 4, asked


@pytest.mark.parametrize("moves", ["", "4", "44", "443256556434463354637321", "444442222456", "4434453355"])
def test_openings_and_what_strangers_were_told(moves: str, solver: Solver) -> None:
    read(Position.parse(moves), solver).check()


def test_two_winning_cells_that_stand_are_not_to_be_made(solver: Solver) -> None:
    reading = read(Position.parse("64665115254455442162524"), solver)
    reading.check()
    assert reading.stages[1] == "You have two winning cells, g3 and g4: they can stop only one."


def test_in_a_lost_position_they_have_something_to_find(solver: Solver) -> None:
    """Of columns that last as long, the one with the fewest answers; it says which."""
    reading = read(Position.parse("344433242243246273366677"), solver)
    reading.check()
    assert reading.stages[-1] == "Best try: column 1. They win only if they find a2."
    assert len(advise(reading.position, solver).best) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_stage_of_an_opening_points_at_the_rim(language: str, solver: Solver) -> None:
    words = catalogue(language)
    for moves in ("", "4", "44"):
        look, idea, _ = advise(Position.parse(moves), solver, language).stages
        assert [cell.column for cell in look.cells] == [0, 6]
        assert idea.text == words["hint.lines"]


def test_most_first_stages_light_something(solver: Solver) -> None:
    """All but those that ask for an upright line, where to point is to tell the column."""
    lit, all_looks = 0, 0
    for position in some_positions(17, 12):
        look = advise(position, solver).stages[0]
        upright = "with this disc" in look.text or "with their next disc" in look.text
        assert look.cells or upright, (str(position), look)
        lit, all_looks = lit + bool(look.cells), all_looks + 1
    assert lit > 0.8 * all_looks
