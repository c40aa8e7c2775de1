"""What is drawn before the server has answered, and without one."""

from typing import Any

from playwright.sync_api import Route, expect

from claimeven import Position, Solver
from claimeven.notation import column_letter
from kit.page.table import Person

MOVES = "3275225373553"


def test_the_board_of_a_review_is_there_while_it_is_worked_out(person: Person) -> None:
    table = person("/learn")
    page = table.page
    held: list[Route] = []
    page.route("**/api/review", lambda route: held.append(route))
    page.goto("/review?moves=4444445376336333221122211")
    expect(table.discs).to_have_count(25)
    expect(page.get_by_role("progressbar")).to_be_visible()
    box: Any = page.locator(".board").bounding_box()
    held[0].continue_()
    expect(page.get_by_role("heading", name="The game in short")).to_be_visible()
    assert page.locator(".board").bounding_box() == box  # nothing has moved


def test_an_analysis_without_a_network_has_its_values(person: Person) -> None:
    """Exact, by the engine in the browser; that the reasons are missing is said."""
    table = person(f"/analysis?moves={MOVES}", service_workers="allow")
    page = table.page
    page.locator("[data-value]").first.wait_for()
    table.lose_the_network()
    page.locator("[data-value]").first.wait_for()
    page.locator("[data-column='4']").click()
    expect(table.discs).to_have_count(len(MOVES) + 1)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    found = Solver().analyse(Position.parse(MOVES + "4"))
    assert found.scores
    for column, score in found.scores.items():
        verb = "wins" if score > 0 else "loses"
        after = "at once" if score.moves == 1 else f"in {score.moves} moves"
        told = page.locator(f"[data-value='{column + 1}']")
        expect(told).to_have_attribute("aria-label", f"Column {column_letter(column)}: {verb} {after}")
    table.faults.clear()  # what the network refused
