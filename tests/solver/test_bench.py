"""The benchmark: its arithmetic, its words, and the signature of the search."""

import builtins
import io
import json
import runpy
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from claimeven import cli, pons
from claimeven.bench import calls
from claimeven.bench.contest import EMPTY, POSITIONS, Answer, Ours, Result, Total, compete, questions
from claimeven.bench.signature import signature
from claimeven.errors import InputError
from kit.places import DATA, ROOT

CHOICE = str(ROOT / "native" / "python" / "_core.py")


def test_the_signature_of_the_search() -> None:
    """Nodes of fixed positions; a change of the search records them anew, on purpose."""
    recorded = json.loads((DATA / "signature.json").read_text())
    assert signature() == recorded, "record it: claimeven bench --signature > tests/data/signature.json"


class Scripted:
    """An engine that takes as long as it is told, and errs where it is told."""

    def __init__(self, name: str, seconds: float, nodes: int, wrong: str = "none") -> None:
        self.name, self.seconds, self.nodes, self.wrong = name, seconds, nodes, wrong
        self.asked: list[str] = []

    def answer(self, moves: str) -> Answer:
        self.asked.append(moves)
        known = dict(pons.read_set("L2_R2")) | {"": 1}
        return Answer(known[moves] + (moves == self.wrong), self.nodes, self.seconds)


def test_all_engines_get_the_same_positions() -> None:
    asked = [question.moves for question in questions("L2_R2", is_quick=True)]
    one, two = Scripted("one", 0.5, 10), Scripted("two", 2.0, 35, wrong=asked[3])
    seen = []
    results = list(
        compete([one, two], ["L2_R2", EMPTY], is_quick=True, progress=lambda name: lambda *n: seen.append(n))
    )
    assert one.asked == [*asked, ""]
    assert two.asked == asked  # the empty board is left out
    medium, empty = results
    assert (medium.faster("one", "two"), medium.fewer_nodes("one", "two")) == (4.0, 3.5)
    assert empty.faster("one", "two") is None
    assert medium.totals["one"] == Total(20, 200, 10.0, [])
    assert medium.totals["two"].wrong == [asked[3]]
    assert seen[0] == (1, 20)
    assert seen[-1] == (1, 1)
    everyone = list(compete([one, two], [EMPTY], everyone_on_empty=True))
    assert everyone[0].faster("one", "two") == 4.0


def test_ours_is_right_and_repeatable() -> None:
    ours = Ours()
    for moves, score in questions("L2_R1", is_quick=True)[:20]:
        answer = ours.answer(moves)
        assert answer.score == score
        assert answer.seconds > 0
        assert ours.answer(moves).nodes == answer.nodes


def test_how_many_positions_are_measured() -> None:
    assert {name: len(questions(name)) for name in pons.NAMES} == POSITIONS
    assert questions(EMPTY) == [pons.Scored("", 1)]


def test_names_of_sets() -> None:
    assert pons.parse_sets("L1_R3,end-easy") == ["L1_R3", "L3_R1"]
    with pytest.raises(InputError, match=r"there is no set 'L9_R9'; the sets are L3_R1 \(end-easy\)"):
        pons.parse_sets("L1_R3,L9_R9")


def test_bench_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", "--quick", "--sets", "end-easy,L2_R1"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["set", "positions", "claimeven", "nodes"]
    assert [row.split()[:2] for row in rows] == [["end-easy", "100"], ["middle-easy", "100"]]
    assert cli.run(["bench", "--quick", "--sets", "L3_R1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["engines"] == ["claimeven"]
    (row,) = data["sets"]
    assert row["set"] == "L3_R1"
    assert row["engines"]["claimeven"]["positions"] == 100
    assert row["engines"]["claimeven"]["wrong"] == []


def test_bench_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", "--quick", "--sets", "L2_R2", "--threads", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["engines"] == ["2 threads", "1 thread"]
    assert data["sets"][0]["faster"] > 0


def test_a_wrong_answer_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ours, "answer", lambda _, moves: Answer(0, 1, 0.001))
    assert cli.run(["bench", "--quick", "--sets", "L3_R1"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("set ")
    assert "answers differ from the published scores: claimeven on " in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--against stockfish", "there is no peer 'stockfish' to measure against; known are bitbully"),
        ("--sets nonsense", "there is no set 'nonsense'"),
        ("--sets ", "there is no set ''"),
        ("--against bitbully --calls", "different measurements: take one"),
        ("--threads 1", "invalid value for '--threads'"),
        ("--games 0", "invalid value for '--games': at least 1 is needed"),
        ("--sets nope", "L1_R3 (begin-hard), empty"),
    ],
)
def test_wrong_options(arguments: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", *arguments.split(" ")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err


def test_rows_of_the_table(golden: Callable[[str, str], None]) -> None:
    from claimeven.commands.bench import heading, row

    names = ["claimeven", "bitbully 0.0.79"]
    results = [
        Result("L3_R1", {names[0]: Total(1000, 8000, 0.006), names[1]: Total(1000, 51000, 0.017)}),
        Result("L1_R3", {names[0]: Total(20, 43_000_000, 5.5), names[1]: Total(20, 868_000_000, 48.1)}),
        Result(EMPTY, {names[0]: Total(1, 60_000_000, 8.9)}),
    ]
    assert max(map(len, [heading(names), *(row(result, names) for result in results)])) < 100
    golden("bench.txt", "\n".join([heading(names), *(row(result, names) for result in results)]) + "\n")


def test_calls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(calls, "BATCH", 500)
    monkeypatch.setattr(calls, "STOPS", 1)
    assert cli.run(["bench", "--calls", "--games", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["analyse_positions"] > 6
    assert data["analyse_milliseconds"]["median"] <= data["analyse_milliseconds"]["longest"]
    assert cli.run(["bench", "--calls", "--games", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_bench_of_boards(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from claimeven.bench import boards

    monkeypatch.setattr(boards, "SIZES", ("7x6", "9x6", "10x6"))
    monkeypatch.setattr(boards, "NODES", 2000)
    monkeypatch.setattr(boards, "SEED", 5)  # its first position of 7x6 is solved after 96
    monkeypatch.setattr(boards, "SOLVED", "5x4")
    assert cli.run(["bench", "--boards", "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rates = told["boards"]
    assert [rate["bits"] for rate in rates] == [49, 63, 70]
    assert rates[0]["ratio"] == rates[0]["cost"] == 1
    assert all(rate["ratio"] * rate["cost"] == pytest.approx(1, abs=0.01) for rate in rates)
    assert (told["empty"]["board"], told["empty"]["nodes"]) == ("5x4", 3844)
    assert told["published"]["7x6"] == "3 s"
    assert all(rate["nodes"] >= 2000 for rate in rates)
    narrow, wide = rates[1]["ratio"], rates[2]["ratio"]
    assert told["narrow_ratio"] == pytest.approx(min(1, narrow), abs=0.01)
    assert told["wide_cost"] == rates[2]["cost"]
    assert told["wide_cost_by_narrow"] == pytest.approx(min(1, narrow) / wide, rel=0.02)
    assert cli.run(["bench", "--boards", "--rounds", "1"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"core {told['core']}, time a node by that of 7x6")
    assert "up to 64 bits at least" in text
    assert "million a second" in text
    assert "empty 5x4, one thread: 3,844 nodes" in text
    assert cli.run(["bench", "--boards", "--calls"]) == 2


@pytest.mark.parametrize(
    ("flags", "wanted", "build"),
    [
        ("avx2 bmi1 bmi2 fma f16c movbe abm", None, "v3"),
        ("avx2 bmi1 bmi2 fma f16c movbe abm", "baseline", "baseline"),
        ("avx2 bmi1 bmi2 fma f16c movbe abm", "v4", None),
        ("sse2", None, "baseline"),
        ("sse2", "", None),
    ],
)
def test_a_wheel_loads_the_best_build_or_the_one_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: str,
    wanted: str | None,
    build: str | None,
) -> None:
    loaded: list[str] = []

    def opened(path: str, *rest: object, **options: object) -> io.StringIO:
        assert path == "/proc/cpuinfo"
        return io.StringIO(f"flags\t\t: fpu {flags}\n")

    def imported(name: str) -> ModuleType:
        loaded.append(name)
        return sys

    monkeypatch.setattr("importlib.import_module", imported)
    monkeypatch.setattr(builtins, "open", opened)
    monkeypatch.delenv("CLAIMEVEN_CORE", raising=False)
    if wanted is not None:
        monkeypatch.setenv("CLAIMEVEN_CORE", wanted)
    if build is None:
        with pytest.raises(SystemExit, match="2"):
            runpy.run_path(CHOICE, run_name="chosen_core")
        assert "CLAIMEVEN_CORE must be " in capsys.readouterr().err
        assert not loaded
        return
    runpy.run_path(CHOICE, run_name="chosen_core")
    assert loaded == [f"claimeven._core_{build}"]
