"""The end of a game: what happened in one sentence, the moment on the board, and another try."""

import re

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


def test_the_opponent_is_called_by_name_and_says_goodbye(person: Person) -> None:
    """Not "they": in the sentence of the end, above it, and in the review that follows."""
    table = person()
    page = table.page
    table.choose_level(10)
    table.drop(1)
    table.await_turn()
    expect(table.detail).to_have_text("You play Red.")
    while table.await_turn_or_end():
        table.drop(Position.parse(table.moves).legal[0] + 1)
    expect(table.headline).to_have_text("Solveig wins this one")
    expect(table.detail).to_have_text(re.compile("Good game|That was fun"))
    page.get_by_role("link", name="Review the game").click()
    expect(page.get_by_role("heading", name="Solveig", exact=True)).to_be_visible()
    expect(page.locator(".story").first).to_contain_text("Solveig won with move")


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
