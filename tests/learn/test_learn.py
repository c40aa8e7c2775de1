"""Q-learning: the rules, what is learned, files, checkpoints, the curve, and the command."""

import hashlib
import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from claimeven.agents import make_agent
from claimeven.agents.kinds.qcurve import Kept, Measured, Point
from claimeven.agents.kinds.qlearning import QLearningAgent
from claimeven.agents.kinds.qtable import MAGIC, A, Rule, Table, preset
from claimeven.arena.play.match import play_match
from claimeven.errors import InputError, SpecError
from claimeven.learn import Check, Curve, check, train
from claimeven.learn.curve import decisive_positions
from claimeven.learn.plot import plot
from claimeven.position import Board, Position
from claimeven.solver import Solver

Capture = pytest.CaptureFixture[str]
FOUR = Board(4, 4, 4)


def learned(board: Board = FOUR, games: int = 3000, **options: Any) -> Table:
    rule = replace(preset("claimeven", board), **options)
    return train(Table(board, rule), games)


# The rules


def split_mix(seed: int) -> int:
    word = (seed + 0x9E3779B97F4A7C15) % 2**64
    return scrambled(word)


def scrambled(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31


def single(number: float) -> float:
    """As a table holds it."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


class PlainA:
    """System A's learner in a few plain lines: what its text and source say, full columns and all."""

    def __init__(self, columns: int) -> None:
        self.table: dict[str, list[float]] = {}
        self.columns = columns
        self.history: list[tuple[list[float], int]] = []

    def move(self, position: Position) -> int:
        values = self.table.setdefault(str(position), [0.6] * self.columns)
        while (column := values.index(max(values))) not in position.legal:
            values[column] = -1.0
        self.history.append((values, column))
        return column

    def end(self, reward: float) -> None:
        following = -1.0
        for values, column in reversed(self.history):
            before = values[column]
            values[column] = (
                reward if following < 0 else single(before * (1 - 0.9) + 0.9 * (0.95 * following))
            )
            following = max(values)
        self.history = []


@pytest.mark.parametrize("board", [Board(6, 5, 4), Board(3, 3, 3), Board(4, 2, 3)], ids=str)
def test_the_preset_a_is_system_a(board: Board) -> None:
    games, seed = 400, 5
    table = train(Table(board, preset("a", board), seed=seed), games)
    plain = [PlainA(board.columns), PlainA(board.columns)]
    for number in range(games):
        first = split_mix(scrambled(seed ^ scrambled(number + 1))) >> 63
        players = plain[::-1] if first else plain
        position = Position(board)
        while not position.is_over:
            position = position.play(players[position.side].move(position))
        for side, player in enumerate(players):
            player.end(0.5 if position.winner is None else float(position.winner == side))
    assert [part.states for part in table.parts] == [len(player.table) for player in plain]
    for part, player in zip(table.parts, plain, strict=True):
        for text, values in player.table.items():
            position = Position.parse(text, board)
            found = part.values(position.mine, position.mask)
            assert [0.6 if value is None else value for value in found] == values, text


def test_negamax_learns_a_game_from_its_end() -> None:
    table = learned(games=0)
    rule = table.rule.native()
    table.parts[0].learn([0, 1, 0, 1, 0, 1, 0], 0, rule)  # a column of four
    line, values = Position(FOUR), []
    for column in (0, 1, 0, 1, 0, 1, 0):
        values.append(table.values(line)[column])
        line = line.play(column)
    # Whoever is about to lose could still have tried something else, which is worth 0: only the last two
    # moves teach something.
    assert values == [pytest.approx(x, abs=1e-6) for x in (0, 0, 0, 0, 0, -0.95, 1)]
    assert table.values(Position.parse("434343", FOUR)) == {3: 1.0}, "mirror images are one"
    assert table.values(Position.parse("4", FOUR)) == {2: 0.0}


def test_all_columns_of_a_lost_position_make_it_lost() -> None:
    board = Board(2, 2, 2)  # whoever begins wins
    table = learned(board, 200)
    assert table.values(Position(board)) == pytest.approx({0: 0.95**2, 1: 0.95**2})
    assert table.values(Position.parse("1", board)) == pytest.approx({0: -0.95, 1: -0.95})


@pytest.mark.parametrize("seed", [1, 2])
def test_games_depend_on_their_number(seed: int) -> None:
    whole = train(Table(FOUR, preset("claimeven", FOUR), seed=seed), 3000)
    parts = Table(FOUR, preset("claimeven", FOUR), seed=seed)
    for games in (1, 500, 3000):
        train(parts, games)
    assert parts.parts[0].save() == whole.parts[0].save()
    assert whole.parts[0].save() != learned(games=3000).parts[0].save()


def test_epsilon_falls_to_its_end() -> None:
    rule = Rule(epsilon=0.8, epsilon_end=0.1, half_life=100).native()
    assert [rule.epsilon_at(game) for game in (0, 100, 200, 10_000)] == pytest.approx([0.8, 0.4, 0.2, 0.1])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 1.5}, "alpha must be from 0 to 1"),
        ({"gamma": float("nan")}, "gamma must be from 0 to 1"),
        ({"half_life": 0.0}, "half_life must be more than 0"),
        ({"openings": 500}, "openings must be from 0 to 128"),
        ({"backup": "both"}, "the backup is negamax or own"),
    ],
)
def test_impossible_rules_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Rule(**options)  # type: ignore[arg-type]


def test_a_table_grows_no_further_than_it_may() -> None:
    table = Table(Board(), preset("claimeven", Board()), megabytes=1)
    train(table, 3000)
    assert table.is_full
    assert table.states == (1 << 20) // (8 + 28 + 12)


@pytest.mark.parametrize("board", [Board(9, 7, 4), Board(16, 7, 5), Board(1, 1, 1), Board(3, 2, 9)], ids=str)
def test_any_board(board: Board, tmp_path: Path) -> None:
    for name in ("claimeven", "a"):
        table = train(Table(board, preset(name, board)), 50)
        table.write(tmp_path / name)
        again = Table.read(tmp_path / name)
        assert [part.save() for part in again.parts] == [part.save() for part in table.parts]
        assert table.best(Position(board)) in range(board.columns)


# What is learned


@pytest.fixture(scope="module")
def perfect_table() -> Table:
    """The default training on 4x4x4."""
    return learned(games=1_000_000)


def test_it_never_loses_on_a_small_board_whatever_the_opponent_does(perfect_table: Table) -> None:
    for found in check(perfect_table.best, FOUR):
        assert found.value == "draw"
        assert found.decisive > 300
        assert found.share >= 0.99
        assert found.lost == 0


def test_the_check_finds_losses() -> None:
    first, second = check(lambda position: position.legal[0], FOUR)
    assert first.lost
    assert second.lost
    assert first.kept < first.decisive < first.met
    assert Check(0, "draw", 5, 0, 0, 0).share == 1.0
    solver = Solver(megabytes=16)
    exact = check(lambda position: solver.analyse(position).best[0], FOUR)
    assert [(found.share, found.lost) for found in exact] == [(1.0, 0), (1.0, 0)]


@pytest.mark.slow
def test_a_larger_board() -> None:
    board = Board(5, 4, 4)
    table = learned(board, 10_000_000)
    for found in check(table.best, board):
        assert (found.value, found.lost) == ("draw", 0), found
        assert found.share >= 0.99


def test_system_a_learns_too_but_more_slowly() -> None:
    curve = Curve(FOUR, (), positions=100)
    blank, plain, ours = (
        curve.point(table).kept.value
        for table in (Table(FOUR, A), train(Table(FOUR, A), 100_000), learned(games=100_000))
    )
    assert blank + 0.2 < plain < ours


# Against agents


def test_training_against_an_agent() -> None:
    board = Board(4, 4, 3)
    table = Table(board, replace(preset("claimeven", board), epsilon=0.3), opponent="minimax:depth=2")
    before = play_match(
        QLearningAgent("q", table), "minimax:depth=2", 20, openings=["", "1", "2"], board=board
    )
    train(table, 600)
    after = play_match(
        QLearningAgent("q", table), "minimax:depth=2", 20, openings=["", "1", "2"], board=board
    )
    assert after.score > before.score + 0.2
    again = Table(board, table.rule, opponent="minimax:depth=2")
    train(again, 600)
    assert again.parts[0].save() == table.parts[0].save()


def test_a_learner_of_own_moves_against_an_agent_has_one_table() -> None:
    table = train(Table(FOUR, A, opponent="first"), 200)
    assert len(table.parts) == 1
    match = play_match(QLearningAgent("q", table), "first", 2, openings=[""], board=FOUR)
    assert match.wins == 2, "the first open column is easily learned"


def test_an_opponent_that_fails_ends_the_training(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("def agent(obs, config):\n    return 99\n")
    with pytest.raises(InputError, match=r"in game 1 the opponent kaggle:file=.* failed"):
        train(Table(FOUR, preset("claimeven", FOUR), opponent=f"kaggle:file={path}"), 5)


# Playing


def test_the_agent_says_what_it_knows(tmp_path: Path) -> None:
    path = tmp_path / "table.q"
    learned(games=200).write(path)
    agent = make_agent(f"qlearning:file={path}")
    assert agent.name == f"qlearning:file={path}"
    choice = agent.choose(Position(FOUR))
    assert choice.opinions
    assert choice.weights[choice.column] == 1.0
    assert "is worth" in choice.text
    other = agent.choose(Position())
    assert (other.column, other.opinions) == (3, ())
    assert "I have learned 4x4x4 only" in other.text
    learned(games=0).write(path)
    blank = make_agent(f"qlearning:file={path}").choose(Position.parse("2", FOUR))
    assert (blank.column, blank.text) == (1, "I never met this position")


def test_a_new_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "table.q"
    learned(games=10).write(path)
    first = make_agent(f"qlearning:file={path}")
    assert make_agent(f"qlearning:file={path}").table is first.table  # type: ignore[attr-defined]
    learned(games=500).write(path)
    assert make_agent(f"qlearning:file={path}").table.games == 500  # type: ignore[attr-defined]


# Files


def test_a_file_gives_back_the_table(tmp_path: Path) -> None:
    table = Table(FOUR, preset("claimeven", FOUR), seed=3, checkpoint=50, against=("random",))
    train(table, 100, curve=Curve(FOUR, ("random",), games=2, positions=5))
    table.write(tmp_path / "t.q")
    again = Table.read(tmp_path / "t.q")
    assert again.settings() == table.settings()
    assert (again.games, again.curve, again.states) == (100, table.curve, table.states)
    again.write(tmp_path / "again.q")
    assert (tmp_path / "again.q").read_bytes() == (tmp_path / "t.q").read_bytes()


def sealed(content: bytes) -> bytes:
    return content + hashlib.sha256(content).digest()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.q"
    learned(games=50).write(path)
    whole = path.read_bytes()
    body = whole[:-32]
    header, entries = body.split(b"\n", 2)[1:]
    entry = 8 + 4 * 4

    def refused(content: bytes) -> str:
        path.write_bytes(content)
        with pytest.raises(InputError) as caught:
            Table.read(path)
        with pytest.raises(SpecError, match=r"^qlearning: "):
            make_agent(f"qlearning:file={path}")
        return str(caught.value)

    def with_header(**changes: object) -> bytes:
        return sealed(MAGIC + json.dumps(json.loads(header) | changes).encode() + b"\n" + entries)

    assert "no table of Q-learning" in refused(b"")
    assert "no table of Q-learning" in refused(b"\x80\x04K\x01.")
    for at in (30, len(whole) // 2, len(whole) - 1):
        assert "checksum" in refused(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert "checksum" in refused(whole[:-50])
    assert "incomplete" in refused(sealed(body[:-1])) or "missing" in refused(sealed(body[:-1]))
    assert "missing" in refused(sealed(body[:-entry]))
    assert "something follows" in refused(sealed(body + entries[:entry]))
    turned = entries[entry : 2 * entry] + entries[:entry] + entries[2 * entry :]
    assert "not in order" in refused(sealed(body[: -len(entries)] + turned))
    large = struct.pack("<f", 1e9)
    assert "out of bounds" in refused(sealed(body[: -len(entries)] + entries[:8] + large + entries[12:]))
    assert "can be used" in refused(with_header(board="99x99"))
    assert "can be used" in refused(with_header(alpha=7))
    assert "missing required field states" in refused(with_header(curve=[{"games": 5}]))
    assert "can be used" in refused(with_header(states="many"))
    assert "can be used" in refused(with_header(states=[10**12]))
    assert "can be used" in refused(sealed(MAGIC + b"[]\n" + entries))
    path.unlink()
    with pytest.raises(SpecError, match="there is no file"):
        make_agent(f"qlearning:file={path}")


# The curve


def test_points_of_the_curve_differ_by_what_was_learned() -> None:
    curve = Curve(FOUR, ("random",), games=20, positions=60)
    blank, some = learned(games=0), learned(games=60_000)
    points = [curve.point(table) for table in (blank, some, some)]
    assert points[1] == points[2]
    assert points[0].kept.value < points[1].kept.value
    assert points[0].scores["random"].value < points[1].scores["random"].value
    assert points[1].kept.positions == 60


def test_positions_of_the_curve_are_decisive_and_different() -> None:
    questions = decisive_positions(Board(), 10)
    assert len({question.position.canonical_key for question in questions}) == len(questions) == 10
    assert all(question.is_decisive for question in questions)
    assert decisive_positions(Board(1, 1, 1), 5) == []


def test_the_plot_is_a_picture_of_the_points() -> None:
    point = Point(10, 5, 0.1, {"a<b": Measured(0.5, (0.4, 0.6))}, Kept(1.0, (0.9, 1.0), 3))
    svg = ElementTree.fromstring(plot("x & y", [replace(point, games=0), point]))
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"x & y", "score against a<b", "10", "100 %"} <= set(texts)
    lines = svg.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [2, 2]
    assert plot("nothing yet", [])
