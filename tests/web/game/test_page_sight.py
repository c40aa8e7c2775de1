"""Words and board together: what a text names lights up, and the board stays in sight while one reads."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from claimeven.puzzles import shipped_puzzles
from kit.page.table import Person, Table

SHARE = """() => {
  const box = document.querySelector('.board').getBoundingClientRect();
  const seen = Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)) / box.height;
  return seen * Math.max(0, Math.min(box.right, innerWidth) - Math.max(box.left, 0)) / box.width;
}"""
FORK = next(puzzle for puzzle in shipped_puzzles() if puzzle.themes[0] == "fork")
WINDOWS = ((1440, 900), (1280, 720), (820, 1180), (375, 812))
PHONES = {"upright": (375, 812), "sideways": (812, 375)}
REVIEW = "/review?moves=4444445376336333221122211"


def _bottom(page: Page) -> None:
    """Scrolls to where somebody reads the last words."""
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")


def _step_a_review(table: Table) -> None:
    page = table.page
    page.locator(".focus .where").click()
    page.get_by_role("heading", name="All moves").click()
    _bottom(page)
    page.locator(".moves button").nth(3).click()


def _read_an_analysis(table: Table) -> None:
    table.page.locator(".why .verdict").wait_for()
    _bottom(table.page)
    table.page.locator(".best button").first.click()


def _play(table: Table) -> None:
    table.choose("Same screen")
    table.column(4).tap()
    expect(table.discs).to_have_count(1)
    table.await_turn()
    _bottom(table.page)
    table.page.get_by_role("button", name="Undo").click()
    expect(table.discs).to_have_count(0)


def _solve(table: Table) -> None:
    table.await_turn()
    _bottom(table.page)


JOURNEYS: dict[str, tuple[str, Callable[[Table], None]]] = {
    "game": ("/", _play),
    "review": (REVIEW, _step_a_review),
    "analysis": ("/analysis?moves=444343", _read_an_analysis),
    "puzzles": (f"/puzzles/{FORK.id}", _solve),  # others ask for a cell, and no column may be played
}


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize("name", JOURNEYS)
def test_the_board_stays_in_sight(person: Person, name: str, phone: str) -> None:
    width, height = PHONES[phone]
    path, journey = JOURNEYS[name]
    table = person(path, width=width, height=height, has_touch=True, is_mobile=True)
    table.page.locator(".board").wait_for()
    if name != "game" or phone == "sideways":
        assert table.page.evaluate(SHARE) >= 0.8, "before anything was done"
    if name == "game":
        expect(table.page.get_by_role("button", name="Start", exact=True)).to_be_in_viewport(ratio=1)
    if name == "puzzles" and phone == "upright":  # what is asked stands above what is touched
        heading = table.page.get_by_role("heading", name="Win in")
        expect(heading).to_be_visible()
        task = heading.bounding_box()
        assert task is not None
        assert task["y"] + task["height"] <= _board(table.page)["y"]
    before = _board(table.page)
    journey(table)
    table.page.wait_for_timeout(100)  # a frame or two: what is stuck follows the scrolling
    assert table.page.evaluate(SHARE) >= 0.8
    if phone == "sideways":  # only the words have moved
        assert _board(table.page) == before


def _board(page: Page) -> dict[str, float]:
    box = page.locator(".board").bounding_box()
    assert box is not None
    return {
        "x": round(box["x"]),
        "y": round(box["y"]),
        "width": round(box["width"]),
        "height": round(box["height"]),
    }


def test_a_board_that_is_read_below_gives_way_to_the_words(person: Person) -> None:
    """It shrinks by as much as was scrolled, down to a size that can be read; nothing else moves."""
    page = person("/analysis?moves=444343", width=375, height=812, has_touch=True, is_mobile=True).page
    page.locator(".why .verdict").wait_for()
    top, long = _board(page), page.evaluate("document.documentElement.scrollHeight")
    assert top["width"] > 350
    page.evaluate("top => scrollTo(0, top + 60)", top["y"])
    page.wait_for_timeout(100)
    later = _board(page)
    assert later["y"] <= 1
    assert 0.7 * top["width"] < later["width"] < top["width"]
    _bottom(page)
    page.wait_for_timeout(100)
    least = _board(page)
    assert least["y"] <= 1
    assert 0.55 < least["width"] / top["width"] < 0.65
    assert page.evaluate("document.documentElement.scrollHeight") == long
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(100)
    assert _board(page) == top


def test_the_board_has_one_size_and_one_place_on_all_pages(person: Person) -> None:
    """Beside the words also as high, whatever stands above it."""
    page, seen = person("/").page, {}
    for path in ("/", *(path for path, _ in JOURNEYS.values()), "/learn/rules", "/offline?against=player"):
        page.goto(path)
        page.locator(".board").wait_for()
        page.wait_for_timeout(200)
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            plate = page.locator(".board .plate").first.bounding_box()
            assert plate is not None
            top = round(plate["y"]) if width > 960 else 0
            seen[width, path] = (_board(page)["x"], _board(page)["width"], top)
    for width, _ in WINDOWS:
        sizes = {path: size for (of, path), size in seen.items() if of == width}
        assert len(sizes) == 6
        assert len(set(sizes.values())) == 1, (width, sizes)


def test_a_cell_in_a_text_lights_the_board(person: Person) -> None:
    page = person("/analysis?moves=4131").page
    chip = page.locator(".reason .chip", has_text=re.compile("^b1$"))
    expect(chip).to_have_attribute("title", "column b, row 1")
    expect(chip).to_be_visible()
    expect(page.locator(".board .lit")).to_have_count(0)
    assert page.locator(".board svg .number").all_text_contents() == [*"abcdefg"]
    expect(page.locator(".board svg .rank")).to_have_count(6)  # rows are numbered while words name cells
    chip.hover()
    expect(page.locator(".board .lit")).to_have_count(1)
    page.mouse.move(0, 0)
    expect(page.locator(".board .lit")).to_have_count(0)
    chip.focus()
    expect(page.locator(".board .lit")).to_have_count(1)
    # The reason comes before the verdict.
    reason = page.locator(".why").inner_text()
    assert reason.index("three in a row") < reason.index("wins in 2 moves")


def test_moves_in_a_text_are_shown_on_the_board(person: Person) -> None:
    page = person("/analysis?moves=44444343", width=375, height=812, has_touch=True, is_mobile=True).page
    page.locator(".values button, .fit button[aria-pressed]").nth(1).tap()
    chip = page.locator(".reason .chip", has_text=re.compile(r"^\w(-\w)+$")).first
    chip.tap()
    count = len((chip.text_content() or "").split("-"))
    expect(page.locator(".board .imagined")).to_have_count(count)


def test_a_hint_is_heard(person: Person) -> None:
    table = person()
    table.drop(4)
    table.await_turn()
    table.page.get_by_role("button", name="Hint").click()
    hint = table.page.locator("p.hint")
    expect(hint).to_be_visible()
    expect(table.page.get_by_role("status").first).to_have_text(hint.inner_text())
    warned = table.page.get_by_text("does not count towards the ten opponents to beat.")
    expect(warned).to_be_visible()
    table.drop(4)
    table.await_turn()
    table.page.get_by_role("button", name="Hint").click()
    expect(hint).to_be_visible()
    expect(warned).to_have_count(0)  # once is enough


def test_cells_of_a_hint_are_framed_and_its_column_has_an_arrow(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    for column in (4, 4, 5, 5):
        table.drop(column)
    framed, arrow = table.page.locator(".board path.lit"), table.page.locator(".board path.play")
    hint = table.page.get_by_role("button", name="Hint")
    expect(framed).to_have_count(0)
    hint.click()
    expect(table.page.locator("p.hint")).to_have_text("Look at b1 and f1. Which disc would threaten both?")
    expect(framed).to_have_count(2)
    expect(arrow).to_have_count(0)
    hint.click()
    expect(table.page.locator("p.hint")).to_have_text("You can threaten to win on b1 and f1 at once.")
    expect(framed).to_have_count(2)  # the idea goes on about the same cells
    hint.click()
    expect(arrow.first).to_be_attached()
    table.drop(3)
    expect(framed).to_have_count(0)


@pytest.mark.parametrize("height", [812, 667, 568])
def test_on_a_phone_a_hint_is_in_sight_with_the_board(person: Person, height: int) -> None:
    """All three stages, in a position with long ones; the button for the next stays where the thumb is."""
    table = person("/", width=375, height=height, has_touch=True, is_mobile=True)
    table.choose("Same screen")
    for column in map(int, "346444433646336"):
        table.drop(column)
    table.await_turn()
    hint, words = table.page.get_by_role("button", name="Hint"), table.page.locator("p.hint")
    for _ in range(3):
        hint.tap()
        expect(words).to_be_visible()
        table.page.wait_for_timeout(300)  # what is stuck follows the scrolling
        told, button, board = (one.bounding_box() for one in (words, hint, table.page.locator(".board")))
        assert told
        assert button
        assert board
        assert table.page.evaluate(SHARE) >= 0.8
        assert told["y"] >= board["y"] + board["height"], "the board hides it"
        assert told["y"] + told["height"] <= height, "it is below the window"
        assert height / 2 < button["y"] + button["height"] < height
        assert button["y"] >= board["y"] + board["height"]


@pytest.mark.parametrize(("path", "count"), [("/", 4), ("/analysis", 8)])
def test_help_tells_what_the_marks_mean(person: Person, path: str, count: int) -> None:
    page = person(path).page
    page.get_by_role("button", name="Help", exact=True).click()
    mark = page.locator("svg[viewBox='-50 -50 100 100']")
    marks = page.get_by_role("dialog").get_by_role("listitem").filter(has=mark)
    expect(marks).to_have_count(count)
    expect(marks.nth(1)).to_have_text("play here")
    expect(marks.nth(2)).to_have_text("what the text is about")
    shapes = marks.locator("path").evaluate_all("all => all.map(path => path.getAttribute('d'))")
    assert len(set(shapes)) == count
