"""People meet: two strangers play rated, and a Swiss evening of people and a level finishes by itself."""

import re
from typing import Any

from playwright.sync_api import Error, Page, expect

from kit.page.people import HEADLINE, be, drop, is_to_move, make_code, use_code
from kit.page.table import Person


def test_two_strangers_meet_in_the_lobby_and_play_rated(person: Person) -> None:
    ada, boris = person("/lobby"), person("/lobby")
    rated = ada.page.get_by_role("checkbox")
    expect(rated).to_be_disabled()
    expect(rated).not_to_be_checked()  # nobody can be rated without a name
    be(ada.page, "Ada Lobby")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    expect(ada.page.get_by_role("heading", name="Hello, Ada Lobby")).to_be_visible()
    ada.page.get_by_role("button", name="3 min + 2 s").click()
    expect(ada.page).to_have_url(re.compile(r"/game/[\w-]+$"))
    expect(ada.page.locator(HEADLINE)).to_have_text("Waiting for whoever comes")
    assert sum(url.endswith("/api/me") for url in asked) <= 1, "the page does not ask itself in circles"
    be(boris.page, "Boris Lobby")
    expect(boris.page.get_by_role("button", name="Play against Ada Lobby")).to_be_visible()
    boris.page.get_by_role("button", name="3 min + 2 s").click()  # the lobby sends him to her game
    expect(boris.page).to_have_url(ada.page.url)
    expect(ada.page.get_by_text("The game is rated.")).to_be_visible()
    for table in (ada, boris):
        expect(table.page.get_by_role("button", name="Hint")).to_have_count(0)
    play_out(ada.page, boris.page)
    loser = boris.page if "won" in ada.page.locator(HEADLINE).inner_text() else ada.page
    assert loser.locator(HEADLINE).inner_text()
    ada.page.goto("/lobby")
    ada.page.get_by_role("link", name="Your page").click()
    expect(ada.page.get_by_role("heading", name="Ada Lobby")).to_be_visible()
    expect(ada.page.get_by_text("Provisional")).to_be_visible()
    row = ada.page.get_by_role("row").filter(has_text="Boris Lobby")
    expect(row).to_be_visible()
    row.get_by_role("link", name="Review").click()
    expect(ada.page).to_have_url(re.compile(r"/review\?moves="))


def play_out(one: Page, two: Page) -> None:
    """Whoever is to move drops into their own column until somebody has four."""
    columns: dict[Page, int] = {}
    for _ in range(14):
        for page in (one, two):
            if is_to_move(page):
                column = columns.setdefault(page, 3 + len(columns))
                drop(page, column)
        if "won" in one.locator(HEADLINE).inner_text() or "won" in two.locator(HEADLINE).inner_text():
            return
        one.wait_for_timeout(200)
    raise AssertionError(one.locator(HEADLINE).inner_text())


def test_a_player_moves_to_another_browser(person: Person) -> None:
    first, second = person("/lobby"), person("/lobby")
    be(first.page, "Wanda Moves")
    use_code(second.page, make_code(first.page))
    expect(second.page.get_by_role("heading", name="Hello, Wanda Moves")).to_be_visible()
    third = person("/lobby")
    be(third.page, "Wаnda Moves")  # with a letter of another alphabet
    expect(third.page.get_by_text("Choose another")).to_be_visible()
    third.faults.clear()  # the refusal is an error of the console, and is meant
    first.page.get_by_text("Be forgotten").click()
    first.page.get_by_role("button", name="Forget me").click()
    first.page.get_by_role("button", name="Really, for ever?").click()
    expect(first.page.get_by_role("button", name="That's me")).to_be_visible()


def test_a_swiss_evening_of_people_and_a_level(person: Person) -> None:
    organiser = person("/event")
    be(organiser.page, "Olga Swiss")
    organiser.page.get_by_label("Name of the tournament").fill("Friday")
    organiser.page.get_by_label("Rounds").select_option("3")
    organiser.page.get_by_role("button", name="Create the tournament").click()
    expect(organiser.page).to_have_url(re.compile(r"/event/[\w-]+$"))
    link = organiser.page.url
    place = f"/event/{link.rpartition('/')[2]}"
    organiser.page.get_by_role("button", name="Take part").click()
    organiser.page.get_by_label("Level", exact=True).select_option("1")
    organiser.page.get_by_role("button", name="Add", exact=True).click()
    people: list[Any] = [organiser]
    for name in ("Piotr Swiss", "Quynh Swiss"):
        guest = person(place)
        be(guest.page, name)
        guest.page.get_by_role("button", name="Take part").click()
        expect(guest.page.get_by_text("You take part.")).to_be_visible()
        people.append(guest)
    wall = person(f"{place}?wall")
    expect(wall.page.get_by_text("4 are here")).to_be_visible()
    organiser.page.get_by_role("button", name="Begin").click()
    games: dict[int, set[str]] = {index: set() for index in range(3)}
    for _ in range(400):
        for index, table in enumerate(people):
            page = table.page
            game = page.url
            if "/game/" in game and game not in games[index] and give_up(page):
                games[index].add(game)
        if wall.page.get_by_text("The tournament is over.").count():
            break
        wall.page.wait_for_timeout(300)
    expect(wall.page.get_by_text("The tournament is over.")).to_be_visible()
    expect(wall.page.get_by_role("row").filter(has_text="Level 1")).to_have_count(2)
    assert all(games.values()), "everybody was taken to their games"
    organiser.page.goto(link)
    expect(organiser.page.get_by_role("heading", name="Fair play")).to_be_visible()
    result = organiser.page.request.get(f"/api/events/{place.rpartition('/')[2]}/result.json")
    assert result.json()["format"] == "claimeven-tournament"


def give_up(page: Page) -> bool:
    """Whoever comes first resigns; who is there when it is over need not. Whether it is over."""
    expect(page.locator(HEADLINE)).to_be_visible()
    try:
        page.get_by_role("button", name="Resign").click(timeout=3_000)
        page.get_by_role("button", name="Really?").click(timeout=3_000)
    except Error:
        return page.get_by_role("button", name="Resign").count() == 0
    return True
