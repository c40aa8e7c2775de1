"""The page for everyone: keyboard, screen reader, phone, less motion, both themes."""

import re

import pytest
from playwright.sync_api import expect

from kit.page.faults import faults_of, faults_of_colours
from kit.page.table import Person, Table


def test_a_whole_game_by_keyboard(person: Person) -> None:
    table = person()
    press = table.page.keyboard.press
    table.choose("Same screen")
    table.page.reload()  # the choice is kept, the focus is not
    table.page.locator("body").press("Tab")
    expect(table.page.locator(":focus")).to_have_text("Skip to the board")
    focused = table.page.locator(":focus")
    while not focused.get_attribute("data-column"):
        press("Tab")
    assert focused.get_attribute("aria-label") == "Drop in column d – 0 discs, next is row 1"
    expect(table.page.locator(".aim")).to_be_attached()
    for keys in ("Enter", "ArrowRight Space", "ArrowLeft ArrowDown", "5", "d", "End Enter"):
        table.await_turn()
        count = table.discs.count()
        for key in keys.split():
            press(key)
        expect(table.discs).to_have_count(count + 1)
    table.await_moves("454547")
    expect(table.page.get_by_role("status")).to_have_text("Yellow: column g, row 1. Red to move")
    table.await_turn()
    press("l")
    expect(table.page.get_by_role("status")).to_have_text("Last move: Yellow: column g, row 1.")
    press("u")
    expect(table.discs).to_have_count(5)
    press("r")
    expect(table.discs).to_have_count(6)
    table.await_turn()
    press("4")
    expect(table.page.get_by_role("alert")).to_have_text("Red wins – 4 in a row after 7 discs.")
    table.page.wait_for_timeout(2100)
    press("Enter")
    expect(table.discs).to_have_count(0)


def test_letters_can_be_switched_off(person: Person) -> None:
    table = person()
    table.page.get_by_role("button", name="Settings").click()
    table.page.get_by_role("checkbox", name=re.compile("^Keyboard shortcuts")).uncheck()
    table.page.keyboard.press("Escape")
    expect(table.page.get_by_role("dialog")).to_have_count(0)
    table.page.keyboard.press("4")
    table.page.keyboard.press("?")
    expect(table.page.get_by_role("dialog")).to_have_count(0)
    expect(table.discs).to_have_count(0)


def test_the_cells_are_a_grid_to_explore(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    table.drop(1)
    table.drop(2)
    grid = table.page.get_by_role("grid")
    assert grid.get_by_role("row").count() == 6
    assert grid.get_by_role("gridcell").count() == 42
    stops = grid.locator("[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    said = []
    for key in ("Home", "ArrowRight", "ArrowUp", "Control+Home", "Control+End"):
        table.page.keyboard.press(key)
        said.append(table.page.locator(":focus").get_attribute("aria-label"))
    assert said == [
        "Column a, row 1: Red",
        "Column b, row 1: Yellow, last move",
        "Column b, row 2: empty",
        "Column a, row 6: empty",
        "Column g, row 1: empty",
    ]
    expect(stops).to_have_count(1)
    table.await_turn()  # the second disc is shown before the server has said yes
    table.page.keyboard.press("Enter")
    expect(table.discs).to_have_count(3)


# The shorter side of each, its class, and what it is: one question instead of three for each control.
THUMBS = """controls => controls.map((control) => {
  const { width, height } = control.getBoundingClientRect()
  return [Math.min(width, height), control.getAttribute('class'), control.outerHTML]
})"""


@pytest.mark.parametrize("width", [375, 320])
def test_on_a_phone(person: Person, width: int) -> None:
    table = person(width=width, height=700, is_mobile=True, has_touch=True, device_scale_factor=2)
    for view in ("home", "game"):
        wide = table.page.evaluate("document.documentElement.scrollWidth")
        assert wide == width, f"{view} is {wide} wide"
        board = table.page.locator(".board").bounding_box()
        assert board is not None
        assert board["width"] >= width - 24
        controls = table.page.locator("button:visible, a:visible, select:visible, summary:visible")
        found = controls.evaluate_all(THUMBS)
        assert len(found) > 5
        for size, kind, html in found:
            # Words that lead somewhere stand in a line of text; everything else is a target for a thumb.
            least = 24 if kind in ("chip",) else 38 if width == 320 else 40
            assert size >= least, html
        if view == "home":
            table.column(4).tap()
            expect(table.discs).to_have_count(2)
    box = table.column(4).bounding_box()
    assert box is not None
    assert box["height"] > 200  # the whole column is the target


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_motion(person: Person, wish: str) -> None:
    table = person(reduced_motion=wish, pace="calm")
    table.choose("Same screen")
    table.page.evaluate(
        """() => {
          window.falls = [];
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, options) {
            window.falls.push(options.duration);
            return animate.call(this, frames, options);
          };
        }"""
    )
    for column in "1213141":
        table.drop(int(column))
    expect(table.headline).to_have_text("Red wins")
    falls = table.page.evaluate("window.falls")
    running = table.page.evaluate("document.getAnimations().length")
    if wish == "reduce":
        assert (falls, running) == ([], 0)
    else:
        assert len(falls) == 7
        assert max(falls) <= 300
        assert running > 0  # the four pulses


def _check(table: Table, where: str) -> None:
    """No violation in the light theme; in the others no colour that is hard to read."""
    table.page.emulate_media(color_scheme="light")
    assert faults_of(table.page) == [], where
    table.page.emulate_media(color_scheme="dark")
    assert faults_of_colours(table.page) == [], where
    table.page.evaluate("document.documentElement.dataset.theme = 'contrast'")
    assert faults_of_colours(table.page) == [], where
    table.page.evaluate("delete document.documentElement.dataset.theme")


def test_axe_finds_nothing_before_a_game(person: Person) -> None:
    table = person()
    _check(table, "home")
    table.page.get_by_text("More options").click()
    for mode in ("Friend", "Same screen", "Watch"):
        table.choose(mode)
        _check(table, mode)
    for dialog in ("Help", "Settings"):
        table.page.get_by_role("button", name=dialog).click()
        _check(table, dialog)
        table.page.keyboard.press("Escape")


def test_axe_finds_nothing_in_a_game(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    for column in "121314":
        table.drop(int(column))
    table.await_turn()
    _check(table, "game")
    table.page.get_by_role("button", name="Share this game").click()
    table.page.get_by_text("All file formats").click()
    _check(table, "share")
    table.page.keyboard.press("Escape")
    table.drop(1)
    expect(table.headline).to_have_text("Red wins")
    _check(table, "end")
    table.page.goto("/")
    table.choose("Friend")
    table.page.get_by_role("button", name="Create the invitation").click()
    expect(table.page.get_by_label("Invitation link", exact=True)).to_be_visible()
    _check(table, "invitation")
    guest = person(table.page.get_by_label("Invitation link", exact=True).input_value())
    expect(guest.headline).to_have_text("You are invited")
    _check(guest, "invited")


def test_a_chosen_theme_is_kept_and_does_not_flash(person: Person) -> None:
    table = person(color_scheme="light")
    background = "getComputedStyle(document.body).backgroundColor"
    light = table.page.evaluate(background)
    switch = table.page.get_by_role("button", name=re.compile("^Theme"))
    switch.click()
    switch.click()
    expect(switch).to_have_accessible_name("Theme: Dark")
    dark = table.page.evaluate(background)
    assert dark != light
    table.page.reload(wait_until="commit")
    table.page.locator("header").wait_for()
    assert table.page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert table.page.evaluate(background) == dark


def test_forced_colours_keep_the_discs_apart(person: Person) -> None:
    table = person(forced_colors="active")
    table.choose("Same screen")
    table.drop(1)
    table.drop(2)
    fills = table.page.locator(".disc .face").evaluate_all(
        "faces => faces.map(f => getComputedStyle(f).fill)"
    )
    assert len(set(fills)) == 2
    assert table.page.locator(".disc .ring").count() == 1
