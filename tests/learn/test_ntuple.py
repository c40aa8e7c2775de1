"""n-tuple networks: tables see their cells and nothing else, learn, and go on as if never stopped."""

import random
import struct
from array import array
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from claimeven import _core
from claimeven.agents import make_agent
from claimeven.agents.kinds.ntuple import NTupleFile, read_ntuple
from claimeven.arena.measure import pons_questions
from claimeven.board import Board
from claimeven.errors import InputError, SpecError
from claimeven.learn.labels import Labels, Wanted, make_labels
from claimeven.learn.labels.exact import ILLEGAL
from claimeven.learn.ntuple import Recipe, Training, labels_to_learn, learn_labels, play_games, state_path
from claimeven.learn.points import CurvePoint, Quality
from claimeven.position import Position

LEAST_EXACT, LEAST_SELF = 97.9, 96.1  # percent of Pons' positions where the outcome is kept
CELLS = [3, 4, 10, 16, 22, 23, 31, 45]  # as bits: column times 7, plus row
THREATS = [64 + cell for cell in (1, 2, 9, 23, 24, 45)]  # those of a tuple that sees threats: 64 more


def some_positions(seed: int, count: int, plies: tuple[int, int] = (0, 34)) -> list[Position]:
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position()
        for _ in range(chance.randint(*plies)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


def words(positions: list[Position]) -> tuple[bytes, bytes]:
    mine, mask = (array("Q", [getattr(p, half) for p in positions]) for half in ("mine", "mask"))
    return mine.tobytes(), mask.tobytes()


def values(net: _core.NTuple, position: Position) -> tuple[float, ...]:
    return struct.unpack("<7f", net.values(*words([position])))


def state(position: Position, cell: int) -> str:
    column, row = divmod(cell % 64, 7)
    height = position.height(column)
    if cell >= 64:
        return "filled" if row < height else threats(position, column, row)
    if row >= height:
        return "lands" if row == height else "empty"
    return "mine" if position.mine >> cell & 1 else "theirs"


def threats(position: Position, column: int, row: int) -> str:
    """Whose four a disc here would complete, by counting along the lines through it."""
    found = ""
    for name, stones in (("mine", position.mine), ("theirs", position.mine ^ position.mask)):
        cells = {divmod(bit, 7) for bit in range(49) if stones >> bit & 1}
        for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                x, y = column + sign * dx, row + sign * dy
                while (x, y) in cells:
                    run, x, y = run + 1, x + sign * dx, y + sign * dy
            found += name if run >= 4 and name not in found else ""
    return found


def seen(position: Position, cells: list[int]) -> tuple[object, ...]:
    """What one tuple may know of a position: two views in no order, and who moves."""
    mirrored = [cell - cell % 64 + 7 * (6 - cell % 64 // 7) + cell % 64 % 7 for cell in cells]
    views = [tuple(state(position, cell) for cell in some) for some in (cells, mirrored)]
    return position.ply % 2, *sorted(views)


def can_win(position: Position) -> bool:
    return any(position.play(column).winner is not None for column in position.legal)


def stop(_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("cells", "views"), [(CELLS, 500), (THREATS, 250)])
def test_a_table_sees_its_cells_and_nothing_else(cells: list[int], views: int) -> None:
    net, chance = _core.NTuple([cells]), random.Random(1)
    net.set_weights(array("f", [chance.uniform(-1, 1) for _ in range(net.size)]).tobytes())
    worth = dict[tuple[object, ...], float]()
    for position in some_positions(2, 400):
        for column, value in zip(range(7), values(net, position), strict=True):
            if column in position.legal:
                after = position.play(column)
                if not after.is_over and not can_win(after):
                    assert worth.setdefault(seen(after, cells), value) == value
    assert len(set(worth.values())) > 0.99 * len(worth) > views, "different views have weights of their own"


def test_tuples_of_threats_are_pairs_of_runs_each_once() -> None:
    found = _core.random_threats(1000, seed=3)
    assert len(found) == 178
    assert found != _core.random_threats(1000, seed=4)
    assert found[:20] == _core.random_threats(20, seed=3)
    pairs = set[frozenset[frozenset[int]]]()
    for cells in found:
        runs = [frozenset(cell - 64 for cell in cells[i : i + 3]) for i in (0, 3)]
        assert all(max(run) - min(run) == 2 and len({cell // 7 for cell in run}) == 1 for run in runs)
        mirrored = [frozenset(7 * (6 - cell // 7) + cell % 7 for cell in run) for run in runs]
        assert not {frozenset(runs), frozenset(mirrored)} & pairs
        pairs.add(frozenset(runs))


@pytest.mark.parametrize(
    ("tuples", "reason"),
    [
        ([], "1 to 1280 tuples"),
        ([[]], "1 to 8 cells"),
        ([[*CELLS, 46]], "1 to 8 cells"),
        ([[*THREATS, 64]], "1 to 6 cells"),
        ([THREATS, CELLS], "come last"),
        ([[3, 64]], "each once"),
        ([[64, 3]], "each once"),
        ([[3, 3]], "each once"),
        ([[6]], "each once"),
        ([[70]], "each once"),
        ([[128]], "each once"),
    ],
)
def test_tuples_that_make_no_sense_are_refused(tuples: list[list[int]], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        _core.NTuple(tuples)


def test_a_table_has_a_row_for_every_state_that_gravity_allows() -> None:
    count = 1
    for column in range(7):
        rows = [cell % 7 for cell in CELLS if cell // 7 == column]
        columns = [stones for height in range(7) for stones in product("xo", repeat=height)]
        found = {tuple(s[r] if r < len(s) else "lands" if r == len(s) else "" for r in rows) for s in columns}
        count *= len(found)
    assert _core.NTuple([CELLS]).size == 2 * count


def test_what_wins_or_loses_at_once_is_known_by_the_rules() -> None:
    net = _core.NTuple([CELLS])
    for position in some_positions(3, 300):
        for column, value in enumerate(values(net, position)):
            if column not in position.legal:
                assert value == -2
                continue
            after = position.play(column)
            if after.is_over:
                assert value == (1 if after.winner is not None else 0)
            else:
                assert value == (-1 if can_win(after) else 0)


def test_a_mirror_image_gets_the_mirrored_column() -> None:
    agent = make_agent("ntuple")
    for position in some_positions(4, 60):
        assert agent.choose(position.mirror()).column == 6 - agent.choose(position).column or (
            position.mirror() == position
        )


def test_a_stage_has_weights_of_its_own() -> None:
    """Those of one stage alone are not 0: so one sees which of them a position after a move is asked of."""
    plain = _core.NTuple([CELLS])
    net = _core.NTuple([CELLS], [9, 20])
    assert net.size == 3 * plain.size
    for stage, (first, last) in enumerate(((0, 8), (9, 19), (20, 42))):
        weights = np.zeros((3, plain.size), "<f4")
        weights[stage] = 0.1
        net.set_weights(weights.tobytes())
        for position in some_positions(stage, 60):
            is_there = first <= position.ply + 1 <= last
            for value in values(net, position):
                assert value in (-2, -1, 0, 1) or is_there == (abs(value) > 0.1)
            assert any(value not in (-2, -1, 0, 1) for value in values(net, position)) <= is_there
    for stages in ([0], [9, 9], [20, 9], [42]):
        with pytest.raises(ValueError, match="stages begin at 1 to 41 stones"):
            _core.NTuple([CELLS], stages)


def test_a_training_in_stages_goes_on_and_plays(tmp_path: Path) -> None:
    recipe = Recipe(tuples=20, seed=5, threats=4, stages=(10, 25))
    training = Training.begun(recipe)
    play_games(training, 100, tmp_path / "it.ntuple", 100, lambda _: None)
    again = Training.resumed(tmp_path / "it.ntuple")
    assert (again.recipe, again.net.weights()) == (recipe, training.net.weights())
    assert make_agent(f"ntuple:file={tmp_path / 'it.ntuple'}").choose(Position()).column in range(7)
    steps = np.frombuffer(read_ntuple(tmp_path / "it.ntuple").steps, "<i2")
    learned = np.frombuffer(training.net.weights(), "<f4")
    assert np.abs(steps / 128 - learned).max() <= 1 / 256 + 1e-6


def test_it_goes_on_as_if_never_stopped(tmp_path: Path) -> None:
    recipe, points = Recipe(tuples=30, seed=5, threats=9), list[CurvePoint]()
    whole, parts = Training.begun(recipe), Training.begun(recipe)
    play_games(whole, 600, tmp_path / "whole.ntuple", 600, points.append)
    with pytest.raises(KeyboardInterrupt):
        play_games(parts, 600, tmp_path / "parts.ntuple", 300, stop)
    play_games(
        Training.resumed(tmp_path / "parts.ntuple"), 600, tmp_path / "parts.ntuple", 600, points.append
    )
    one, two = (read_ntuple(tmp_path / f"{name}.ntuple") for name in ("whole", "parts"))
    assert one.steps == two.steps
    assert one.card["curve"] == [points[0].to_json()]
    other = Training.begun(Recipe(tuples=30, seed=6))
    assert other.tuples != whole.tuples


@pytest.mark.parametrize(
    ("flat", "point"),
    [
        ({"done": 5, "keeps": 90.5, "optimal": 80.0}, CurvePoint({"": Quality(90.5, 80.0)}, done=5)),
        (
            {"seconds": 1.5, "steps": 9, "loss": 0.5, "labels": 7, "pons": 98.0, "pons, optimal": 94.0},
            CurvePoint({"pons": Quality(98.0, 94.0)}, seconds=1.5, steps=9, loss=0.5, labels=7),
        ),
    ],
)
def test_points_are_what_files_of_before_have(flat: dict[str, float], point: CurvePoint) -> None:
    assert CurvePoint.from_json(flat) == point
    assert list(point.to_json().items()) == list(flat.items())


def test_a_training_begins_with_the_tables_of_another(tmp_path: Path) -> None:
    first = Training.begun(Recipe(tuples=20, seed=5, threats=9))
    play_games(first, 100, tmp_path / "first.ntuple", 100, lambda _: None)
    then = Training.following(tmp_path / "first.ntuple", Recipe(alpha=2, seed=8))
    assert then.tuples == first.tuples
    assert then.net.weights() == first.net.weights()
    assert then.net.memory() == first.net.memory()
    assert (then.recipe, then.done) == (Recipe(tuples=20, seed=5, threats=9, alpha=2), 0)
    play_games(then, 100, tmp_path / "then.ntuple", 100, lambda _: None)
    resumed = Training.resumed(tmp_path / "then.ntuple")
    assert resumed.before == [first.story()]
    assert read_ntuple(tmp_path / "then.ntuple").card["before"] == [first.story().to_json()]
    again = Training.resumed(tmp_path / "first.ntuple")
    again.net.play(first_game=100, games=100, seed=5, alpha=2, lambda_=0.8, epsilon=0.1, openings=12)
    assert resumed.net.weights() == again.net.weights(), "games that were not played before"


@pytest.mark.slow
def test_it_learns_from_games(tmp_path: Path) -> None:
    """Without a game it plays by the rules alone, in the middle: that keeps 85.65 %."""
    training, points = Training.begun(Recipe()), list[CurvePoint]()
    assert training.look().only.keeps == 85.65
    play_games(training, 30_000, tmp_path / "out.ntuple", 30_000, points.append)
    assert points[-1].only.keeps > 89


def test_it_learns_from_labels(tmp_path: Path) -> None:
    made = make_labels(Wanted(str(Board()), (26, 34)), count=3000, seed=1)
    made.write(tmp_path / "some.labels")
    labels = labels_to_learn([tmp_path / "some.labels"])
    recipe = Recipe(tuples=30, threats=20)
    training = Training.begun(recipe)

    def share() -> float:
        mine, mask = (labels[0][:, half].tobytes() for half in range(2))
        columns = np.frombuffer(training.net.choices(mine, mask), np.int8)
        outcomes = np.where(labels[1] == ILLEGAL, -2, np.sign(labels[1]))
        return float((outcomes[range(len(columns)), columns] == outcomes.max(axis=1)).mean())

    before = share()
    learn_labels(training, labels, 2, tmp_path / "out.ntuple", 10**9, lambda _: None)
    assert share() > max(before, 0.9)
    out = tmp_path / "again.ntuple"

    with pytest.raises(KeyboardInterrupt):
        learn_labels(Training.begun(recipe), labels, 2, out, len(labels[0]) + 20, stop)
    again = Training.resumed(out)
    assert again.done == len(labels[0]) + 20
    learn_labels(again, labels, 2, out, 10**9, lambda _: None)
    assert again.look().only.keeps == training.look().only.keeps


def test_positions_that_judge_do_not_teach(tmp_path: Path) -> None:
    asked = [question.position for question in pons_questions()[:1000:100]]
    others = [*asked, *children(asked), *some_positions(7, 20, (10, 20))]
    keys = sorted({position.canonical_key for position in others})
    scores = np.zeros((len(keys), 7), np.int8)
    Labels(Board(), np.array(keys, np.uint64), scores, {}).write(tmp_path / "x.labels")
    found, left = labels_to_learn([tmp_path / "x.labels"])
    secret = {p.canonical_key for p in [*asked, *children(asked)]}
    kept = {int(mine) + int(mask) for mine, mask in found}
    assert kept == set(keys) - secret
    assert left.shape == (len(kept), 7)


def children(positions: list[Position]) -> list[Position]:
    moves = [position.play(column) for position in positions for column in position.legal]
    return [after for after in moves if not after.is_over]


def test_the_shipped_ones_are_as_good_as_told() -> None:
    questions = pons_questions()
    for spec, least in (("ntuple", LEAST_EXACT), ("ntuple:learned=self", LEAST_SELF)):
        agent = make_agent(spec)
        columns = agent.choices(*words([q.position for q in questions]))  # type: ignore[attr-defined]
        kept = sum(q.keeps(column) for q, column in zip(questions, columns, strict=True))
        assert 100 * kept / len(questions) >= least, spec


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.ntuple"
    with pytest.raises(SpecError, match="ntuple: there is no file"):
        make_agent(f"ntuple:file={path}")
    path.write_bytes(b"something else")
    with pytest.raises(SpecError, match="is no n-tuple network"):
        make_agent(f"ntuple:file={path}")
    net = _core.NTuple([CELLS])
    NTupleFile([CELLS], bytes(2 * net.size)).write(path)
    assert make_agent(f"ntuple:file={path}").choose(Position()).column == 3
    for step in (
        float("nan"),
        float("inf"),
        1e39,
        0.0,
        -1.0,
    ):  # weights would be no numbers, and full columns chosen
        NTupleFile([CELLS], bytes(2 * net.size), step=step).write(path)
        with pytest.raises(SpecError, match="damaged"):
            make_agent(f"ntuple:file={path}")
    NTupleFile([CELLS], bytes(10)).write(path)
    with pytest.raises(SpecError, match="damaged"):
        make_agent(f"ntuple:file={path}")
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="damaged"):
        read_ntuple(path)
    with pytest.raises(InputError, match="to go on with"):
        Training.resumed(tmp_path / "none.ntuple")
    state_path(path).write_bytes(b"{}\n")
    with pytest.raises(InputError, match="damaged"):
        Training.resumed(path)
