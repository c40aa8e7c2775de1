"""The networks of this package: what the core computes, and how well they play."""

import hashlib
import json
import math
import subprocess
import sys
import threading
import zlib
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from claimeven import Board, Position, Solver, make_agent
from claimeven.agents.kinds.network import Part, network_of, read_network, shipped_path
from claimeven.agents.kinds.neural import NeuralAgent
from claimeven.arena.measure import measure, pons_questions
from claimeven.arrays import positions_of, words_of
from claimeven.cli import run
from claimeven.errors import SpecError
from claimeven.learn.labels import label, read_labels
from claimeven.learn.labels.bits import Geometry
from claimeven.limit import Limit
from claimeven.solver import outcome_of

POSITIONS = [question.position for question in pons_questions(5)]
HALF, TOKENS, OUTPUTS = 24, 48, 44
COLUMNS = (0, 1, 2, 3, 6, 5, 4, 3)


def outputs(path: Path, positions: list[Position]) -> "np.ndarray":
    words = words_of(positions)
    data = network_of(path).outputs(words[:, 0].tobytes(), words[:, 1].tobytes())
    return np.frombuffer(data, np.float32).reshape(-1, 7, OUTPUTS)


class Slow:
    """The same from the file, one position at a time, as src/claimeven/neural/model.py describes it."""

    def __init__(self, file: Part) -> None:
        self._file, self._at = file, 0
        c, g = file.channels, file.groups
        self.stem, self.place = self._matrix(c, 6), self._plain(c, HALF)
        self.blocks = []
        for block in range(file.blocks + 1):
            even, odd = (self._matrix(g * HALF, HALF).reshape(g, HALF, HALF) for _ in range(2))
            bias = self._plain(c, HALF)
            self.blocks.append((even, odd, bias, self._matrix(c, c) if block < file.blocks else None))
        self.head, self.head_bias = self._matrix(OUTPUTS, 6 * c), self._plain(OUTPUTS, 4)
        assert self._at == len(file.weights)

    def _take(self, kind: str, *shape: int) -> "np.ndarray":
        found = np.frombuffer(self._file.weights, kind, int(np.prod(shape)), self._at).reshape(shape)
        self._at += found.nbytes
        return found.astype(np.float64)

    def _plain(self, *shape: int) -> "np.ndarray":
        return self._take("<f2", *shape)

    def _matrix(self, rows: int, columns: int) -> "np.ndarray":
        if not self._file.is_rounded:
            return self._plain(rows, columns)
        steps = self._plain(rows, 1)
        found: np.ndarray = steps * self._take("i1", rows, columns)
        return found

    def __call__(self, position: Position) -> "np.ndarray":
        x = self.stem @ planes(position) + np.tile(self.place, 2)
        for even, odd, bias, mix in self.blocks:
            first, second = x[:, :HALF], x[:, HALF:]
            group = np.arange(len(x)) * len(even) // len(x)
            sums = np.einsum("cij,cj->ci", even[group], first + second) / 2
            differences = np.einsum("cij,cj->ci", odd[group], first - second) / 2
            hidden = np.maximum(0, np.hstack([sums + differences + bias, sums - differences + bias]))
            if mix is not None:
                x = x + mix @ hidden
        eighths = [
            self.head @ hidden[:, 6 * i : 6 * i + 6].reshape(-1) + self.head_bias[:, i % 4] for i in range(8)
        ]
        return np.array([*eighths[:3], (eighths[3] + eighths[7]) / 2, *eighths[6:3:-1]])


def planes(position: Position) -> "np.ndarray":
    """By the rules alone: a winning cell is one where a stone of that side makes a four."""
    board = position.board

    def wins(stones: int, bit: int) -> bool:
        return not position.mask & bit and board.has_four(stones | bit)

    rows = []
    for column in COLUMNS:
        height = sum(bool(position.mask & board.bit(column, row)) for row in range(6))
        for row in range(6):
            bit = board.bit(column, row)
            cell = [position.mine & bit, position.theirs & bit, row == height]
            cell += [wins(position.mine, bit), wins(position.theirs, bit), position.ply % 2]
            rows.append([bool(value) for value in cell])
    return np.array(rows, np.float64).T


@pytest.mark.parametrize("name", ["best", "tiny"])
def test_the_core_computes_what_the_file_says(name: str) -> None:
    parts = [(part.stones, Slow(part)) for part in read_network(shipped_path(name)).parts]
    found = outputs(shipped_path(name), POSITIONS)
    for position, row in zip(POSITIONS, found, strict=True):
        slow = [slow for stones, slow in parts if stones <= position.ply][-1]
        assert np.abs(row - slow(position)).max() < 2e-3, position


def test_every_part_of_a_network_is_asked_from_its_stones_on(tmp_path: Path) -> None:
    """Which of them answers is seen by what each answers alone."""
    tiny, zero = (read_network(shipped_path(name)) for name in ("tiny", "zero"))
    alone = {name: outputs(shipped_path(name), POSITIONS) for name in ("tiny", "zero")}
    parts = [f"0:{shipped_path('tiny')}", f"20:{shipped_path('zero')}"]
    assert run(["train", "join", *parts, "--out", str(tmp_path / "both")]) == 0
    both = read_network(tmp_path / "both")
    assert [part.weights for part in both.parts] == [tiny.parts[0].weights, zero.parts[0].weights]
    for position, row, first, second in zip(
        POSITIONS, outputs(tmp_path / "both", POSITIONS), alone["tiny"], alone["zero"], strict=True
    ):
        assert (row == (first if position.ply < 20 else second)).all(), position
    assert {position.ply < 20 for position in POSITIONS} == {True, False}


def looked_ahead(position: Position, path: Path, times: float) -> list[float]:
    """How much each column is wanted by what follows it, as docs/neural.md says it, from views alone."""
    file = read_network(path)
    part = [part for part in file.parts if part.stones <= position.ply][-1]
    replace(file, parts=(replace(part, stones=0),)).write(path.parent / "alone")
    network = network_of(path.parent / "alone")

    def worths(at: Position) -> "np.ndarray":
        words = words_of([at])
        data = network.views(words[:, 0].tobytes(), words[:, 1].tobytes())
        _, win, _, loss, score = np.frombuffer(data, np.float32).reshape(7, 5).astype(float).T
        worths: np.ndarray = win - loss + file.slope * score / 21
        return worths

    own = worths(position)
    after = {column: position.play(column) for column in position.legal}
    wins = [column for column, board in after.items() if board.winner is not None]
    wanted = [-math.inf] * 7
    for column, board in after.items():
        if column in wins:
            wanted[column] = 1 + file.slope * ((43 - position.ply) // 2) / 21
        elif board.is_over:
            wanted[column] = 0
        elif wins:
            wanted[column] = own[column] - 2
        else:
            best = max(worths(board)[list(board.legal)])
            wanted[column] = (own[column] - times * best) / (1 + times)
    return wanted


def test_a_part_may_choose_by_the_boards_that_follow(tmp_path: Path) -> None:
    tiny, path = shipped_path("tiny"), tmp_path / "ahead"
    parts = [f"0:{shipped_path('zero')}", f"12:{tiny}", f"30:{tiny}"]  # boards of 12 are asked of the first
    assert run(["train", "join", *parts, "--ahead", "0:4", "--ahead", "30:0.5", "--out", str(path)]) == 0
    assert [part.ahead for part in read_network(path).parts] == [4, 0, 0.5]
    network, agent = network_of(path), make_agent(f"neural:file={path}")
    assert isinstance(agent, NeuralAgent)
    asked = [*POSITIONS, Position.parse("414141"), Position.parse("44444411111"), *nearly_full()]
    words = words_of(asked)
    halves = words[:, 0].tobytes(), words[:, 1].tobytes()
    wishes = np.frombuffer(network.wishes(*halves), np.float32).reshape(-1, 7)
    own = np.frombuffer(network.views(*halves), np.float32).reshape(-1, 7, 5)[:, :, 0]
    differ = 0
    for position, wanted, plain in zip(asked, wishes, own, strict=True):
        if 12 <= position.ply < 30:
            assert (wanted == plain).all()
            continue
        assert wanted == pytest.approx(
            looked_ahead(position, path, 4 if position.ply < 12 else 0.5), abs=1e-5
        )
        differ += wanted.argmax() != plain.argmax()
    assert differ
    chosen = [int(wanted.argmax()) for wanted in wishes]
    assert list(agent.choices(*halves)) == chosen == [agent.choose(position).column for position in asked]
    turned = words_of([position.mirror() for position in asked])
    mirrored = np.frombuffer(network.wishes(turned[:, 0].tobytes(), turned[:, 1].tobytes()), np.float32)
    assert (mirrored.reshape(-1, 7)[:, ::-1] == wishes).all()


def nearly_full() -> list[Position]:
    """One free cell, which wins or not."""
    found: dict[bool, Position] = {}
    random = Random(1)
    while len(found) < 2:
        position = Position()
        while not position.is_over and position.ply < 41:
            position = position.play(random.choice(position.legal))
        if not position.is_over:
            found[position.play(position.legal[0]).winner is not None] = position
    return list(found.values())


@pytest.mark.parametrize("ahead", ["5:4", "0:x", "0:-1", "0:1001", "0:nan", "0", "x:1", ":1"])
def test_how_a_part_looks_ahead_is_a_number(
    ahead: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["train", "join", f"0:{shipped_path('tiny')}", "--ahead", ahead, "--out", str(tmp_path / "out")]
    assert run(asked) == 2
    assert f"{ahead} is not N:A" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_network_without_it_is_written_as_before(tmp_path: Path) -> None:
    """So that versions which know no look ahead read it."""
    read_network(shipped_path("tiny")).write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == shipped_path("tiny").read_bytes()


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (["1:{tiny}"], "the first network is asked from 0 stones on"),
        (["0:{tiny}", "0:{tiny}"], "is not N:FILE"),
        (["0:{tiny}", "x:{tiny}"], "is not N:FILE"),
        (["0:{tiny}", "42:{tiny}"], "is not N:FILE"),
        (["0:{best}", "20:{tiny}"], "only networks of one part"),
        (["0:{tiny}", "12:absent"], "there is no network absent"),
    ],
)
def test_what_cannot_be_joined_is_said(
    parts: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {name: shipped_path(name) for name in ("best", "tiny")}
    asked = [part.format(**names) for part in parts]
    assert run(["train", "join", *asked, "--out", str(tmp_path / "out")]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_file_of_before_is_read(tmp_path: Path) -> None:
    """One part, its weights as they are."""
    file = read_network(shipped_path("tiny"))
    part = file.parts[0]
    about: dict[str, object] = {"channels": part.channels, "groups": part.groups, "blocks": part.blocks}
    about |= {
        "is_rounded": part.is_rounded,
        "weigh": part.weigh,
        "slope": file.slope,
        "card": dict(file.card),
    }
    data = b"claimeven-network 1\n" + json.dumps(about).encode() + b"\n" + part.weights
    (tmp_path / "old").write_bytes(data + hashlib.sha256(data).digest())
    assert read_network(tmp_path / "old") == file


def test_a_mirror_image_gets_the_mirrored_answer_bit_by_bit() -> None:
    straight = outputs(shipped_path("best"), POSITIONS)
    turned = outputs(shipped_path("best"), [position.mirror() for position in POSITIONS])
    assert (straight == turned[:, ::-1]).all()


def test_an_answer_does_not_depend_on_its_neighbours() -> None:
    together = outputs(shipped_path("tiny"), POSITIONS)
    for position, row in zip(POSITIONS, together, strict=True):
        assert (outputs(shipped_path("tiny"), [position])[0] == row).all()


def test_they_fit_and_play_well() -> None:
    assert shipped_path("best").stat().st_size <= 4_000_000
    assert shipped_path("tiny").stat().st_size <= 200_000
    assert shipped_path("zero").stat().st_size <= 1_500_000
    questions = pons_questions(25)
    specs = ("neural", "neural:network=tiny", "neural:network=zero")
    alone, tiny, zero = (measure(spec, questions).keeping().value for spec in specs)
    assert alone >= 0.98
    assert tiny >= 0.97
    assert zero >= 0.94


@pytest.mark.slow
def test_the_best_keeps_the_outcome_in_995_of_1000_of_all_pons_positions() -> None:
    found = measure("neural", pons_questions())
    assert len(found.answers) == 6000
    assert found.keeping().value >= 0.995
    assert found.optimal().value >= 0.95


def chosen_by_pytorch(path: Path, positions: list[Position]) -> list[int]:
    """The weights of the file in the layers that were trained, and the choice as docs/neural.md tells it."""
    import torch

    from claimeven.neural.export import imported
    from claimeven.neural.model import features, planes_of

    file = read_network(path)
    nets = [imported(part) for part in file.parts]
    scores = torch.arange(-21, 22)
    chosen = list[int]()
    for position in positions:
        number = max(i for i, part in enumerate(file.parts) if part.stones <= position.ply)
        part, after = file.parts[number], {column: position.play(column) for column in position.legal}
        has_win = any(board.winner is not None for board in after.values())
        follow = [c for c, board in after.items() if part.ahead and not board.is_over and not has_win]
        words = words_of([position, *(after[column] for column in follow)]).astype(np.int64)
        with torch.no_grad():
            planes = planes_of(features(*map(torch.from_numpy, words.T.copy())), torch.float32)
            said = nets[number](planes)
        chances = said[..., 1:].softmax(-1)
        worth = chances[..., 22:].sum(-1) - chances[..., :21].sum(-1)
        worth += file.slope * (chances @ scores.float()) / 21
        values = (said[0, :, 0] + part.weigh * worth[0]).tolist()
        for column, board in after.items() if part.ahead else ():
            if board.winner is not None:
                values[column] = 1 + file.slope * ((43 - position.ply) // 2) / 21
            elif board.is_over:
                values[column] = 0.0
            elif has_win:
                values[column] = worth[0, column].item() - 2
            else:
                best = worth[1 + follow.index(column), list(board.legal)].max().item()
                values[column] = (worth[0, column].item() - part.ahead * best) / (1 + part.ahead)
        chosen.append(max(position.legal, key=lambda column: values[column]))
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize("name", ["best", "tiny", "zero"])
def test_pytorch_plays_the_same_with_the_weights_of_the_file(name: str) -> None:
    """Needs PyTorch. Alike in 999 of 1,000 of Pons' positions: sums are rounded in another order."""
    positions = [question.position for question in pons_questions(500)]
    agent = make_agent(f"neural:network={name}")
    assert isinstance(agent, NeuralAgent)
    words = words_of(positions)
    played = agent.choices(words[:, 0].tobytes(), words[:, 1].tobytes())
    alike = sum(map(int.__eq__, played, chosen_by_pytorch(shipped_path(name), positions)))
    assert alike >= 0.999 * len(positions)


def test_a_little_search_repairs_errors_of_the_network() -> None:
    """Of the positions that the tiny network alone gets wrong, some are right with two plies."""
    questions = [q for q in pons_questions(150) if q.set == "begin-hard"]
    alone = measure("neural:network=tiny", questions)
    wrong = [answer.question for answer in alone.answers if not answer.keeps]
    assert wrong
    assert measure("neural:network=tiny,depth=2", wrong).keeping().successes >= len(wrong) / 4


def test_with_search_a_win_at_hand_is_taken_and_a_lone_threat_stopped() -> None:
    agent = make_agent("neural:network=tiny,depth=2")
    assert agent.choose(Position.parse("414141")).column == 3
    assert agent.choose(Position.parse("41414")).column == 3


def test_a_search_by_plies_ends_when_its_time_is_over_or_it_is_told_to() -> None:
    """Then it plays what it wanted a ply or more earlier; one ply ahead it looks at any rate."""
    agent, start = make_agent("neural:network=tiny,depth=4"), Position()
    stopped = threading.Event()
    stopped.set()
    whole = 1 + 7 + 7**2 + 7**3 + 7**4
    for limit in (Limit(seconds=1e-6), Limit(stop=stopped)):
        effort = agent.choose(start, limit).effort
        assert (effort.depth or 0) >= 1
        assert (effort.nodes or 0) < whole
    for nodes, depth in ((1, 1), (56, 1), (57, 2), (399, 2), (400, 3), (whole, 4)):
        cut = agent.choose(Position(), Limit(nodes=nodes))
        assert (cut.effort.depth, cut.effort.nodes) == (depth, sum(7**ply for ply in range(depth + 1)))
    for position in POSITIONS:
        shallow, cut = make_agent("neural:network=tiny,depth=1"), agent.choose(position, Limit(nodes=9))
        assert cut.effort.depth != 1 or cut.column == shallow.choose(position).column


def test_a_guided_tree_search_repairs_more_of_them() -> None:
    questions = [q for q in pons_questions(60) if q.set in ("begin-hard", "middle-medium")]
    alone = measure("neural:network=tiny", questions).keeping().successes
    assert measure("neural:network=tiny,simulations=100", questions).keeping().successes > alone


def test_a_tree_search_gives_the_same_answer_twice_and_mirrored_for_a_mirror_image() -> None:
    agent = make_agent("neural:network=tiny,simulations=40")
    for position in POSITIONS:
        choice = agent.choose(position)
        assert agent.choose(position).info["visits"] == choice.info["visits"]
        turned = agent.choose(position.mirror())
        if position.mirror().mask != position.mask:
            assert turned.column == 6 - choice.column
        simulations = choice.info["simulations"]
        assert simulations == sum(opinion.visits or 0 for opinion in choice.opinions) <= 40


def test_a_tree_search_asked_for_many_positions_plays_the_same() -> None:
    agent = make_agent("neural:network=tiny,simulations=30")
    assert isinstance(agent, NeuralAgent)
    words = words_of(POSITIONS)
    columns = agent.choices(words[:, 0].tobytes(), words[:, 1].tobytes())
    assert list(columns) == [agent.choose(position).column for position in POSITIONS]


def test_a_tree_search_ends_when_its_time_is_over_or_it_is_told_to() -> None:
    agent = make_agent("neural:network=tiny,simulations=1000000")
    start = Position()
    stopped = threading.Event()
    stopped.set()
    for limit in (Limit(seconds=0.05), Limit(stop=stopped), Limit(nodes=30)):
        choice = agent.choose(start, limit)
        assert choice.column in start.legal
        assert choice.effort.playouts is not None
        assert choice.effort.playouts < 100_000
    assert choice.effort.playouts == 30


def test_a_tree_search_knows_ends_by_the_rules() -> None:
    agent = make_agent("neural:network=tiny,simulations=5")
    won = agent.choose(Position.parse("414141"))
    assert (won.column, won.opinion(3).proven, won.effort.playouts) == (3, "win", 0)
    assert agent.choose(Position.parse("41414")).column == 3
    lost = agent.choose(
        Position.parse("41513")
    )  # both 2 and 6 complete a line: stop one of them all the same
    assert lost.column in (1, 5)
    assert {opinion.proven for opinion in lost.opinions} == {"loss"}


def test_what_a_tree_search_proves_is_true() -> None:
    questions = [q for q in pons_questions(40) if q.set in ("end-easy", "middle-easy")]
    agent = make_agent("neural:network=tiny,simulations=60")
    proved = 0
    for question in questions:
        for opinion in agent.choose(question.position).opinions:
            if opinion.proven is not None:
                proved += 1
                assert outcome_of(question.scores[opinion.column]) == opinion.proven
    assert proved > 100


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("simulations=-1", "simulations must be a whole number from 0 to 1000000, not '-1'"),
        ("simulations=1000001", "simulations must be a whole number from 0 to 1000000, not '1000001'"),
        ("exploration=x", "exploration must be a number from 0 to 100, not 'x'"),
        ("depth=1,simulations=5", "neural: depth or simulations, not both"),
    ],
)
def test_a_search_that_cannot_be_is_refused(options: str, reason: str) -> None:
    with pytest.raises(SpecError) as caught:
        make_agent(f"neural:{options}")
    assert str(caught.value) == reason


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    damaged = bytearray(shipped_path("tiny").read_bytes())
    damaged[5000] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    (tmp_path / "other").write_text("hello")
    file = read_network(shipped_path("tiny"))
    part = file.parts[0]
    for name, other in (
        ("short", replace(part, weights=part.weights[:-1])),
        ("odd", replace(part, channels=63)),
        ("late", replace(part, stones=5)),
    ):
        replace(file, parts=(other,)).write(tmp_path / name)
    replace(file, parts=(part, part)).write(tmp_path / "twice")
    replace(file, parts=()).write(tmp_path / "empty")
    replace(file, slope=float("nan")).write(tmp_path / "no number")
    replace(file, parts=(replace(part, weigh=float("inf")),)).write(tmp_path / "endless")
    replace(file, parts=(replace(part, ahead=-1.0),)).write(tmp_path / "backward")
    replace(file, parts=(replace(part, ahead=float("inf")),)).write(tmp_path / "far")
    replace(file, parts=(replace(part, channels="64"),)).write(tmp_path / "text")  # type: ignore[arg-type]
    data = b"claimeven-network 2\n[]\n" + zlib.compress(b"")
    (tmp_path / "list").write_bytes(data + hashlib.sha256(data).digest())
    replace(file, board="5x4x4").write(tmp_path / "small")
    for name, reason in (
        ("damaged", "is damaged"),
        ("other", "is no network"),
        ("short", "is damaged"),
        ("odd", "is damaged"),
        ("late", "is damaged"),
        ("twice", "is damaged"),
        ("empty", "is damaged"),
        ("no number", "is damaged"),
        ("endless", "is damaged"),
        ("backward", "is damaged"),
        ("far", "is damaged"),
        ("text", "is damaged"),
        ("list", "is damaged"),
        ("small", "has learned 5x4x4: the core plays networks of 7x6x4"),
        ("absent", "there is no file"),
    ):
        with pytest.raises(SpecError, match=reason):
            make_agent(f"neural:file={tmp_path / name}")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["best", "tiny"])
def test_onnx_gives_the_same_answers(name: str, tmp_path: Path) -> None:
    """Needs PyTorch and ONNX, whose own evaluator shares nothing with ours: stones in, answers out."""
    from onnx.reference import ReferenceEvaluator

    out = tmp_path / "it.onnx"
    assert run(["export", "onnx", name, "--out", str(out)]) == 0
    stones = np.zeros((len(POSITIONS), 2, 6, 7), np.float32)
    for number, position in enumerate(POSITIONS):
        for side, word in enumerate((position.mine, position.theirs)):
            for column, row in np.ndindex(7, 6):
                stones[number, side, row, column] = bool(word & position.board.bit(column, row))
    wishes, outcomes, scores = ReferenceEvaluator(str(out)).run(None, {"stones": stones})
    words = words_of(POSITIONS)
    data = network_of(shipped_path(name)).views(words[:, 0].tobytes(), words[:, 1].tobytes())
    views = np.frombuffer(data, np.float32).reshape(-1, 7, 5)
    is_open = np.isfinite(views[:, :, 0])
    assert not is_open.all()
    assert (wishes[~is_open] < -1e8).all()
    assert np.abs(wishes - views[:, :, 0])[is_open].max() < 1e-2
    assert np.abs(outcomes - views[:, :, 1:4]).max() < 1e-2
    assert np.abs(scores @ np.arange(-21, 22) - views[:, :, 4]).max() < 1e-2


def test_lapses_are_moves_that_lose_what_was_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "lapses"
    script = Path(__file__).parents[2] / "bench" / "players" / "lapses.py"
    asked = [sys.executable, str(script), "neural:network=tiny", "--plies", "10", "--out", str(out)]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    lapses = read_labels(out)
    assert f" positions, {len(lapses.keys)} lapses, " in said.splitlines()[-1]
    assert len(lapses.keys) > 0
    agent, solver = make_agent("neural:network=tiny"), Solver(megabytes=16)
    for position in positions_of(lapses.words(), lapses.board):
        column = agent.choose(position).column
        assert solver.score(position).value >= 0 > -solver.score(position.play(column)).value

    script = script.with_name("lapse_games.py")
    said = subprocess.run([sys.executable, script, out], capture_output=True, text=True, check=True).stdout
    assert lapses_hold(said, "neural:network=tiny") == len(lapses.keys)


def lapses_hold(text: str, spec: str) -> int:
    """How many there are: by the solver they lose what others keep, and by itself the agent comes there."""
    agent = make_agent(spec)
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    known = {Position.parse(game).canonical_key for game, _, _ in rows}
    positions = [Position.parse(game) for game, _, _ in rows]
    words = words_of(positions)
    mine, mask = words.T.copy()
    scores = label(Geometry(Board()), mine, mask, Solver(megabytes=16), only_outcome=True).astype(int)
    for (game, column, keeping), position, each in zip(rows, positions, scores, strict=True):
        assert agent.choose(position).column == int(column) - 1
        assert each[int(column) - 1] < 0 <= each.max()
        assert keeping == "".join(str(at + 1) for at in range(7) if each[at] == each.max())
        for ply in range(0, len(game), 2):
            before = Position.parse(game[:ply])
            assert before.canonical_key in known or agent.choose(before).column == int(game[ply]) - 1
    return len(known)


def test_the_lapses_of_the_best_network_are_what_the_file_of_them_says() -> None:
    text = (Path(__file__).parents[2] / "docs/data/lapses-neural.txt").read_text()
    assert lapses_hold(text, "neural") == 52


def test_what_cannot_be_exported_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "onnx", str(tmp_path / "absent"), "--out", str(tmp_path / "out")]) == 2
    assert "there is no network" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_mere_value_teaches_how_likely_the_best_column_has_it() -> None:
    """Needs PyTorch: the loss against a sum over all pairs of scores of two open columns."""
    import torch

    from claimeven.learn.labels import ILLEGAL, VALUE
    from claimeven.neural.loss import ALLOWED, VALUE_WON, loss_of

    torch.manual_seed(1)
    found, scores = torch.randn(1, 7, OUTPUTS), np.arange(-21, 22)
    chances = found[0, [1, 4], 1:].softmax(-1).double().numpy()
    wanted = found[0, [1, 4], 0].log_softmax(-1).double().numpy()
    best = np.zeros(43)
    for (first, one), (second, other) in product(enumerate(chances[0]), enumerate(chances[1])):
        best[max(first, second)] += one * other
    for value in (3, 0, -5, None):
        labels = torch.full((1, 7), ILLEGAL, dtype=torch.int8)
        labels[0, [1, 4]] = VALUE_WON if value is None else VALUE + value
        is_right = np.sign(scores) == np.sign(1 if value is None else value)
        expected = np.log(best[is_right].sum())
        if value is not None:
            expected += 0.5 * np.log(best[value + 21])
        if value is None or value >= 0:
            keeping = chances[:, is_right].sum(axis=1)
            expected += wanted @ (keeping / keeping.sum())
        assert loss_of(found, labels, ALLOWED).item() == pytest.approx(-expected, abs=1e-3)


@pytest.mark.slow
def test_a_training_is_resumed_and_the_core_plays_what_pytorch_has_learned(tmp_path: Path) -> None:
    """Needs PyTorch: with `make test-all` it is there."""
    import torch

    from claimeven.learn.labels import Wanted, make_labels
    from claimeven.neural.model import features, planes_of
    from claimeven.neural.run import train_network
    from claimeven.neural.training import Plan

    labels, out = tmp_path / "labels", tmp_path / "toy.network"
    make_labels(Wanted("7x6x4", (26, 36)), 4000, seed=1).write(labels)
    values = tmp_path / "values"
    make_labels(Wanted("7x6x4", (0, 5), only_value=True, every=True), 1).write(values)
    first = train_network([labels, values], out, "toy", Plan(seconds=5, batch=64, look_every=2))
    more = train_network([labels, values], out, "toy", Plan(seconds=10, batch=64, look_every=2), resume=True)
    assert more.steps > first.steps
    assert more.curve[: len(first.curve)] == first.curve
    words = words_of(POSITIONS).astype(np.int64)
    with torch.no_grad():
        planes = planes_of(features(*map(torch.from_numpy, words.T.copy())), torch.float32)
        learned = more.mean(planes).numpy()
    assert np.abs(outputs(out, POSITIONS) - learned).max() < 1e-2
    assert make_agent(f"neural:file={out}").choose(POSITIONS[0]).column in POSITIONS[0].legal
