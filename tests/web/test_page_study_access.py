"""The pages that teach, for everyone: languages, themes, keyboard, phone, screen reader, no network."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Response, expect

from claimeven import Position, Solver, explain
from claimeven.notation import column_letter, unmarked
from claimeven.puzzles import shipped_puzzles
from claimeven.reasons.words import LANGUAGES
from kit.page.faults import faults_of, faults_of_colours
from kit.page.table import Person, Table
from kit.places import ROOT

PAGES = {
    "home": "/",
    "analysis": "/analysis?moves=3275225373553",
    "review": "/review?moves=4455224",
    "paste": "/review",
    "puzzle": f"/puzzles/{shipped_puzzles()[0].id}",
    "learn": "/learn",
    "lesson": "/learn/forks",
    "map": "/map",
    "arena": "/arena",
    "you": "/you",
    "offline": "/offline?against=player&moves=4455",
}
READY = {
    "home": "form",
    "analysis": "[data-value]",
    "review": "[role=slider], input[type=range]",
    "paste": "textarea",
    "puzzle": "[data-status]",
    "learn": "ol a",
    "lesson": ".panel .text",
    "map": ".crumbs",
    "arena": "details summary",
    "you": "[data-page=you]",
    "offline": "[data-column][aria-disabled=false]",
}
BUDGET, ENGINE = 137 * 1024, 125 * 1024
WORDS = ROOT / "web" / "src" / "i18n"
Sit = Callable[..., Table]


@pytest.fixture
def sit(person: Person) -> Callable[..., Table]:
    """`sit(name)`: at a page, with settings as kept from an earlier visit."""

    def sit_down(name: str, theme: str = "light", language: str = "en", **options: object) -> Table:
        settings = {"theme": theme, "language": language}
        table = person(PAGES[name], reduced_motion="reduce", settings=settings, **options)
        table.page.locator(READY[name]).first.wait_for()
        return table

    return sit_down


FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Speaker:
    """Somebody who changes the language of a page, and waits until everything is told in it."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.language = language
        self._asked: set[Request] = set()
        page.on("request", lambda request: self._asked.add(request))
        page.on("requestfinished", lambda request: self._asked.discard(request))
        page.on("requestfailed", lambda request: self._asked.discard(request))

    def speak(self, language: str) -> None:
        page, before = self.page, self.page.locator("main").inner_text()
        title = json.loads((WORDS / f"{self.language}.json").read_text())["preferences.title"]
        page.get_by_role("button", name=title, exact=True).click()
        page.locator("dialog select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        page.evaluate(FRAMES)
        while self._asked:
            page.evaluate(FRAMES)
        page.evaluate(FRAMES)
        assert page.locator("main").inner_text() != before
        self.language = language


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(sit: Sit, name: str) -> None:
    """On every page, in every language, in the light theme and the dark one."""
    first, *_ = LANGUAGES
    page = sit(name, "light", first).page
    page.wait_for_load_state("networkidle")
    speaker = Speaker(page, first)
    for language in LANGUAGES:
        if language != first:
            speaker.speak(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        assert faults_of(page) == [], language
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert faults_of_colours(page) == [], language


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_high_contrast_anywhere(sit: Sit, name: str, language: str) -> None:
    assert faults_of(sit(name, "contrast", language).page) == []


@pytest.mark.parametrize("name", ["analysis", "lesson"])
def test_axe_finds_nothing_in_high_contrast(sit: Sit, name: str) -> None:
    assert faults_of(sit(name, "contrast", "vi").page) == []


# Targets that are too small for a thumb. Words in a line of text may be: links, chips that light the board.
SMALL = """() => [...document.querySelectorAll('a[href], button, input, select, summary, textarea')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((e) => !e.closest('.hidden') && !e.matches('.chip'))
  .filter((e) => !(e.matches('a') && getComputedStyle(e).display === 'inline'))
  .map((e) => e.closest('label') ?? e)
  .filter((e) => Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height) < 39.5)
  .map((e) => e.outerHTML.slice(0, 160))"""


def test_nothing_is_wider_than_a_phone(sit: Sit) -> None:
    """The styles alone make it fit: a page that is loaded once becomes as narrow as the window."""
    first, *_ = PAGES
    page = sit(first, "dark", "pl", width=768, height=812, sees=True).page
    for name, path in PAGES.items():
        if name != first:
            page.goto(path)
            page.locator(READY[name]).first.wait_for()
        for width in (768, 375, 320):
            page.set_viewport_size({"width": width, "height": 812})
            page.evaluate("new Promise(requestAnimationFrame)")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            if width == 375:
                assert page.evaluate(SMALL) == [], name


def test_switch_language_and_theme(sit: Sit) -> None:
    page = sit("analysis").page
    told = explain(Position.parse("3275225373553"), 1, Solver(), "fr-x-page")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text("Réglages")
    page.get_by_role("radio", name="Contraste élevé").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1)).to_have_text("Jaune gagne en 4 coups")
    expect(page.get_by_role("region", name=re.compile("^Pourquoi"))).to_contain_text(unmarked(told.verdict))
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Jaune gagne en 4 coups")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")


def test_the_language_of_the_browser_is_spoken(person: Person) -> None:
    page = person("/learn", locale="vi-VN").page
    expect(page.get_by_role("heading", level=1)).to_have_text("Học")
    expect(page.locator("html")).to_have_attribute("lang", "vi")


def test_numbers_for_experts(sit: Sit) -> None:
    page = sit("analysis").page
    expect(page.locator("[data-value='2'] small")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("checkbox", name="Show the solver’s numbers").check()
    page.keyboard.press("Escape")
    score = Solver().analyse(Position.parse("3275225373553")).scores[1]
    expect(page.locator("[data-value='2'] small")).to_have_text(f"+{int(score)}")


def test_analysis_by_keyboard_alone(sit: Sit) -> None:
    page = sit("analysis").page
    press, focused = page.keyboard.press, page.locator(":focus")

    def tab_to(attribute: str) -> None:
        for _ in range(40):
            press("Tab")
            if focused.get_attribute(attribute) is not None:
                return
        raise AssertionError(f"Tab never reaches {attribute}")

    tab_to("data-column")
    for _ in range(2):
        press("ArrowLeft")
    expect(focused).to_have_attribute("data-column", "2")
    press("Enter")
    expect(page).to_have_url(re.compile("moves=32752253735532$"))
    expect(page.locator(".disc")).to_have_count(14)
    tab_to("data-value")
    told = focused.get_attribute("aria-label") or ""
    column = focused.get_attribute("data-value")
    name = column_letter(int(column or 0) - 1)
    assert told.startswith(f"Column {name} ")
    press("Enter")
    expect(page.get_by_role("heading", name=f"Why column {name}?")).to_be_visible()
    tab_to("data-tab")
    press("ArrowRight")
    expect(page.get_by_role("tab", name="Opening book")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Show the").focus()
    press("Space")
    expect(page.locator(".marks .ghost").first).to_be_attached()


@pytest.mark.parametrize("name", [name for name in PAGES if name != "home"])
def test_little_travels(newcomer: Person, name: str) -> None:
    """The first visit of any page, compressed; and nothing jumps while it is built."""
    table = newcomer("about:blank")
    table.faults.clear()  # about:blank is from elsewhere
    responses: list[Response] = []
    table.page.on("response", lambda response: responses.append(response))
    table.page.add_init_script(
        "window.shift = 0;"
        "new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shift += entry.value))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    table.page.goto(PAGES[name])
    table.page.locator(READY[name]).first.wait_for()
    table.page.wait_for_load_state("networkidle")
    sizes = {r.url: r.request.sizes()["responseBodySize"] for r in responses}
    engine = sum(sizes.pop(url) for url in list(sizes) if url.endswith(".wasm"))  # plays where no server does
    sizes = {url: size for url, size in sizes.items() if not url.endswith(".woff2")}  # test_page_load.py
    assert engine <= ENGINE, sizes
    assert 20_000 < sum(sizes.values()) <= BUDGET, sizes
    assert table.page.evaluate("window.shift") < 0.1


def test_the_page_opens_without_a_network(person: Person) -> None:
    table = person("/", service_workers="allow")
    page = table.page
    table.lose_the_network()
    page.goto("/learn")
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn")
    said = page.get_by_role("main").get_by_role("alert")
    expect(said).to_have_text("You are offline, or the server does not answer.")
    page.goto("/map")
    expect(page.get_by_role("main").get_by_role("alert")).to_have_text(
        "You are offline, or the server does not answer."
    )
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="You are here")).to_be_visible()
    page.goto("/analysis?moves=4453")
    expect(page.get_by_role("heading", level=1)).to_have_text("Yellow wins in 18 moves")
    table.faults.clear()  # what was asked without a network failed
