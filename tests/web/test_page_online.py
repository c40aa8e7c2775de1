"""Two people far apart, the network between them, and those who watch."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect
from websockets.sync.client import connect

from kit.page.table import Person, Table, meet
from kit.serving import Talker


def test_two_browsers_one_reloads(person: Person) -> None:
    host, guest = meet(person)
    expect(guest.page).not_to_have_url(re.compile("invite"))
    host.drop(4)
    guest.drop(4)
    host.drop(5)
    guest.await_turn()
    guest.page.reload()
    expect(guest.discs).to_have_count(3)
    expect(guest.headline).to_have_text("Your turn")
    expect(host.page.get_by_text("Ada <b>").first).to_be_visible()
    guest.drop(5)
    for mine, theirs in ((6, 6), (7, None)):
        host.drop(mine)
        if theirs:
            guest.drop(theirs)
    expect(host.headline).to_have_text("You won!")
    expect(guest.headline).to_have_text("You lost")
    host.await_moves("4455667")
    guest.await_moves("4455667")
    host.page.get_by_role("button", name="Ask for a rematch").click()
    guest.page.get_by_role("button", name="Accept").click()
    guest.drop(1)  # colours are swapped: the guest begins
    expect(host.discs).to_have_count(1)
    assert host.game == guest.game


def test_strangers_meet(person: Person) -> None:
    """One waits, another is offered the seat, a third and a fourth come for whoever comes."""
    first, second = person(), person()
    for table in (first, second):
        table.choose("Friend")
    first.page.get_by_label("Your name").fill("Ada")
    first.page.get_by_role("button", name="Play anyone").click()
    expect(first.page.get_by_role("heading", name="Waiting for whoever comes")).to_be_visible()
    second.page.get_by_role("button", name="Play against Ada").click()
    for table in (first, second):
        expect(table.page).to_have_url(re.compile("/game/"))
        expect(table.headline).to_have_text(re.compile("turn|move", re.IGNORECASE))
    assert first.game == second.game
    second.page.goto(second.page.url.split("/game/")[0])
    second.choose("Friend")
    second.page.get_by_role("button", name="Play anyone").click()
    expect(second.page.get_by_role("heading", name="Waiting for whoever comes")).to_be_visible()
    first.page.goto(first.page.url.split("/game/")[0])
    first.choose("Friend")
    first.page.get_by_role("button", name="Play anyone").click()
    expect(first.headline).to_have_text(re.compile("turn|move", re.IGNORECASE))
    assert first.game == second.game


def test_offers_and_resignation(person: Person) -> None:
    host, guest = meet(person)
    host.drop(4)
    guest.await_turn()
    host.page.get_by_role("button", name="Take back").click()
    guest.page.get_by_role("button", name="Accept").click()
    expect(host.discs).to_have_count(0)
    host.drop(3)
    guest.await_turn()
    guest.page.get_by_role("button", name="Offer draw").click()
    host.page.get_by_role("button", name="Decline").click()
    expect(guest.page.get_by_text("You offered a draw.")).to_have_count(0)
    guest.page.get_by_role("button", name="Offer draw").click()
    host.page.get_by_role("button", name="Accept").click()
    for table in (host, guest):
        expect(table.headline).to_have_text("A draw")
        expect(table.detail).to_have_text("Both players agreed.")


def test_nobody_is_replaced_without_the_other_person(person: Person) -> None:
    """The page hands no seat to a machine in such a game; another program of the same player may ask."""
    host, guest = meet(person)
    host.drop(4)
    guest.drop(4)
    host.await_turn()
    token = host.page.evaluate(
        "game => JSON.parse(localStorage.getItem('claimeven.games'))[game].token", host.game
    )
    question = guest.page.locator("#main").get_by_text("Your opponent asks to let First column play on")
    place = f"ws://{urlsplit(host.page.url).netloc}/ws/{host.game}"
    with connect(place, proxy=None) as line, Talker(line, token) as program:
        assert program.ask(t="seat", side=1, agent="first")["t"] == "ack"
        expect(host.page.get_by_text("You asked to let First column play on for you.")).to_be_visible()
        expect(question).to_be_visible()
        guest.page.get_by_role("button", name="Decline").click()
        expect(question).to_have_count(0)
        expect(host.page.get_by_text("You asked to let First column play on for you.")).to_have_count(0)
        host.drop(5)  # it is still their own seat
        guest.drop(5)
        assert program.ask(t="seat", side=1, agent="first")["t"] == "ack"
        guest.page.get_by_role("button", name="Accept").click()
        guest.await_moves("44551")  # its first column
        assert program.ask(t="seat", side=1, agent=None)["t"] == "ack"
        expect(guest.page.locator("#main").get_by_text("asks to play on themselves")).to_be_visible()
        guest.page.get_by_role("button", name="Accept").click()
        guest.drop(6)
        host.drop(6)
    record = host.page.request.get(f"/api/games/{host.game}/record?format=json").json()
    assert record["tags"]["Replaced"].count("by agreement") == 2


def test_watchers_see_everything_and_move_nothing(person: Person) -> None:
    host, guest = meet(person)
    host.drop(4)
    watcher = person(f"/game/{host.game}")
    expect(watcher.discs).to_have_count(1)
    expect(watcher.detail).to_have_text("You are watching.")
    expect(host.page.get_by_text("1 watching")).to_be_visible()
    expect(watcher.page.locator(".watchers")).to_have_count(0)  # it is the one
    watcher.column(1).click(force=True)
    watcher.page.keyboard.press("2")
    guest.drop(5)
    expect(watcher.discs).to_have_count(2)
    watcher.await_moves("45")
    host.await_moves("45")
    expect(watcher.page.get_by_role("button", name="Resign")).to_have_count(0)
    # The invitation is used up: whoever opens it now can only watch.
    late = person(f"/game/{host.game}#invite=guess")
    expect(late.page.get_by_role("button", name="Only watch")).to_be_visible()


def test_the_absence_of_the_other_is_seen(person: Person) -> None:
    host, guest = meet(person)
    expect(host.page.locator(".presence.online .dot").first).to_be_visible()
    host.drop(4)
    guest.page.close()
    expect(host.page.get_by_text(re.compile("reconnecting|gone")).first).to_be_visible()


class Wire:
    """Between page and server: holds back or answers what a test wants."""

    def __init__(self, table: Table) -> None:
        self.is_cut = False
        self.refusal: dict[str, Any] | None = None
        self.sent: list[dict[str, Any]] = []
        self._route: WebSocketRoute | None = None
        table.page.route_web_socket(re.compile("/ws/"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        if self.is_cut:
            route.close(code=1012)
            return
        self._route = route
        server = route.connect_to_server()

        def from_page(text: str | bytes) -> None:
            message = json.loads(text)
            self.sent.append(message)
            if self.is_cut:
                return
            if self.refusal and message["t"] == "move":
                route.send(json.dumps({"t": "error", "id": message["id"], **self.refusal}))
            else:
                server.send(text)

        route.on_message(from_page)

    def cut(self) -> None:
        self.is_cut = True

    def close(self) -> None:
        assert self._route is not None
        self._route.close(code=1012)


def _start(table: Table) -> Wire:
    """A game at one screen, over a wire in our hands."""
    wire = Wire(table)
    table.choose("Same screen")
    table.drop(4)
    table.await_turn()
    return wire


def test_a_disc_is_drawn_before_the_server_knows(person: Person) -> None:
    table = person()
    wire = _start(table)
    wire.cut()
    table.drop(4)
    assert table.cell("d2") == "yellow"
    assert [m["column"] for m in wire.sent if m["t"] == "move"] == [4, 4]
    # The same before there is a game at all.
    held: list[Route] = []
    home = person()
    home.page.route("**/api/games", lambda route: held.append(route))
    home.drop(3)
    assert home.cell("c1") == "red"
    held[0].continue_()
    expect(home.discs).to_have_count(2)


def test_a_refused_disc_is_taken_back_with_the_reason(person: Person) -> None:
    table = person()
    wire = _start(table)
    wire.refusal = {"code": "illegal_column", "message": "refused by the test"}
    table.column(4).click()
    expect(table.page.get_by_text("No disc can be dropped there.").first).to_be_visible()
    expect(table.discs).to_have_count(1)


@pytest.mark.parametrize("is_reloaded", [False, True])
def test_a_move_survives_a_dead_line(person: Person, is_reloaded: bool) -> None:
    table = person()
    wire = _start(table)
    wire.cut()
    table.drop(5)
    wire.close()
    expect(table.page.get_by_text("Your move is kept and will be sent.")).to_be_visible()
    assert table.cell("e1") == "yellow"
    if is_reloaded:
        wire.is_cut = False
        table.page.reload()
    else:
        expect(table.page.locator(".dot.reconnecting")).to_be_visible()
        wire.is_cut = False
    expect(table.headline).to_have_text("Red to move")
    expect(table.page.get_by_text("Connected")).to_be_visible()
    table.await_moves("45")
    ids = {message["id"] for message in wire.sent if message["t"] == "move" and message["ply"] == 1}
    assert len(ids) == 1  # the same request again, not a new one


def test_no_server_no_such_game_no_such_place(person: Person) -> None:
    lost = person("/game/doesnotexist")
    expect(lost.headline).to_have_text("No such game")
    lost.page.get_by_role("link", name="Start a new game").click()
    expect(lost.headline).to_have_text("Play Connect Four")
    lost.page.route("**/api/games", lambda route: route.abort())
    lost.column(4).click()
    expect(lost.page).to_have_url(re.compile("/offline.*moves=4"))  # the game goes on without it
    expect(lost.page.get_by_text("The server does not answer: this game is played").first).to_be_visible()
    lost.page.goto("/")
    lost.choose("Friend")  # a friend cannot be reached
    lost.page.get_by_role("button", name="Create the invitation").click()
    expect(lost.page.get_by_text("You are offline, or the server does not answer.").first).to_be_visible()
    expect(lost.discs).to_have_count(0)
    lost.faults[:] = [fault for fault in lost.faults if "ERR_FAILED" not in fault]
    nowhere = person("/game/no/where")
    expect(nowhere.headline).to_have_text("Nothing here")


def test_a_lost_network_is_told_at_once_and_a_reload_shows_the_game(person: Person) -> None:
    table = person(service_workers="allow")
    table.drop(4)
    table.await_turn()
    moves = table.moves
    table.lose_the_network()
    expect(table.discs).to_have_count(2)
    expect(table.page.locator(".connection")).to_contain_text("You are offline.")
    table.page.reload()
    expect(table.discs).to_have_count(2)
    table.await_moves(moves)
    table.page.context.set_offline(False)
    expect(table.page.locator(".connection[data-status='online']")).to_be_attached()
    table.faults.clear()  # refused sockets
