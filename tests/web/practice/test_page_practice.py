"""Practice that remembers: puzzles with a rating, cards that come back, the page about you."""

import json
import re
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from claimeven import Position, Solver, explain
from claimeven.notation import column_letter, unmarked
from claimeven.puzzles import Puzzle, Sitting, hints, puzzle_by_id, shipped_puzzles
from kit.page.faults import faults_in_themes
from kit.page.table import Person, Table

NOON = datetime(2026, 11, 16, 12)
CHANCE = "let last = 1; Math.random = () => (last = (last * 48271) % 2147483647) / 2147483647;"


def shown_puzzle(table: Table) -> Puzzle:
    expect(table.page).to_have_url(re.compile("/puzzles/[0-9a-f]{8}"))
    expect(table.page.locator("[data-status='ask']")).to_be_visible()
    puzzle = puzzle_by_id(table.page.url[-8:])
    expect(table.discs).to_have_count(puzzle.position.ply)
    return puzzle


def solve(table: Table, puzzle: Puzzle) -> None:
    page = table.page
    if puzzle.goal == "who":
        name = {"x": "Red", "o": "Yellow", "=": "Nobody"}[puzzle.answer]
        page.get_by_role("main").get_by_role("button", name=name, exact=True).click()
    elif puzzle.goal == "cell":
        page.locator(f"[data-cell='{puzzle.cell.column + 1}:{puzzle.cell.row + 1}']").click()
    for place in range(0, len(puzzle.line), 2):
        table.await_turn()
        table.column(puzzle.line[place] + 1).click()
        expect(table.discs).to_have_count(puzzle.position.ply + min(place + 2, len(puzzle.line)))
    expect(page.locator(".right")).to_contain_text(re.compile(r"^(Solved|You found it)!"))


def miss(table: Table, puzzle: Puzzle) -> None:
    """A column that is not right."""
    solver = Solver(megabytes=16)
    wrong = next(column for column in puzzle.position.legal if not Sitting(puzzle).is_right(column, solver))
    table.column(wrong + 1).click()
    expect(table.page.locator("[data-status='wrong']")).to_be_visible()


def rating(page: Page) -> int:
    return int(re.findall(r"\d+", page.locator(".rating").inner_text())[0])


def entries(page: Page) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(
        page.evaluate("localStorage.getItem('claimeven.practice') ?? '[]'")
    )
    return found


def test_ten_puzzles_and_the_rating_moves(person: Person) -> None:
    """Eight solved, one missed, and a solution looked at, which costs nothing, as is said.

    Each is met at the rating that is solved three times in four.
    """
    table = person("/learn")
    page, seen = table.page, [1000]
    page.add_init_script(CHANCE)  # which puzzles come decides by how much a rating moves
    page.goto("/puzzles")
    for number in range(10):
        puzzle = shown_puzzle(table)
        met = page.get_by_text(re.compile("^puzzle: ")).inner_text()
        if number == 4:
            expect(
                page.get_by_text("With a hint or the solution your rating stays as it is.")
            ).to_be_visible()
            page.get_by_role("button", name="Solution").click()
            expect(page.locator(".given")).to_contain_text("The solution.")
        elif number == 5:
            miss(table, puzzle)
            expect(page.get_by_text("your rating stays as it is.")).not_to_be_visible()  # it is counted
        else:
            solve(table, puzzle)
        expect(page.locator(".rating strong")).to_have_count(0 if number == 4 else 1)
        expect(page.get_by_text(re.compile("^puzzle: "))).to_have_text(met)
        seen.append(rating(page))
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.locator(".rating strong")).to_have_count(0)
    changes = [after - before for before, after in pairwise(seen)]
    signs = [(change > 0) - (change < 0) for change in changes]
    assert signs == [1, 1, 1, 1, 0, -1, 1, 1, 1, 1]
    assert abs(changes[-1]) < abs(changes[0]), "it settles"
    ratings = [entry["rating"] for entry in entries(page)]
    assert len(ratings) == 10
    assert int(str(ratings[-1])) > int(str(ratings[0])), "stronger players get harder puzzles"
    page.go_back()  # ten puzzles are one step of the history
    expect(page).to_have_url(re.compile("/learn$"))


def test_a_wrong_column_is_refuted_and_hints_go_in_order(person: Person) -> None:
    puzzle = next(p for p in shipped_puzzles() if p.goal == "win" and p.steps == 2)
    table = person(f"/puzzles/{puzzle.id}")
    page = table.page
    expect(page.get_by_text("Win in 2 moves. Play it out.")).to_be_visible()
    wrong = next(column for column in puzzle.position.legal if column != puzzle.line[0])
    table.column(wrong + 1).click()
    # What they answer, on the board, and the idea; how many moves it takes is folded away.
    told = Sitting(puzzle).refuted(wrong, Solver(megabytes=16), "en-x-page")
    expect(page.locator(".wrong")).to_have_text(f"No. {unmarked(told.text)}")
    expect(page.locator(".marks .ghost")).to_have_count(2)
    numbers = page.get_by_text(unmarked(told.numbers.text))
    expect(numbers).not_to_be_visible()
    page.get_by_text("In numbers").click()
    expect(numbers).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    hint = page.get_by_role("button", name="Hint")
    count = 0
    while hint.is_enabled():
        hint.click()
        count += 1
        expect(page.locator(".hint")).to_have_count(count)
    assert 3 <= count <= 4
    assert f"column {column_letter(puzzle.line[0])}" not in " ".join(page.locator(".hint").all_inner_texts())
    expect(page.get_by_text(re.compile("(Red|Yellow) to move"))).to_be_visible()
    solve(table, puzzle)
    expect(page.get_by_text("Play it out.")).not_to_be_visible()  # it was
    expect(page.get_by_text(re.compile("(Red|Yellow) to move"))).not_to_be_visible()
    expect(page.locator(".hint")).to_have_count(0)
    assert [entry["grade"] for entry in entries(page)] == [1]


def test_a_lost_game_becomes_a_card_and_comes_back_tomorrow(person: Person) -> None:
    """Played for real, against level 5, by somebody who always takes the worst column."""
    table = person("/")
    page = table.page
    page.clock.install(time=NOON)
    page.reload()
    solver = Solver(megabytes=16)
    lose(table, solver)
    page.goto("/you")
    expect(page.get_by_text("You lost").first).to_be_visible()
    expect(page.get_by_text(re.compile(r"[1-3] in all\."))).to_be_visible()
    moments = [entry for entry in entries(page) if entry["kind"] == "moment"]
    assert moments
    expect(page.get_by_text("The next one comes back tomorrow.")).to_be_visible()
    page.clock.set_fixed_time(NOON + timedelta(days=1, hours=1))
    page.goto("/puzzles")
    due = page.get_by_role("button", name=re.compile(r"\d cards? (is|are) due"))
    expect(due).to_be_visible()
    due.click()
    expect(page.get_by_text("This was your game.")).to_be_visible()
    assert faults_in_themes(page) == []
    card = min(moments, key=lambda entry: (str(entry["at"]), str(entry["id"])))
    better = card["better"]
    assert isinstance(better, list)
    table.await_turn()
    table.column(better[0]).click()
    expect(page.locator(".right")).to_contain_text("Solved!")
    told = explain(Position.parse(str(card["moves"])), better[0] - 1, solver, "en-x-page")
    expect(page.locator("[data-status=done]")).to_contain_text(unmarked(told.verdict))  # and why
    page.reload()
    left = page.get_by_role("button", name=re.compile("due"))
    others = {entry["card"] for entry in moments} - {card["card"]}  # the end and the review may note the same
    if others:
        expect(left).to_contain_text(str(len(others)))
    else:
        expect(left).to_have_count(0)


def test_a_puzzle_of_the_day_that_was_missed_is_not_offered_again(person: Person) -> None:
    """A ring in place of a disc, and nobody says any more that it waits."""
    table = person("/puzzles/daily")
    page = table.page
    puzzle = shown_puzzle(table)
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".given")).to_contain_text("The solution.")
    assert [(entry["mode"], entry["puzzle"]) for entry in entries(page)] == [("daily", puzzle.id)]
    daily = page.get_by_role("button", name="Puzzle of the day")
    expect(daily).to_contain_text("Not solved today yet. The next one comes tomorrow.")
    expect(daily.locator("circle.met")).to_have_count(1)
    expect(daily.locator("g.second")).to_have_count(0)
    page.goto("/")
    expect(page.get_by_role("link", name="Puzzle of the day")).to_contain_text("the next one comes tomorrow")


def test_a_puzzle_of_the_day_solved_in_the_end_is_solved(person: Person) -> None:
    """A disc without the star of a first try, in the week and in the month; and it is a day of the row."""
    table = person("/learn")
    page = table.page
    page.clock.set_fixed_time(NOON)
    page.goto("/puzzles/daily")
    puzzle = shown_puzzle(table)
    assert puzzle.has_line, "that day's"
    miss(table, puzzle)
    page.get_by_role("button", name="Try again").click()
    for place in range(0, len(puzzle.line), 2):
        table.await_turn()
        table.column(puzzle.line[place] + 1).click()
        expect(table.discs).to_have_count(puzzle.position.ply + min(place + 2, len(puzzle.line)))
    expect(page.locator(".right")).to_contain_text("You found it!")
    assert sorted(str(entry["kind"]) for entry in entries(page)) == ["found", "puzzle"]
    daily = page.get_by_role("button", name="Puzzle of the day ✓")
    expect(daily).to_contain_text("1 day in a row. The next one comes tomorrow.")
    expect(daily.locator("g.second")).to_have_count(1)
    expect(daily.locator("path.star")).to_have_count(0)
    page.goto("/you")
    expect(page.get_by_text("1 day solved, 1 in a row. 0 at the first try.")).to_be_visible()
    expect(page.get_by_role("listitem", name=re.compile(r"^\d+: solved$"))).to_have_count(1)
    page.goto("/")
    expect(page.get_by_role("link", name="Puzzle of the day")).to_contain_text("✓ solved")


def lose(table: Table, solver: Solver) -> None:
    """The worst column every time, against level 5."""
    table.choose_level(5)
    moves = ""
    while True:
        position = Position.parse(moves)
        scores = {
            c: solver.score(position.play(c)).value for c in position.legal if not position.play(c).is_over
        }
        column = max(scores, key=lambda c: (scores[c], c))
        table.await_turn()
        table.column(column + 1).click()
        expect(table.page.locator("ol .one, ol .two")).to_have_count(
            len(moves) + 2 if len(moves) else 2, timeout=20_000
        )
        table.page.wait_for_timeout(100)
        moves = table.moves
        if not table.await_turn_or_end():
            break
    expect(table.page.locator(".status.over")).to_be_visible()


def test_nothing_is_lost_by_a_reload_a_second_tab_and_an_import(person: Person, tmp_path: Path) -> None:
    table = person("/puzzles")
    page = table.page
    solve(table, shown_puzzle(table))
    other = page.context.new_page()
    other.goto("/puzzles")
    second = Table(other, table.faults)
    solve(second, shown_puzzle(second))
    page.get_by_role("button", name="Next", exact=True).click()
    solve(table, shown_puzzle(table))
    expect(other.get_by_text("3 puzzles solved.")).to_be_visible()  # it has heard of it
    other.reload()
    page.reload()
    for tab in (page, other):
        expect(tab.get_by_text("3 puzzles solved.")).to_be_visible()
    before = entries(page)
    assert len({str(entry["id"]) for entry in before}) == 3
    page.goto("/you")
    with page.expect_download() as started:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "you.json"
    started.value.save_as(file)
    elsewhere = person("/puzzles")
    solve(elsewhere, shown_puzzle(elsewhere))
    elsewhere.page.goto("/you")
    chooser = elsewhere.page.locator("input[type=file]")
    chooser.set_input_files(file)
    expect(elsewhere.page.get_by_role("main").get_by_role("status")).to_have_text("3 new entries.")
    expect(elsewhere.page.get_by_text("4 puzzles solved.")).to_be_visible()
    chooser.set_input_files(file)
    expect(elsewhere.page.get_by_role("main").get_by_role("status")).to_have_text("0 new entries.")
    file.write_text("{}")
    chooser.set_input_files(file)
    expect(elsewhere.page.get_by_role("main").get_by_role("alert")).to_contain_text(
        "no file that was exported"
    )
    assert len(entries(elsewhere.page)) == 4


def test_streak_time_day_and_theme(person: Person) -> None:
    table = person("/puzzles")
    page = table.page
    shown_puzzle(table)
    page.get_by_label("Theme", exact=True).select_option("worthless")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Click that cell")).to_be_visible()
    puzzle = shown_puzzle(table)
    assert puzzle.goal == "cell"
    solve(table, puzzle)
    page.get_by_role("button", name="Streak").click()
    expect(page.locator(".streak")).to_contain_text("0 in a row")
    solve(table, shown_puzzle(table))
    expect(page.locator(".streak")).to_contain_text("1 in a row")
    page.goto("/puzzles")  # a reload goes on with it
    expect(page.locator(".streak")).to_contain_text("1 in a row")
    shown_puzzle(table)
    expect(page.get_by_role("button", name="Solution")).to_have_count(0)  # a run is without help
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".streak")).to_contain_text("The run is over. Your best: 1.")
    page.get_by_role("button", name="Three minutes").click()
    expect(page.get_by_role("timer", name=re.compile("1[78]\\d seconds left"))).to_have_text(
        re.compile("^[23]:")
    )
    expect(page.get_by_role("heading", name="Choose puzzles")).to_be_hidden()
    solve(table, shown_puzzle(table))
    expect(page.locator(".streak")).to_contain_text("1 solved")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Puzzle of the day").click()
    expect(page.locator(".streak")).to_have_text("Puzzle of the day")
    solve(table, shown_puzzle(table))
    expect(page.get_by_text("1 day in a row. The next one comes tomorrow.")).to_be_visible()
    daily = page.get_by_role("button", name="Puzzle of the day ✓")
    expect(daily).to_be_visible()
    expect(daily.locator("g.second")).to_have_count(1)  # today's disc, of seven
    expect(daily.locator("path.star")).to_have_count(1)
    expect(daily).to_contain_text("At the first try!")
    expect(daily.locator("circle.hole")).to_have_count(7)
    page.get_by_text("This month").click()
    expect(page.get_by_role("listitem").filter(has_text=re.compile("^1$"))).to_be_visible()


def test_a_late_answer_does_not_change_what_was_asked_since(person: Person) -> None:
    """While the next puzzle is on its way, the page says and counts what is on the board."""
    table = person(f"/puzzles/{shipped_puzzles()[0].id}")
    page = table.page
    held: list[Route] = []
    page.route("**/puzzles/daily*", lambda route: held.append(route))
    with page.expect_request("**/puzzles/daily*"):
        page.get_by_role("button", name="Puzzle of the day").click()
    expect(page.locator(".streak")).to_have_count(0)
    page.get_by_role("button", name="Streak").click()
    expect(page.locator(".streak")).to_contain_text("0 in a row")
    address = page.url
    with page.expect_response("**/puzzles/daily*"):
        held[0].continue_()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".streak")).to_contain_text("0 in a row The run is over.")
    assert page.url == address


def test_ten_to_beat_and_who_is_next(person: Person) -> None:
    page = person("/you").page
    ladder = page.locator("section", has=page.get_by_role("heading", name="Ten to beat"))
    expect(ladder.get_by_role("listitem")).to_have_count(10)
    expect(ladder.get_by_role("button", name="Play Mila")).to_be_visible()
    game = {"game": "g1", "moves": "1212121", "start": "", "board": "7x6x4", "side": 1}
    won = {**game, "against": "level:4", "outcome": "won", "at": 1, "wasHelped": False, "hasPie": False}
    page.evaluate("won => localStorage.setItem('claimeven.finished', JSON.stringify([won]))", won)
    page.reload()
    expect(ladder.get_by_role("button", name="Otto · Level 4, beaten")).to_be_visible()
    ladder.get_by_role("button", name="Play Nia").click()
    expect(page).to_have_url(re.compile("/$"))
    expect(page.get_by_role("radio", name=re.compile("Level 5 · Nia"))).to_be_checked()


def test_the_page_about_you_says_what_to_do_first_and_how_far_school_is(person: Person) -> None:
    """Nothing but what to do first for somebody new; then the school, and no rows of noughts."""
    page = person("/you").page
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    expect(page.get_by_text("Puzzle rating")).to_have_count(0)
    done = {"tasks": [], "check": 4, "game": False}
    some = {"tasks": ["seeing.1", "seeing.2"], "check": 0, "game": False}
    page.evaluate(
        "kept => localStorage.setItem('claimeven.school', kept)",
        json.dumps({"units": {"rules": done, "seeing": some}}),
    )
    page.reload()
    expect(page.get_by_text("1 of 13 units passed.")).to_be_visible()
    expect(page.get_by_text("Seeing · Task 3 of 9")).to_be_visible()
    expect(page.get_by_text("0 puzzles solved.")).to_have_count(0)
    cards = page.locator(".cards > .card").evaluate_all(
        """all => all.map(card => [card, card.lastElementChild].map(
            one => one.getBoundingClientRect().toJSON()))"""
    )
    assert max(card["bottom"] - last["bottom"] for card, last in cards) < 24  # no hole in a card
    ends = {card["left"]: card["bottom"] for card, _ in cards}
    assert len(ends) == 2
    # None beside them that another card would fit into.
    assert max(ends.values()) - min(ends.values()) < min(card["height"] for card, _ in cards)
    page.get_by_role("link", name="Go on").click()
    expect(page).to_have_url(re.compile("/learn/seeing$"))
    page.goto("/you")
    page.get_by_role("link", name="Today’s puzzle").click()
    expect(page.locator(".streak")).to_have_text("Puzzle of the day")
    expect(page).to_have_url(re.compile("/puzzles/[0-9a-f]{8}$"))


def test_home_leads_to_the_day_to_what_is_due_and_back_to_school(person: Person) -> None:
    """Three ways for somebody new; then where one was, and what is due. They stand at once: nothing moves."""
    page = person("/", sees=True).page
    ways = page.get_by_role("navigation", name="Besides a game").get_by_role("link")
    expect(ways).to_have_text(
        [re.compile(text) for text in ("Learn to win", "Puzzle of the day", "Solve a puzzle")]
    )
    for name, path in (
        ("Lobby", "/lobby"),
        ("Tournaments", "/lobby#tournaments"),
        ("Map of the game", "/map"),
    ):
        expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute("href", path)
    missed = next(p for p in shipped_puzzles() if p.theme == "fork")
    fields = {"kind": "puzzle", "theme": "fork", "rating": 900}
    old = {
        "id": "1",
        "at": 1_700_000_000_000,
        "puzzle": missed.id,
        "grade": 1,
        "mode": "train",
        "day": "2023-11-14",
    }
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    new = {
        "id": "2",
        "at": 1_700_000_000_001,
        "puzzle": "00000000",
        "grade": 3,
        "mode": "daily",
        "day": today,
    }
    school = {
        "units": {
            "rules": {"tasks": [], "check": 5, "game": False},
            "stacked": {"tasks": ["stacked.1"], "check": 0, "game": False},
            "forks": {"tasks": ["forks.1"], "check": 0, "game": False},  # the last one that was touched
        }
    }
    page.evaluate(
        "([key, value]) => localStorage.setItem(key, value)",
        ["claimeven.practice", json.dumps([{**fields, **old}, {**fields, **new}])],
    )
    page.evaluate("value => localStorage.setItem('claimeven.school', value)", json.dumps(school))
    page.add_init_script(
        "window.shift = 0;"
        "new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shift += entry.value))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    page.goto("/")
    wanted = ("Go on at school.*Unit 3 of 13", "Puzzle of the day.*✓ solved", "1 card is due")
    expect(ways).to_have_text([re.compile(text) for text in wanted])
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shift") == 0
    ways.nth(2).click()
    expect(page).to_have_url(re.compile(f"/puzzles/{missed.id}$"))
    expect(page.get_by_text("1 card left")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Hint")).click()
    expect(page.locator("p.hint")).to_have_count(1)
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("[data-status=given]")).to_be_attached()
    seen = entries(page)[-1]
    assert (seen["mode"], seen["grade"]) == ("card", 1), "with a hint, and yet not remembered"
    page.go_back()
    ways.nth(0).click()
    expect(page).to_have_url(re.compile("/learn/forks$"))


def test_a_wrong_cell_is_told_what_it_is(person: Person) -> None:
    """And while cells are asked for, the board names its rows and columns."""
    puzzle = next(p for p in shipped_puzzles() if p.goal == "cell")
    page = person(f"/puzzles/{puzzle.id}").page
    expect(page.locator("text.rank")).to_have_count(6)
    page.locator("[data-cell='4:1']").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("That cell is taken.")
    assert not entries(page), "a disc cannot be meant"
    needed = next(cell for cell in hints(puzzle)[-2].cells if cell != puzzle.cell)
    page.locator(f"[data-cell='{needed.column + 1}:{needed.row + 1}']").click()
    expect(page.locator(".wrong")).to_contain_text(f"{needed} is needed: without it")
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)


def test_a_puzzle_and_the_page_about_you_by_keyboard_on_a_phone(person: Person) -> None:
    puzzle = next(p for p in shipped_puzzles() if p.goal == "win" and p.steps == 2)
    table = person(f"/puzzles/{puzzle.id}", width=375, height=812)
    page = table.page
    for place in (0, 2):
        table.await_turn()
        page.keyboard.press(puzzle.answer[place])
        expect(table.discs).to_have_count(puzzle.position.ply + min(place + 2, 3))
    expect(page.locator(".right")).to_contain_text("Solved!")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.goto("/you")
    expect(page.get_by_role("heading", name="You", exact=True)).to_be_visible()
    expect(page.get_by_text("1 puzzle solved.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.get_by_label("Missed puzzles and moments").focus()
    page.keyboard.press("Space")
    page.reload()
    expect(page.get_by_label("Missed puzzles and moments")).not_to_be_checked()
