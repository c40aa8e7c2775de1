"""What comes late changes nothing: somebody has gone on meanwhile."""

import re
from contextlib import suppress

from playwright.sync_api import Error, Route, expect

from kit.page.table import Person, Table


class Held:
    """Requests that are kept until they are let go."""

    def __init__(self, table: Table, path: str) -> None:
        self.routes: list[Route] = []
        self.table = table
        table.page.route(path, lambda route: self.routes.append(route))

    def await_one(self) -> None:
        while not self.routes:
            self.table.page.evaluate("new Promise(requestAnimationFrame)")

    def let_go(self) -> None:
        """All of them, and the page has heard the answers."""
        for route in self.routes:
            with self.table.page.expect_event("requestfinished", lambda it, of=route.request: it == of):
                route.continue_()
        self.table.page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )


def test_who_has_gone_elsewhere_is_not_fetched_back(person: Person) -> None:
    table = person()
    held = Held(table, "**/api/games")
    table.column(4).click()
    held.await_one()
    table.page.get_by_role("link", name="Learn", exact=True).click()
    expect(table.headline).to_have_text("Learn")
    held.let_go()
    expect(table.page).to_have_url(re.compile("/learn$"))
    table.page.get_by_role("link", name="Play", exact=True).click()
    expect(table.headline).to_have_text("Play Connect Four")


def test_an_opinion_belongs_to_its_position(person: Person) -> None:
    table = person("/analysis?moves=4131")
    page = table.page
    page.get_by_role("tab", name="Second opinion").click()
    page.get_by_label("Agent").select_option("first")
    held = Held(table, "**/api/opinion*")
    page.get_by_role("button", name="Ask").click()
    held.await_one()
    table.column(5).click()
    expect(page).to_have_url(re.compile("moves=41315$"))
    held.let_go()
    expect(page.get_by_role("button", name="Ask")).to_be_enabled()
    expect(page.get_by_text("would play")).to_have_count(0)
    page.locator("body").press("ArrowLeft")
    expect(page.get_by_text("First column would play column a.")).to_be_visible()


def test_a_second_try_is_judged_for_its_own_position(person: Person) -> None:
    table = person("/review?moves=444433365255667")
    page = table.page
    page.get_by_role("button", name=re.compile("Try these . again")).click()
    expect(page.get_by_text(re.compile("· 1 of "))).to_be_visible()
    held = Held(table, "**/api/why-not*")
    table.column(1).click()
    held.await_one()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_text(re.compile("· 2 of "))).to_be_visible()
    late = {"text": "Late.", "overlay": {"line": [{"cell": [1, 1], "side": 1}], "plan": None, "threats": []}}
    for route in held.routes:
        with suppress(Error):  # given up by the page: nobody hears it
            route.fulfill(json=late)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.get_by_text("The answer stays hidden until you ask for it.")).to_be_visible()
    expect(page.locator(".marks .ghost")).to_have_count(0)


def test_no_answer_is_not_a_right_one(person: Person) -> None:
    table = person("/learn/seeing")
    page = table.page
    for _ in range(2):
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".panel .text")).to_contain_text("Look for your own four first.")
    page.route("**/api/school/**", lambda route: route.abort())
    table.column(3).click()
    expect(page.locator(".answer .problem")).to_have_text("You are offline, or the server does not answer.")
    expect(page.locator(".right")).to_have_count(0)
    page.unroute_all()
    table.column(3).click()
    expect(page.locator(".right")).to_contain_text("Your own win always comes first.")
    expect(page.locator(".right").get_by_role("img", name="Right!")).to_be_visible()
    table.faults[:] = [fault for fault in table.faults if "ERR_FAILED" not in fault]
