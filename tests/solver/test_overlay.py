"""Overlays: a golden picture, every mark with its shape and its words, and the explanation as a picture."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from claimeven.overlay import DRAW, LOSS, WIN, Overlay, overlay_svg
from claimeven.picture import position_svg
from claimeven.position import Board, Cell, Position
from claimeven.reasons import explain
from claimeven.reasons.told.drawing import explanation_svg, threats
from claimeven.solver import Score, Solver

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=16)


def titles(svg: str) -> list[str]:
    """The words of all marks."""
    return [mark.text or "" for mark in ET.fromstring(svg).findall(f"{SVG}g/{SVG}title")]


def test_golden(golden: Callable[[str, str], None], solver: Solver) -> None:
    explanation = explain(Position.parse("444444226"), 2, solver)
    golden("overlay_plan.svg", explanation_svg(explanation))
    assert explanation._repr_svg_() == explanation_svg(explanation)  # notebooks
    golden("overlay_open_three.svg", explanation_svg(explain(Position.parse("4131"), 4, solver)))


def test_without_marks_it_is_the_plain_picture() -> None:
    position = Position.parse("4453")
    assert overlay_svg(position, Overlay()) == position_svg(position)


def test_a_note_stands_on_its_cell() -> None:
    svg = overlay_svg(Position.parse("4453"), Overlay(notes={Cell(0, 1): "+4<"}))
    assert titles(svg) == ["a2: +4<"]
    [text] = [mark for mark in ET.fromstring(svg).iter(f"{SVG}text") if mark.text == "+4<"]
    assert (text.get("x"), text.get("y")) == ("70", "484")


def test_every_mark_has_words() -> None:
    position = Position.parse("4453")
    overlay = Overlay(
        scores={0: Score(3, 5), 1: Score(0, None), 2: Score(-2, 1)},
        chosen=0,
        threats=((Cell(5, 0), 0), (Cell(5, 1), 1)),
        line=(0, 1),
        pairs=((Cell(6, 2), Cell(6, 3)), (Cell(0, 0), Cell(0, 1))),
        swaps=((Cell(6, 0), Cell(5, 2)),),
        keys=(Cell(6, 3),),
    )
    found = titles(overlay_svg(position, overlay))
    assert found == [
        "1: wins in 5 moves",
        "2: draw",
        "3: loses in 1 move",
        "column 1",
        "g3 is answered on g4",  # the other pair lies under the line
        "g1 and f3 belong together",
        "x wins on f1, in an odd row",
        "o wins on f2, in an even row",
        "g4 decides",
        "1: x on a1",
        "2: o on b1",
    ]
    svg = overlay_svg(position, overlay)
    assert all(f'fill="{colour}"' in svg for colour in (WIN, DRAW, LOSS))
    assert "l33 33" in svg  # odd: a diamond
    assert "h50v50" in svg  # even: a square


def test_arrows_end_where_the_eye_cannot_follow() -> None:
    position = Position()
    short, long = (overlay_svg(position, Overlay(line=(0, 1, 2, 3, 4, 5, 6, 0, 1, 2)[:n])) for n in (8, 10))
    assert short.count("Q") == 2 * 7
    assert "Q" not in long
    assert len(titles(long)) == 10


@pytest.mark.parametrize(
    ("board", "moves"), [("7x6", "4444426"), ("28x3x3", "123"), ("4x4x3", ""), ("2x3x9", "1")]
)
def test_pictures_of_explanations_stand_alone(board: str, moves: str, solver: Solver) -> None:
    position = Position.parse(moves, Board.parse(board))
    for column in position.legal[:4]:
        svg = explanation_svg(explain(position, column, solver))
        ET.fromstring(svg)
        assert not re.search(r"href|\bid=", svg)


def test_threats_name_the_side_to_move_where_both_win() -> None:
    position = Position.parse("1122337676")  # x has a1 b1 c1, o has a2 b2 c2
    assert dict(threats(position)) == {Cell(3, 0): 0, Cell(3, 1): 1}
