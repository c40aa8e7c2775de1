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
    return HintReading(position, advice.column, [stage.text for stage in advice.stages])


def test_every_question_and_idea_is_true(solver: Solver) -> None:
    positions, asked, warned = some_positions(5, 30), Counter[str](), 0
    assert len(positions) > 200
    for position in positions:
        reading = read(position, solver)
        asked[reading.check()] += 1
        score = solver.solve(position).low
        losing = reading.losing_at_once()
        is_blocking = "They threaten to win" in reading.stages[0] or "lacks a single" in reading.stages[0]
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


def test_one_open_line_is_no_meeting_of_two(solver: Solver) -> None:
    look, idea, column = read(Position.parse("443256556434463354637321"), solver).stages
    assert look == "Which of your lines is still open? Where can you go on with it?"
    assert idea.startswith("Not g2: right above, they win. ")
    assert "It gives you 2 discs on d5–g5." in column


def test_two_winning_cells_that_stand_are_not_to_be_made(solver: Solver) -> None:
    reading = read(Position.parse("64665115254455442162524"), solver)
    reading.check()
    assert reading.stages[1] == "You have two winning cells, g3 and g4. How do you get there?"


def test_why_it_is_lost(solver: Solver) -> None:
    said = read(Position.parse("4434453355"), solver).stages[-1]
    assert said == (
        "Best try: column 4; nothing else holds out longer. "
        "They win with best play: after 4 2 both b3 and b4, right above it, would win for them."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_stage_of_an_opening_goes_on(language: str, solver: Solver) -> None:
    words = catalogue(language)
    for moves in ("", "4", "44"):
        look, idea, _ = (stage.text for stage in advise(Position.parse(moves), solver, language).stages)
        assert (look, idea) == (words["hint.ask.cross"], words["hint.lines"])
