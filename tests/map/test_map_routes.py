"""The map of the package: right, walked over HTTP, won against any replies, told in every language."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from claimeven.board import bits
from claimeven.cli import run
from claimeven.map import Map, atlas
from claimeven.map.check import check
from claimeven.map.file import about
from claimeven.map.picture import INNER, MOST, picture
from claimeven.map.reason import WHYS
from claimeven.map.told import Told, told
from claimeven.notation import BEGIN, END, unmarked
from claimeven.position import Position
from claimeven.reasons.words import LANGUAGES
from kit.serving import Served, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("map")) as served:
        yield served


def shipped() -> Map:
    return atlas.shipped()


def ask(server: Served, path: str, **params: Any) -> dict[str, Any]:
    answer = server.http.get(f"/api/{path}", params=params, timeout=300)  # the first one reads the map
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def steps_of(place: dict[str, Any]) -> list[str]:
    """All that is said of why a plan wins."""
    return list(filter(None, [place["idea"], *(said for act in place["acts"] for said in act)]))


def test_the_picture_has_every_node_with_few_discs(server: Served) -> None:
    found, counts = ask(server, "map"), about(shipped())
    plies: list[int] = []
    assert len(found["marks"]) == len(found["back"])
    for back, steps in zip(found["back"], found["steps"], strict=True):
        plies.append(len(steps) + (plies[len(plies) - back] if back else 0))
    often = Counter(stones.mask.bit_count() for stones in shipped().nodes)
    assert Counter(plies) == {ply: often[ply] for ply in often if ply <= max(plies)}
    assert len(plies) <= MOST
    assert found["plans"] == counts["plans"]
    assert found["whys"] == list(WHYS)


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_wins_whatever_is_replied(server: Served, seed: int) -> None:
    chance = random.Random(seed)
    language = LANGUAGES[seed % len(LANGUAGES)]
    _, nodes = picture(shipped(), atlas.shipped_whys())
    place = ask(server, "map/place", moves="4", language=language)
    while place["replies"]:
        moves = place["state"]["moves"]
        position = Position.parse(moves)
        assert steps_of(place) == told(shipped(), position).steps(language)
        assert {reply["column"] - 1 for reply in place["replies"]} == set(position.legal)
        if place["node"] is not None and place["plan"] is None:
            assert nodes[place["node"]][1] == INNER
        reply = chance.choice(place["replies"])
        after = position.play(reply["column"] - 1)
        assert reply["moves"] == after.play(reply["answer"] - 1).moves
        assert reply["wins"] == (after.play(reply["answer"] - 1).winner == 0)
        halfway = ask(server, "map/place", moves=after.moves, language=language)
        before, found = shipped().find(position), shipped().find(after)
        assert before is not None
        assert found is not None
        assert halfway["column"] == shipped().board.column_of(found.cell) + 1
        if found.stones == before.stones:  # else another way leads here, too, with an answer of its own
            assert halfway["column"] == reply["answer"]
            assert halfway["move"] == reply["said"]
            assert told(shipped(), after).move(language) == [reply["said"]]
        place = ask(server, "map/place", moves=reply["moves"], language=language)
    assert place["state"]["winner"] == 1


@pytest.mark.parametrize(
    ("moves", "now", "above"), [("4527135134433", ("f1",), ""), ("4744443512225", ("c2",), "c3")]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_four_that_the_next_disc_completes_is_told_first(
    moves: str, now: tuple[str, ...], above: str, language: str
) -> None:
    position = Position.parse(moves)
    said = told(shipped(), position)
    assert (said.now_cells, said.above) == (now, above)
    first = said.now(language)[0] if not said.is_quick else said.idea(language)
    assert now[0] in first
    assert above in first
    blocked = position.play("abcdefg".index(now[0][0]))
    assert told(shipped(), blocked).now_cells == ()  # it was true before the block only


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "moves", ["4", "44", "4527135134433", "43655536512", "422122566645441", "4444413226226"]
)
def test_for_the_page_every_cell_is_marked(moves: str, language: str) -> None:
    said = told(shipped(), Position.parse(moves))
    for written in (Told.move, Told.steps, Told.plan, Told.numbers, Told.rest, Told.shown):
        for plain, text in zip(written(said, language), written(said, f"{language}-x-page"), strict=True):
            assert unmarked(text) == plain
            outside = "".join(run.partition(END)[2] for run in f"{END}{text}".split(BEGIN))
            assert not re.search("[a-g][1-6]", outside), text


def test_where_every_reply_loses_at_once_nothing_else_is_told() -> None:
    said = told(shipped(), Position.parse("42231424224641141"))  # threats wait on c3 and c4, too
    assert said.deciding == ("c2", "c3")
    assert said.steps()[1:] == ["The fours are the diagonal a4–d1 and the diagonal a1–d4."]
    assert told(shipped(), Position.parse("41473544322")).deciding == ("e2", "a2")


@pytest.mark.parametrize("seed", range(20))
def test_fours_at_once_are_told_where_they_are(seed: int) -> None:
    chance, position = random.Random(seed), Position.parse("4")
    while not position.is_over:
        said = told(shipped(), position)
        if said.kind == "plan":
            for column in position.legal:  # what the holder would win with, whatever the opponent plays
                after = position.play(column)
                wins = {"abcdefg"[each] for each in after.legal if after.play(each).winner == 0}
                left = {cell[0] for cell in said.now_cells if cell[0] != "abcdefg"[column]}
                if "abcdefg"[column] in {cell[0] for cell in said.now_cells} and said.above:
                    left.add(said.above[0])
                assert left <= wins
                elsewhere = wins - {"abcdefg"[column]}
                assert elsewhere == {cell[0] for cell in said.now_cells} - {"abcdefg"[column]}
        position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found = shipped().find(position)
            assert found is not None
            position = position.play(shipped().board.column_of(found.cell))


@pytest.mark.parametrize("start", ["1", "2", "3"])
def test_the_second_player_holds_what_its_map_says(server: Served, start: str) -> None:
    held, whole = atlas.shipped(start), ask(server, "map", start=start)
    assert (whole["side"], whole["goal"]) == (2, "draw" if start == "3" else "win")
    assert (whole["places"], whole["steps"][0][:1]) == (len(held.nodes), start)
    chance = random.Random(int(start))
    for first in (start, str(8 - int(start))):  # and the mirror image
        position = Position.parse(first)
        while not position.is_over:
            place = ask(server, "map/place", moves=position.moves, start=start)
            assert place["kind"] != "off"
            if position.side == 1:
                position = position.play(place["column"] - 1)
                continue
            said = told(held, position)
            assert steps_of(place) == said.steps()
            assert (place["how"], place["numbers"], place["rest"]) == (
                said.plan(),
                said.numbers(),
                said.rest(),
            )
            assert place["shown"] == said.shown()
            assert [tuple(disc["cell"]) for disc in place["line"]] == [
                ("abcdefg".index(disc.cell[0]) + 1, int(disc.cell[1])) for disc in said.game
            ]
            assert [len(four) for four in place["fours"]] == [4] * len(said.drawn)
            assert [len(three) for three in place["threes"]] == [4] * len(said.dotted)
            lost = {"abcdefg".index(x[0]) + 1 for x, *_ in said.quick}
            assert all(reply["loses"] for reply in place["replies"] if reply["column"] in lost)
            assert not said.is_quick or all(reply["loses"] for reply in place["replies"])
            reply = chance.choice(place["replies"])
            position = position.play(reply["column"] - 1)
        assert position.winner == 1 if start != "3" else position.winner != 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawn_plan_is_never_said_to_win(language: str) -> None:
    held, chance, goals = atlas.shipped("3"), random.Random(3), set()
    words = json.loads((files("claimeven.map") / "words" / f"{language}.json").read_text(encoding="utf-8"))
    for stones, plan in chance.sample(sorted(held.leaves.items()), 15):
        said = told(held, Position(held.board, stones.theirs, stones.mask))
        words = json.loads(
            (files("claimeven.map") / "words" / f"{language}.json").read_text(encoding="utf-8")
        )
        told_words = words[f"rule.{said.goal}"].format(me=words["side.2"], you=words["side.1"])
        assert said.plan(language) == [] if said.why == "forced" else told_words in said.plan(language)
        goals.add(said.goal)
        filled = False
        for _ in range(20):
            theirs, mask = stones
            while mask != held.board.full and not held.board.has_four(theirs ^ mask):
                open_cells = list(bits(held.board.landings(mask)))
                x = chance.choice([x for x in open_cells if not wins_at(held, theirs, mask, x)] or open_cells)
                y = plan.answer(held.board, theirs | x, mask | x, x)
                theirs, mask = theirs | x, mask | x | y
            filled = filled or not held.board.has_four(theirs ^ mask)
        assert said.goal == "draw" or not filled
    assert goals == {"win", "draw"}


def wins_at(held: Map, theirs: int, mask: int, x: int) -> bool:
    """Whether the holder wins at once after x."""
    board, ours = held.board, theirs ^ mask
    return any(board.has_four(ours | y) for y in bits(board.landings(mask | x)))


@pytest.mark.parametrize("start", atlas.STARTS)
def test_the_kind_of_a_leaf_is_what_its_words_tell(start: str) -> None:
    held, whys, kinds = atlas.shipped(start), atlas.shipped_whys(start), Counter[bool]()
    for stones in random.Random(5).sample(sorted(held.leaves), 60):
        said = told(held, Position(held.board, stones.theirs, stones.mask))
        is_told = said.idea().startswith((f"{'Yellow' if start else 'Red'} ", "All other columns are full"))
        assert (said.why, is_told) == (whys[stones], whys[stones] == "forced"), said.idea()
        assert is_told == (not said.plan())
        kinds[is_told] += 1
    assert min(kinds.values()) > 3


def test_what_loses_by_force_is_answered_by_those_threats(server: Served) -> None:
    """Also where the plan takes its time, and the threats lead off the map."""
    place = ask(server, "map/place", moves="4365513364435")
    assert shipped().find(Position.parse("43655133644351422")) is None
    assert "a2, b1, e4 or f3 loses by force: Red d4! Yellow c5, Red g1 wins" in place["acts"][0][-2]
    assert {reply["column"]: reply["answer"] for reply in place["replies"]} == {
        **dict.fromkeys([1, 2, 5, 6], 4),
        **dict.fromkeys([4, 7], 5),
        3: 3,
    }
    assert "threatens a four" in place["replies"][0]["said"]
    place = ask(server, "map/place", moves=place["replies"][0]["moves"])
    while place["state"]["winner"] is None:
        assert place["why"] == "forced"
        assert all(reply["loses"] for reply in place["replies"])
        place = ask(server, "map/place", moves=place["replies"][-1]["moves"])
    assert place["state"]["winner"] == 1


@pytest.mark.parametrize("seed", range(3))
def test_a_reply_that_loses_by_force_gets_no_rest(server: Served, seed: int) -> None:
    """From then on every disc of the holder completes a four, threatens one, or stops one."""
    chance, place = random.Random(seed), ask(server, "map/place", moves="4")
    forced = False
    while place["state"]["winner"] is None:
        moves, replies = place["state"]["moves"], place["replies"]
        reply = chance.choice([each for each in replies if not each["wins"]] or replies)
        before = Position.parse(moves).play(reply["column"] - 1)
        after = before.play(reply["answer"] - 1)
        forced = forced or reply["loses"]
        if forced:
            board = after.board
            threats = board.winning_cells(after.theirs, after.mask) & board.landings(after.mask)
            is_block = board.winning_cells(before.theirs, before.mask) & after.mask
            assert after.winner == 0 or threats or is_block, moves
        place = ask(server, "map/place", moves=reply["moves"])
        assert place["kind"] != "off"
    assert place["state"]["winner"] == 1


def test_what_is_not_on_the_map_is_said(server: Served) -> None:
    assert ask(server, "map/place", moves="11")["kind"] == "off"
    assert ask(server, "map/place", moves="")["column"] == 4


@pytest.mark.parametrize(
    "asked",
    [
        {"moves": "8"},
        {"moves": "4444444"},
        {"moves": "4", "language": "xx"},
        {"moves": "4", "start": "4"},
        {"moves": "4", "start": "12"},
    ],
)
def test_what_is_no_place_is_refused(server: Served, asked: dict[str, str]) -> None:
    assert server.http.get("/api/map/place", params=asked).status_code in (400, 422)


@pytest.mark.slow
@pytest.mark.parametrize("start", atlas.STARTS)
def test_the_maps_of_the_package_are_right(start: str) -> None:
    counts = check(atlas.shipped_path(start).read_bytes())
    assert counts["nodes"] == len(atlas.shipped(start).nodes)


def test_a_map_of_the_second_player_is_right_and_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "verify", "--side", "second", "--start", "7"]) == 0  # the image of a1
    assert f"right: {len(atlas.shipped('1').nodes)} nodes" in capsys.readouterr().out
    assert run(["map", "show", "3", "--side", "second"]) == 0
    assert "begins with d1" in capsys.readouterr().out
    assert run(["map", "show", "4", "--side", "second"]) == 0
    assert "not on the map" in capsys.readouterr().out
    assert run(["map", "show", "--side", "second", "--summary", "--start", "2"]) == 0
    assert f"{len(atlas.shipped('2').nodes)} nodes" in capsys.readouterr().out
    assert run(["map", "verify", "--side", "second"]) == 2
    assert "1, 2, 3" in capsys.readouterr().err
