"""Opponents that grow, friends who react, agents that can be paused, a whole screen."""

import json
import re
from pathlib import Path

import httpx
from playwright.sync_api import expect

from claimeven import Position, Solver
from claimeven.raster import position_png
from kit.page.table import Person, meet


def _finished(against: str, outcome: str) -> str:
    game = {"game": f"{against}{outcome}", "at": 1, "against": against, "board": "7x6x4", "start": ""}
    kept = [{**game, "moves": "4", "side": 1, "outcome": outcome, "wasHelped": False}]
    return f"localStorage.setItem('claimeven.finished', {json.dumps(json.dumps(kept))})"


def test_the_chameleon_is_the_level_that_fits(person: Person) -> None:
    table = person()
    chameleon = table.page.get_by_role("button", name=re.compile("^Chameleon"))
    chameleon.click()
    expect(table.level(3)).to_be_checked()  # nobody is known yet
    table.page.evaluate(_finished("level:3", "won"))
    table.page.reload()
    expect(chameleon).to_have_attribute("aria-pressed", "true")
    expect(table.level(4)).to_be_checked()
    table.drop(4)
    expect(table.page.get_by_label("Who plays Yellow")).to_have_value("level:4")
    table.page.get_by_role("button", name="Resign").click()
    table.page.get_by_role("button", name="Resign?").click()
    expect(table.page.get_by_text(re.compile("^The chameleon changes colour: next comes M"))).to_be_visible()
    table.page.get_by_role("button", name="Play again").click()
    expect(table.page.get_by_label("Who plays Red")).to_have_value("level:3")
    table.page.goto("/")
    table.choose_level(5)
    expect(chameleon).to_have_attribute("aria-pressed", "false")


SAID = json.loads((Path("web") / "src" / "i18n" / "en.json").read_text(encoding="utf-8"))
REMARKS = {
    text for key, text in SAID.items() if re.match(r"speech\.(closed|slipped|stopped|late|calm)\.", key)
}


def test_opponents_speak_seldom_and_fall_silent_when_asked_to(person: Person) -> None:
    """Within the first twelve discs something is said, whatever happens, and not before the seventh."""
    table, solver = person(), Solver(megabytes=16)
    page, bubble = table.page, table.page.locator(".bubble")
    expect(bubble).to_have_count(0)
    table.drop(4)
    said = ""
    while not said:
        table.await_turn()
        position = Position.parse(table.moves)
        assert position.ply <= 12
        if position.ply > 2:
            said = next(iter(bubble.all_inner_texts()), "")
        scores = solver.analyse(position).scores
        quiet = [column for column in scores if not position.play(column).is_over]
        if not said:
            table.drop(max(quiet, key=lambda column: scores[column]) + 1)
    assert said in REMARKS
    assert position.ply >= 7
    # Read out after the move and whose turn it is, in one polite message.
    spoken = page.get_by_role("status").filter(has_text=f"Your turn. Mila says: {said}")
    expect(spoken).to_be_attached()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("checkbox", name="Opponents talk during a game").uncheck()
    page.keyboard.press("Escape")
    expect(bubble).to_have_count(0)
    expect(table.detail).to_have_text("Mila plays Yellow.")


def test_without_a_server_they_speak_too_and_say_who_begins(person: Person) -> None:
    page = person("/offline?against=player&agent=level:3&me=2&moves=1716112").page
    expect(page.locator(".bubble")).to_have_text(re.compile("Ah, you saw it|There goes my line|Good block"))
    page.goto("/offline?against=player&agent=level:3&me=1&moves=14241424")
    expect(page.locator(".bubble")).to_have_text("Ha! Again, again!")
    page.get_by_role("button", name="Play again: Mila begins").click()
    expect(page.locator(".disc")).to_have_count(1)
    page.goto("/offline?against=player&agent=level:3&me=2&moves=14241424")
    expect(page.get_by_role("button", name="Play again: you begin")).to_be_visible()


def test_friends_react_and_may_look_away(person: Person) -> None:
    host, guest = meet(person)
    host.page.get_by_role("button", name="Wow").click()
    expect(guest.page.locator(".reaction")).to_have_attribute("data-reaction", "wow")
    expect(guest.page.get_by_role("status").filter(has_text="Wow")).to_be_attached()
    guest.page.get_by_role("button", name="Hide the reactions of others").click()
    host.page.get_by_role("button", name="Oops").click()
    expect(host.page.locator(".reaction")).to_have_attribute("data-reaction", "oops")
    guest.page.get_by_role("button", name="Well played").click()  # its answer comes after what was not shown
    expect(guest.page.locator(".reaction")).to_have_attribute("data-reaction", "nice")
    for _ in range(4):
        host.page.get_by_role("button", name="Ha ha").click()
    expect(host.page.get_by_role("status").filter(has_text="That was very fast.")).to_be_attached()


def test_agents_wait_while_one_looks(person: Person) -> None:
    table = person()
    table.choose("Watch")
    table.page.get_by_role("button", name="Watch them play").click()
    table.page.get_by_role("button", name="Pause").click()
    count = table.discs.count()
    step = table.page.get_by_role("button", name="Next disc")
    for n in (1, 2):
        step.click()
        expect(table.discs).to_have_count(count + n)
    table.page.wait_for_timeout(2000)  # agents take at least 0.7 s
    expect(table.discs).to_have_count(count + 2)
    table.page.get_by_role("group", name="Speed").get_by_role("radio", name="Fast").check()
    table.page.get_by_role("button", name="Go on").click()
    expect(table.discs.nth(count + 3)).to_be_attached()


def test_the_whole_screen(person: Person) -> None:
    page = person().page
    button = page.get_by_role("button", name="Full screen")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.fullscreenElement === document.documentElement")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_the_preview_of_a_game_shows_where_it_stands(person: Person, address: str) -> None:
    table = person()
    table.choose("Same screen")
    for column in (4, 4, 3):
        table.drop(column)
    table.await_moves("443")
    document = httpx.get(f"{address}/game/{table.game}").text
    found = re.search(r'property="og:image" content="([^"]+)"', document)
    assert found
    picture = httpx.get(found[1].replace("&amp;", "&")).content
    assert picture == position_png(Position.parse("443"))
    assert "og:image" in httpx.get(f"{address}/game/nothing").text
