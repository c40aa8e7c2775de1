"""Puzzles: every shipped one has one right answer at every step; each is solved again from its moves."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from claimeven import cli
from claimeven.errors import InputError, MoveError
from claimeven.picture import last_cell
from claimeven.position import Position
from claimeven.puzzles import (
    THEMES,
    Puzzle,
    Sitting,
    generate_puzzles,
    parse_rating,
    pick_puzzles,
    puzzle_by_id,
    shipped_puzzles,
)
from claimeven.puzzles.mine import collect
from claimeven.puzzles.rating import rate
from claimeven.reasons import Fact, certify, refutation
from claimeven.solver import Solver
from kit.coach import claims


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def verify(puzzle: Puzzle, solver: Solver) -> None:
    """Everything that a puzzle says, from the scores of single positions."""
    position = puzzle.position
    assert int(solver.score(position)) == puzzle.value
    if puzzle.goal == "who":
        verify_quiz(puzzle, solver)
        return
    wanted = {"win": 1, "draw": 0}[puzzle.goal]
    assert claims.sign(puzzle.value) == wanted
    before = position
    for place, column in enumerate(puzzle.line):
        scores = claims.column_scores(position, solver)
        if place % 2 == 0:
            assert [c for c in scores if claims.sign(scores[c]) >= wanted] == [column]
            assert len(scores) > 1
        else:
            assert scores[column] == max(scores.values())
        before, position = position, position.play(column)
    assert len(puzzle.line) % 2 == 1
    verify_end(puzzle, before, position, solver)
    verify_themes(puzzle, before, solver)


def verify_end(puzzle: Puzzle, before: Position, after: Position, solver: Solver) -> None:
    scene = claims.Scene(before, Fact("answer", puzzle.line[-1]))
    if puzzle.end == "win":
        assert after.winner == puzzle.side
    elif puzzle.end in ("fork", "stacked", "zugzwang"):
        assert claims.wins_next(scene)
        threats = claims.open_wins(scene.after, scene.me)
        assert min(len(threats), 2) == {"fork": 2, "stacked": 1, "zugzwang": 0}[puzzle.end]
    elif puzzle.end == "plan":
        plan = certify(after)
        assert plan is not None
        assert plan.holder == puzzle.side
        assert claims.plan_is_true(plan, solver)
        assert plan.bound < 0 or puzzle.goal == "draw"
    else:
        assert puzzle.end == ("draw" if after.is_over else "open")


def verify_themes(puzzle: Puzzle, before: Position, solver: Solver) -> None:
    for theme in puzzle.themes:
        if theme == "win":
            assert 1 <= (solver.score(puzzle.position).moves or 0) <= 8
        elif theme in ("fork", "stacked"):
            assert puzzle.end == theme
        elif theme == "zugzwang":
            assert puzzle.end in ("zugzwang", "plan")
        elif theme == "only_move":
            assert puzzle.goal == "draw"
        else:
            assert theme == "refute"
            # The opponent's last disc cost him half a point or more.
            earlier = Position.parse(puzzle.moves[:-1])
            best = max(claims.column_scores(earlier, solver).values())
            assert claims.sign(best) > -claims.sign(puzzle.value)


def verify_quiz(puzzle: Puzzle, solver: Solver) -> None:
    position = puzzle.position
    game = claims.referee_of(position)
    assert not claims.open_wins(game, "x")
    assert not claims.open_wins(game, "o")
    assert claims.all_wins(game, "x") or claims.all_wins(game, "o")
    for column in puzzle.line:
        scores = claims.column_scores(position, solver)
        assert scores[column] == max(scores.values())
        position = position.play(column)
    plan = certify(position)
    assert plan is not None
    assert claims.plan_is_true(plan, solver)
    outcome = solver.outcome(puzzle.position)
    player = puzzle.side if outcome == "win" else 1 - puzzle.side
    assert puzzle.answer == ("=" if outcome == "draw" else "xo"[player])
    assert (plan.bound < 0) == (outcome != "draw")


def check_hints(puzzle: Puzzle) -> None:
    """Facts about the last column of the line or about the first one; the answer comes last."""
    position = puzzle.position
    if puzzle.goal == "who":
        assert puzzle.hints[-1].code in ("who", "who_draw")
        return
    before = position
    for column in puzzle.line[:-1]:
        before = before.play(column)
    for hint in puzzle.hints[:-1]:
        fact = hint.fact
        if fact.kind in claims.CHECKS:
            is_last = hint.code in ("fork", "stacked", "zugzwang", "cells", "wins_now")
            assert claims.check(before if is_last else position, fact), hint
        else:
            assert fact.kind in ("plan_key", "plan_hold", "area")
    codes = [hint.code for hint in puzzle.hints]
    assert len(codes) >= 2, "the answer is no first hint"
    assert codes.index("blocks") == 0 if "blocks" in codes else True, "the danger comes first"
    if "area" in [hint.fact.kind for hint in puzzle.hints]:
        column, columns = puzzle.line[0], puzzle.position.board.columns
        side = "left" if 3 * (column + 1) <= columns else "right" if 3 * column >= 2 * columns else "middle"
        assert side in codes
    assert puzzle.hints[-1].fact.column == puzzle.line[0]


def check_some(puzzles: list[Puzzle], solver: Solver) -> None:
    for puzzle in puzzles:
        try:
            verify(puzzle, solver)
            check_hints(puzzle)
        except AssertionError as error:
            raise AssertionError(f"{puzzle}: {error}") from error
    print(f"{len(puzzles)} puzzles verified")


def test_a_sample_of_the_shipped_puzzles(solver: Solver) -> None:
    puzzles = list(shipped_puzzles())
    chance = random.Random(3)
    sample = [p for theme in THEMES for p in chance.sample([p for p in puzzles if p.themes[0] == theme], 8)]
    check_some(sample, solver)


@pytest.mark.slow
def test_all_shipped_puzzles(solver: Solver) -> None:
    check_some(list(shipped_puzzles()), solver)


def test_the_collection_has_everything() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) >= 2000
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len({(puzzle.goal == "who", puzzle.position.canonical_key) for puzzle in puzzles}) == len(puzzles)
    assert min(Counter(puzzle.themes[0] for puzzle in puzzles).values()) >= 250
    assert min(Counter(min(puzzle.rating, 1999) // 400 for puzzle in puzzles).values()) >= 100
    assert {puzzle.answer for puzzle in puzzles if puzzle.goal == "who"} == {"x", "o", "="}
    assert {puzzle.score.moves for puzzle in puzzles if "win" in puzzle.themes} == set(range(1, 9))
    assert {puzzle.side for puzzle in puzzles} == {0, 1}
    assert all(p.rating == rate(p) for p in random.Random(1).sample(puzzles, 20))


def test_puzzles_are_generated_the_same_from_the_same_seed(solver: Solver) -> None:
    found = list(generate_puzzles(11, 6))
    assert found == list(generate_puzzles(11, 6))
    assert found != list(generate_puzzles(12, 6))
    check_some(found, solver)
    sharp = list(generate_puzzles(1, 4, ["fork", "stacked"]))
    assert all(puzzle.themes[0] in ("fork", "stacked") for puzzle in sharp)
    check_some(sharp, solver)
    assert list(generate_puzzles(1, 0)) == []
    with pytest.raises(InputError, match="no theme 'forks'"):
        generate_puzzles(1, 1, ["forks"])


def test_a_collection_is_even() -> None:
    puzzles = [p for p in shipped_puzzles() if p.themes[0] in ("win", "fork", "parity")]
    found = collect(puzzles, 30)
    assert len(found) == 30
    assert Counter(puzzle.themes[0] for puzzle in found)["parity"] >= 5
    assert len({puzzle.rating // 200 for puzzle in found}) >= 5


def test_a_file_that_was_edited_is_refused() -> None:
    row: dict[str, object] = {**shipped_puzzles()[0].row()}
    assert Puzzle.from_row(row) == shipped_puzzles()[0]
    for change in ({"goal": "lose"}, {"themes": ["chess"]}, {"line": "48"}, {"moves": None}):
        with pytest.raises(ValueError, match=r"\w"):
            _ = Puzzle.from_row(row | change).position
    del row["end"]
    with pytest.raises(InputError, match="no puzzle"):
        Puzzle.from_row(row)


def test_every_wrong_answer_is_refuted_with_a_line(solver: Solver) -> None:
    chance = random.Random(8)
    checked = 0
    for puzzle in chance.sample([p for p in shipped_puzzles() if p.goal != "who"], 12):
        scores = claims.column_scores(puzzle.position, solver)
        for column in set(scores) - {puzzle.line[0]}:
            told = refutation(puzzle.position, column, puzzle.line[0], solver)
            assert told.line is not None
            assert told.line.columns[0] == column
            assert claims.line_is_true(puzzle.position, told.line, solver)
            assert int(told.score) == scores[column]
            assert f"Column {column + 1} " in told.text
            checked += 1
    assert checked > 40


def test_choosing() -> None:
    assert all(p.score.moves == 3 for p in pick_puzzles(["win in 3"]))
    assert all("only_move" in p.themes for p in pick_puzzles(["only-move"]))
    assert all(1000 <= p.rating <= 1200 for p in pick_puzzles(rating=(1000, 1200)))
    assert pick_puzzles(seed=4) == pick_puzzles(seed=4) != pick_puzzles(seed=5)
    assert puzzle_by_id(shipped_puzzles()[7].id) == shipped_puzzles()[7]
    assert parse_rating("1200") == (1100, 1300)
    for call in (
        lambda: pick_puzzles(["chess"]),
        lambda: pick_puzzles(rating=(9000, 9001)),
        lambda: puzzle_by_id("x"),
        lambda: parse_rating("hard"),
    ):
        with pytest.raises(InputError):
            call()


# At the keyboard -----------------------------------------------------------------------------------


def example(goal: str, steps: int) -> Puzzle:
    return next(p for p in shipped_puzzles() if p.goal == goal and p.steps == steps and p.rating > 800)


def test_sitting_a_puzzle(solver: Solver) -> None:
    """The line is walked column by column, from any place of it; what is not of the line is refuted."""
    puzzle = example("win", 2)
    first, reply, second = puzzle.line
    start = Sitting(puzzle)
    wrong = next(column for column in puzzle.position.legal if column != first)
    assert (start.is_right(first), start.is_right(wrong)) == (True, False)
    assert start.refuted(wrong, solver) == refutation(puzzle.position, wrong, first, solver)
    following, answered = start.advanced()
    assert (answered, following.played, following) == (
        reply,
        (first, reply),
        Sitting.after(puzzle, [first, reply]),
    )
    assert following.position == puzzle.position.play(first).play(reply)
    assert following.hints[-1].fact.column == second
    end, answered = following.advanced()
    assert (answered, end.is_solved, start.is_solved) == (None, True, False)
    assert end.explained(solver).column == first
    for played in ([wrong, reply], [first], [first, reply, second], [first, reply, second, 0]):
        with pytest.raises(InputError, match="beginning of the solution"):
            Sitting.after(puzzle, played)
    full = Position.parse("444444")
    with pytest.raises(MoveError, match="column 4 cannot be played here"):
        Sitting(replace(puzzle, moves=full.moves or "")).is_right(3)


def play(puzzle: Puzzle, typed: str, monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{word}\n" for word in typed.split())))
    return cli.run(["puzzle", "--id", puzzle.id, *options])


def test_a_puzzle_is_solved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = example("win", 2)
    first, _, second = puzzle.line
    assert play(puzzle, f"{first + 1} {second + 1} q", monkeypatch) == 0
    said = capsys.readouterr().out
    assert said.count("Right.") == 2
    assert "answers in column" in said
    assert said.endswith("Solved 1 of 1 puzzle.\n")


def test_wrong_answers_hints_and_giving_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle = example("win", 1)
    wrong = next(c for c in puzzle.position.legal if c != puzzle.line[0])
    assert play(puzzle, f"{wrong + 1} h h h h h 9 {puzzle.answer} q", monkeypatch) == 0
    said = capsys.readouterr().out
    assert f"No. Column {wrong + 1} " in said
    assert f"The column is {puzzle.answer}." in said
    assert "no more hints" in said
    assert "That is no answer here." in said
    assert said.endswith("Solved 0 of 1 puzzle.\n")
    assert play(puzzle, "s", monkeypatch) == 0
    assert f"The solution is {puzzle.answer}" in capsys.readouterr().out
    assert play(puzzle, "", monkeypatch) == 0  # the input ends
    assert capsys.readouterr().out.endswith("Solved 0 of 1 puzzle.\n")


def test_a_quiz(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = next(p for p in shipped_puzzles() if p.goal == "who" and p.answer == "o")
    assert play(puzzle, "h 4 o q", monkeypatch) == 0
    said = capsys.readouterr().out
    assert "Right.\nWith best play o wins." in said
    assert said.endswith("Solved 1 of 1 puzzle.\n")
    assert play(puzzle, "= q", monkeypatch, "--language", "pl") == 0
    assert "Nie.\nPrzy najlepszej grze obu stron wygrywa o." in capsys.readouterr().out


def test_the_command(capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]) -> None:
    assert cli.run(["puzzle", "--json", "--theme", "fork", "--rating", "700-1500", "--seed", "3"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["themes"][0] in THEMES
    assert told["question"].startswith(told["side"])
    assert told["hints"][-1]["fact"]["column"] == told["answer"] == told["line"][0]
    assert cli.run(["puzzle", "--json", "--count", "3", "--theme", "parity", "--language", "vi"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert json.loads(lines[0])["answer"] in ("x", "o", "=")
    for line in ("--theme chess", "--rating hard", "--id nothing", "--language xx", "--rating 9999"):
        assert cli.run(["puzzle", *line.split()]) == 2
        error = capsys.readouterr().err
        assert error.startswith("claimeven: ")
        assert error.count("\n") == 1


def test_a_puzzle_knows_its_last_move() -> None:
    puzzle = next(p for p in shipped_puzzles() if p.themes[0] == "refute")
    assert last_cell(puzzle.position) is not None
    assert replace(puzzle, rating=1).id == puzzle.id
