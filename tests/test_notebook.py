"""What a notebook shows of our values."""

import re
from xml.etree import ElementTree

from claimeven import Game, Limit, Position, Solver, explain
from claimeven.game import Player


def titles(svg: str) -> list[str]:
    return [str(title.text) for title in ElementTree.fromstring(svg).findall(".//{*}title")]


def test_a_position() -> None:
    assert titles(Position.parse("4453")._repr_svg_())[0] == "7/7/7/7/3o3/2oxx2 x 7x6x4"


def test_an_analysis_shows_the_value_of_every_column() -> None:
    svg = Solver().analyse(Position.parse("4453"))._repr_svg_()
    assert "3: loses in 18 moves" in titles(svg)
    assert "1: loses in 15 moves" in titles(svg)


def test_an_analysis_shows_only_what_is_proved() -> None:
    found = Solver(book=False).analyse(Position(), Limit(nodes=1000))
    assert found.scores == {}
    assert [title for title in titles(found._repr_svg_()) if "in" in title] == []


def test_a_game() -> None:
    game = Game.parse("1122334")
    game.players = (Player("<Ann>"), Player(""))
    html = game._repr_html_()
    ElementTree.fromstring(html.replace("<br>", "<br/>"))
    assert "&lt;Ann&gt; – o: 1-0 by connect" in html
    assert "<code>1122334</code>" in html


def test_an_explanation() -> None:
    found = explain(Position.parse("112233"), 3, Solver())
    html = found._repr_html_()
    ElementTree.fromstring(html)
    words = re.sub("<[^>]+>", "", html.partition("<figcaption>")[2])
    assert found.verdict in words
