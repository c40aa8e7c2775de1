"""What a notebook shows of our values."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import sync_playwright

from claimeven import Board, Game, Limit, Position, Solver, explain
from claimeven.adapters import notebook
from claimeven.game import Player
from kit.places import CHROMIUM


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
    words = re.sub("<[^>]+>", " ", html.partition("<figcaption>")[2])
    assert all(sentence in " ".join(words.split()) for sentence in found.text.splitlines())


# The board to play on -------------------------------------------------------------------------------


def click(table: notebook.Table, **content: object) -> None:
    table._handle_custom_msg(content, [])


def test_a_table_for_two() -> None:
    table = notebook.Table(board=Board(3, 2, 3))
    assert (table.legal, table.labels, table.can_undo) == ([0, 1, 2], ["1", "2", "3"], False)
    for column in (1, 1, 1, "2", None, 7):  # the column is full by then, and the rest is nonsense
        click(table, column=column)
    assert table.game.moves == "22"
    assert (table.legal, table.said) == ([0, 2], "x to move")
    click(table, undo=True)
    click(table, nonsense=[])
    assert table.game.moves == "2"
    assert "2/1x1" not in table.picture
    assert titles(table.picture)[0] == "3/1x1 o 3x2x3"


def test_a_table_with_an_opponent() -> None:
    table = notebook.Table(opponent="first", starts=True)
    assert table.game.moves == "1"
    click(table, undo=True)  # the opponent's first move stays
    assert table.game.moves == "1"
    for column in (3, 3, 3):
        click(table, column=column)
    assert table.game.moves == "1414141"
    assert (table.said, table.legal) == ("1-0 by connect", [])
    click(table, undo=True)
    assert table.game.moves == "14141"


def test_a_table_shows_values() -> None:
    table = notebook.Table("4453")
    assert "3: loses in 18 moves" not in titles(table.picture)
    click(table, values=True)
    assert "3: loses in 18 moves" in titles(table.picture)


def test_a_table_in_a_browser() -> None:
    """The page's part, with a model that does what Jupyter's does: hold values, pass messages on."""
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    table = notebook.Table("4453", opponent="first")
    state = {name: getattr(table, name) for name in table.trait_names(sync=True) if name[0] != "_"}
    values = json.dumps({name: value for name, value in state.items() if isinstance(value, str | int | list)})
    code = Path(notebook.HERE / "notebook.js").read_text().replace("export default", "window.door =")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content("<div id='here'></div>")
        page.add_script_tag(content=code)
        page.evaluate(
            """values => {
              window.sent = []; window.changed = null;
              window.model = {
                get: name => values[name], send: message => sent.push(message),
                on: (_, action) => { changed = action; }, off: () => {},
                set: more => { Object.assign(values, more); changed(); },
              };
              door.render({ model, el: document.getElementById("here") });
            }""",
            json.loads(values),
        )
        page.get_by_role("button", name="column 5").click()
        page.locator("svg").click(position={"x": 30, "y": 100})  # the first column
        page.get_by_label("values").check()
        assert page.get_by_role("button", name="Undo").is_disabled()
        page.evaluate("model.set({ legal: [0], said: 'o to move', can_undo: true })")
        assert page.get_by_role("button", name="column 5").is_disabled()
        assert page.get_by_role("status").inner_text() == "o to move"
        page.get_by_role("button", name="Undo").click()
        sent = page.evaluate("sent")
        browser.close()
    assert sent == [{"column": 4}, {"column": 0}, {"values": True}, {"undo": True}]
