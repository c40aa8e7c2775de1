"""The model of people: what it sees is there, strength makes it better, and the puzzles are rated by it."""

import json
import random
from importlib.resources import files

import pytest

from claimeven.agents import make_agent
from claimeven.board import Board
from claimeven.commands.shown.crowd import crowd_words, hundred
from claimeven.errors import MoveError, SpecError
from claimeven.people import AVERAGE, STRONGEST, WEAKEST, chances, difficulty
from claimeven.people.features import CONTEXT, NAMES, context, features
from claimeven.people.model import shipped_weights
from claimeven.position import Position
from claimeven.puzzles import shipped_puzzles
from claimeven.puzzles.rating import PEOPLE, levels_tried, measure, people_asked, rating_from
from claimeven.runner import seed_of
from claimeven.solver import Solver


def some_positions(seed: int, count: int, board: Board | None = None) -> list[Position]:
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position(board or Board())
        for _ in range(chance.randrange(30)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


def wins(position: Position) -> set[int]:
    return {column for column in position.legal if position.play(column).winner is not None}


def test_what_is_seen_is_there() -> None:
    """Against the rules, played out disc by disc."""
    for position in some_positions(1, 150):
        for column, row in features(position).items():
            seen, after = dict(zip(NAMES, row, strict=True)), position.play(column)
            lines = [seen[f"own {line} line that lacks 1"] for line in ("upright", "flat", "slanted")]
            assert any(lines) == (after.winner is not None)
            if after.winner is None:
                assert seen["loses at once"] == bool(wins(after)), (position.moves, column)
                above = position.board.bit(column, position.height(column) + 1) & position.board.full
                door = above and position.board.has_four(position.theirs | above)
                doors = [seen[f"opens the door of {which} line"] for which in ("a flat", "another")]
                assert sum(doors) == bool(door)
        assert len(context(position)) == len(CONTEXT)


def test_two_threats_are_seen_when_made_allowed_and_prevented() -> None:
    def seen(moves: str) -> dict[int, dict[str, float]]:
        rows = features(Position.parse(moves))
        return {column + 1: dict(zip(NAMES, row, strict=True)) for column, row in rows.items()}

    assert [column for column, row in seen("4131").items() if row["two threats"]] == [5]
    assert [column for column, row in seen("413").items() if row["prevents two threats"]] == [2, 5, 6]
    assert [column for column, row in seen("413").items() if row["allows two threats"]] == [1, 3, 4, 7]


def test_chances_are_chances_on_any_board() -> None:
    for board in (Board(), Board(5, 4), Board(9, 7, 5), Board(3, 3, 3)):
        for position in some_positions(2, 5, board):
            for rating in (0, 820, 3000):
                found = chances(position, rating)
                assert tuple(found) == position.legal
                assert sum(found.values()) == pytest.approx(1)
            stones = Position.parse(str(position))  # how it was reached is not known
            assert sum(chances(stones).values()) == pytest.approx(1)


def test_a_mirror_changes_nothing() -> None:
    for position in some_positions(3, 20):
        mirrored = Position.parse("".join(str(8 - int(digit)) for digit in position.moves or ""))
        other = chances(mirrored)
        for column, chance in chances(position).items():
            assert other[6 - column] == pytest.approx(chance)


def test_stronger_people_keep_more() -> None:
    """And nobody is weaker or stronger than those that were learned from."""
    solver, kept = Solver(megabytes=16), dict.fromkeys((600, 820, 980, 1140), 0.0)
    for position in some_positions(4, 80):
        if position.ply < 10:
            continue
        scores = solver.analyse(position).scores
        best = max(scores.values()).outcome
        for rating in kept:
            likely = chances(position, rating)
            kept[rating] += sum(likely[c] for c, score in scores.items() if score.outcome == best)
    assert list(kept.values()) == sorted(kept.values())
    assert kept[1140] > 1.1 * kept[600]
    position = Position.parse("4131")
    assert chances(position, 100) == chances(position, 600)
    assert chances(position, 2000) == chances(position, 1140)
    assert chances(position, AVERAGE) == chances(position)


def test_the_agent_draws_as_people_are_likely_to_play() -> None:
    position = Position.parse("4131")
    agent = make_agent("human:rating=600", seed=1)
    choices = [agent.choose(position) for _ in range(400)]
    expected = chances(position, 600)
    assert all(choice.weights == expected for choice in choices)
    for column, chance in expected.items():
        played = sum(choice.column == column for choice in choices) / len(choices)
        assert played == pytest.approx(chance, abs=0.1)
    assert make_agent("human").choose(position).weights == chances(position)
    weakest, *_, strongest = shipped_weights().strengths
    assert (weakest[0], strongest[0]) == (WEAKEST, STRONGEST), "what may be asked for is what was learned"
    with pytest.raises(SpecError, match="rating must be a whole number from 600 to 1140"):
        make_agent("human:rating=1141")


def test_what_people_find_hard() -> None:
    """One column wins in two moves, of the others all but one win later: known from the solver's tests."""
    weak, strong = (difficulty(Position.parse("4131"), Solver(megabytes=16), r) for r in (WEAKEST, STRONGEST))
    for found in (weak, strong):
        assert found.keeping == (0, 2, 3, 4, 5, 6)
        assert found.share_keeping == pytest.approx(1 - found.chances[1])
        assert found.share_best == found.chances[4]
    assert weak.share_best < 0.5 < strong.share_best
    with pytest.raises(MoveError, match="the game is over"):
        difficulty(Position.parse("1212121"), Solver(megabytes=16))


def test_a_hundred_people_are_a_hundred() -> None:
    """Rounded apart, these would be 101 people, and 34 + 34 would be 67."""
    found = hundred({0: 0.335, 1: 0.335, 2: 0.33})
    assert sorted(found.values()) == [33, 33, 34]
    solver = Solver(megabytes=16)
    for position in some_positions(6, 12):
        told = crowd_words(difficulty(position, solver)).splitlines()
        people = [int(line[:5]) for line in told[1:-1]]
        starred = [number for number, line in zip(people, told[1:-1], strict=True) if line[6] == "*"]
        assert sum(people) == 100
        assert told[-1].endswith(f", {sum(starred)} find the best")


def test_the_weights_belong_to_these_features() -> None:
    raw = json.loads((files("claimeven.people") / "weights.json").read_text(encoding="utf-8"))
    assert raw["inputs"] == [*NAMES, *CONTEXT]
    weights = shipped_weights()
    assert {len(row) for row in weights.hidden} == {len(weights.straight)} == {len(NAMES) + len(CONTEXT)}
    assert len(weights.strong) == len(NAMES)


def test_ratings_of_puzzles_are_what_levels_and_people_say() -> None:
    assert rating_from([(1000, 3.0)]) == 1000, "half of the tries"
    levels = [(600, 3.0), (1000, 5.0)]
    easy, hard = [(800, 6.0)], [(800, 0.0)]
    assert rating_from([*levels, *easy]) < rating_from(levels) < rating_from([*levels, *hard])
    places = random.Random(5).sample(range(len(shipped_puzzles())), 5)
    for place in places:
        puzzle = shipped_puzzles()[place]
        assert measure(puzzle.row(), seed_of(1, place)) == puzzle.rating, puzzle.id
    stacked = [puzzle for puzzle in shipped_puzzles() if puzzle.theme == "stacked"]
    asked = [dict(people_asked(puzzle)) for puzzle in stacked[:20]]
    assert all(tuple(one) == PEOPLE for one in asked)
    assert sum(one[PEOPLE[0]] for one in asked) < sum(one[PEOPLE[-1]] for one in asked)
    quiz = next(puzzle for puzzle in shipped_puzzles() if puzzle.goal == "who")
    assert people_asked(quiz) == []
    assert rating_from(levels_tried(quiz, 1)) == measure(quiz.row(), 1)
