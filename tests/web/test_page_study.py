"""The pages that teach: analysis and review."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from claimeven import Game, Position, Solver, formats
from kit.page.table import Person, Table

BLUNDERS = "444433365255667"


LONG = "444444537633633322112221"


def headline(page: Page) -> Any:
    return page.get_by_role("heading", level=1)


def explanation(page: Page) -> Any:
    return page.get_by_role("region", name=re.compile("^Why"))


# Analysis ---------------------------------------------------------------------------------------------


def test_values_reasons_and_why_not(person: Person) -> None:
    page = person("/analysis?moves=4131").page
    expect(headline(page)).to_have_text("Red wins in 2 moves")
    chips = page.get_by_role("group", name="Value of every column").get_by_role("button")
    expect(chips).to_have_count(7)
    told = {row + 1: chips.nth(row).get_attribute("aria-label") for row in range(7)}
    assert told[5] == "Column e wins in 2 moves."
    assert told[2] == "Column b holds the draw."
    expect(explanation(page)).to_contain_text("It makes three in a row")
    expect(explanation(page)).to_contain_text("Column e wins in 2 moves.")
    page.locator("[data-column='2']").hover()
    expect(page.locator("[data-why-not]")).to_contain_text("Column b only draws.")
    page.locator("[data-value='1']").focus()
    expect(page.locator("[data-why-not]")).to_contain_text("win too, but only in 11 to 18 moves")
    page.locator("[data-value='2']").click()
    expect(explanation(page)).to_contain_text("It threatens to win on e1")


def test_moves_make_a_tree_and_the_address_follows(person: Person) -> None:
    table = person("/analysis?moves=4131")
    page = table.page
    expect(headline(page)).to_have_text("Red wins in 2 moves")
    table.column(5).click()
    expect(page).to_have_url(re.compile(r"/analysis\?moves=41315$"))
    expect(headline(page)).to_have_text("Red wins with one more disc")
    assert table.cell("e1") == "red"
    page.locator("body").press("ArrowLeft")
    expect(page).to_have_url(re.compile("moves=4131$"))
    page.locator("body").press("2")
    expect(page).to_have_url(re.compile("moves=41312$"))
    expect(headline(page)).to_have_text("A draw with best play")
    expect(page.locator(".moves [data-ply='5']")).to_have_count(2)  # beside the main line
    page.get_by_role("button", name="Make it the main line").click()
    page.locator("body").press("Home")
    page.locator("body").press("End")
    expect(page).to_have_url(re.compile("moves=41312$"))
    page.get_by_role("button", name="Remove from here").click()
    expect(page.locator(".moves [data-ply='5']")).to_have_count(1)
    page.reload()
    expect(page.locator(".disc")).to_have_count(4)
    page.goto(page.url.replace("4131", "48"))  # a link that lost something on its way says what is wrong
    expect(
        page.get_by_role("alert").filter(has_text="There is no column 8: they are 1 to 7.")
    ).to_be_visible()
    expect(headline(page)).to_have_text("Not worked out")
    page.get_by_role("link", name="Empty the board").click()  # and shows a way out
    expect(headline(page)).to_have_text("Red wins in 21 moves")
    table.faults.clear()  # the refused requests


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (320, 640)])
def test_moves_stand_in_pairs_and_tools_in_sight(person: Person, width: int, height: int) -> None:
    """Wherever moves are listed; board, tools and curve are on the first screen of a desktop."""
    page = person(f"/analysis?moves={LONG}", width=width, height=height).page
    tools = page.locator("main .tools > .button")
    expect(tools).to_have_count(4)
    expect(tools.locator("svg")).to_have_count(4)
    boxes = tools.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert len({(round(box["width"]), round(box["top"])) for box in boxes}) == 1
    if width > 400:
        curve = page.locator(".graph").bounding_box()
        assert curve
        assert max(curve["y"] + curve["height"], boxes[0]["bottom"]) <= height
    even = """all => all.every(pair => new Set([...pair.children].map(one =>
        Math.round(one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2))).size === 1)"""
    expect(page.locator(".moves .pair")).to_have_count((len(LONG) + 1) // 2)
    assert page.locator(".pair").evaluate_all(even)
    page.goto(f"/review?moves={LONG}")
    page.get_by_text("All moves").click()
    expect(page.locator(".moves .pair")).to_have_count((len(LONG) + 1) // 2)
    assert page.locator(".pair").evaluate_all(even)


def test_a_page_without_a_game_fits_a_phone_on_its_side(person: Person) -> None:
    page = person("/review", width=812, height=375).page
    for name in ("Play a game", "An example"):
        expect(page.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    words = page.get_by_text("Play a game, and its review").bounding_box()
    assert words
    assert words["width"] > 160


def test_the_plan_is_drawn(person: Person) -> None:
    page = person("/analysis?moves=546445664565544151123133177773122").page
    expect(explanation(page)).to_contain_text("Win when you can; otherwise answer in the same column.")
    page.get_by_role("button", name="Threats").click()
    expect(page.locator(".marks .threat").first).to_be_attached()
    page.get_by_role("button", name="Show the plan").click()
    expect(page.locator(".marks .key")).to_have_count(1)
    expect(page.locator(".marks .pair")).to_have_count(4)
    expect(page.locator(".marks .threat")).to_have_count(0)  # the one there is decides: it is marked as that
    page.get_by_role("button", name="Go 1 into the best line").click()
    expect(page).to_have_url(re.compile("moves=5464456645655441511231331777731222$"))


def test_the_book_and_a_second_opinion(person: Person) -> None:
    page = person("/analysis").page
    page.get_by_role("tab", name="Opening book").click()
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name="Play column d"))
    expect(row).to_contain_text("wins in 21 moves")
    page.get_by_role("tab", name="Second opinion").click()
    page.get_by_label("Agent").select_option("first")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("First column would play column a.")).to_be_visible()
    expect(page.get_by_text("That gives something away; column d is best.")).to_be_visible()


def test_set_up_a_position(person: Person) -> None:
    page = person("/analysis").page
    expect(headline(page)).to_have_text("Red wins in 21 moves")
    page.get_by_role("button", name="Set up").click()
    page.locator("[data-edit='4:2']").click()
    verdict = page.get_by_role("dialog").get_by_role("status")
    expect(verdict).to_have_text("The disc on d2 floats: the cell below it is empty.")
    expect(page.get_by_role("button", name="Analyse this")).to_be_disabled()
    page.locator("[data-edit='4:1']").click()
    expect(verdict).to_contain_text("2 red and 0 yellow discs")
    page.get_by_role("radio", name="Yellow").check()
    page.locator("[data-edit='4:2']").focus()
    page.keyboard.press("Enter")
    expect(verdict).to_have_text("A position: Red to move.")
    page.get_by_role("button", name="Analyse this").click()
    expect(page).to_have_url(re.compile("position="))
    exact = Solver().score(Position.parse("44"))
    expect(headline(page)).to_have_text(f"Red wins in {exact.moves} moves")
    page.locator("[data-column='4']").click()
    expect(page.locator(".disc")).to_have_count(3)
    page.locator("[data-column='5']").click()
    expect(page).to_have_url(re.compile("position=.*&moves=45$"))
    page.reload()  # the moves since then are not lost
    expect(page.locator(".disc")).to_have_count(4)
    expect(page.locator("[data-ply='3'], [data-ply='4']")).to_have_count(2)
    page.locator("body").press("Home")
    expect(page.locator(".disc")).to_have_count(2)
    expect(headline(page)).to_have_text(f"Red wins in {exact.moves} moves")
    page.locator("body").press("End")
    expect(page.locator(".disc")).to_have_count(4)
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("heading", name="The game in short")).to_be_visible()
    expect(page.get_by_role("heading", name="Moments to learn from")).to_have_count(0)  # there is none


def test_every_format_in_and_out(person: Person, tmp_path: Path) -> None:
    table = person("/analysis?moves=4455224")
    page = table.page
    page.get_by_role("button", name="Import, share").click()
    out = page.get_by_label("The game as text")
    for name in formats.FORMATS:
        page.get_by_label("Format").last.select_option(name)
        expect(out).to_have_value(formats.write(Game.parse("4455224"), name))
    with page.expect_download() as loading:
        page.get_by_role("link", name="PNG").click()
    loading.value.save_as(tmp_path / "board.png")
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    field = page.get_by_label("Moves, a position, or a game")
    field.fill("this is no game")
    page.get_by_role("button", name="Open").click()
    problem = page.get_by_role("dialog").get_by_role("alert")
    expect(problem).to_contain_text("This could not be read as a game.")
    assert "400" in table.faults.pop()
    field.fill("1. d1 d2 (1... e1) 2. e1 c1")
    page.get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile("moves=4453$"))
    expect(page.locator("[data-ply='2']")).to_have_count(2)


def test_what_cannot_be_read_is_told_in_the_language_of_the_page(person: Person) -> None:
    table = person("/review", locale="pl-PL")
    page = table.page
    page.get_by_role("textbox").fill("4444444")
    page.get_by_role("button", name="Omów").click()
    problem = page.get_by_role("alert").filter(has_text="Nie udało się odczytać tego jako gry.")
    expect(problem).to_have_text("Nie udało się odczytać tego jako gry. Kolumna 4 jest pełna. (ruch 7)")
    page.goto("/analysis?moves=48")
    expect(
        page.get_by_role("alert").filter(has_text="Nie ma kolumny 8: są od 1 do 7. (znak 2)")
    ).to_be_visible()
    table.faults.clear()  # the refused requests


def test_long_work_can_be_stopped(person: Person) -> None:
    page = person("/analysis?board=9x9x4").page
    expect(page.get_by_text(re.compile("^Working it out"))).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("^Working it out"))).to_have_count(0)
    page.goto("/analysis?moves=4453")
    expect(headline(page)).to_have_text("Yellow wins in 18 moves")


def test_a_cell_where_both_would_win_shows_both_and_says_so(person: Person) -> None:
    page = person("/analysis?position=2oo3/2ox3/1ooo3/1xxx3/1xxo1x1/oxxo1x1%20o%207x6x4").page
    page.get_by_role("button", name="Threats").click()
    cell = page.locator("[data-cell='1:3']")
    expect(cell).to_have_accessible_name("Column a, row 3: empty, Red would win here, Yellow would win here")
    marks = [page.locator(f".marks .threat.side-{side}[transform*='scale']").first for side in (1, 2)]
    left, right = (mark.bounding_box() for mark in marks)
    assert left
    assert right
    assert left["x"] + 0.9 * left["width"] <= right["x"]  # the outlines may touch


# Review -----------------------------------------------------------------------------------------------


def test_from_a_game_to_its_review_to_a_second_try(person: Person) -> None:
    """Nobody has to read anything: finish, see why, try again, send the link."""
    table = person()
    page = table.page
    table.choose("Same screen")
    for column in "4455224":
        table.drop(int(column))
    table.drop(4)
    for column in "25":
        table.drop(int(column))
    while table.await_turn_or_end():
        table.drop(Position.parse(table.moves).legal[0] + 1)
    moves = table.moves
    page.get_by_role("link", name="Review the game").click()
    expect(page).to_have_url(re.compile(f"/review\\?moves={moves}$"))
    expect(page.get_by_role("heading", name="Moments to learn from")).to_be_visible()
    expect(page.get_by_text("Yellow won with move 32 on f2, which completes c5–f2.")).to_be_visible()
    # It opens at what cost the game.
    expect(page.locator("main").get_by_text("Red played right under f2")).to_be_visible()
    expect(page.locator(".disc")).to_have_count(31)
    page.get_by_role("button", name="Move 27: Red played column d.").click()
    expect(page.locator(".disc")).to_have_count(27)
    expect(page.locator(".board [data-spot]").first).to_be_visible()  # what that moment is about
    # The card tells the moment that was chosen; the list is in the order of the game.
    expect(page.locator(".focus")).to_contain_text("Move 27: Red played column d.")
    expect(page.locator(".focus")).to_contain_text("Red could have won at once")
    points = [int(text.split(":")[0].split()[-1]) for text in page.locator(".point").all_inner_texts()]
    assert points == sorted(points)
    assert len(points) > 1
    page.get_by_role("button", name="ended it").click()
    expect(page.locator(".disc")).to_have_count(31)
    retry_the_first_mistake(table)


def retry_the_first_mistake(table: Table) -> None:
    page = table.page
    page.get_by_role("button", name="Try it from there").click()
    expect(page.get_by_text("Red to move. Find a column that does not lose at once.")).to_be_visible()
    expect(page.get_by_text("The answer stays hidden")).to_be_visible()
    page.keyboard.press("f")  # letters and digits drop a disc wherever the focus is
    expect(page.get_by_text("That is what was played.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    discs = page.locator(".disc").count()
    table.column(7).click()
    expect(page.locator(".right")).to_contain_text("Right: column g does not lose at once.")
    expect(page.locator(".disc")).to_have_count(discs + 1)  # it fell
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".right")).to_have_count(0)


def test_a_right_second_try_says_what_the_column_does(person: Person) -> None:
    """What it would have threatened, and not only that it wins; a sign of the review says what it means."""
    page = person("/review?moves=41311&side=1&against=level:3").page
    expect(page.locator(".focus .badge")).to_have_attribute("title", "inaccuracy")
    page.get_by_role("button", name="Try it from there").click()
    page.keyboard.press("e")
    expect(page.locator(".right")).to_contain_text("Right: column e keeps the win.")
    expect(page.locator(".right")).to_contain_text("would have made two threats at once, b1 and f1")


def test_a_slip_in_a_lost_game_is_not_called_its_end(person: Person) -> None:
    page = person("/review?moves=2367137334762211131616626772273445&side=1&against=level:6").page
    expect(page.get_by_role("heading", name="Where the game could have lasted longer")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(375, 812), (375, 667), (1440, 900)])
def test_a_review_says_one_thing_first(person: Person, width: int, height: int) -> None:
    """The board, one sentence and one button are on the first screen; what it tells is lit on the board."""
    page = person("/review?moves=14241424&side=1&against=level:3", width=width, height=height).page
    expect(page.get_by_role("heading", name="What ended it")).to_be_in_viewport()
    for seen in (
        page.locator(".board"),
        page.locator(".focus .sentence"),
        page.get_by_role("button", name="Try it from there"),
    ):
        expect(seen).to_be_in_viewport(ratio=1)
    expect(page.locator(".focus .sentence")).to_have_text(
        "Mila had three on top of each other in column d, and you did not block."
    )
    expect(page.locator(".focus .button")).to_have_count(1)
    assert len(re.findall(r"[.](?: |$)", page.locator(".story").first.inner_text())) <= 3
    page.get_by_role("button", name="To the start").click()
    page.locator(".focus").get_by_role("button", name="Move 7: you played column b.").click()
    expect(page.locator(".disc")).to_have_count(7)
    page.get_by_role("button", name="Try it from there").click()
    expect(page.locator(".disc")).to_have_count(6)


def test_buttons_of_a_review_are_whole_while_one_reads(person: Person) -> None:
    """On a phone they stay below the board, which gives way; the ground under them is as high as they are."""
    page = person("/review?moves=14241424&side=1&against=level:3", width=375, height=812).page
    back = page.get_by_role("button", name="One move back")
    expect(back).to_be_visible()
    page.evaluate("scrollTo(0, 500)")
    expect(page.locator(".fit.stuck")).to_be_visible()
    hit = """button => {
        const { left, width, bottom } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, bottom - 3));
    }"""
    page.wait_for_function("document.querySelector('.fit').style.scale")
    assert back.evaluate(hit)


def test_a_review_shows_who_played_and_how_it_went_above_the_board(person: Person) -> None:
    """As during the game: faces, points, key moves; and the sign of a move sits on its disc."""
    page = person("/review?moves=14241424&side=1&against=level:3").page
    sides = page.locator(".sides .side")
    expect(sides).to_have_count(2)
    expect(sides.nth(0)).to_contain_text(re.compile(r"You.*0 of 1 key move.*0", re.DOTALL))
    expect(sides.nth(1)).to_contain_text(re.compile(r"Mila.*2 of 2 key moves.*1", re.DOTALL))
    badge = page.locator(".board .badge")
    expect(badge).to_have_text("?")
    expect(page.locator(".focus .tip")).to_have_text(re.compile("^To remember: "))
    expect(page.locator(".rest").get_by_role("slider", name="Move of the game")).to_be_in_viewport()
    page.get_by_role("button", name="To the start").click()
    expect(badge).to_have_count(0)
    expect(page.locator(".board [data-spot]")).to_have_count(0)
    page.get_by_role("button", name="To the end").click()
    expect(badge).to_have_text("✓")


def test_what_only_perfect_play_punishes_is_no_blunder(person: Person) -> None:
    """The story says that the first disc hardly matters at the board: its mark says the same."""
    page = person("/review?moves=14241424&side=1").page
    expect(page.get_by_text("at the board it hardly matters. Move 7 is what ended it.")).to_be_visible()
    first = page.get_by_role("button", name="Move 1, Red: column a, deep slip")
    expect(first).not_to_be_visible()  # all moves are below, folded
    page.get_by_role("heading", name="All moves").click()
    expect(first).to_be_visible()
    expect(page.get_by_text("??")).to_have_count(0)
    expect(page.get_by_role("row", name=re.compile("blunder"))).to_have_count(0)
    first.click()
    expect(page.locator("p.now")).to_contain_text("hardly anybody could see that at the board")


def test_a_line_is_numbered_wherever_it_is_drawn(person: Person) -> None:
    """Also under a plan; and the best line shows itself before it is played."""
    page = person("/analysis?moves=4444435").page
    page.locator(".best button").nth(3).hover()
    expect(page.locator(".imagined .order")).to_have_text(["1", "2", "3", "4"])
    page.mouse.move(5, 5)
    expect(page.locator(".imagined")).to_have_count(0)
    page.get_by_role("button", name="Show the line on the board").click()
    ghosts = page.locator(".marks .ghost")
    expect(ghosts.first).to_be_visible()
    for _ in range(2):
        assert ghosts.locator("text").all_text_contents() == [str(n + 1) for n in range(ghosts.count())]
        page.locator("body").press("p")


@pytest.mark.parametrize(
    ("written", "moves"),
    [("1. d d 2. C e", "4435"), ("ddce", "4435"), ("4 4 3 5", "4435"), ("3,3,2,4", "4435")],
)
def test_a_game_is_read_as_people_write_it(person: Person, written: str, moves: str) -> None:
    """Numbers with commas stay the format that counts columns from 0."""
    page = person("/review").page
    page.get_by_label("Moves, a position").fill(written)
    page.get_by_role("main").get_by_role("button", name="Review").click()
    expect(page).to_have_url(re.compile(f"moves={moves}$"))


def test_review_a_pasted_game(person: Person) -> None:
    table = person("/review")
    page = table.page
    page.get_by_label("Moves, a position").fill("nothing")
    page.get_by_role("main").get_by_role("button", name="Review").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("could not be read")
    assert "400" in table.faults.pop()
    page.get_by_label("Moves, a position").fill(BLUNDERS)
    page.get_by_role("main").get_by_role("button", name="Review").click()
    expect(page.get_by_text("60 %")).to_be_visible()
    slider = page.get_by_role("slider", name="Move of the game")
    expect(slider).to_have_value("9")  # the moment from which there is most to learn
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".disc")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".disc")).to_have_count(1)
