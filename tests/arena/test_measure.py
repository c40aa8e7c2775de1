"""Quality against exact scores, and the statistics of shares."""

import json
import math
from pathlib import Path

import pytest

from claimeven import cli
from claimeven.agents import AgentError, Choice
from claimeven.arena import compare, compare_all, measure, measure_all, sign_test, wilson
from claimeven.arena import pons_questions as pons
from claimeven.arena.measure import questions_from
from claimeven.arena.statistics import holm
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.pons import NAMES, read_set
from claimeven.position import Board, Position
from claimeven.solver import Solver

# Statistics --------------------------------------------------------------------------------------


def test_wilson_check_values() -> None:
    assert wilson(60, 100) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert wilson(0, 50) == pytest.approx((0, 0.0713), abs=5e-5)
    assert wilson(50, 50) == pytest.approx((1 - 0.0713, 1), abs=5e-5)
    assert wilson(0, 0) == (0, 1)


def test_mcnemar_check_values() -> None:
    assert sign_test(60, 40) == pytest.approx(0.0569, abs=5e-5)
    assert sign_test(0, 0) == sign_test(3, 3) == 1
    assert sign_test(0, 10) == pytest.approx(2 / 2**10)
    # Published: 125 against 221 gives z = -5.16; the exact test agrees with the normal one.
    z = abs(125 - 221) / math.sqrt(125 + 221)
    assert sign_test(125, 221) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.25)
    assert sign_test(3000, 2900) == sign_test(2900, 3000) > 0.1


# Quality -----------------------------------------------------------------------------------------


def test_pons_sets() -> None:
    questions = pons()
    counts = {name: sum(q.is_decisive for q in questions if q.set == name) for name in NAMES.values()}
    assert len(questions) == 6000
    assert counts == {
        "begin-easy": 499,
        "begin-medium": 502,
        "begin-hard": 739,
        "middle-easy": 455,
        "middle-medium": 581,
        "end-easy": 497,
    }
    assert len(pons(200)) == 1200
    best = [max(question.scores.values()) for question in questions]
    assert best == [score for name in NAMES for _, score in read_set(name)]


def test_random_by_expectation() -> None:
    """Published to two decimals: 65.11 % keep the outcome, 27.30 % are optimal, 36.04 % where it matters."""
    found = measure("random")
    assert round(100 * found.keeping().value, 2) == 65.11
    assert round(100 * found.optimal().value, 2) == 27.30
    assert round(100 * found.keeping(decisive=True).value, 2) == 36.04
    assert found.keeping(decisive=True).trials == 3273
    by_set = {name: round(100 * found.keeping(name).value, 1) for name in found.sets}
    assert by_set == {
        "begin-easy": 73.9,
        "begin-medium": 70.5,
        "begin-hard": 48.0,
        "middle-easy": 71.4,
        "middle-medium": 57.9,
        "end-easy": 68.9,
    }
    low, high = found.keeping().interval
    assert low < 0.6511 < high


def test_the_stored_scores_are_the_solvers() -> None:
    solver = Solver()
    for question in pons(20):
        scores = solver.analyse(question.position).scores
        assert {column: score.value for column, score in scores.items()} == question.scores


@pytest.mark.slow
def test_all_stored_scores_are_the_solvers() -> None:
    solver = Solver()
    for question in pons():
        scores = solver.analyse(question.position).scores
        assert {column: score.value for column, score in scores.items()} == question.scores


def test_perfect_is_perfect() -> None:
    found = measure("perfect", pons(25))
    assert found.keeping().value == found.optimal().value == pytest.approx(1)


def test_mcts_quality() -> None:
    """About 93 % with 1,000 plain simulations (published: 93.4 % on all positions)."""
    found = measure("mcts:simulations=1000", pons(100))
    assert 0.90 < found.keeping().value < 0.97


@pytest.mark.slow
def test_quality_of_long_searches() -> None:
    """On 200 positions per set, in bench/players/agents.py: 96.6 % and 98 %."""
    assert measure("mcts:lgr=1", pons(200), Limit(nodes=100_000), seed=1).keeping().value >= 0.96
    assert measure("minimax", pons(50), Limit(nodes=10_000_000)).keeping().value >= 0.97


def test_two_agents_are_compared_on_the_same_positions() -> None:
    questions = pons(50)
    rules, first = measure("rules", questions), measure("first", questions)
    found = compare(rules, first)
    assert found.only_first > found.only_second
    assert found.p_value < 0.001
    assert compare(rules, rules).p_value == 1
    with pytest.raises(InputError, match="same positions"):
        compare(rules, measure("first", questions[::-1]))


def test_several_agents_are_compared_with_correction() -> None:
    questions = pons(40)
    one, two = (measure_all(["rules", "first", "mcts:simulations=30"], questions, workers=n) for n in (1, 2))
    assert one == two, "however many workers"
    compared = compare_all(one)
    assert [(each.measure, each.agents) for each in compared] == [
        (name, pair) for name in ("keeping", "optimal") for pair in ((0, 1), (0, 2), (1, 2))
    ]
    assert [each.p_holm for each in compared] == holm([each.p_value for each in compared])
    assert compared[0].only_first == compare(one[0], one[1]).only_first
    assert all(each.p_value <= each.p_holm <= 1 for each in compared)
    assert compare_all(one[:1]) == []


def test_a_failure_is_a_wrong_answer() -> None:
    class Failing:
        name = "failing"

        def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
            raise AgentError("gone")

    found = measure(Failing(), pons(2))
    assert found.keeping().value == 0
    assert found.errors == ("gone",) * 12


def test_own_positions() -> None:
    lines = ["# a comment", "", "4453 -2", "7/7/7/7/3o3/2oxx2 x 7x6x4"]
    questions = questions_from(lines, Solver())
    assert questions[0].scores == questions[1].scores
    assert max(questions[0].scores.values()) == -2
    assert questions_from(["112"], Solver(), Board(3, 3, 3))[0].position.board == Board(3, 3, 3)
    with pytest.raises(InputError, match="line 2: "):
        questions_from(["4", "8"], Solver())
    with pytest.raises(InputError, match="the game is over"):
        questions_from(["1212121"], Solver())


def test_levels_get_better() -> None:
    values = [measure(f"level:{n}", pons(100), seed=1).keeping().value for n in range(1, 8)]
    assert values == sorted(set(values))
    assert values[0] > measure("random", pons(100)).keeping().value


@pytest.mark.slow
def test_every_level_is_better_than_the_one_before() -> None:
    values = [measure(f"level:{n}", pons(300), seed=1).keeping().value for n in range(1, 11)]
    assert values == sorted(set(values))
    assert values[-1] == 1


# claimeven measure -------------------------------------------------------------------------------


def test_measure_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def answer(*arguments: str) -> str:
        assert cli.run(["measure", *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    text = answer("random", "first", "--count", "50")
    assert "random: 300 positions" in text
    assert "begin-hard" in text
    assert "McNemar, exact: p = " in text
    result = json.loads(answer("random", "--set", "begin-hard,L3_R1", "--json"))
    (numbers,) = result["agents"]
    assert round(numbers["sets"]["begin-hard"]["keeping"], 3) == 0.480
    assert numbers["all"]["positions"] == 2000
    assert numbers["decisive"]["positions"] == 739 + 497
    (tmp_path / "positions.txt").write_text("4453\n44\n")
    assert "perfect: 2 positions" in answer("perfect", "--set", str(tmp_path / "positions.txt"))
    file = tmp_path / "small.txt"
    file.write_text("11\n")
    assert "100.00 %" in answer("perfect", "--set", str(file), "--board", "4x4x3")


def test_nothing_is_said_of_decisive_positions_where_there_are_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "one.txt"
    file.write_text("1\n")
    assert cli.run(["measure", "random", "--set", str(file), "--board", "2x2x2"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("random: 1 position\n")
    assert "  decisive      there are none\n" in text
    assert cli.run(["measure", "random", "--set", str(file), "--board", "2x2x2", "--json"]) == 0
    (numbers,) = json.loads(capsys.readouterr().out)["agents"]
    decisive = numbers["decisive"]
    assert (decisive["positions"], decisive["keeping"], decisive["optimal"]) == (0, None, None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mtcs"], "there is no agent"),
        (["mcts", "--limit", "5"], "a limit is written"),
        (["mcts", "--set", "nowhere"], "there is no set 'nowhere'"),
        (["mcts", "--board", "8x8"], "Pons' sets are on 7x6x4"),
        (["mcts", "--count", "0"], "count"),
    ],
)
def test_measure_refuses(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["measure", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"44\n\xff\xfe\n", "is not text: invalid start byte at byte 4"),
        (b"# nothing\n\n", "there are no positions"),
    ],
)
def test_measure_refuses_a_file_without_positions(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "set").write_bytes(content)
    assert cli.run(["measure", "random", "--set", str(tmp_path / "set")]) == 2
    assert words in capsys.readouterr().err
