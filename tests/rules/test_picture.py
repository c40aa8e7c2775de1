"""What a position looks like: golden files, and the SVG as XML."""

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from claimeven import picture
from claimeven.position import Board, Cell, Position

Golden = Callable[[str, str], None]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("name", "moves", "board"),
    [
        ("start", "", "7x6x4"),
        ("middle", "44536221112555372", "7x6x4"),
        ("won", "1122334", "7x6x4"),
        ("won_twice", "315452435", "5x4x3"),
        ("large", "1111111111aaaaa5", "10x10x5"),
        ("smallest", "1", "1x1x1"),
    ],
)
def test_golden(name: str, moves: str, board: str, golden: Golden) -> None:
    position = Position.parse(moves, Board.parse(board))
    golden(f"{name}.txt", picture.position_text(position) + "\n")
    golden(f"{name}.svg", picture.position_svg(position))


def test_the_last_move_is_unknown_without_moves() -> None:
    p = Position.parse("4453")
    assert picture.last_cell(p) == Cell(2, 0)
    assert picture.last_cell(Position()) is None
    assert picture.last_cell(Position.parse(str(p))) is None
    assert "(" not in picture.position_text(Position.parse(str(p)))


def test_wide_boards_have_no_letters() -> None:
    assert picture.position_text(Position(Board(26, 1))).endswith("x y z")
    assert picture.position_text(Position(Board(27, 1))).endswith(".")


@pytest.mark.parametrize("board", ["7x6x4", "35x2x4", "1x127x4", "2x1x1"])
def test_the_svg_is_xml_and_stands_alone(board: str) -> None:
    position = Position(Board.parse(board))
    while not position.is_over:
        position = position.play(position.legal[-1])
    svg = picture.position_svg(position)
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == str(position)
    assert "href" not in svg
    assert "id=" not in svg  # many pictures share one page


def test_every_stone_has_a_shape_and_a_colour() -> None:
    svg = picture.position_svg(Position.parse("4453"))
    assert svg.count('fill="#b71c1c"') == svg.count("l30 30") == 2
    assert svg.count('fill="#ffee8c"') == svg.count('r="18"') == 2


def test_notebooks_draw_a_position() -> None:
    p = Position.parse("4453")
    assert p._repr_svg_() == picture.position_svg(p)
