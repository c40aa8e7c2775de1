"""Nothing moves under a finger, nothing is cut on a small phone."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from kit.page.faults import faults_in_themes
from kit.page.table import Person, Table

STEADY = 0.02  # of the window, times how far it moved: less is not noticed
ASKED = {"first move and hint": 0.04}  # what lies below a sentence that one asked for gives way by its lines
# Every move of what was drawn already; what a click brings about is counted, too.
WATCH = """window.shift = 0; new PerformanceObserver((list) =>
  list.getEntries().forEach((entry) => { window.shift += entry.value; })
).observe({ type: 'layout-shift', buffered: true })"""


def _load(path: str, ready: str) -> Callable[[Table], None]:
    def go(table: Table) -> None:
        table.page.goto(path)
        table.page.locator(ready).first.wait_for()

    return go


def _first_move_and_hint(table: Table) -> None:
    table.page.goto("/")
    table.drop(4)
    table.await_turn()
    table.page.get_by_role("button", name="Hint").click()
    table.page.locator(".hint").wait_for()


def _review(table: Table) -> None:
    _load("/review?moves=14241424&side=1", "[role=slider], input[type=range]")(table)
    table.page.get_by_role("button", name="One move back").click()


def _puzzle(table: Table) -> None:
    _load("/puzzles", "[data-status]")(table)
    table.page.get_by_role("button", name="Next", exact=True).click()
    expect(table.page.locator("[data-status=ask]")).to_be_attached()


JOURNEYS: dict[str, Callable[[Table], None]] = {
    "home": _load("/", "form"),
    "first move and hint": _first_move_and_hint,
    "analysis": _load("/analysis?moves=4444435", "[data-value]"),
    "review": _review,
    "puzzle": _puzzle,
    "daily": _load("/puzzles/daily", "[data-status]"),
    "cards": _load("/puzzles/cards", "[data-status]"),
    "learn": _load("/learn", "ol a"),
    "unit": _load("/learn/rules", ".panel .text"),
    "arena": _load("/arena", "details summary"),
    "you": _load("/you", "[data-page=you]"),
    "offline": _load("/offline?against=player&moves=44", "[data-column]"),
}


@pytest.mark.parametrize("width", [1440, 375])
def test_nothing_moves(newcomer: Person, width: int) -> None:
    table = newcomer("/", width=width, height=900 if width > 400 else 812)
    table.page.add_init_script(WATCH)
    moved = {}
    for name, journey in JOURNEYS.items():
        journey(table)
        table.page.wait_for_load_state("networkidle")
        moved[name] = table.page.evaluate("window.shift")
    assert {name: shift for name, shift in moved.items() if shift > ASKED.get(name, STEADY)} == {}


def _lost_game(page: Page) -> None:
    page.get_by_role("radio").nth(2).check()  # two at one screen
    for column in "14241424":
        page.locator(f"[data-column='{column}']").click()
    page.locator(".status.over").wait_for()


ON_THE_PAGE = "(it) => it.getBoundingClientRect().top + scrollY"  # wherever a phone has scrolled to


@pytest.mark.parametrize("width", [1440, 375])
def test_the_buttons_after_a_game_stay_where_they_are(newcomer: Person, width: int) -> None:
    """What decided it comes a moment later, into room that was kept for it."""
    page = newcomer("/", width=width, height=900 if width > 400 else 812).page
    asked: list[Route] = []
    page.route("**/decided?*", lambda route: asked.append(route))  # answered when they have been looked at
    with page.expect_request("**/decided?*"):
        _lost_game(page)
    again = page.locator("[data-again]")
    before = again.evaluate(ON_THE_PAGE)
    asked[0].continue_()
    page.locator(".ending .sentence").wait_for()
    assert again.evaluate(ON_THE_PAGE) == before


LONGEST = ("pl", "vi", "fr")
# Words that are cut at their box: an ellipsis, or more text than is shown.
CUT = """() => [...document.querySelectorAll('main *')]
  .filter((e) => e.childElementCount === 0 && e.textContent.trim() && e.checkVisibility())
  .filter((e) => !e.closest('.hidden, option, svg') && getComputedStyle(e).overflow !== 'visible')
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2)
  .map((e) => e.textContent.trim())"""
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("language", LONGEST)
def test_a_game_is_readable_on_the_smallest_phone(person: Person, language: str) -> None:
    settings = {"language": language, "pace": "instant", "starts": "me", "agent": "level:10"}
    keep = f"localStorage.setItem('claimeven.settings', {json.dumps(json.dumps(settings))})"
    table = person("/", width=320, height=640)
    page = table.page
    page.add_init_script(keep)
    page.goto("/")
    page.locator("html[lang]").wait_for()
    page.locator("[data-column='4']").click()
    seats = page.locator(".player")
    expect(seats.nth(1)).to_contain_text("Solveig")
    expect(page.locator(".disc")).to_have_count(2)
    assert page.evaluate(CUT) == []
    assert page.evaluate(WIDER) <= 0
    menu = seats.nth(1).locator("select").bounding_box()
    assert menu is not None
    assert min(menu["width"], menu["height"]) >= 40


def test_no_card_is_due(person: Person) -> None:
    """It is said, with when the next one comes, over something to do."""
    page = person("/puzzles/cards").page
    told = page.get_by_role("status").filter(has_text="No card is due now.")
    expect(told).to_contain_text("What you miss in puzzles and lost games comes back here")
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("[data-status=given]")).to_be_attached()  # it is missed, and a card from now on
    page.goto("/puzzles/cards")
    expect(told).to_contain_text("The next one comes back")
    expect(page.locator("[data-status=ask]")).to_be_attached()
    assert faults_in_themes(page) == []


def test_a_won_game_has_nothing_to_try_again(person: Person) -> None:
    """Its moments are the opponent's."""
    page = person("/review?moves=14241424&side=2").page
    expect(page.get_by_text("This one was your opponent’s.")).to_be_visible()
    expect(page.get_by_role("button", name="Try it from there")).to_have_count(0)
    expect(page.locator(".accuracy .name")).to_have_text(["Red", "You"])
    page.goto("/review?moves=14241424&side=1")
    page.get_by_role("button", name="Try it from there").click()
    expect(
        page.get_by_role("heading", name="Your move. Find a column that does not lose at once.")
    ).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)  # nobody else made one
    assert faults_in_themes(page) == []
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("link", name="Play from here").click()
    expect(page.get_by_role("heading", name="Play from here against …")).to_be_visible()
