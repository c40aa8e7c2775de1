"""The laboratory as static files: a plain file server, in a folder of it, and then without any network."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from claimeven.browser.site import export_site
from claimeven.puzzles import shipped_puzzles
from kit.page.host import static_host

RUNTIME = Path(__file__).parents[3] / "build" / "runtime"  # by make static
LONG = 120_000  # milliseconds: Python begins in there, and the machine may be busy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(static: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not (RUNTIME / "pyodide.mjs").exists():
        pytest.skip("needs the runtime that make static fetches")
    host = tmp_path_factory.mktemp("host")
    export_site(host / "some" / "folder", RUNTIME)
    with static_host(host) as address:
        yield f"{address}some/folder/"


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """One visitor for all of it: what is loaded once is there."""
    context = browser.new_context(reduced_motion="reduce")
    page, faults = context.new_page(), list[str]()
    page.set_default_timeout(LONG)
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("request", lambda asked: faults.append(asked.url))
    page.goto(site)
    yield page
    context.close()
    assert [
        fault for fault in faults if not fault.startswith((site, "blob:"))
    ] == []  # nothing from elsewhere


def visit(page: Page, site: str, path: str) -> None:
    page.goto(f"{site}#{path}")


def play(page: Page, site: str) -> None:
    """Against level 1, which loses or wins or draws: a whole game."""
    visit(page, site, "/offline?against=player&agent=level:1")
    moves = page.locator("ol .one, ol .two")
    headline = page.get_by_role("heading", level=1)
    for ply in range(0, 42, 2):
        expect(moves).to_have_count(ply, timeout=LONG)
        page.locator("[data-column][aria-disabled=false]").first.click()
        expect(headline).to_have_text(re.compile("Your turn|You win|You lose|A draw"), timeout=LONG)
        page.wait_for_function(
            f"document.querySelectorAll('ol .one, ol .two').length >= {ply + 2} || "
            "!/Your turn/.test(document.querySelector('h1').textContent)"
        )
        if not re.search("Your turn", headline.inner_text()):
            return


def analyse(page: Page, site: str) -> None:
    visit(page, site, "/analysis?moves=4131")
    expect(page.locator("main")).to_contain_text("three in a row with both ends open", timeout=LONG)


def review(page: Page, site: str) -> None:
    visit(page, site, "/review?moves=4444413322")
    expect(page.locator("main")).to_contain_text("missed win", timeout=LONG)


def solve(page: Page, site: str) -> None:
    puzzle = next(each for each in shipped_puzzles() if each.goal == "win" and each.steps == 1)
    visit(page, site, f"/puzzles/{puzzle.id}")
    page.get_by_role("button", name=re.compile("hint", re.IGNORECASE)).first.click()
    page.locator(f'[data-column="{puzzle.answer[0]}"]').first.click()
    expect(page.locator("main")).to_contain_text(re.compile("Right|Solved|Correct", re.I), timeout=LONG)


def learn(page: Page, site: str) -> None:
    visit(page, site, "/learn")
    page.locator("main a[href^='/learn/']").first.click()
    expect(page).to_have_url(re.compile("#/learn/"))
    expect(page.locator("main [data-column]").first).to_be_visible(timeout=LONG)


JOURNEYS = (play, analyse, review, solve, learn)


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_without_a_server(page: Page, site: str, journey: object) -> None:
    assert callable(journey)
    journey(page, site)


def test_a_first_disc_begins_a_game_here(page: Page, site: str) -> None:
    visit(page, site, "/")
    page.locator('[data-column="4"]').first.click()
    expect(page).to_have_url(re.compile(r"#/offline\?against=player.*moves=4"))


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_without_a_network(page: Page, site: str, journey: object) -> None:
    """Everything that was loaded before is there again, after a reload, too."""
    assert callable(journey)
    page.context.set_offline(True)
    page.reload()
    journey(page, site)
    page.context.set_offline(False)
