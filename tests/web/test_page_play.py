"""Games against machines and at one screen, from the first click to the last word."""

import re

from playwright.sync_api import expect

from claimeven import Limit, Position, make_agent
from kit.page.table import Person, Table, meet

# Nobody ever has four in a row.
DRAWN = "577773513141141546666325661454223337222475"


def test_the_first_disc_needs_one_click(person: Person) -> None:
    table = person()
    table.drop(4)
    assert table.cell("d1") == "red"
    expect(table.headline).to_have_text(re.compile("Bo is thinking|Your turn"))
    expect(table.discs).to_have_count(2)
    expect(table.headline).to_have_text("Your turn")
    expect(table.page).to_have_title(re.compile("^Your turn"))


def test_win_against_level_1(person: Person) -> None:
    table = person()
    table.choose_level(1)
    best = make_agent("perfect")
    table.drop(4)
    while table.await_turn_or_end():
        table.drop(best.choose(Position.parse(table.moves), Limit(seconds=5)).column + 1)
    expect(table.headline).to_have_text("You beat Pip!")
    expect(table.detail).to_have_text("Ooh, look at that! Pretty.")
    expect(table.page.locator(".four .won")).to_have_count(4)
    four = Position.parse(table.moves).four
    marks = [table.page.locator(f"[data-cell='{cell.column + 1}:{cell.row + 1}']") for cell in four]
    assert len(marks) == 4
    for mark in marks:
        expect(mark).to_have_attribute("aria-label", re.compile("Red, in the winning line$"))


def test_lose_to_perfect(person: Person) -> None:
    table = person()
    table.choose_level(10)
    table.page.get_by_role("group", name="Who goes first?").get_by_role("radio", name="Computer").check()
    table.page.get_by_role("button", name="Start").click()
    while table.await_turn_or_end():
        table.drop(Position.parse(table.moves).legal[-1] + 1)
    expect(table.headline).to_have_text("Solveig wins this one")
    assert Position.parse(table.moves).winner == 0


def test_a_full_draw_at_one_screen(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    for column in DRAWN:
        table.drop(int(column))
    expect(table.headline).to_have_text("A draw")
    expect(table.detail).to_have_text("The board is full, and nobody has 4 in a row.")
    assert table.moves == DRAWN
    expect(table.page.locator(".four")).to_have_count(0)


def test_again_by_click_enter_and_space(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    table.page.get_by_text("More options").click()
    table.page.get_by_label("Board", exact=True).last.select_option("5x4x3")
    games = []
    for way in ("click", "Enter", "Space"):
        for column in "12121":
            table.drop(int(column))
        expect(table.headline).to_have_text("Red wins")
        games.append(table.game)
        if way == "click":
            table.page.get_by_role("button", name="Play again").click()
        else:
            table.page.locator("body").press(way)
            expect(table.discs).to_have_count(5)  # meant for the game that has just ended
            table.page.wait_for_timeout(2100)
            table.page.locator("body").press(way)
        expect(table.discs).to_have_count(0)
    assert len({*games, table.game}) == 4


def test_again_swaps_the_colours(person: Person) -> None:
    table = person()
    table.choose_level(1)
    table.drop(4)
    table.await_turn()
    table.page.get_by_role("button", name="Resign").click()
    table.page.get_by_role("button", name="Resign?").click()
    expect(table.headline).to_have_text("Pip wins this one")
    expect(table.detail).to_have_text("You resigned.")
    table.page.get_by_role("button", name="Play again").click()
    expect(table.discs).to_have_count(1)  # now the machine begins
    expect(table.detail).to_contain_text("Pip")  # who says hello
    table.drop(1)
    table.await_turn()
    expect(table.detail).to_have_text("Pip plays Red.")


def test_undo_redo_and_hint(person: Person) -> None:
    table = person()
    table.choose_level(1)
    table.drop(4)
    table.await_turn()
    moves = table.moves
    assert len(moves) == 2
    table.page.get_by_role("button", name="Undo").click()
    expect(table.discs).to_have_count(0)
    table.page.get_by_role("button", name="Redo").click()
    expect(table.discs).to_have_count(2)
    assert table.moves == moves
    table.await_turn()
    table.page.get_by_role("button", name="Hint").click()
    expect(table.page.locator("p.hint")).not_to_contain_text(re.compile(r"[Cc]olumn\b"))  # where to look
    expect(table.page.locator(".hint").first).to_be_attached()
    first = table.page.locator("p.hint").text_content() or ""
    table.page.get_by_role("button", name="Hint").click()
    expect(table.page.locator("p.hint")).not_to_have_text(first)  # the idea
    second = table.page.locator("p.hint").text_content() or ""
    table.page.get_by_role("button", name="Hint").click()
    expect(table.page.locator("p.hint")).not_to_have_text(second)
    expect(table.page.locator("p.hint")).to_contain_text("olumn")
    expect(table.page.get_by_role("button", name="Hint")).to_be_disabled()


def test_seats_change_hands_in_the_middle(person: Person) -> None:
    table = person()
    table.choose_level(1)
    table.drop(4)
    table.await_turn()
    table.page.get_by_label("Who plays Yellow").select_option("me")
    table.drop(4)
    expect(table.headline).to_have_text("Yellow to move")
    table.page.get_by_label("Who plays Yellow").select_option("first")
    expect(table.discs).to_have_count(4)
    table.page.get_by_label("Who plays Red").select_option("first")
    expect(table.discs.nth(5)).to_be_attached()
    assert table.moves[3:6] == "111"


def test_any_agent_with_its_options_and_why_it_moved(person: Person) -> None:
    table = person()
    page = table.page
    page.get_by_text("More options").click()
    page.get_by_label("Another opponent").select_option(label="Monte Carlo, hybrid")
    expect(page.get_by_label("Share positions that several lines reach")).to_be_checked()
    page.get_by_label("Another opponent").select_option(label="Minimax as in system D")
    page.get_by_label("Discs it looks ahead").fill("999")
    page.get_by_label("Discs it looks ahead").press("Tab")
    expect(page.get_by_label("Discs it looks ahead")).to_have_value("")  # beyond what the server takes
    page.get_by_label("Discs it looks ahead").fill("3")
    page.get_by_label("Discs it looks ahead").press("Tab")
    expect(page.get_by_role("code")).to_have_text("minimax:depth=3,preset=d")
    table.drop(1)
    table.await_turn()
    expect(page.get_by_text(re.compile(r"^Yellow · [\d.]+ s$"))).to_be_visible()
    why = page.get_by_text(re.compile(r"^What was .+ thinking\?$"))
    expect(page.get_by_text("It looked 3 discs ahead.")).to_have_count(0)  # not before somebody asks
    why.click()
    # As a person would say it; the numbers are for who asks for them.
    expect(page.get_by_text("Every four across needs the middle column.")).to_be_visible()
    expect(page.get_by_text("It looked 3 discs ahead.")).to_be_hidden()
    page.get_by_text("In numbers").click()
    expect(page.get_by_text("It looked 3 discs ahead.")).to_be_visible()
    expect(page.get_by_text(re.compile("It expects the columns d-"))).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^Together "))).to_be_visible()
    table.drop(1)
    table.await_turn()
    expect(page.get_by_text("It looked 3 discs ahead.")).to_be_visible()  # of the newest move, still open


def test_other_boards_and_a_clock(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    table.page.get_by_text("More options").click()
    table.page.get_by_label("Board", exact=True).last.select_option("5x4x3")
    expect(table.page.locator("[data-column]")).to_have_count(5)
    table.page.get_by_label("Clock").select_option("1+0")
    for column in "12131":
        table.drop(int(column))
    expect(table.headline).to_have_text("Red wins")
    expect(table.detail).to_have_text("3 in a row after 5 discs.")
    expect(table.page.get_by_role("timer").first).to_have_text(re.compile(r"^(0:5\d|1:00)$"))


def test_agents_play_to_be_watched(person: Person) -> None:
    table, guest = person(), person()  # the guest is there before: such a game is short
    table.choose("Watch")
    table.page.get_by_label("Red", exact=True).last.select_option("first")
    table.page.get_by_label("Yellow", exact=True).last.select_option("random")
    table.page.get_by_role("button", name="Watch them play").click()
    expect(table.discs.nth(1)).to_be_attached()
    guest.choose("Watch")
    guest.page.get_by_role("link", name="First – Random").click()
    expect(guest.detail).to_have_text("You are watching.")
    assert guest.game == table.game


def test_settings_stay_in_the_browser(person: Person) -> None:
    table = person()
    table.choose_level(7)
    table.page.get_by_role("group", name="Who goes first?").get_by_role("radio", name="Random").check()
    table.page.reload()
    expect(table.level(7)).to_be_checked()
    expect(table.page.get_by_role("radio", name="Random")).to_be_checked()


def _download(table: Table, name: str) -> str:
    menu = table.page.get_by_text("All file formats")
    if not table.page.get_by_role("link", name=re.compile(f"^{name} ")).is_visible():
        menu.click()
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name=re.compile(f"^{name} ")).click()
    return download.value.path().read_text()


def test_record_and_copies(person: Person) -> None:
    table = person(permissions=["clipboard-read", "clipboard-write"])
    table.choose("Same screen")
    for column in "4453":
        table.drop(int(column))
    table.page.get_by_role("button", name="Share this game").click()
    assert _download(table, "position").strip() == "7/7/7/7/3o3/2oxx2 x 7x6x4"
    assert _download(table, "moves").strip() == "4453"
    links = table.page.locator("details li a")
    assert links.count() == 12
    table.page.get_by_role("button", name="Copy moves").click()
    expect(table.page.get_by_text("Moves copied.").first).to_be_attached()
    assert table.page.evaluate("navigator.clipboard.readText()") == "4453"


def test_ten_characters_with_a_face_and_a_place_to_start(person: Person) -> None:
    table = person()
    page = table.page
    names = set()
    for level in range(1, 11):
        table.choose_level(level)
        chosen = page.get_by_role("group", name="Level").locator("label", has=page.locator("input:checked"))
        expect(chosen.locator("svg").first).to_be_visible()
        names.add(page.locator(".character strong").inner_text())
    assert len(names) == 10
    expect(page.get_by_text("Most people start here.")).to_have_count(0)
    table.choose_level(3)
    expect(page.get_by_text("Most people start here.")).to_be_visible()
    expect(page.get_by_text("Drop discs, and be the first")).to_be_visible()
    expect(page.get_by_role("link", name="Learn to win")).to_be_visible()


def test_no_seat_menu_between_people(person: Person) -> None:
    host, guest = meet(person)
    for table in (host, guest):
        expect(table.page.get_by_label(re.compile("^Who plays"))).to_have_count(0)
