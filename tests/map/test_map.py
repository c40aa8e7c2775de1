"""The map: the same every time, kept in a file, followed by an agent, checked by code that shares nothing."""

import ast
import hashlib
import json
import random
import re
import sys
import zlib
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import pytest

from claimeven.agents import make_agent
from claimeven.agents.mapped import MapAgent
from claimeven.board import bits
from claimeven.errors import InputError
from claimeven.learn.certificate import certify
from claimeven.map import Map, Plan, read_map, write_map
from claimeven.map.atlas import shipped
from claimeven.map.build import Question, Search, build
from claimeven.map.check import FaultError, check
from claimeven.map.course import course
from claimeven.map.file import FIRST, map_bytes
from claimeven.map.gather import gathered
from claimeven.map.improve import improved
from claimeven.map.picture import INNER, picture
from claimeven.map.plan import urgent
from claimeven.map.reason import Games, lacking, reason
from claimeven.map.share import holds, shorter
from claimeven.map.stones import Stones, canonical
from claimeven.map.summary import kinds_of, learned, read_whys, summary, written_whys
from claimeven.map.told import told
from claimeven.map.walk import children
from claimeven.position import Board, Position
from claimeven.reasons.planned.closed import closed_by
from claimeven.reasons.words import LANGUAGES
from claimeven.solver import Solver

WON, DRAWN, HELD = (
    ("4x4x3", 0),
    ("5x4x4", 0),
    ("4x4x4", 1),
)  # won by the first, drawn by the first, by the second


FEW = 30  # moves: so few that plans are not found at once, and maps have inner nodes


@cache
def drawn(board: str, side: int) -> Map:
    return build(Board.parse(board), side, budget=FEW, tries=1)


@cache
def after_a1() -> Map:
    """Of 5x3x3, where the second player loses, but not after 1. a1."""
    return build(Board.parse("5x3x3"), 1, start="1", budget=FEW, tries=1)


@pytest.mark.parametrize("asked", [WON, HELD])
def test_a_map_is_the_same_on_any_number_of_workers_and_after_a_pause(
    asked: tuple[str, int], tmp_path: Path
) -> None:
    board, side = asked
    few = partial(build, Board.parse(board), side, budget=FEW, tries=1, folder=tmp_path / "work")
    again, resumed = few(workers=2), few()
    assert map_bytes(again) == map_bytes(resumed) == map_bytes(drawn(board, side))


@pytest.mark.parametrize("asked", [WON, HELD])
def test_a_file_is_read_back_and_found_right(asked: tuple[str, int], tmp_path: Path) -> None:
    found, path = drawn(*asked), tmp_path / "a.map"
    write_map(found, path)
    assert read_map(path) == found
    counts = check(path.read_bytes())
    assert (counts["nodes"], counts["leaves"]) == (len(found.nodes), len(found.leaves))


@pytest.mark.parametrize("asked", [WON, HELD])
def test_the_agent_keeps_the_result_against_every_reply(asked: tuple[str, int], tmp_path: Path) -> None:
    board, side = asked
    path = tmp_path / "a.map"
    write_map(drawn(board, side), path)
    found = certify(f"map:file={path}", side, Board.parse(board))
    assert found.lost == 0
    assert found.met > 0
    assert (found.drawn == 0) == (drawn(board, side).goal == "win")


@pytest.mark.parametrize("asked", [WON, DRAWN, HELD])
def test_an_improved_map_is_right_and_smaller(asked: tuple[str, int]) -> None:
    before = drawn(*asked)
    after = improved(before)
    assert check(map_bytes(after))["plans"] <= check(map_bytes(before))["plans"]
    assert len(after.nodes) <= len(before.nodes)
    assert map_bytes(improved(before)) == map_bytes(after)


def test_one_plan_takes_in_another_leaf() -> None:
    found = drawn(*DRAWN)
    often = Counter(found.leaves.values())
    plan = max(found.leaves.values(), key=len)
    few = {leaf: each for leaf, each in found.leaves.items() if each == plan or often[each] == 1}
    told = gathered(found.board, few, draw_is_enough=True)
    assert told.keys() == few.keys()
    assert len(set(told.values())) < len(set(few.values()))
    assert all(holds(found.board, leaf, each, True) for leaf, each in told.items())


def test_a_map_of_another_board_is_followed_nowhere_on_7x6(tmp_path: Path) -> None:
    path, found = tmp_path / "other.map", drawn("4x5x4", 1)
    write_map(found, path)
    agent = make_agent(f"map:file={path}")
    assert isinstance(agent, MapAgent)
    positions = [
        Position.parse(moves, SEVEN) for moves in ("1", "2", "3", "12", "111", "121", "113", "11222")
    ]
    mine, mask = (
        b"".join(getattr(p, half).to_bytes(8, "little") for p in positions) for half in ("mine", "mask")
    )
    assert list(agent.choices(mine, mask)) == [agent.choose(one).column for one in positions]


def test_an_image_of_a_place_is_a_place() -> None:
    agent = make_agent("map")  # after three discs each on d it goes one of two ways that mirror each other
    both = [agent.choose(Position.parse(moves)) for moves in ("44444436", "44444452")]
    assert [choice.text for choice in both] == ["on the map"] * 2
    assert both[0].column == 6 - both[1].column


@pytest.mark.parametrize("first", ["", "1", "3", "6"])
def test_many_positions_are_answered_as_each_alone(first: str) -> None:
    agent = make_agent("map")  # the maps of the package: the core follows maps of 7x6 only
    assert isinstance(agent, MapAgent)
    chance, met = random.Random(2), dict[Position, None]()
    for _ in range(5 if first else 15):
        position = Position.parse(first, SEVEN)
        while not position.is_over:
            if position.side == len(first):
                met[position] = None
                position = position.play(agent.choose(position).column)
                continue
            after = [position.play(column) for column in position.legal]
            quiet = [one for one in after if not one.is_over and not urgent(SEVEN, one.theirs, one.mask)]
            position = chance.choice(quiet or after)
    met[Position.parse("11", SEVEN)] = None  # off the map
    upright = [one for one in met if SEVEN.mirror(one.mine) + SEVEN.mirror(one.mask) >= one.key]
    mine = b"".join(one.mine.to_bytes(8, "little") for one in upright)
    mask = b"".join(one.mask.to_bytes(8, "little") for one in upright)
    assert list(agent.choices(mine, mask)) == [agent.choose(one).column for one in upright]
    assert max(one.ply for one in upright) > 16


@pytest.mark.parametrize("first", "1234567")
def test_the_second_player_holds_what_the_first_disc_allows(first: str) -> None:
    agent, chance = make_agent("map"), random.Random(int(first))
    for _ in range(3):
        position, texts = Position.parse(first, SEVEN), set()
        while not position.is_over:
            if position.side:
                choice = agent.choose(position)
                texts.add(choice.text)
                position = position.play(choice.column)
            else:
                after = [position.play(column) for column in position.legal]
                quiet = [one for one in after if not one.is_over and not urgent(SEVEN, one.theirs, one.mask)]
                position = chance.choice([one for one in after if one.is_over] or quiet or after)
        if first == "4":  # lost with best play: it goes on, and says where it is
            assert "off the map" in texts
        else:
            assert texts <= {"on the map", "by a plan of the map"}
            assert position.winner == 1 if first in "1267" else position.winner != 0


def test_the_checker_shares_nothing_with_the_house() -> None:
    import claimeven.map.check as checker

    source = ast.parse(Path(checker.__file__).read_text())
    for node in ast.walk(source):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


# Planted faults ------------------------------------------------------------------------------------


def signed(told: dict[str, object], body: bytes) -> bytes:
    data = FIRST + json.dumps(told).encode() + b"\n" + zlib.compress(body)
    return data + hashlib.sha256(data).digest()


def opened(data: bytes) -> tuple[dict[str, object], bytes]:
    line, _, packed = data[len(FIRST) : -32].partition(b"\n")
    return json.loads(line), zlib.decompress(packed)


@dataclass
class Token:
    """A few bytes of the body of a file, and what they are about."""

    data: bytes
    stones: Stones | None = None
    reply: int | None = None  # of a column; None: the number of a node, or a plan


def number(rest: deque[int]) -> bytes:
    """The bytes of the next number."""
    taken = [rest.popleft()]
    while taken[-1] >= 128:
        taken.append(rest.popleft())
    return bytes(taken)


def value(data: bytes) -> int:
    return sum((byte & 127) << 7 * place for place, byte in enumerate(data))


def as_number(count: int) -> bytes:
    return bytes([count]) if count < 128 else bytes([128 | count & 127]) + as_number(count >> 7)


def tokens(found: Map) -> tuple[list[Token], list[Token]]:
    """Plans (the first token is their number) and nodes of the file of a map."""
    _, body = opened(map_bytes(found))
    rest = deque(body)
    plans = [Token(number(rest))]
    for _ in range(value(plans[0].data)):
        kinds = []
        for _ in range(3):
            count = number(rest)
            kinds.append(count + bytes(rest.popleft() for _ in range(value(count))))
        plans.append(Token(b"".join(kinds)))
    nodes = []
    for stones, node in found.walk():
        nodes.append(Token(number(rest), stones))
        if isinstance(node, dict):
            replies = [reply for reply, _, _ in children(found.board, stones, node)]
            nodes += [Token(bytes([rest.popleft()]), stones, reply) for reply in replies]
    assert not rest
    return plans, nodes


def plan_in(token: Token) -> Plan:
    rest = deque(token.data)
    urgent, pairs, spare = (tuple(rest.popleft() for _ in range(value(number(rest)))) for _ in range(3))
    return Plan(tuple(zip(pairs[::2], pairs[1::2], strict=True)), urgent, spare)


def written(plan: Plan) -> bytes:
    pairs = [cell for pair in plan.exceptions for cell in pair]
    return b"".join(as_number(len(cells)) + bytes(cells) for cells in (plan.urgent, pairs, plan.spare))


def breaks(found: Map, whole: Plan, fewer: Plan) -> bool:
    """Whether some leaf of a plan is lost with another."""
    return any(
        not holds(
            found.board, stones, fewer if used == whole else fewer.mirrored(found.board), found.goal == "draw"
        )
        for stones, used in found.leaves.items()
        if used in (whole, whole.mirrored(found.board))
    )


def faults(found: Map, seed: int) -> Iterator[tuple[str, bytes]]:
    """Files that are signed and wrong, one after the other; each has one real fault."""
    told, _ = opened(map_bytes(found))
    chance = random.Random(seed)
    search = Search(Question(found.board, found.goal == "draw"))
    while True:
        plans, nodes = tokens(found)
        kind = chance.choice(["column", "reply", "node", "exception", "answer", "leaf", "more"])
        columns = [token for token in nodes if token.reply is not None]
        if kind == "column":
            token = chance.choice(columns)
            assert token.stones is not None
            assert token.reply is not None
            x = found.board.landing(token.stones.mask, token.reply)
            kept = {found.board.column_of(y) for y in search.kept(token.stones, x)}
            wrong = sorted(set(range(found.board.columns)) - kept)
            if not wrong:
                continue
            token.data = bytes([chance.choice(wrong)])
        elif kind == "reply":
            nodes.remove(chance.choice(columns))
        elif kind == "node":
            nodes.remove(chance.choice([token for token in nodes if token.reply is None]))
        elif kind == "more":
            nodes.insert(chance.randrange(len(nodes) + 1), Token(bytes([chance.randrange(4)])))
        elif kind == "leaf":
            token = chance.choice([token for token in nodes if token.data != b"\0" and token.reply is None])
            assert token.stones is not None
            other = chance.randrange(min(127, 2 * (len(plans) - 1)))
            plan = plan_in(plans[1 + other // 2])
            turned = plan.mirrored(found.board) if other % 2 else plan
            if holds(found.board, token.stones, turned, found.goal == "draw"):
                continue
            token.data = bytes([other + 1])
        else:  # a plan without one of its rules, or with an answer that can never be played
            token = chance.choice([token for token in plans[1:] if len(plan_in(token))])
            plan = plan_in(token)
            at = chance.randrange(len(plan))
            fewer = plan.without(at)
            if kind == "answer" and at < len(plan.exceptions):
                x, _ = plan.exceptions[at]
                fewer = replace(plan, exceptions=(*plan.exceptions[:at], (x, x), *plan.exceptions[at + 1 :]))
            if not breaks(found, plan, fewer):
                continue  # a few are idle: needed when tried, not once others were dropped
            token.data = written(fewer)
        yield kind, signed(told, b"".join(token.data for token in (*plans, *nodes)))


def refuse(found: Map, count: int) -> None:
    for at, (kind, data) in zip(range(count), faults(found, seed=1), strict=False):
        try:
            check(data)
        except FaultError:
            continue
        pytest.fail(f"fault {at} was not found: {kind}")


def test_planted_faults_are_found() -> None:
    refuse(drawn(*HELD), 30)


def test_planted_faults_are_found_after_a_first_disc() -> None:
    refuse(after_a1(), 30)  # the second player's, who wins


@pytest.mark.slow
def test_faults_planted_in_the_map_of_the_package_are_found() -> None:
    refuse(shipped(), 5)


@pytest.mark.slow
def test_the_map_of_the_package_wins_against_every_reply(tmp_path: Path) -> None:
    found = certify("map", 0, workers=2)
    assert (found.met, found.won, found.drawn, found.lost) == (8_779_189, 4_343_335, 0, 0)
    found.write(tmp_path / "map.certificate")
    digest = hashlib.sha256((tmp_path / "map.certificate").read_bytes()).hexdigest()
    assert digest in (Path(__file__).parents[2] / "docs/map.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_thousand_planted_faults_are_found() -> None:
    refuse(drawn(*DRAWN), 1000)


def test_a_file_that_is_no_map_is_refused(tmp_path: Path) -> None:
    path, data = tmp_path / "a.map", map_bytes(drawn(*WON))
    told, body = opened(data)
    for wrong in (
        b"",
        b"hello",
        data[:-1],
        data[:40] + b"?" + data[41:],
        signed({}, body),
        signed(told, b"\1"),
        signed({**told, "side": 5, "column": None}, body),
    ):
        path.write_bytes(wrong)
        with pytest.raises(InputError):
            read_map(path)
        with pytest.raises(FaultError):
            check(wrong)
    with pytest.raises(InputError):
        read_map(tmp_path / "nothing.map")


# Plans, and what is told of them --------------------------------------------------------------------


@pytest.mark.parametrize("asked", [WON, HELD])
def test_the_course_of_a_plan_is_where_its_games_go(asked: tuple[str, int]) -> None:
    found, chance = drawn(*asked), random.Random(3)
    board = found.board
    for stones, plan in found.leaves.items():
        seen = course(board, stones, plan)
        assert seen.ended & stones.mask == 0
        assert seen.ends or found.goal == "draw"
        assert len(seen.plan) <= len(plan)
        assert holds(board, stones, seen.plan, found.goal == "draw")  # nothing that is asked for is left out
        for _ in range(5):
            (theirs, mask), y = stones, 0
            while mask != board.full and not board.has_four(theirs ^ mask):
                x = chance.choice(list(bits(board.landings(mask))))
                y = plan.answer(board, theirs | x, mask | x, x)
                assert y == seen.plan.answer(board, theirs | x, mask | x, x)
                assert not y & ~seen.ours
                theirs, mask = theirs | x, mask | x | y
            assert not board.has_four(theirs)
            assert y in seen.ends or not board.has_four(theirs ^ mask)


@pytest.mark.parametrize("asked", [WON, DRAWN, HELD])
def test_the_reason_of_a_leaf_is_where_its_games_come_to(asked: tuple[str, int]) -> None:
    found, chance = drawn(*asked), random.Random(4)
    board = found.board
    for stones, plan in list(found.leaves.items())[:60]:
        seen, games = reason(board, stones, plan), Games(board, plan)
        assert found.goal == "draw" or seen.why != "full"
        for _ in range(10):
            now: Stones | None = stones
            while now is not None:
                end = now
                kept = [x for x in bits(board.landings(now.mask)) if not games.loses(now, x)]
                now = games.after(now, chance.choice(kept)) if kept else None
            is_full = len(list(bits(board.landings(end.mask)))) < 2 and bool(kept or end.mask == board.full)
            assert seen.why == "full" or not is_full
            if seen.why in ("one", "two", "three") and sum(four.ends for four in seen.fours) == seen.ends:
                assert any(four.cells in lacking(board, end) for four in seen.fours)


def test_what_a_draw_is_held_by_is_true() -> None:
    found, chance = drawn(*DRAWN), random.Random(6)
    board, told_of = found.board, 0
    for stones, plan in found.leaves.items():
        said = told(found, Position(board, stones.theirs, stones.mask))
        if said.denied is None:
            continue
        told_of += 1
        fours, lost, cells = said.denied
        open_fours = [four for four in board.fours if not four & (stones.theirs ^ stones.mask)]
        denied = sum(1 << notation_bit(board, name) for name in cells)
        assert fours == len(open_fours)
        assert lost >= sum(bool(four & denied) for four in open_fours) > 0
        for _ in range(10):
            theirs, mask = stones
            while mask != board.full and not board.has_four(theirs ^ mask):
                x = chance.choice(list(bits(board.landings(mask))))
                y = plan.answer(board, theirs | x, mask | x, x)
                theirs, mask = theirs | x, mask | x | y
            assert not theirs & denied
    assert told_of


def notation_bit(board: Board, name: str) -> int:
    return "abcdefg".index(name[0]) * (board.rows + 1) + int(name[1:]) - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_is_told_in_every_language(language: str) -> None:
    kinds, chance = set(), random.Random(5)
    for found in [drawn(*WON), drawn(*HELD)] * 20:
        position = Position(found.board)
        while not position.is_over:
            place = told(found, position)
            kinds.add(place.kind)
            text = place.text(language)
            assert text
            assert "{" not in text
            assert place.cell in text
            is_ours = position.side == found.side
            position = position.play(
                "abcd".index(place.cell[0]) if is_ours else chance.choice(position.legal)
            )
        assert position.winner == found.side if found.goal == "win" else position.winner != 1 - found.side
        assert told(found, position).kind == "over"
    assert kinds >= {"first", "win", "stop", "column", "exception", "top", "node", "plan"}
    assert told(drawn(*WON), Position.parse("1", Board.parse("4x4x3"))).kind == "off"


def test_a_map_may_begin_after_some_moves(tmp_path: Path) -> None:
    board, path, found = Board.parse("5x3x3"), tmp_path / "a.map", after_a1()
    write_map(found, path)
    assert read_map(path) == found
    assert check(path.read_bytes())["leaves"] == len(found.leaves)
    for first in "15":  # and its mirror image
        position = Position.parse(first, board)
        place = found.find(position)
        assert place is not None
        position = position.play(board.column_of(place.cell))
        while not position.is_over:
            place = found.find(position)
            assert place is not None
            column = board.column_of(place.cell) if position.side == 1 else position.legal[0]
            position = position.play(column)
        assert position.winner == 1
    assert found.find(Position.parse("2", board)) is None
    told, body = opened(path.read_bytes())
    for wrong in ({"start": "11"}, {"start": "6"}, {"start": "111111"}, {"start": "?"}, {"column": None}):
        with pytest.raises(FaultError):
            check(signed({**told, **wrong}, body))


def test_the_first_column_can_be_asked_for() -> None:
    board = Board.parse("5x4x4")
    for column in (1, 2):
        found = build(board, 0, column=column, budget=FEW, tries=1)
        assert found.column == column
        assert check(map_bytes(found))["nodes"] == len(found.nodes)
    lost = Board.parse("5x3x3")
    with pytest.raises(InputError, match="does not keep the result"):
        build(lost, 1, start="1", column=(after_a1().column or 0) + 1, budget=FEW, tries=1)


def test_a_side_that_loses_has_no_map() -> None:
    with pytest.raises(InputError, match="loses"):
        build(Board.parse("4x4x3"), 1)


# What a plan says ------------------------------------------------------------------------------------

SEVEN = Board()


def at(moves: str) -> tuple[int, int]:
    position = Position.parse(moves)
    return position.mine, position.mask


def test_the_rules_of_a_plan_come_in_their_order() -> None:
    theirs, mask = at(
        "44"
    )  # first: d1; second: d2. The holder is the first player, the opponent plays c1 now
    x = 1 << 14
    theirs, mask = (mask ^ theirs) | x, mask | x
    d3, e1, c2, f1 = 23, 28, 15, 35
    for plan, wanted in (
        (Plan(), c2),
        (Plan(exceptions=((14, e1),)), e1),
        (Plan(exceptions=((14, 29), (14, f1))), f1),  # e2 cannot be played yet
        (Plan(exceptions=((14, 29),)), c2),
        (Plan(exceptions=((14, e1),), urgent=(29, d3)), d3),
        (Plan(spare=(e1,)), c2),
    ):
        assert plan.answer(SEVEN, theirs, mask, x) == 1 << wanted
        turned = plan.mirrored(SEVEN).answer(SEVEN, SEVEN.mirror(theirs), SEVEN.mirror(mask), SEVEN.mirror(x))
        assert turned == SEVEN.mirror(1 << wanted)
    assert [len(Plan(((1, 2),), (3,), (4,)).without(i)) for i in range(3)] == [2, 2, 2]
    assert Plan(((1, 2),), (3,), (4,)).without(1) == Plan(((1, 2),), (), (4,))


def test_a_full_column_is_answered_by_what_is_spare() -> None:
    board = Board.parse("4x4x4")
    full = 0b1111
    theirs = 0b1010
    assert Plan(spare=(6, 5)).answer(board, theirs, full, 0b1000) == 1 << 5
    assert Plan().answer(board, theirs, full, 0b1000) == 0


@pytest.mark.parametrize("asked", [WON, DRAWN, HELD])
def test_shorter_plans_hold_and_are_not_longer(asked: tuple[str, int]) -> None:
    board, is_draw = Board.parse(asked[0]), drawn(*asked).goal == "draw"
    search = Search(Question(board, is_draw, tries=1))
    for stones in list(drawn(*asked).leaves)[:5]:
        plan = search.plan(stones)
        assert plan is not None
        fewer = shorter(board, [stones], plan, is_draw)
        assert len(fewer) <= len(plan)
        assert holds(board, stones, fewer, is_draw)


def test_the_summary_counts_every_node_and_leaf() -> None:
    found = drawn(*DRAWN)
    counted = summary(found)
    assert counted.nodes == len(found.nodes)
    assert counted.leaves == len(found.leaves)
    assert sum(inner + leaves for inner, leaves in counted.by_ply.values()) == counted.nodes
    assert counted.curve[counted.plans] == counted.leaves
    assert list(counted.curve.values()) == sorted(counted.curve.values())


def test_nodes_are_counted_as_weakc4_counts_them() -> None:
    """Every position that one meets, both sides' turns and mirror images apart, up to the leaves."""
    found = drawn(*HELD)
    inner, leaves, waiting = set[Position](), set[Position](), [Position(found.board)]
    while waiting:
        position = waiting.pop()
        if position in inner | leaves:
            continue
        place = found.find(position)
        assert place is not None
        if position.side == found.side:
            after = position.play(found.board.column_of(place.cell))
            if not after.is_over:
                inner.add(position)
                waiting.append(after)
            continue
        (inner if place.plan is None else leaves).add(position)
        waiting += [] if place.plan is not None else [position.play(column) for column in position.legal]
    assert inner
    assert summary(found).apart == (len(inner), len(leaves))


def test_what_is_learned_is_a_curve() -> None:
    leaves = [("a", "b"), ("a",), ("c", "a"), ("d",), ()]
    assert learned(leaves) == (4, {1: 2, 2: 3, 4: 5})
    kinds = kinds_of(drawn(*DRAWN))
    forms, sentences = ([getattr(kind, what) for kind in kinds.values()] for what in ("forms", "sentences"))
    assert [*map(len, forms)] == [*map(len, sentences)]
    assert all(re.fullmatch(r"[a-z.]+", form) for leaf in forms for form in leaf)
    assert learned(forms)[0] < learned(sentences)[0]


def test_a_theorem_closes_what_it_proves_alone() -> None:
    found = drawn(*HELD)
    leaves = [*found.leaves]
    theorems = closed_by(found.board, leaves, draw_is_enough=True)
    solver = Solver(megabytes=1)
    assert any(theorems)
    for stones, theorem in zip(leaves, theorems, strict=True):
        score = solver.score(Position(found.board, stones.theirs, stones.mask)).value
        assert theorem is None or score <= 0
    won = closed_by(found.board, leaves)
    assert sum(map(bool, won)) < sum(map(bool, theorems))


def test_the_picture_leads_to_every_node() -> None:
    found = drawn(*DRAWN)
    kinds = kinds_of(found)
    whys = {stones: kind.why for stones, kind in kinds.items()}
    assert read_whys(found, written_whys(kinds)) == whys
    numbers, nodes = picture(found, whys)
    assert len(nodes) == len(numbers) == len(found.nodes)
    ways: list[str] = []
    for parent, why, steps in nodes:
        ways.append(("" if parent < 0 else ways[parent]) + steps)
        place = found.find(Position.parse(ways[-1], found.board))
        assert place is not None
        assert (place.plan is None) == (why == INNER)
        assert numbers[canonical(found.board, place.stones)[0]] == len(ways) - 1
