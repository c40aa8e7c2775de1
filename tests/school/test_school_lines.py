"""Lines for wrong answers: every task has its own, each is said to somebody, and what they claim is so."""

import re
from collections.abc import Callable
from functools import cache

import pytest

from claimeven import notation
from claimeven.position import Position
from claimeven.reasons.words import LANGUAGES
from claimeven.school import Task, Unit, judge, units
from claimeven.school.asked import SIDES
from claimeven.school.questions import ON_DISCS
from claimeven.school.voice import texts
from claimeven.solver import Solver

CELLS = [notation.cell_name(column, row) for column in range(7) for row in range(6)]
# Nobody can get these wrong: every disc is welcome, or comes to the same.
EASY = {"rules.1", "practice.2", "practice.4", "practice.8"}


SOLVER = Solver(megabytes=64)


@cache
def wrong_answers(task: Task) -> list[tuple[str, str]]:
    """Every wrong answer of one part, and what is said to it."""
    answers: dict[str, list[str]] = {
        "count": [str(number) for number in range(43)],
        "cells": CELLS,
        "mark": CELLS,
    }
    columns = [notation.column_digit(column) for column in task.position.legal]
    options = list(SIDES.get(task.about, ()))
    found = []
    for answer in answers.get(task.kind) or (options if task.kind == "who" else columns):
        if (
            answer in CELLS
            and task.about not in ON_DISCS
            and task.position.stone(*notation.parse_cell(answer))
        ):
            continue  # nobody can mark a disc there
        verdict = judge(task, answer, solver=SOLVER)
        if verdict.mark == "wrong":
            found.append((answer, verdict.text))
    return found


def pattern(line: str) -> re.Pattern[str]:
    """The line with anything in its gaps."""
    return re.compile(".+".join(map(re.escape, re.split(r"\{\w+\}", line))))


def lines_of(one: Unit) -> dict[str, str]:
    return {code: str(line) for code, line in texts("en", one.name).items() if code.startswith("wrong.")}


@pytest.mark.parametrize("one", units(), ids=lambda one: one.name)
def test_every_task_has_its_own_line_and_every_line_is_said(one: Unit) -> None:
    lines, said = lines_of(one), set[str]()
    for task in one.tasks:
        own = {code: line for code, line in lines.items() if code.split(".")[1] == task.text}
        heard = [text for _, text in wrong_answers(task)]
        found = {code for code, line in own.items() if any(pattern(line).search(text) for text in heard)}
        said |= found
        assert (task.id in EASY) == (not heard), task.id
        assert found or task.id in EASY, task.id
    assert set(lines) - said == set()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_language_names_the_same_cells(language: str) -> None:
    def named(line: object) -> list[str]:
        return sorted(set(re.findall(r"\b[a-g][1-6]\b", str(line))))

    for one in units():
        for code, line in lines_of(one).items():
            assert named(texts(language, one.name)[code]) == named(line), (one.name, code)


# What English lines claim beyond the cells of the mistake, which the coach has proved.


def wins_of(position: Position, side: int) -> set[str]:
    """Every empty cell that would make four, found by looking along lines of discs."""
    stone = notation.STONES[side]
    found = set()
    for column in range(7):
        for row in range(position.height(column), 6):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                ends = [
                    [(column + i * right, row + i * up) for i in range(start, start + 4)]
                    for start in range(-3, 1)
                ]
                for cells in ends:
                    others = [cell for cell in cells if cell != (column, row)]
                    if all(0 <= c < 7 and 0 <= r < 6 and position.stone(c, r) == stone for c, r in others):
                        found.add(notation.cell_name(column, row))
    return found


def free(position: Position, column: str) -> int:
    return 6 - position.height(int(column) - 1)


NAMES = {"Red": 0, "Yellow": 1}
Claim = Callable[[Position, str, re.Match[str]], bool]
CLAIMS: dict[str, Claim] = {
    r"(?P<cell>\w\d) is one of your winning cells, but it stands alone": lambda p, _, m: (
        m["cell"] in wins_of(p, p.side)
        and not {f"{m['cell'][0]}{int(m['cell'][1]) + step}" for step in (1, -1)} & wins_of(p, p.side)
    ),
    r"On (?P<cell>\w\d) (?P<who>Red|Yellow) would win": lambda p, _, m: (
        m["cell"] in wins_of(p, NAMES[m["who"]])
    ),
    r"(?P<who>Red|Yellow) would win on (?P<cell>\w\d)": lambda p, _, m: (
        m["cell"] in wins_of(p, NAMES[m["who"]])
    ),
    r"Your winning cell is (?P<cell>\w\d)\.": lambda p, _, m: wins_of(p, p.side) == {m["cell"]},
    r"(?P<cell>\w\d) is the treasure itself": lambda p, _, m: m["cell"] in wins_of(p, p.side),
    r"Your treasures lie in columns 2 and 6": lambda p, _, m: (
        {c[0] for c in wins_of(p, p.side)} == {"b", "f"}
    ),
    r"above another lies your own (?P<cell>\w\d)": lambda p, _, m: m["cell"] in wins_of(p, p.side),
    r"In two columns (?P<who>Red|Yellow) has a winning cell": lambda p, _, m: (
        len({cell[0] for cell in wins_of(p, NAMES[m["who"]])}) == 2
    ),
    r"(?P<cell>\w\d) is a winning cell of (?P<who>\w+)'s, but row (?P<row>\d) is": lambda p, _, m: (
        m["cell"] in wins_of(p, NAMES[m["who"]])
        and m["cell"][1] == m["row"]
        and int(m["row"]) % 2 == NAMES[m["who"]]
    ),
    r"There is one winning cell on the board: (?P<cell>\w\d), and it is (?P<who>\w+)'s": lambda p, _, m: (
        wins_of(p, NAMES[m["who"]]) == {m["cell"]} and not wins_of(p, 1 - NAMES[m["who"]])
    ),
    r"Only Yellow has a winning cell: (?P<cell>\w\d)": lambda p, _, m: (
        wins_of(p, 1) == {m["cell"]} and not wins_of(p, 0)
    ),
    r"Red has only (?P<cell>\w\d), .* Yellow has no winning cell": lambda p, _, m: (
        wins_of(p, 0) == {m["cell"]} and not wins_of(p, 1)
    ),
    r"only one winning cell on this board": lambda p, _, m: len(wins_of(p, 0) | wins_of(p, 1)) == 1,
    r"In column 5 each side has one winning cell": lambda p, _, m: all(
        len({cell for cell in wins_of(p, side) if cell[0] == "e"}) == 1 for side in (0, 1)
    ),
    r"(?P<cell>\w\d) lies lower": lambda p, _, m: (
        f"{m['cell'][0]}{int(m['cell'][1]) + 1}" in wins_of(p, 0) ^ wins_of(p, 1)
        and m["cell"] in wins_of(p, 0) | wins_of(p, 1)
    ),
    r"f2 is Red's winning cell": lambda p, _, m: "f2" in wins_of(p, 0),
    r"It is a winning cell of Yellow's, in an even row": lambda p, _, m: any(
        int(cell[1]) % 2 == 0 for cell in wins_of(p, 1)
    ),
    r"That is every free cell": lambda p, answer, m: int(answer) == 42 - p.ply,
    r"only columns 1 and 6 have safe cells": lambda p, _, m: (
        {column for column in range(7) if p.height(column) < 6} == {0, 3, 5}
    ),
    r"Column (?P<column>\d) has an even number of free cells": lambda p, _, m: free(p, m["column"]) % 2 == 0,
    r"then it is only a draw|and it becomes a draw": lambda p, answer, m: (
        SOLVER.outcome(p.play(int(answer) - 1)) == "draw"
    ),
    r"Two of its cells are Yellow's already, and the other two lie in rows 4 and 6": lambda p, _, m: (
        [p.stone(c, r) for c, r in ((1, 2), (3, 4))] == ["o", "o"]
    ),
    r"c3, f3, and Yellow's discs between them": lambda p, _, m: [p.stone(c, 2) for c in (3, 4)] == ["o", "o"],
    r"b1, d1 and g1 can work together": lambda p, _, m: [p.stone(c, 0) for c in (1, 3, 6)] == ["x"] * 3,
    r"You have two side by side on the bottom row": lambda p, _, m: (
        [p.stone(c, 0) for c in (3, 4)] == ["x", "x"]
    ),
    r"the red tower: three discs": lambda p, _, m: [p.stone(0, r) for r in range(3)] == ["x"] * 3,
    r"Red has just played column (?P<column>\d)": lambda p, _, m: (p.moves or "")[-1] == m["column"],
    r"The answer to column (?P<column>\d)": lambda p, _, m: (p.moves or "")[-1] == m["column"],
    r"Four of the seven columns keep the win": lambda p, _, m: (
        sum(SOLVER.outcome(p.play(column)) == "loss" for column in range(7)) == 4
    ),
    r"leaves both ends of the two free": lambda p, answer, m: answer not in ("3", "6"),
    r"after most of them Red wins": lambda p, _, m: (
        sum(SOLVER.outcome(p.play(c)) == "win" for c in range(7)) > 3
    ),
    r"after most of them Red no longer wins": lambda p, _, m: (
        sum(SOLVER.outcome(p.play(c)) != "loss" for c in range(7)) > 3
    ),
}


def test_what_the_lines_claim_is_so() -> None:
    used = set()
    for one in units():
        for task in one.tasks:
            for answer, text in wrong_answers(task):
                for claim, holds in CLAIMS.items():
                    match = re.search(claim, text)
                    if match:
                        used.add(claim)
                        assert holds(task.position, answer, match), (task.id, answer, text)
    assert used == set(CLAIMS)
