"""The end of a game: what happened in one sentence, the moment on the board, and another try."""

import json
import re
from datetime import datetime, timedelta

from playwright.sync_api import expect

from claimeven import Position
from kit.page.table import Person, Table


def _lose_by_a_missed_block(table: Table) -> None:
    """Red never blocks: the perfect player needs few discs."""
    table.choose_level(10)
    while table.await_turn_or_end():
        position = Position.parse(table.moves)
        safe = [column for column in position.legal if column in (0, 1, 5, 6)] or position.legal
        table.drop(safe[len(table.moves) // 2 % len(safe)] + 1)
    expect(table.headline).to_have_text("Solveig wins this one")


def test_a_lost_game_says_where_and_can_be_tried_again_from_there(person: Person) -> None:
    table = person()
    page = table.page
    _lose_by_a_missed_block(table)
    moves = table.moves
    sentence = page.locator(".sentence")
    expect(sentence).to_have_text(re.compile(r"column|you", re.IGNORECASE))
    # A screen reader hears it, too.
    expect(page.get_by_role("status").first).to_contain_text(sentence.text_content() or "?")
    look = page.get_by_role("button", name="Show this moment on the board")
    look.click()
    expect(page.locator(".board .lit").first).to_be_attached()
    before = table.discs.count()
    assert before < len(moves)
    page.get_by_role("button", name="Back to the end of the game").click()
    expect(table.discs).to_have_count(len(moves))
    page.get_by_role("button", name="Try it from there").click()
    expect(page.locator(".status.over")).to_have_count(0)
    expect(table.headline).to_have_text("Your turn")
    assert table.moves == moves[:before]
    expect(table.detail).to_have_text("Second chance! What would you play now?")


def test_on_a_phone_the_sentence_and_the_second_try_come_into_sight(person: Person) -> None:
    table = person(width=375, height=812)
    _lose_by_a_missed_block(table)
    expect(table.page.locator(".sentence")).to_be_in_viewport(ratio=1)
    expect(table.page.get_by_role("button", name="Try it from there")).to_be_in_viewport(ratio=1)
    expect(table.page.locator(".board")).to_be_in_viewport(ratio=0.8)


def test_the_opponent_is_called_by_name_and_says_goodbye(person: Person) -> None:
    """Not "they": in the sentence of the end, above it, and in the review that follows."""
    table = person()
    page = table.page
    table.choose_level(10)
    table.drop(1)
    table.await_turn()
    expect(table.detail).to_have_text("I am Solveig. I have waited for a good game.")
    table.drop(1)
    table.await_turn()
    expect(table.detail).to_have_text("Solveig plays Yellow.")
    while table.await_turn_or_end():
        table.drop(Position.parse(table.moves).legal[0] + 1)
    expect(table.headline).to_have_text("Solveig wins this one")
    expect(table.detail).to_have_text("You fought well, to the last disc.")
    expect(page.get_by_role("button", name="Play again: Solveig begins")).to_be_visible()
    page.get_by_role("link", name="Review the game").click()
    expect(page.locator(".accuracy").get_by_text("Solveig", exact=True)).to_be_visible()
    expect(page.locator(".story").first).to_contain_text("Solveig won with move")


def test_what_waits_is_said_at_the_end_and_comes_back_the_next_day(person: Person) -> None:
    table = person()
    page = table.page
    _lose_by_a_missed_block(table)
    moves = table.moves
    expect(page.get_by_text("This moment comes back tomorrow as a card.")).to_be_visible()
    expect(page.get_by_role("link", name="Today’s puzzle is still waiting for you.")).to_have_attribute(
        "href", "/puzzles/daily"
    )
    page.reload()  # it is one card, however often its end is looked at
    expect(page.get_by_text("This moment comes back tomorrow as a card.")).to_be_visible()
    kept = json.loads(page.evaluate("localStorage.getItem('claimeven.practice')"))
    (card,) = [entry for entry in kept if entry["kind"] == "moment"]
    assert moves.startswith(card["moves"])
    assert int(moves[len(card["moves"])]) not in card["better"]
    page.clock.install(time=datetime.now() + timedelta(hours=25))
    page.goto("/")
    page.get_by_role("link", name=re.compile("^1 card is due")).click()
    expect(page.get_by_text("This was your game.")).to_be_visible()
    expect(table.discs).to_have_count(len(card["moves"]))


def test_a_disc_dropped_into_the_moment_begins_the_second_try(person: Person) -> None:
    table = person()
    _lose_by_a_missed_block(table)
    first = table.game
    table.page.get_by_role("button", name="Show this moment on the board").click()
    count = table.discs.count()
    table.column(4).click()
    expect(table.page).not_to_have_url(re.compile(first))
    expect(table.discs.nth(count)).to_be_attached()


def test_play_from_a_position_of_the_analysis(person: Person) -> None:
    table = person("/analysis?moves=4453")
    page = table.page
    page.get_by_role("link", name="Play from here").click()
    expect(table.headline).to_have_text("Play from here against …")
    expect(table.discs).to_have_count(4)
    table.choose("Same screen")
    page.get_by_role("button", name="Start").click()
    expect(table.headline).to_have_text("Red to move")
    table.await_moves("4453")


def test_a_game_from_a_lost_position_says_that_it_was_lost_already(person: Person) -> None:
    table = person("/?moves=14")
    table.choose_level(10)
    table.page.get_by_role("button", name="Start").click()
    columns = (1, 2, 1, 2, 1, 2)  # far from what Solveig builds
    while table.await_turn_or_end():
        table.drop(columns[len(table.moves) // 2 - 1])
    assert table.moves.startswith("14")
    expect(table.page.locator(".ending, main").last).to_contain_text(
        "Where you began here, the game was lost already with best play."
    )
