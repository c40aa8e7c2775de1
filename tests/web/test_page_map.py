"""The map in a browser: walked as the opponent, by mouse and keyboard, and played from memory."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from claimeven.map import Map, atlas
from claimeven.map.picture import picture
from claimeven.map.told import told
from claimeven.position import Position
from claimeven.solver import Solver
from kit.page.table import Person, Table

SIZES = {"desktop": (1280, 800), "phone": (375, 812)}


def shipped() -> Map:
    return atlas.shipped()


def answer(position: Position, start: str = "") -> int:
    """The column that the map plays here."""
    found = atlas.shipped(start)
    place = found.find(position)
    assert place is not None
    return found.board.column_of(place.cell)


def reply(position: Position, start: str = "") -> tuple[int, Position]:
    """The place of the first reply that does not lose at once, and the position after the answer to it."""
    found = atlas.shipped(start)
    place, board = found.find(position), found.board
    assert place is not None
    for number, x in enumerate(place.stones.replies(board)):
        y = found.answer(place, x)
        after = position.play(board.column_of(x)).play(board.column_of(y))
        if not after.is_over:
            return number, after
    raise AssertionError("every reply loses at once")


def said_on(page: Page) -> list[str]:
    """Why the plan wins: the idea, and what is said in its steps."""
    texts = page.locator(".idea, .acts p").all_inner_texts()
    return [" ".join(text.split()) for text in texts]


def moves_in(page: Page) -> str:
    return page.url.partition("moves=")[2]


@pytest.mark.parametrize("size", SIZES)
def test_a_stranger_walks_to_a_leaf_and_reads_why_it_wins(person: Person, size: str) -> None:
    width, height = SIZES[size]
    table = person("/map", width=width, height=height)
    page = table.page
    expect(page.get_by_role("heading", name="The map of the game")).to_be_visible()
    # One line says what to do, one what it is, beside a board; the picture of the whole comes below.
    expect(page.get_by_text("Drop a disc for Yellow: the map has an answer.")).to_be_visible()
    expect(page.get_by_text("Red, who begins, can always win, and this map shows how.")).to_be_visible()
    drawn, here = page.locator("canvas").bounding_box(), page.locator("#here").bounding_box()
    assert drawn
    assert here
    assert drawn["y"] > here["y"]
    board = page.locator(".stage svg").first.bounding_box()
    assert board
    assert board["y"] + board["height"] <= height
    position = Position.parse("4")
    while not page.locator(".idea").count():
        number, position = reply(position)
        page.locator(".replies button").nth(number).click()
        expect(page.locator(".crumbs [aria-current]")).to_have_count(1)
        page.wait_for_url(f"**/map?moves={position.moves}")
        expect(page.locator("[data-column]").first).to_be_visible()
        page.wait_for_function(
            "ply => document.querySelectorAll('.crumbs a').length === ply", arg=(position.ply + 1) // 2
        )
        said = told(shipped(), position)
        if said.rules is not None:
            expect(page.locator(".idea, .acts p")).to_have_count(len(said.steps()))
    assert said_on(page) == said.steps()
    page.locator(".crumbs a").first.click()
    expect(page.get_by_role("heading", name="What Yellow can play")).to_be_visible()
    assert moves_in(page) == "4"


@pytest.mark.parametrize(
    ("start", "said"),
    [("1", "Yellow can always win"), ("2", "Yellow can always win"), ("3", "Yellow never needs to lose")],
)
def test_the_second_player_has_maps_too(person: Person, start: str, said: str) -> None:
    page = person("/map").page
    page.get_by_role("radio", name=f"Second, after {'abc'[int(start) - 1]}1").check()
    expect(page.get_by_text(said)).to_be_visible()
    position = Position.parse(start)
    position = position.play(answer(position, start))
    while not page.locator(".idea").count():
        number, position = reply(position, start)
        page.locator(".replies button").nth(number).click()
        page.wait_for_url(f"**/map?start={start}&moves={position.moves}")
        page.wait_for_function(
            "count => document.querySelectorAll('.crumbs a').length === count", arg=position.ply // 2
        )
        about = told(atlas.shipped(start), position)
        if about.rules is not None:
            expect(page.locator(".idea, .acts p")).to_have_count(len(about.steps()))
    assert said_on(page) == about.steps()
    expect(page.locator(".marks .four")).to_have_count(len(about.drawn))
    expect(page.locator(".marks .three")).to_have_count(len(about.dotted))
    expect(page.locator(".marks .poison")).to_have_count(len(about.poison))
    expect(page.locator(".marks .rival")).to_have_count(len(about.rivals))
    for word, drawn in (
        ("Lines", about.drawn),
        ("Dotted lines", about.dotted),
        ("Broken lines", about.rivals),
        ("Crosses", about.poison),
    ):
        sign = page.locator("details.legend p").filter(has_text=re.compile(f"^{word}:"))
        expect(sign).to_have_count(1 if drawn else 0)
    page.get_by_role("button", name="Play one long game against this plan").click()
    page.get_by_role("button", name="Pause").click()
    while page.locator(".marks .ghost").count() > 1:  # on a slow machine it ran on before
        page.get_by_role("button", name="One move back").click()
    for discs in (1, 2, len(about.game)):
        expect(page.locator(".marks .ghost")).to_have_count(discs)
        expect(page.locator("[aria-live]").get_by_text(f"Disc {discs} of {len(about.game)}")).to_be_visible()
        said_now = " ".join(page.locator(".shown").inner_text().split())
        assert said_now.endswith(about.shown()[discs - 1])
        if discs < len(about.game):
            page.get_by_role("button", name="One move forward" if discs == 1 else "To the end").click()
    page.get_by_role("button", name="Back to the position").click()
    expect(page.locator(".marks .ghost")).to_have_count(0)
    page.locator(".crumbs a").first.click()
    page.wait_for_url(f"**/map?start={start}&moves={start}*")


@pytest.mark.parametrize("start", atlas.STARTS)
def test_an_example_shows_who_runs_out_of_moves(person: Person, start: str) -> None:
    page = person(f"/map?start={start}" if start else "/map").page
    page.get_by_role("link", name="See an example").click()
    expect(page.locator(".idea")).to_contain_text("runs out of safe moves")
    about = told(atlas.shipped(start), Position.parse(moves_in(page)))
    assert said_on(page) == about.steps()
    expect(page.locator(".marks .shut")).to_have_count(len(about.shut))
    assert about.shut
    # Each step has its picture: now, the rest filled, the last disc.
    for step, discs in (
        ("How the rest is filled", about.safe),
        ("The end", len(about.game)),
        ("What stands now", 0),
    ):
        button = page.get_by_role("button", name=re.compile(f"{step}$"))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".marks .ghost")).to_have_count(discs)
        if discs == about.safe:
            expect(page.locator(".marks .poison")).to_have_count(len(about.left))
    page.get_by_text("In numbers").click()
    expect(page.get_by_text("needs just one more disc")).to_be_visible()
    # It plays on by itself, until somebody takes over.
    page.get_by_role("button", name="Play one long game against this plan").click()
    expect(page.locator(".shown")).to_contain_text("Disc 2 of")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play on by itself")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".shown")).to_contain_text("Now everything that")


def test_a_leaf_is_told_one_step_at_a_time(person: Person) -> None:
    page = person("/map?moves=43655536512").page
    about = told(shipped(), Position.parse("43655536512"))
    acts = [said for said in (about.now(), about.filled(), about.ending()) if said]
    for number, said in enumerate(acts):
        seen = page.locator(".acts p:visible")
        expect(seen).to_have_count(len(said))
        assert [" ".join(text.split()) for text in seen.all_inner_texts()] == said
        onward = page.get_by_role("button", name="Next step")
        if number + 1 < len(acts):
            onward.click()
        else:
            expect(onward).to_have_count(0)
    page.get_by_text("The plan and its exceptions").click()
    expect(page.get_by_text("this plan could let Yellow complete")).to_be_visible()


def test_where_no_plan_is_told_the_coach_says_why(person: Person) -> None:
    table = person("/map?moves=44")
    page, told_by_coach = table.page, table.page.locator("details:has(> summary:text-is('Why?')) p")
    expect(told_by_coach).to_have_count(0)
    column = answer(Position.parse("44"))
    for here in ("44", f"44{column + 1}"):  # the map is to move there, or has moved
        page.goto(f"{page.url.partition('?')[0]}?moves={here}")
        page.get_by_text("Why?").click()
        expect(told_by_coach.last).to_contain_text("wins in")
    page.get_by_role("radio", name="From memory").check()
    expect(page.locator("[data-status=ask]")).to_have_count(1)
    table.column(4).click()
    page.get_by_text("Why?").click()
    expect(told_by_coach.last).to_contain_text("wins in")


def test_the_second_player_plays_from_memory_what_must_not_lose(person: Person) -> None:
    table = person("/map?start=3")
    page = table.page
    page.get_by_role("radio", name="From memory").check()
    expect(page.get_by_text("Play Yellow. What loses becomes a card")).to_be_visible()
    expect(page.locator("[data-status=ask]")).to_have_count(1)
    table.column(3).click()  # 1. c1 c1 draws, too
    expect(page.get_by_text("That does not lose either, and is no miss.")).to_be_visible()
    expect(page.get_by_text("0 of 0 from memory")).to_be_visible()
    table.column(4).click()  # the map's column is still asked for
    expect(page.get_by_text("1 of 1 from memory")).to_be_visible()
    page.get_by_role("button", name="From the beginning").click()
    expect(page.locator("[data-status=ask]")).to_have_count(1)
    table.column(1).click()
    expect(page.get_by_text("That loses. A card will ask you again.")).to_be_visible()
    entries = json.loads(page.evaluate("localStorage.getItem('claimeven.practice')"))
    card = next(entry for entry in entries if entry["kind"] == "moment")
    assert (card["moves"], sorted(card["better"])) == ("3", [3, 4, 5, 6])


def test_the_keyboard_walks_and_the_picture_is_zoomed(person: Person) -> None:
    page = person("/map", sees=True).page
    page.locator(".crumbs").wait_for()
    page.keyboard.press("1")
    position = Position.parse("41")
    position = position.play(answer(position))
    page.wait_for_url(f"**/map?moves={position.moves}")
    drawn = page.get_by_role("img", name="The map, its first")
    before = drawn.screenshot()
    page.get_by_role("button", name="Closer").click()
    expect(drawn).to_be_visible()
    assert drawn.screenshot() != before
    page.get_by_role("button", name="Farther away").click()
    page.get_by_role("radio", name="By reason").check()
    assert drawn.screenshot() != before


def test_the_board_stays_in_sight_while_an_answer_is_chosen(person: Person) -> None:
    page = person("/map?moves=4527135134433", width=1440, height=900).page
    expect(page.locator(".acts p").first).to_contain_text("f1")
    page.locator(".replies button").last.scroll_into_view_if_needed()
    page.mouse.move(1000, 500)
    page.mouse.wheel(0, 4000)
    page.wait_for_function("() => scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 1")
    seen = page.locator(".stage .fit").bounding_box()
    assert seen is not None
    assert seen["y"] >= -1
    assert seen["y"] + seen["height"] <= 901


def test_the_numbers_of_the_legend_add_up(person: Person) -> None:
    page = person("/map").page
    rows = page.locator(".legend li")
    page.get_by_text("About the numbers").click()
    expect(rows.first).to_be_visible()
    counts = [int(row.rpartition(":")[2].replace(",", "")) for row in rows.all_inner_texts()]
    assert 0 not in counts
    assert sum(counts) == len(picture(shipped(), atlas.shipped_whys())[1])
    assert f"{sum(counts):,} positions" in page.locator(".picture").first.inner_text()


def test_what_the_opponent_has_is_drawn_and_told(person: Person) -> None:
    page = person("/map?moves=4445536534525").page
    expect(page.locator(".marks .rival")).to_have_count(1)
    expect(page.locator(".acts p:visible").last).to_contain_text(
        "Yellow has all of the diagonal c1–f4 but f4"
    )
    expect(page.locator("details.legend p").filter(has_text="Broken lines: Yellow")).to_have_count(1)


def test_a_four_that_is_blocked_is_drawn_no_more(person: Person) -> None:
    page = person("/map?moves=4523323233216").page
    about = told(shipped(), Position.parse("4523323233216"))
    theirs = {disc.cell for disc in about.game[::2]}
    dead = [cells for cells in about.drawn if theirs & set(cells)]
    assert dead
    expect(page.locator(".marks .four")).to_have_count(len(about.drawn))
    page.get_by_role("button", name=re.compile("The end$")).click()
    expect(page.locator(".marks .four")).to_have_count(len(about.drawn) - len(dead))


def test_what_is_under_the_mouse_is_named(person: Person) -> None:
    page = person("/map").page
    drawn = page.get_by_role("img", name="The map, its first")
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box
    for x in range(100, int(box["width"]) - 50, 7):
        drawn.hover(position={"x": x, "y": box["height"] / 2})
        if page.locator(".under").count():
            break
    expect(page.locator(".under")).to_contain_text("discs")


def test_a_place_that_is_not_on_the_map_says_so(person: Person) -> None:
    page = person("/map?moves=11").page
    expect(page.get_by_text("This position is not on the map")).to_be_visible()


def test_a_place_with_the_holder_to_move_says_what_is_played(person: Person) -> None:
    page = person("/map?moves=44").page
    expect(page.get_by_text("Red plays d3.")).to_be_visible()


def test_from_memory_what_gives_the_win_away_becomes_a_card(person: Person) -> None:
    table: Table = person("/map")
    page = table.page
    page.get_by_role("radio", name="From memory").check()
    asked = page.locator("[data-status=ask]")
    expect(asked).to_have_count(1)
    table.column(4).click()
    expect(page.get_by_text("1 of 1 from memory")).to_be_visible()
    expect(asked).to_have_count(1)
    replied = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    moves = [name.partition("moves=")[2].partition("&")[0] for name in replied if "/api/map/place" in name][
        -1
    ]
    position = Position.parse(moves)
    solver = Solver(megabytes=16)
    losing = next(
        column for column in position.legal if solver.outcome(position.play(column)) != "loss"
    )  # of the opponent, who moves next
    table.column(losing + 1).click()
    expect(page.locator("[data-status=wrong]")).to_have_count(1)
    # It says what the other side does then, and the board goes on.
    told = page.locator("[data-status=wrong] .wrong").inner_text()
    assert len(told.partition("ask you again.")[2]) > 20, told
    expect(page.locator("[data-status=wrong] .right")).to_contain_text("Play it on the board")
    entries = json.loads(page.evaluate("localStorage.getItem('claimeven.practice')"))
    card = next(entry for entry in entries if entry["kind"] == "moment")
    assert card["moves"] == moves
    assert losing + 1 not in card["better"]
    assert answer(position) + 1 in card["better"]
    table.column(answer(position) + 1).click()
    expect(asked).to_have_count(1)


def test_on_a_phone_the_verdict_is_in_sight(person: Person) -> None:
    table = person("/map", width=375, height=812)
    page = table.page
    page.get_by_role("radio", name="From memory").check()
    expect(page.locator("[data-status=ask]")).to_have_count(1)
    page.evaluate("scrollTo(0, 0)")
    table.column(1).click()
    verdict = page.locator("[data-status=wrong] .wrong")
    expect(verdict).to_be_in_viewport(ratio=1)


def test_a_forced_win_draws_its_fours_and_numbers_its_discs(person: Person) -> None:
    page = person("/map?moves=41464432361").page
    about = told(shipped(), Position.parse("41464432361"))
    expect(page.locator(".marks .four")).to_have_count(len(about.drawn))
    assert about.drawn
    expect(page.locator("details.legend")).to_contain_text("the fours that Red wins with by force")
    page.get_by_role("button", name=re.compile("The end$")).click()
    expect(page.locator(".marks .ghost")).to_have_count(len(about.game))
    page.goto(page.url.replace("41464432361", "4221225663463"))
    expect(page.locator(".idea")).to_contain_text("a2 and e2")
    expect(page.locator(".marks .four")).to_have_count(2)
    expect(page.locator(".marks .three")).to_have_count(0)
