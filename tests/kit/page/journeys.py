"""What people come for, as journeys that are the same with a server and without one."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from claimeven.puzzles import shipped_puzzles
from kit.page.table import Table

LONG = 120_000  # milliseconds: without a server Python begins in there, and the machine may be busy
Visit = Callable[[str], None]  # goes to an address of the page


def game(table: Table, visit: Visit) -> None:
    """Against level 1 to the end, by whoever drops into the first open column; then another one."""
    visit("/")
    table.choose_level(1)
    while table.await_turn_or_end():
        ours = table.page.locator("[data-column][aria-disabled='false']").first
        count = table.discs.count()
        ours.click()
        expect(table.discs.nth(count)).to_be_attached()
    expect(table.headline).to_have_text(re.compile("You beat Pip|You won!|Pip wins this one|You lost|A draw"))
    expect(table.page.get_by_role("link", name="Review the game")).to_be_visible()
    table.page.get_by_role("button", name="Play again").click()
    expect(table.headline).to_have_text(re.compile("Your turn|is thinking"))


def hint(table: Table, visit: Visit) -> None:
    """Where to look, the idea, the column."""
    visit("/")
    table.choose_level(1)
    table.drop(4)
    table.await_turn()
    told, texts = table.page.locator("p.hint"), list[str]()
    for _ in range(3):
        table.page.get_by_role("button", name="Hint").click(timeout=LONG)
        expect(told).not_to_have_text(texts[-1] if texts else "", timeout=LONG)
        texts.append(told.inner_text())
    assert len(set(texts)) == 3
    expect(table.page.locator("path.play").first).to_be_attached()  # the column is shown


def analysis(table: Table, visit: Visit) -> None:
    visit("/analysis?moves=4131")
    expect(table.page.locator("[data-value]")).to_have_text(["▲17", "=", "▲16", "▲11", "▲2", "▲17", "▲18"])
    told = table.page.locator("main")
    expect(told).to_contain_text("three in a row with both ends open", timeout=LONG)


def review(table: Table, visit: Visit) -> None:
    visit("/review?moves=4444413322")
    expect(table.page.locator("main")).to_contain_text("missed win", timeout=LONG)


def puzzle(table: Table, visit: Visit, is_kept: bool = True) -> None:
    """A hint, then the solution to its end; it is remembered."""
    chosen = next(each for each in shipped_puzzles() if each.goal == "win" and each.steps == 2)
    visit(f"/puzzles/{chosen.id}")
    table.page.get_by_role("button", name=re.compile("hint", re.IGNORECASE)).first.click(timeout=LONG)
    for place in range(0, len(chosen.line), 2):
        table.await_turn()
        table.column(chosen.line[place] + 1).click()
        expect(table.discs).to_have_count(chosen.position.ply + min(place + 2, len(chosen.line)))
    expect(table.page.locator(".right")).to_be_visible(timeout=LONG)
    assert is_kept == bool(table.page.evaluate("localStorage.getItem('claimeven.practice')"))


def lesson(table: Table, visit: Visit) -> None:
    visit("/learn")
    table.page.locator("main a[href^='/learn/']").first.click(timeout=LONG)
    expect(table.page).to_have_url(re.compile("/learn/"))
    expect(table.page.locator("main [data-column]").first).to_be_visible(timeout=LONG)


def atlas(table: Table, visit: Visit) -> None:
    """A place of the map where a plan takes over, one reply further, and a map of the second player."""
    visit("/map?moves=43655536512")
    table.page.get_by_role("button", name="Next step").click(timeout=LONG)
    expect(table.page.locator(".acts")).to_contain_text("on top", timeout=LONG)
    count = table.page.locator(".crumbs a").count()
    table.page.locator(".replies button").first.click()
    expect(table.page.locator(".crumbs a")).to_have_count(count + 1, timeout=LONG)
    table.page.get_by_role("radio", name="Second, after a1").check()
    expect(table.page.get_by_text("After a first disc on a1")).to_be_visible(timeout=LONG)
    expect(table.page.locator(".replies button")).to_have_count(7, timeout=LONG)


JOURNEYS = (game, hint, analysis, review, puzzle, lesson, atlas)
