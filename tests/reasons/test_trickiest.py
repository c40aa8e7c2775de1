"""The hardest problem in a lost or drawn position: answers counted anew, levels asked again."""

import json
import random
import re

import pytest

from claimeven import cli
from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import explain
from claimeven.reasons.told.trickiest import Trickiest, trickiest
from claimeven.reasons.words import LANGUAGES
from claimeven.solver import Solver
from kit.coach import claims


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def right_answers(position: Position, solver: Solver) -> list[int]:
    scores = claims.column_scores(position, solver)
    best = claims.sign(max(scores.values()))
    return [column for column, value in scores.items() if claims.sign(value) == best]


def times_found(position: Position, solver: Solver) -> int:
    right = right_answers(position, solver)
    tries = [(level, seed) for level in (5, 6, 7, 8, 9) for seed in (0, 1, 2, 3)]
    return sum(make_agent(f"level:{level}", seed).choose(position).column in right for level, seed in tries)


def check(position: Position, column: int, found: Trickiest | None, solver: Solver) -> None:
    """Nothing harder was there, by more than chance; and what is told is so."""
    scores = claims.column_scores(position, solver)
    top = max(scores.values())
    if top > 0:
        assert found is None
        return
    told = times_found(position.play(column), solver)
    if found is None:
        return
    hardest = found.hardest.column
    assert hardest != column
    assert claims.sign(scores[hardest]) == claims.sign(top) == claims.sign(scores[column])
    assert found.is_lost == (top < 0)
    after = position.play(hardest)
    assert list(found.hardest.right) == right_answers(after, solver)
    assert found.hardest.found == (times_found(after, solver), 20)
    assert found.told.found == (told, 20)
    assert told - found.hardest.found[0] >= 4
    numbers = re.findall(r"\d+", found.text("en"))
    assert numbers[0] == str(hardest + 1)
    assert numbers[-3:-1] == ["20", str(told)]


def test_of_games(solver: Solver) -> None:
    chance, told = random.Random(7), 0
    for _ in range(25):
        position = Position()
        while not position.is_over and position.ply < chance.randrange(4, 36):
            level = make_agent(f"level:{chance.choice([3, 5, 7])}", chance.getrandbits(32))
            position = position.play(level.choose(position).column)
        if position.is_over:
            continue
        column = explain(position, None, solver).column
        found = trickiest(position, column, solver)
        check(position, column, found, solver)
        told += found is not None
    assert told


@pytest.mark.parametrize(("moves", "hardest"), [("4", 3), ("65665552333332", 5), ("4444422226666246", 6)])
def test_known_ones(moves: str, hardest: int, solver: Solver) -> None:
    position = Position.parse(moves)
    found = trickiest(position, explain(position, None, solver).column, solver)
    assert found is not None
    assert found.hardest.column + 1 == hardest
    told = {language: found.text(language) for language in LANGUAGES}
    assert len(set(told.values())) == len(LANGUAGES)
    assert len({tuple(sorted(re.findall(r"\d+", text))) for text in told.values()}) == 1


def test_nothing_is_said_of_a_win_or_without_time(solver: Solver) -> None:
    assert trickiest(Position(), 3, solver) is None
    slow = Solver(megabytes=16, book=False)
    assert trickiest(Position.parse("4"), 3, slow, Limit(nodes=10)) is None


def test_of_columns_that_lose_alike_the_hardest_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "34343344434", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    hardest = told["trickiest"]
    assert (told["column"], hardest["column"], hardest["told"]["column"]) == ("6", "6", "3")
    assert cli.run(["explain", "34343344434"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Column 6: ")
    assert "Column 6 sets them the hardest problem." in text


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "65665552333332", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["trickiest"]
    assert (told["column"], told["right"], told["told"]["column"]) == ("5", ["2"], "4")
    assert cli.run(["explain", "65665552333332"]) == 0
    assert capsys.readouterr().out.endswith(f"{told['text']}\n")
    assert cli.run(["explain", "4131", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["trickiest"] is None
