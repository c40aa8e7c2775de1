"""The map of the package: right, walked over HTTP, won against any replies, told in every language."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from claimeven.map import Map, read_map
from claimeven.map.file import about, shipped_path
from claimeven.map.picture import INNER, MOST, picture
from claimeven.map.theme import THEMES
from claimeven.map.told import told
from claimeven.position import Position
from claimeven.reasons.words import LANGUAGES
from kit.serving import Served, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("map")) as served:
        yield served


@cache
def shipped() -> Map:
    return read_map(shipped_path())


def ask(server: Served, path: str, **params: Any) -> dict[str, Any]:
    answer = server.http.get(f"/api/{path}", params=params, timeout=300)  # the first one reads the map
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_picture_has_every_node_with_few_discs(server: Served) -> None:
    found, counts = ask(server, "map"), about(shipped())
    plies: list[int] = []
    assert len(found["marks"]) == len(found["parents"])
    for parent, steps in zip(found["parents"], found["steps"], strict=True):
        plies.append(len(steps) + (0 if parent < 0 else plies[parent]))
    often = Counter(stones.mask.bit_count() for stones in shipped().nodes)
    assert Counter(plies) == {ply: often[ply] for ply in often if ply <= max(plies)}
    assert len(plies) <= MOST
    assert found["plans"] == counts["plans"]
    assert found["themes"] == list(THEMES)


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_wins_whatever_is_replied(server: Served, seed: int) -> None:
    chance = random.Random(seed)
    language = LANGUAGES[seed % len(LANGUAGES)]
    _, nodes = picture(shipped())
    place = ask(server, "map/place", moves="4", language=language)
    while place["replies"]:
        moves = place["state"]["moves"]
        position = Position.parse(moves)
        assert place["steps"] == told(shipped(), position).steps(language)
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
            assert halfway["move"] == reply["why"]
            assert told(shipped(), after).move(language) == [reply["why"]]
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
    assert (said.now, said.above) == (now, above)
    assert now[0] in said.steps(language)[0]
    assert above in said.steps(language)[0]
    blocked = position.play("abcdefg".index(now[0][0]))
    assert told(shipped(), blocked).now == ()  # it was true before the block only


@pytest.mark.parametrize("seed", range(20))
def test_fours_at_once_are_told_where_they_are(seed: int) -> None:
    chance, position = random.Random(seed), Position.parse("4")
    while not position.is_over:
        said = told(shipped(), position)
        if said.kind == "plan":
            for column in position.legal:  # what the holder would win with, whatever the opponent plays
                after = position.play(column)
                wins = {"abcdefg"[each] for each in after.legal if after.play(each).winner == 0}
                left = {cell[0] for cell in said.now if cell[0] != "abcdefg"[column]}
                if "abcdefg"[column] in {cell[0] for cell in said.now} and said.above:
                    left.add(said.above[0])
                assert left <= wins
                elsewhere = wins - {"abcdefg"[column]}
                assert elsewhere == {cell[0] for cell in said.now} - {"abcdefg"[column]}
        position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found = shipped().find(position)
            assert found is not None
            position = position.play(shipped().board.column_of(found.cell))


def test_what_is_not_on_the_map_is_said(server: Served) -> None:
    assert ask(server, "map/place", moves="11")["kind"] == "off"
    assert ask(server, "map/place", moves="")["column"] == 4


@pytest.mark.parametrize("asked", [{"moves": "8"}, {"moves": "4444444"}, {"moves": "4", "language": "xx"}])
def test_what_is_no_place_is_refused(server: Served, asked: dict[str, str]) -> None:
    assert server.http.get("/api/map/place", params=asked).status_code in (400, 422)


@pytest.mark.slow
def test_the_map_of_the_package_is_right() -> None:
    from claimeven.map.check import check

    counts = check(shipped_path().read_bytes())
    assert counts["nodes"] == len(shipped().nodes)
