"""Every task of every unit with every answer: what is right, what is as good, and a sentence for each."""

import re
from collections.abc import Iterator

import pytest
from _pytest.mark.structures import ParameterSet

from claimeven import notation
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.reasons.words import LANGUAGES
from claimeven.school import Task, Verdict, judge, units
from claimeven.school.asked import SIDES
from claimeven.school.goals import GOALS
from claimeven.school.questions import ON_DISCS, side_asked
from claimeven.solver import Solver
from kit.referee import Referee

TASKS = [task for unit in units() for task in (*unit.tasks, *unit.check)]
OUTCOMES = ("loss", "draw", "win")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def of_kinds(*kinds: str) -> list[ParameterSet]:
    return [pytest.param(task, id=task.id) for task in TASKS if task.kind in kinds]


def check_columns(task: Task, position: Position, found: dict[int, Verdict], solver: Solver) -> None:
    """Right answers are accepted, equal and better ones never refused, and each has its own sentence."""
    idea = [column for column, verdict in found.items() if verdict.mark in ("right", "go_on")]
    refused = [column for column, verdict in found.items() if verdict.mark == "wrong"]
    scores = solver.analyse(position).scores
    assert idea, "nothing is right"
    least = min(scores[column] for column in idea)
    for column in refused:
        assert scores[column] < least, (task.id, column + 1)
        if not GOALS[task.about].is_exact:
            assert OUTCOMES.index(scores[column].outcome) < OUTCOMES.index(least.outcome), (
                task.id,
                column + 1,
            )
    texts = [verdict.text for verdict in found.values()]
    assert all(texts)
    assert len(set(texts)) == len(texts), (task.id, texts)
    for column in refused:
        assert found[column].position == position, "what is wrong is not played"


@pytest.mark.parametrize("task", of_kinds("drop"))
def test_every_column_of_a_drop(task: Task, solver: Solver) -> None:
    position = task.position
    found = {column: judge(task, notation.column_digit(column), solver=solver) for column in position.legal}
    check_columns(task, position, found, solver)
    if task.about != "any" and task.about != "trap":
        marks = {verdict.mark for verdict in found.values()}
        assert "wrong" in marks, "a task that nobody can get wrong asks nothing"


@pytest.mark.parametrize("task", of_kinds("cells", "mark"))
def test_exactly_the_cells_are_right(task: Task, solver: Solver) -> None:
    """The answer is found by trying all cells; one more or one less is wrong. Discs are not to be marked."""
    names = [notation.cell_name(column, row) for column in range(7) for row in range(6)]
    if task.about not in ON_DISCS:
        taken = [name for name in names if task.position.stone(*notation.parse_cell(name))]
        for name in taken:
            with pytest.raises(InputError, match=f"{name} is taken"):
                judge(task, name, solver=solver)
        names = [name for name in names if name not in taken]
    alone = {name: judge(task, name, solver=solver) for name in names}
    # A check tells the answer; elsewhere a cell that fits is named as found, or is the whole answer.
    wanted = [name for name in names if is_among(alone[name], name)]
    assert wanted, "there is something to find"
    assert judge(task, " ".join(wanted), solver=solver).mark == "right", wanted
    assert len(wanted) == 1 or task.kind == "cells"
    wrong = [alone[name].text for name in names if name not in wanted]
    assert len(set(wrong)) == len(wrong)
    for name in wanted if len(wanted) > 1 else []:
        rest = " ".join(other for other in wanted if other != name)
        assert judge(task, rest, solver=solver).mark == "wrong"
    assert judge(task, " ".join([*wanted, *names]), solver=solver).mark == "wrong"


def is_among(verdict: Verdict, name: str) -> bool:
    return verdict.mark == "right" or f"{name}: yes." in verdict.text


@pytest.mark.parametrize("task", of_kinds("cells", "mark"))
def test_winning_cells_are_those_of_the_referee(task: Task, solver: Solver) -> None:
    """The naive referee puts a disc on every empty cell and looks."""
    sides = {"mine": (task.side,), "mine_open": (task.side,), "theirs": (1 - task.side,)}
    sides |= {"theirs_open": (1 - task.side,)}
    if task.about not in sides:
        return
    wanted = [
        notation.cell_name(column, row)
        for column, row, is_open in winning_by_referee(task.position, sides[task.about][0])
        if is_open or not task.about.endswith("_open")
    ]
    assert judge(task, " ".join(wanted), solver=solver).mark == "right"


def winning_by_referee(position: Position, side: int) -> Iterator[tuple[int, int, bool]]:
    stones = {
        (column, row): position.stone(column, row)
        for column in range(7)
        for row in range(position.height(column))
    }
    for column in range(7):
        for row in range(position.height(column), 6):
            own = {cell for cell, stone in stones.items() if stone == notation.STONES[side]} | {(column, row)}
            lines = (
                [(column + (i - k) * right, row + (i - k) * up) for i in range(4)]
                for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
                for k in range(4)
            )
            if any(all(cell in own for cell in line) for line in lines):
                yield column, row, row == position.height(column)


@pytest.mark.parametrize("task", of_kinds("count"))
def test_one_number_is_right(task: Task, solver: Solver) -> None:
    found = [judge(task, str(number), solver=solver) for number in range(43)]
    assert [verdict.mark for verdict in found].count("right") == 1
    texts = [verdict.text for verdict in found]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("task", of_kinds("who"))
def test_one_side_is_right(task: Task, solver: Solver) -> None:
    found = [judge(task, option, solver=solver) for option in SIDES[task.about]]
    assert next(verdict for verdict in found if verdict.is_right).cells, "what it hangs on is lit"
    assert [verdict.mark for verdict in found].count("right") == 1
    assert len({verdict.text for verdict in found}) == len(found)


def test_the_cells_of_the_check_are_told_with_who_wins(solver: Solver) -> None:
    asked = [task for task in TASKS if task.is_check and task.about == "winner"]
    assert len(asked) > 4
    for task in asked:
        for option in SIDES["winner"]:
            verdict = judge(task, option, solver=solver)
            winner = side_asked("winner", task.position, "", solver)
            truth = {"x": "Red wins", "o": "Yellow wins", "=": "nobody wins"}[winner]
            assert verdict.is_right or f"With best play {truth}." in verdict.text
            for side, name in enumerate(("Red", "Yellow")):
                cells = [notation.cell_name(c, r) for c, r, _ in winning_by_referee(task.position, side)]
                listed = re.search(rf"Winning cells of {name}: ([^.]*)\.", verdict.text)
                assert sorted(re.findall(r"[a-g][1-6]", listed[1] if listed else "")) == sorted(cells)


@pytest.mark.parametrize("task", of_kinds("drop", "play", "line", "who"))
def test_the_first_error_gets_a_hint_and_not_the_answer(task: Task, solver: Solver) -> None:
    """Nothing is lit that was missed, no cell is named by the coach; the next error shows it."""
    columns = [notation.column_digit(column) for column in task.position.legal]
    answers = list(SIDES[task.about]) if task.kind == "who" else columns
    texts = []
    for answer in answers:
        first = judge(task, answer, is_first=True, solver=solver)
        later = judge(task, answer, solver=solver)
        assert first.mark == later.mark
        if first.mark != "wrong":
            assert first == later
            continue
        texts.append(first.text)
        if later.cells and task.kind != "who" and first != later:
            assert not first.cells
            assert not first.line
            assert not re.search(r"\b[a-g][1-6]\b", first.text)
        if (
            first == later and task.kind != "who" and later.cells
        ):  # a door, a burnt threat: the own disc's fault
            assert later.line[:1] == (int(answer) - 1,) or task.kind == "line"
    assert len(set(texts)) == len(texts)


def test_what_stops_a_fork_and_loses_later_is_called_so(solver: Solver) -> None:
    late = next(task for task in TASKS if task.id == "forks.7")
    said = {column: judge(late, str(column), solver=solver) for column in (3, 5, 7)}
    assert {verdict.mark for verdict in said.values()} == {"right"}
    for column in (3, 7):
        assert said[column].text.endswith(" In the end it loses, though: column 5 holds.")
    assert "In the end" not in said[5].text
    assert "In the end" not in judge(TASKS[0], "1", solver=solver).text, "the first disc of all is welcome"


@pytest.mark.parametrize("task", of_kinds("line"))
def test_a_line_is_right_disc_by_disc(task: Task, solver: Solver) -> None:
    """Best play of both sides is accepted; at every disc every other column is refused, and told why."""
    position, line = task.position, ""
    for _ in range(9):
        best = solver.analyse(position).best
        texts = []
        for column in position.legal:
            verdict = judge(task, line + notation.column_digit(column), solver=solver)
            assert (verdict.mark == "wrong") == (column not in best), (line, column + 1)
            texts += [verdict.text] if verdict.mark == "wrong" else []
        assert len(set(texts)) == len(texts)
        line += notation.column_digit(best[0])
        position = position.play(best[0])
        if judge(task, line, solver=solver).mark == "right":
            break
    else:
        raise AssertionError("the line has no end")
    assert len(line) >= 3, "one disc is no line"


@pytest.mark.parametrize("task", of_kinds("play"))
def test_a_game_is_played_out_to_its_end(task: Task, solver: Solver) -> None:
    """Along the idea, every legal column at every turn; what is as good is accepted and the game goes on."""
    position, played = task.position, ""
    start = solver.analyse(position).score
    assert start is not None
    for _ in range(21):
        found = {
            column: judge(task, notation.column_digit(column), played=played, solver=solver)
            for column in position.legal
        }
        check_columns(task, position, found, solver)
        ends = [verdict for verdict in found.values() if verdict.mark == "right"]
        on = [verdict for verdict in found.values() if verdict.mark == "go_on"]
        if ends:
            break
        # The answers of the plan come without "also".
        verdict = min(on, key=lambda one: "lso good" in one.text)
        position, played = verdict.position, verdict.played
    else:
        raise AssertionError("the game has no end")
    end = ends[0].position
    assert end.winner == (task.side if start.value > 0 else None)


@pytest.mark.slow
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_column_has_its_sentence_in_every_language(language: str, solver: Solver) -> None:
    for task in TASKS:
        if task.kind not in ("drop", "play"):
            continue
        marks = {}
        for column in task.position.legal:
            digit = notation.column_digit(column)
            verdict = judge(task, digit, language, solver=solver)
            assert verdict.mark == judge(task, digit, solver=solver).mark
            marks[column] = verdict.text
        assert len(set(marks.values())) == len(marks), (task.id, marks)


def test_the_referee_agrees_that_the_positions_can_be_played() -> None:
    for task in TASKS:
        referee = Referee()
        for column in notation.parse_moves(task.moves, 7):
            assert referee.winner is None, task.id
            referee.play(column)
        assert referee.winner is None, task.id
