"""One way of naming on the page: columns are letters, as in cells, wherever a person reads or hears."""

import re

import pytest
from playwright.sync_api import Page, expect

from claimeven import Position
from claimeven.puzzles import shipped_puzzles
from claimeven.reasons.words import LANGUAGES
from kit.page.table import Person, Table

WORD = r"(?:columns?|colonnes?|kolumn\w+|cột)"
BY_NUMBER = re.compile(rf"(?<!\w){WORD} \d", re.IGNORECASE)
BY_LETTER = re.compile(rf"(?<!\w){WORD} [a-g](?!\w)", re.IGNORECASE)
# What is read, and what is heard or shown at the pointer; a text in pieces is one text.
SAID = """() => {
  const shown = [...document.querySelectorAll('*')].filter((e) => e.checkVisibility())
  const heard = shown.flatMap((e) => ['aria-label', 'title', 'alt'].map((name) => e.getAttribute(name) ?? ''))
  const live = [...document.querySelectorAll('[role=status], [aria-live]')].map((e) => e.textContent)
  const names = [...document.querySelectorAll('.board svg .number, ol .one, ol .two, .crumbs li + li')]
  return {
    all: [document.title, document.body.innerText, ...heard, ...live].join('\\n').replaceAll('\u00a0', ' '),
    names: names.map((e) => e.textContent.trim()).filter(Boolean),
  }
}"""


def names_columns(page: Page) -> None:
    """By letters, and never by a number."""
    said = page.evaluate(SAID)
    assert not (found := BY_NUMBER.findall(said["all"])), found
    assert BY_LETTER.search(said["all"])
    assert said["names"]
    assert all(re.fullmatch("[a-g](-[a-g])?", name) for name in said["names"]), said["names"]


def test_a_game_its_hint_its_end_and_its_review(person: Person) -> None:
    table = person()
    page = table.page
    table.choose_level(10)
    table.drop(4)
    table.await_turn()
    for _ in range(3):
        page.get_by_role("button", name="Hint").click()
        table.await_turn()
    expect(page.locator("p.hint")).to_contain_text(BY_LETTER)
    names_columns(page)
    page.get_by_text(re.compile(r"^What was .+ thinking\?$")).click()
    page.get_by_text("In numbers").click()
    names_columns(page)
    while table.await_turn_or_end():
        position = Position.parse(table.moves)
        table.drop(position.legal[0] + 1)
    expect(page.locator(".sentence")).to_be_visible()
    names_columns(page)
    page.get_by_role("link", name="Review the game").click()
    expect(page.get_by_role("heading", name="The game in short")).to_be_visible()
    names_columns(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_that_teach(person: Person, language: str) -> None:
    table = person("/analysis?moves=4131", settings={"language": language})
    page = table.page
    expect(page.locator(".reason .chip").first).to_be_visible()
    table.column(2).hover()
    names_columns(page)
    _wrong_puzzle(table)
    page.goto("/learn/opening")
    page.locator(".panel .text").wait_for()
    while not page.locator("[data-column][aria-disabled=false]").count():
        page.locator(".panel .button.primary").first.click()
    table.column(1).click()
    page.locator("[data-mark]").wait_for()
    names_columns(page)
    page.goto("/map?moves=44444")
    page.locator(".replies button").first.wait_for()
    names_columns(page)
    page.goto("/review?moves=14241424&side=1")
    page.locator(".story").first.wait_for()
    names_columns(page)


def _wrong_puzzle(table: Table) -> None:
    page = table.page
    puzzle = next(p for p in shipped_puzzles() if p.goal == "win" and p.steps == 2)
    page.goto(f"/puzzles/{puzzle.id}")
    table.column(next(c for c in puzzle.position.legal if c != puzzle.line[0]) + 1).click()
    page.locator(".wrong").wait_for()
    numbers = page.locator(".wrong + details")
    numbers.locator("summary").click()
    expect(numbers).to_contain_text(BY_LETTER)
    names_columns(page)


def test_a_column_in_a_text_lights_the_board(person: Person) -> None:
    page = person("/analysis?moves=4131").page
    chip = page.locator(".why .chip", has_text=re.compile("^b$")).first
    expect(page.locator(".board .lit")).to_have_count(0)
    chip.focus()
    expect(page.locator(".board rect.lit")).to_have_count(1)
    chip.blur()
    expect(page.locator(".board .lit")).to_have_count(0)


def test_letters_and_digits_drop_discs(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    table.drop(2)
    for key in ("d", "4", "A"):
        table.await_turn()
        count = table.discs.count()
        table.page.keyboard.press(key)
        expect(table.discs).to_have_count(count + 1)
    table.await_moves("2441")
