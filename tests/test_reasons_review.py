"""Reviews: classes and accuracy against a naive reading of the definitions, and what people see."""

import json
import random
import re
from collections.abc import Callable

import pytest

import claims
from claimeven import cli
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Board
from claimeven.reasons import review
from claimeven.reasons.reviews import Review
from claimeven.solver import Solver

GAME = "35333571225757226"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


@pytest.fixture(scope="module")
def reviewed(solver: Solver) -> Review:
    return review(Game.parse(GAME), solver)


def naive_class(review: Review, place: int, solver: Solver) -> str:
    """The table of docs/explanations.md, from scores of each column's own position."""
    position, column = review.moves[place].position, review.moves[place].column
    scores = claims.column_scores(position, solver)
    own, best = scores[column], max(scores.values())
    drop = claims.sign(best) - claims.sign(own)
    if drop:
        if best > 0 and place and review.moves[place - 1].name in ("blunder", "mistake", "missed_win"):
            return "missed_win"
        return {1: "mistake", 2: "blunder"}[drop]
    game = claims.referee_of(position)
    me, you = "xo"[position.side], "ox"[position.side]
    danger = claims.open_wins(game, you)
    blocks = [spot[0] for spot in danger] == [column] and not claims.open_wins(game, me)
    if len(scores) == 1 or blocks:
        return "forced"
    if [c for c in scores if claims.sign(scores[c]) == claims.sign(own)] == [column]:
        return "only"
    if own < best:
        return "slow" if own > 0 else "hasty"
    so_far = review.moves[: place + 1]
    follows = all(move.score == move.best_score for move in so_far) and not review.game.start.ply
    return "book" if follows and position.ply < 8 else "best"


def random_game(seed: int, board: str) -> Game:
    chance, game = random.Random(seed), Game(Board.parse(board))
    while game.result is None and chance.random() < 0.98:
        game.play(chance.choice(game.position.legal))
    return game


@pytest.mark.parametrize(("seed", "board"), [(1, "7x6"), (3, "5x4"), (4, "6x5"), (5, "4x4x3")])
def test_classes_and_accuracy_are_as_published(seed: int, board: str, solver: Solver) -> None:
    found = review(random_game(seed, board), solver)
    for place, move in enumerate(found.moves):
        assert move.name == naive_class(found, place, solver), (place, move)
    for side in (0, 1):
        asked = kept = 0
        for move in found.moves:
            scores = claims.column_scores(move.position, solver)
            if move.position.side == side and len({claims.sign(value) for value in scores.values()}) > 1:
                asked += 1
                kept += claims.sign(scores[move.column]) == claims.sign(max(scores.values()))
        assert (found.accuracy[side].kept, found.accuracy[side].asked) == (kept, asked)
    for point in found.turning_points:
        claims.check_explanation(point.played, solver)
        claims.check_explanation(point.better, solver)
    assert len(found.values) == len(found.moves) + 1


def test_what_it_says(golden: Callable[[str, str], None], reviewed: Review) -> None:
    found = reviewed
    golden("review.txt", found.text + "\n")
    assert json.loads(json.dumps(found.to_json()))["accuracy"]["o"]["percent"] == pytest.approx(100 * 6 / 7)


def test_the_page_stands_alone_and_hides_the_answers(reviewed: Review) -> None:
    page = reviewed.to_html()
    links = re.findall(r'(?:src|href|url)\s*[=(]\s*["\']?([^"\')\s>]+)', page)
    assert links == []
    assert "<script" not in page
    assert page.count("<details>") == 4
    assert page.count("<svg") == 1 + 2 * 4
    assert "<details open" not in page


def test_games_that_hold_little(solver: Solver) -> None:
    empty = review(Game(), solver)
    assert (empty.moves, empty.values) == ((), (1,))
    assert "Nobody gave anything away." in empty.text
    assert "<svg" in empty.to_html()
    from_position = review(Game.parse("7/7/7/7/3o3/2oxx2 x"), solver)
    assert from_position.moves == ()


def test_a_limit_leaves_moves_unknown() -> None:
    found = review(Game.parse("44", Board.parse("9x7")), Solver(megabytes=16), limit=Limit(nodes=50))
    assert [move.name for move in found.moves] == ["unknown", "unknown"]
    assert found.accuracy[0].percent is None
    for language in ("en", "fr", "pl", "vi"):
        told = review(
            Game.parse("44", Board.parse("9x7")),
            Solver(megabytes=16),
            limit=Limit(nodes=50),
            language=language,
        )
        assert "1" in told.text
        assert len(told.text.splitlines()) == 2  # that they are unknown, and nothing more
    assert found.text.splitlines()[0] == "x: 1 move was not worked out within the limit."
    assert "Nobody gave anything away" not in found.to_html()


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["review", GAME]) == 0
    assert capsys.readouterr().out.startswith("x: 2 of 5 decisive choices right")
    assert cli.run(["review", GAME, "--html", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert cli.run(["review", GAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"][0]["class"] == "mistake"
    assert cli.run(["explain", "4131", "--column", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["column"], told["winner_moves"], told["goal"]) == ("5", 2, "win_sooner")
    assert cli.run(["explain", "4131", "--svg", "-"]) == 0
    assert capsys.readouterr().out.startswith("<svg")
    for line in ("explain 1122334", "explain --language xx", "explain 111111 --column 1"):
        assert cli.run(line.split()) == 2
        assert capsys.readouterr().err.startswith("claimeven: ")
