"""The pie rule on the page: chosen before a game, the first disc taken or not, by people and by machines."""

import re
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Locator, expect

from kit.page.table import Person, Table, meet

TAKE = "Take this disc"


def with_pie(table: Table) -> None:
    table.page.get_by_text("More options").click()
    table.page.get_by_role("checkbox", name=re.compile("Pie rule")).check()


def told(table: Table) -> Locator:
    """What the page says about the disc, beside the announcement for who cannot see it."""
    return table.page.locator(".offer").first  # that somebody is away may stand below


def test_a_guest_takes_the_first_disc(person: Person) -> None:
    host, guest = meet(person, with_pie)
    expect(guest.detail).to_have_text("You play Yellow.")
    host.drop(4)
    expect(told(host)).to_contain_text("Your opponent may take your disc and swap sides.")
    guest.page.get_by_role("button", name=TAKE).click()
    expect(host.headline).to_have_text("Your turn")
    expect(host.detail).to_have_text("You play Yellow.")
    expect(guest.detail).to_have_text("You play Red.")
    expect(told(host)).to_contain_text("took your first disc: sides are swapped.")
    expect(told(guest)).to_contain_text("You took the first disc: sides are swapped.")
    host.drop(4)
    assert host.cell("d2") == "yellow"
    guest.page.reload()  # it is so for good
    expect(guest.detail).to_have_text("You play Red.")
    expect(guest.page.get_by_role("button", name=TAKE)).to_have_count(0)
    for theirs, mine in ((1, 1), (2, 2), (3, None)):
        guest.drop(theirs)
        if mine:
            host.drop(mine)
    expect(guest.headline).to_have_text("You won!")  # with the disc that the host dropped
    expect(host.headline).to_have_text("You lost")
    # Nobody is judged by a disc that one dropped and the other took.
    given = host.page.get_by_role("link", name="Review the game").get_attribute("href") or ""
    assert parse_qs(given.partition("?")[2])["start"] == ["7/7/7/7/7/3x3 o 7x6x4"]
    host.page.get_by_role("button", name="Ask for a rematch").click()
    guest.page.get_by_role("button", name="Accept").click()
    guest.drop(1)  # the host began the game before
    expect(host.page.get_by_role("button", name=TAKE)).to_be_visible()
    host.drop(2)  # or leaves it
    expect(guest.page.get_by_role("button", name=TAKE)).to_have_count(0)
    guest.await_turn()


def test_a_machine_takes_a_disc_that_wins_and_an_undo_gives_it_back(person: Person) -> None:
    table = person()
    table.choose_level(10)
    with_pie(table)
    table.drop(4)
    expect(table.detail).to_have_text("Solveig plays Red.")
    expect(told(table)).to_contain_text("took your first disc")
    table.page.get_by_role("button", name="Undo").click()
    expect(table.discs).to_have_count(0)
    expect(table.page.locator(".offer")).to_have_count(0)
    table.drop(1)  # nobody wants that one
    expect(table.discs).to_have_count(2)
    table.await_turn()
    table.drop(1)  # until then it greets
    table.await_turn()
    expect(table.detail).to_have_text("Solveig plays Yellow.")


@pytest.mark.parametrize("key", [False, True], ids=["button", "key"])
def test_a_person_takes_the_disc_of_a_machine(person: Person, key: bool) -> None:
    table = person()
    with_pie(table)
    table.page.get_by_role("radio", name="Computer").last.check()
    table.page.get_by_role("button", name="Start", exact=True).click()
    expect(table.page.get_by_role("button", name=TAKE)).to_be_visible()
    if key:
        table.page.keyboard.press("s")
    else:
        table.page.get_by_role("button", name=TAKE).click()
    expect(table.discs).to_have_count(2)  # the machine moves on
    expect(table.detail).to_have_text("Mila plays Yellow.")
    table.await_turn()


def test_two_at_one_screen(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    with_pie(table)
    table.drop(3)
    table.page.get_by_role("button", name=TAKE).click()
    expect(told(table)).to_contain_text("The first disc was taken: sides are swapped.")
    table.drop(4)
    assert table.cell("d1") == "yellow"


def test_without_the_rule_nothing_is_offered(person: Person) -> None:
    table = person()
    table.choose("Same screen")
    table.drop(4)
    table.await_turn()
    expect(table.page.get_by_role("button", name=TAKE)).to_have_count(0)
    table.page.keyboard.press("s")
    expect(table.headline).to_have_text("Yellow to move")
