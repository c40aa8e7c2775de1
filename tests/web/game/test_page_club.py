"""People meet: two strangers play rated, and a Swiss evening of people and a level finishes by itself."""

import re
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kit.page.evening import Evening, gives_up
from kit.page.faults import faults_in_themes
from kit.page.people import HEADLINE, be, drop, is_to_move, make_code, use_code
from kit.page.table import Person


def test_two_strangers_meet_in_the_lobby_and_play_rated(person: Person) -> None:
    ada, boris = person("/lobby"), person("/lobby")
    expect(ada.page.get_by_role("checkbox")).to_have_count(0)
    ada.page.get_by_role("link", name="Rated games need a name").click()
    expect(ada.page.get_by_role("textbox", name="Name", exact=True)).to_be_focused()
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


def test_the_lobby_says_what_somebody_waits_to_play(person: Person) -> None:
    host, guest = person("/lobby").page, person("/lobby").page
    wish = {
        "board": "8x7x4",
        "pie": True,
        "clock": {"initial": 300_000, "increment": 3_000},
        "name": "Petra Pie",
    }
    wish["seats"] = [{"kind": "me"}, {"kind": "friend"}]
    made = host.request.post("/api/games", data=wish).json()
    sit_at(host, made)
    host.request.post("/api/lobby", data={"game": made["game"], "invite": made["invite"]})
    row = guest.get_by_role("listitem").filter(has_text="Petra Pie")
    expect(row).to_contain_text("8 × 7, 5 minutes + 3 s a move, pie rule")


def test_who_was_muted_and_reported_can_be_met_again(person: Person) -> None:
    ada, boris = person("/lobby").page, person("/lobby").page
    be(ada, "Ada Mutes")
    be(boris, "Boris Muted")
    ada.get_by_role("button", name="3 min + 2 s").click()
    expect(ada).to_have_url(re.compile(r"/game/[\w-]+$"))
    boris.get_by_role("button", name="Play against Ada Mutes").click()
    expect(boris).to_have_url(ada.url)
    ada.get_by_text("Trouble with the other player?").click()
    ada.get_by_role("button", name="Tell the operator: stalls").click()
    expect(ada.get_by_role("complementary", name="Message")).to_contain_text("The operator of this server")
    told = ada.request.get("/api/operator/reports").json()["reports"]
    assert [one["reason"] for one in told if one["name"] == "Boris Muted"] == ["stalling"]
    ada.get_by_role("button", name="Do not pair us again").click()
    expect(ada.get_by_role("button", name="Pair us again")).to_be_visible()
    ada.goto("/lobby")
    ada.get_by_role("link", name="Your page").click()
    row = ada.get_by_role("listitem").filter(has_text="Boris Muted")
    row.get_by_role("button", name="Pair us again: Boris Muted").click()
    expect(ada.get_by_text("You may be paired again.")).to_be_visible()
    expect(row).to_have_count(0)
    ada.reload()
    expect(ada.get_by_role("heading", name="Another browser")).to_be_visible()
    expect(row).to_have_count(0)


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
    expect(first.page.get_by_role("button", name="That’s me")).to_be_visible()


def test_a_page_of_ones_own_says_name_and_rating_as_the_lobby_does(person: Person) -> None:
    page = person("/lobby").page
    be(page, "Nora Names")
    rating = page.locator(".big").inner_text()
    page.get_by_role("link", name="Your page").click()
    expect(page.locator("h1 svg")).to_be_visible()
    expect(page.locator(".big")).to_have_text(rating)
    for heading in ("Another browser", "Delete"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.locator("label", has_text="Name")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Nora Renames")
    page.get_by_role("button", name="Change my name").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nora Renames")


def sit_at(page: Page, made: dict[str, Any]) -> None:
    """At a game that was begun beside the page."""
    page.evaluate(
        """([game, token]) => localStorage.setItem('claimeven.games',
            JSON.stringify({ [game]: { token, invite: null, unacknowledged: [], at: 1 } }))""",
        [made["game"], made["token"]],
    )
    page.goto(f"/game/{made['game']}")
    expect(page.locator(HEADLINE)).to_be_visible()


def test_who_has_no_name_deletes_what_they_played(person: Person) -> None:
    nobody = person("/lobby")
    begun = nobody.page.request.post("/api/games", data={"seats": [{"kind": "me"}, {"kind": "me"}]}).json()
    game = begun["game"]
    sit_at(nobody.page, begun)
    for column in (4, 3, 4, 3, 4, 3, 4):
        nobody.drop(column)
    expect(nobody.page.locator(HEADLINE)).to_have_text(re.compile("won|wins"))
    nobody.page.goto("/lobby")
    nobody.page.get_by_text("Delete finished games", exact=True).click()
    nobody.page.get_by_role("button", name="Delete my finished games").click()
    nobody.page.get_by_role("button", name="Really, for ever?").click()
    expect(nobody.page.get_by_text("One game is deleted.")).to_be_visible()
    assert nobody.page.request.get(f"/api/games/{game}").status == 404


def test_a_swiss_evening_of_people_and_a_level(person: Person) -> None:
    evening = Evening(visiting(person), ("Olga Swiss", "Piotr Swiss", "Quynh Swiss"), (1,), rounds=3)
    before = evening.people[2]

    def meanwhile(look: int) -> None:
        """In the second round somebody goes on at another device."""
        if evening.people[2] is before and evening.wall.get_by_text("Round 2 of 3").count():
            evening.change_device(2, visiting(person)("/lobby"))

    evening.play(meanwhile)
    assert evening.people[2] is not before
    expect(evening.wall.get_by_role("row").filter(has_text="Pip · Level 1")).to_have_count(1)
    expect(evening.wall.locator("figure").filter(has_text="Pip")).to_have_count(1)  # its board stays
    points = evening.wall.locator("figure").filter(has_text="Pip").locator(".points")
    expect(points).to_have_count(2)  # and says how it ended
    organiser = evening.people[0]
    organiser.goto(evening.place)
    fair = organiser.locator("section").filter(has=organiser.get_by_role("heading", name="Fair play"))
    numbers = dict.fromkeys(("decisions", "right", "share", "low", "high", "expected", "rating", "games"), 0)
    first = {"number": 1, **numbers}
    # As when others wait for the server: the rest is asked for.
    organiser.route(
        "**/fair?after=0", lambda asked: asked.fulfill(json={"lines": [first], "is_whole": False})
    )
    fair.get_by_role("button", name="Look").click()
    expect(fair.get_by_text("The list is not whole yet (players: 1 of 3)")).to_be_visible()
    fair.get_by_role("button", name="Look at the others").click()
    expect(fair.get_by_role("button")).to_have_count(0)
    expect(fair.get_by_text("not whole")).to_have_count(0)
    expect(fair.get_by_role("row").filter(has_text="Swiss")).to_have_count(3)
    for page in (organiser, evening.wall):  # axe, in all themes: here, where somebody has played
        assert faults_in_themes(page) == []
    organiser.goto("/lobby")
    organiser.get_by_role("link", name="Your page: games").wait_for()
    assert faults_in_themes(organiser) == []
    organiser.get_by_role("link", name="Your page: games").click()
    expect(organiser.get_by_role("heading", level=1)).to_have_text(re.compile("Olga Swiss"))
    assert faults_in_themes(organiser) == []
    result = organiser.request.get(f"/api{evening.place.replace('event', 'events')}/result.json")
    assert result.json()["format"] == "claimeven-tournament"


def test_a_knock_out_has_a_bracket_on_its_page_and_on_the_wall(person: Person) -> None:
    ann, bob = person("/event").page, person("/").page
    be(ann, "Ann Cup")
    ann.get_by_label("Name of the tournament").fill("Cup")
    ann.get_by_role("radio", name="Knock-out").check()
    ann.get_by_role("button", name="Create the tournament").click()
    expect(ann).to_have_url(re.compile(r"/event/[\w-]+$"))
    place = ann.url
    ann.get_by_role("button", name="Take part").click()
    ann.get_by_label("Level", exact=True).select_option("1")
    ann.get_by_role("button", name="Add", exact=True).click()
    bob.goto(place)
    be(bob, "Bob Cup")
    expect(bob.get_by_text("You take part.")).to_be_visible()
    wall = person(f"{place}?wall").page
    expect(wall.get_by_text("3 are here")).to_be_visible()
    ann.get_by_role("button", name="Begin").click()
    over: set[str] = set()
    out = wall.locator(".rounds .out")
    for _ in range(100):  # Ann has a bye, Bob gives up as often as he is asked to play
        if "/game/" in bob.url and bob.url not in over and gives_up(bob):
            over.add(bob.url)
        if out.count():
            break
        wall.wait_for_timeout(300)
    ann.goto(place)
    for page in (ann, wall):
        rounds = page.locator(".rounds > li")
        expect(rounds).to_have_count(2)
        first, final = rounds.nth(0), rounds.nth(1)
        expect(first.get_by_role("heading")).to_have_text("Semi-finals")
        expect(first.locator(".place").filter(has_text="bye")).to_have_count(1)
        expect(first.locator(".out")).to_contain_text("Bob Cup")
        expect(final.locator(".place")).to_contain_text(["Ann Cup", "Pip"])
    for width, height in ((1440, 900), (1366, 768), (1280, 720)):  # nothing of it is cut, nothing scrolls
        wall.set_viewport_size({"width": width, "height": height})
        hidden = "all => all.map(one => one.scrollHeight - one.clientHeight)"
        assert wall.locator("html, .wall .card, .wall figure").evaluate_all(hidden)
        assert max(wall.locator("html, .wall .card, .wall figure").evaluate_all(hidden)) <= 0, width


MIDDLES = """all => all.map(one => one.getBoundingClientRect())
    .map(({ top, bottom }) => (top + bottom) / 2)"""
WIDTHS = "all => all.map(one => one.getBoundingClientRect().width)"


def test_an_organiser_adds_characters_one_after_another(person: Person) -> None:
    """Each time another one is offered; the same one twice has a number; begin says what it waits for."""
    page = person("/event").page
    be(page, "Ann Adds")
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.get_by_role("heading", name="No players yet")).to_be_visible()
    begin = page.get_by_role("button", name="Begin")
    expect(begin).to_be_disabled()
    main = page.locator("main .button.primary")  # one thing at a time
    expect(main).to_have_text("Copy invitation")
    wall = person(f"{page.url}?wall").page
    expect(wall.locator(".address")).to_have_text(re.sub("^https?://", "", page.url))
    expect(wall.get_by_text("Type your name and take part.")).to_be_visible()
    expect(wall.locator(".card")).to_have_count(1)  # no empty one beside it
    guest = person(page.url).page
    expect(guest.locator("main .button.primary")).to_have_text("That’s me")
    expect(begin).to_have_accessible_description("Needs two players.")
    level = page.get_by_label("Level", exact=True)
    add = page.get_by_role("button", name="Add", exact=True)
    people = page.get_by_role("button", name=re.compile("^Remove "))
    expect(level).to_have_value("3")
    add.click()
    expect(level).to_have_value("4")
    add.click()
    expect(level).to_have_value("5")
    expect(begin).to_be_enabled()
    expect(main).to_have_text("Begin")
    expect(page.get_by_text("Needs two players.")).to_have_count(0)
    level.select_option("3")
    add.click()
    expect(people).to_have_count(3)
    expect(level).to_have_value("5")  # the next that nobody took
    expect(people.first).to_have_accessible_name("Remove Mila · Level 3")
    expect(people.last).to_have_accessible_name("Remove Mila 2 · Level 3")
    begin.click()
    row = page.locator(".two section").last.get_by_role("row").first
    expect(row.locator(".who")).to_have_count(2)
    cells = row.locator("td:first-child, .who, .score a").evaluate_all(MIDDLES)
    assert max(cells) - min(cells) <= 1, cells
    expect(main).to_have_count(0)
    expect(wall.locator("figure")).not_to_have_count(0)
    for figure in wall.locator("figure").all():
        board, names = figure.locator(".mini, figcaption").evaluate_all(WIDTHS)
        assert abs(board - names) <= 1
    page.get_by_role("button", name="End it now").click()
    page.get_by_role("button", name="Really end it?").click()


def test_who_plays_can_look_at_the_tournament_meanwhile(person: Person) -> None:
    """And an organiser who plays can end it."""
    ann, bob = person("/event").page, person("/").page
    be(ann, "Ann Looks")
    ann.get_by_label("Name of the tournament").fill("Looks")
    ann.get_by_role("button", name="Create the tournament").click()
    ann.get_by_role("button", name="Take part").click()
    bob.goto(ann.url)
    be(bob, "Bob Looks")
    expect(bob.get_by_text("You take part.")).to_be_visible()
    expect(ann.get_by_text("2 take part")).to_be_visible()
    ann.get_by_role("button", name="Begin").click()
    expect(ann).to_have_url(re.compile(r"/game/[\w-]+$"))
    game = ann.url
    ann.get_by_role("link", name="To the tournament").click()
    for _ in range(2):
        with ann.expect_response(re.compile(r"/api/events/[\w-]+$")):
            pass
    ann.get_by_role("link", name="To your game").click()
    expect(ann).to_have_url(game)
    ann.reload()
    ann.get_by_role("link", name="To the tournament").click()
    ann.get_by_role("button", name="End it now").click()
    ann.get_by_role("button", name="Really end it?").click()
    expect(ann.get_by_text("The tournament is over.")).to_be_visible()


IN_SIGHT = """(list, rows) => [...list.querySelectorAll(rows)].filter((row) => {
  const [box, { left, right, top, bottom }] = [list, row].map((one) => one.getBoundingClientRect());
  const head = list.querySelector('thead')?.getBoundingClientRect().height ?? 0;
  const isHigh = top < box.top + head - 1 || bottom > box.bottom + 1;
  return !isHigh && left >= box.left - 1 && right <= box.right + 1 &&
    document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest(rows) === row;
}).map((row) => row.innerText)"""


def shown_by_itself(wall: Page, list: str, rows: str) -> set[str]:
    """What is whole in sight at some time, and nobody touches anything."""
    seen: set[str] = set()
    for _ in range(6):
        seen |= set(wall.locator(list).evaluate(IN_SIGHT, rows))
        wall.clock.run_for(8_000)
    return seen


def test_a_wall_shows_thirty_people_and_their_fifteen_tables(person: Person) -> None:
    wall = person("/lobby", sees=True).page
    wall.clock.install()
    keys = [secrets.token_urlsafe(32) for _ in range(30)]
    names = [
        f"{one}{two}o Wall" for one in ("B", "D", "F", "G", "K", "M") for two in ("a", "e", "i", "o", "u")
    ]

    def post(whose: str, path: str, **body: Any) -> Any:
        answer = wall.request.post(path, data=body, headers={"Authorization": f"Bearer {whose}"})
        assert answer.ok, answer.text()
        return answer.json()

    for key, name in zip(keys, names, strict=True):
        post(key, "/api/players", name=name, key=key)
    clock = {"initial": 300_000, "increment": 3_000}
    event = post(keys[0], "/api/events", name="Wall", format="swiss", clock=clock)["id"]
    for key in keys:
        post(key, f"/api/events/{event}/join")
    for width, height in ((1366, 768), (1920, 1080)):
        wall.set_viewport_size({"width": width, "height": height})
        wall.goto(f"/event/{event}?wall")
        expect(wall.get_by_text("30 take part")).to_be_visible()
        assert len(shown_by_itself(wall, ".people ul", "li")) == 30
    post(keys[0], f"/api/events/{event}/start")
    wall.clock.run_for(4_000)
    expect(wall.locator(".boards figure")).to_have_count(6)
    for width, height in ((1366, 768), (1920, 1080)):
        wall.set_viewport_size({"width": width, "height": height})
        assert len(shown_by_itself(wall, ".standings .paged", "tbody tr")) == 30
        assert len(shown_by_itself(wall, ".tables .paged", "tbody tr")) == 15
    boards: set[str] = set()
    for _ in range(3):
        boards |= set(wall.locator(".boards figcaption").all_inner_texts())
        wall.clock.run_for(12_000)
    assert len({frozenset(re.findall(r"\w+ Wall", text)) for text in boards}) == 15
    post(keys[0], f"/api/events/{event}/stop")


@pytest.mark.slow
def test_eight_people_and_two_levels_finish_a_swiss_event(person: Person) -> None:
    names = [f"{name} Club" for name in ("Anna", "Bela", "Cyrus", "Dora", "Emil", "Fanny", "Greta", "Hugo")]
    evening = Evening(visiting(person), names, (1, 3), rounds=4)
    evening.play()
    page = evening.wall.request.get(f"/api{evening.place.replace('event', 'events')}").json()
    assert [page["state"], page["round"], len(page["places"])] == ["over", 4, 10]
    assert len(page["tables"]) == 4 * 5
    assert all(table["score"] is not None for table in page["tables"])
    for level in (1, 3):
        expect(evening.wall.get_by_role("row").filter(has_text=f"Level {level}").first).to_be_visible()


def visiting(person: Person) -> Callable[[str], Page]:
    def come(path: str) -> Page:
        page: Page = person(path).page
        return page

    return come
