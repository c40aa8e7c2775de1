"""Without a server: the engine in the page has the rules of the house, and plays every level."""

import random
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from claimeven import Board, Position
from claimeven.notation import column_digit, moves_text
from kit.page.table import Person, Table

BOARDS = (
    "7x6x4",
    "5x4x3",
    "9x7x4",
    "10x10x5",
    "6x5x4",
    "4x4x5",
    "3x3x1",
    "1x5x4",
    "5x1x4",
    "4x31x4",
    "2x2x2",
)

# Goes to an address without loading the page anew, waits until the page has it, and tells what is there.
LOOK = """async address => {
  history.replaceState(null, '', address)
  dispatchEvent(new PopStateEvent('popstate'))
  const digit = name => name && (parseInt(name) || name.charCodeAt(0) - 96).toString(36)
  const listed = () => [...document.querySelectorAll('ol .one, ol .two')]
  const moves = () => listed().map(it => digit(it.textContent)).join('')
  const wanted = new URL(address, location.href).searchParams.get('moves') ?? ''
  const frame = () => new Promise(requestAnimationFrame)
  do await frame()
  while (moves() !== wanted)
  const cells = [...document.querySelectorAll('[data-cell]')]
  const what = cell => [cell.dataset.cell, cell.getAttribute('aria-label')]
  const open = [...document.querySelectorAll('[data-column][aria-disabled=false]')]
  return {
    cells: Object.fromEntries(cells.map(what)),
    open: open.map(button => Number(button.dataset.column)),
    headline: document.querySelector('h1').textContent,
  }
}"""


def random_moves(board: Board, chance: random.Random) -> list[Position]:
    """A game to its end."""
    line = [Position(board)]
    while not line[-1].is_over:
        line.append(line[-1].play(chance.choice(line[-1].legal)))
    return line


def expected(position: Position) -> dict[str, object]:
    board, names = position.board, {"x": "Red", "o": "Yellow", None: "empty"}
    cells = {
        (column, row): names[position.stone(column, row)]
        for column in range(board.columns)
        for row in range(board.rows)
    }
    turn = "A draw" if position.winner is None else f"{('Red', 'Yellow')[position.winner]} wins"
    return {
        "stones": cells,
        "four": {(cell.column, cell.row) for cell in position.four},
        "open": [column + 1 for column in position.legal],
        "headline": turn if position.is_over else f"{('Red', 'Yellow')[position.side]} to move",
    }


def shown(page: Page, position: Position) -> dict[str, object]:
    """What the page makes of the same moves."""
    address = f"/offline?against=person&board={position.board}&moves={position.moves}"
    found = page.evaluate(LOOK, address)
    stones, four = {}, set()
    for name, label in found["cells"].items():
        column, row = (int(part) - 1 for part in name.split(":"))
        said = re.fullmatch(r"Column \w+, row \d+: (\w+)(, in the winning line|, last move)?", label)
        assert said, label
        stones[column, row] = said[1]
        if said[2] == ", in the winning line":
            four.add((column, row))
    return {"stones": stones, "four": four, "open": found["open"], "headline": found["headline"]}


def test_the_rules_are_those_of_the_house(person: Person) -> None:
    """Random games, at their end and on the way to it: discs, open columns, winner and line."""
    page = person("/offline?against=person").page
    expect(page.locator("[data-column]")).to_have_count(7)
    # Names and labels are read, not pixels: hundreds of boards need not be painted.
    page.evaluate("document.querySelector('main').style.display = 'none'")
    for size in BOARDS:
        chance, board, ends = random.Random(f"offline {size}"), Board.parse(size), set()
        for _ in range(12):
            line = random_moves(board, chance)
            for position in (line[-1], chance.choice(line)):
                assert shown(page, position) == expected(position), (size, position.moves)
            ends.add(line[-1].winner)
        expect(page.locator("[data-column]")).to_have_count(board.columns)
        if size in ("7x6x4", "5x4x3"):
            assert len(ends) >= 2


def test_what_is_no_game_is_none_here(person: Person) -> None:
    page = person("/offline?against=person").page
    for query in ("moves=8", "moves=4444444", "moves=44556637", "board=36x2x4", "board=0x6x4", "moves=-1"):
        page.goto(f"/offline?against=person&{query}")
        expect(page.get_by_role("heading", level=1), query).to_have_text("Nothing here")


def moves_of(table: Table) -> str:
    found = re.search(r"moves=(\w+)", table.page.url)
    return found[1] if found else ""


def test_two_people_without_a_network(person: Person) -> None:
    """The page was visited once; then the network is gone, and a game is played to its end."""
    table = person("/", service_workers="allow")
    page = table.page
    table.lose_the_network()
    page.goto("/")
    expect(page.get_by_role("status").filter(has_text="The server does not answer.")).to_be_visible()
    table.choose("Same screen")
    table.drop(4)  # the disc that would have begun a game on the server
    expect(page).to_have_url(re.compile(r"/offline\?against=person&moves=4$"))
    for column in (4, 5, 5, 6, 6):
        table.drop(column)
    page.reload()  # nothing is lost
    expect(table.discs).to_have_count(6)
    page.locator("body").press("7")
    expect(table.headline).to_have_text("Red wins")
    expect(page.get_by_role("alert").filter(has_text="Red wins – 4 in a row after 7 discs.")).to_be_attached()
    assert Position.parse(moves_of(table)).winner == 0
    page.get_by_role("button", name="Undo").click()
    expect(table.headline).to_have_text("Red to move")
    page.locator("body").press("7")
    page.get_by_role("button", name="Play again").click()
    expect(table.headline).to_have_text("Red to move")
    expect(table.discs).to_have_count(0)
    page.context.set_offline(False)
    page.get_by_role("link", name="Back to games").click()
    expect(page.get_by_role("heading", name="Play Connect Four")).to_be_visible()
    table.faults.clear()  # what was asked without a network failed


@pytest.mark.parametrize("size", ["7x6x4", "5x4x3", "8x7x4"])
def test_a_level_plays_by_the_rules(person: Person, size: str) -> None:
    board, chance = Board.parse(size), random.Random(size)
    for me in (0, 1):
        table = person(
            f"/offline?against=player&board={size}{'&me=2' if me else ''}", reduced_motion="reduce"
        )
        while table.await_turn_or_end():
            position = Position.parse(moves_of(table), board)
            if position.side != me:  # the address has the own move before the columns are closed
                table.page.wait_for_timeout(20)
                continue
            table.page.locator("body").press(column_digit(chance.choice(position.legal)))
            expect(table.page).not_to_have_url(re.compile(rf"moves={position.moves}$"))
        end = Position.parse(moves_of(table), board)
        assert end.is_over
        said = "A draw" if end.winner is None else "You won!" if end.winner == me else "You lost"
        expect(table.headline).to_have_text(said)


@pytest.mark.parametrize(
    ("moves", "answers"),
    [
        ("445566", "37"),  # wins
        ("17273", "4"),  # stops a win
        ("44", "1234567"),
    ],
)
def test_a_level_sees_what_is_near(person: Person, moves: str, answers: str) -> None:
    me = 2 if len(moves) % 2 == 0 else 1
    # from this level on nobody overlooks a four
    table = person(f"/offline?against=player&agent=level:6&me={me}&moves={moves}")
    expect(table.discs).to_have_count(len(moves) + 1)
    assert moves_of(table).removeprefix(moves) in answers


def test_it_beats_a_beginner(person: Person) -> None:
    """Who drops everything into the first open column loses."""
    table = person("/offline?against=player&agent=level:9", reduced_motion="reduce")
    while table.await_turn_or_end():
        position = Position.parse(moves_of(table))
        table.page.locator("body").press(moves_text([position.legal[0]]))
        expect(table.page).not_to_have_url(re.compile(rf"moves={position.moves}$"))
    expect(table.headline).to_have_text("You lost")


def test_a_game_goes_on_when_the_server_is_gone(person: Person) -> None:
    table = person("about:blank")
    table.faults.clear()  # about:blank is from elsewhere
    page = table.page
    lines: list[WebSocketRoute] = []
    is_gone = False

    def connect(line: WebSocketRoute) -> None:
        if is_gone:
            line.close()
            return
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket(re.compile("/ws/"), connect)
    page.goto("/")
    table.choose("Same screen")
    table.drop(4)
    table.drop(4)
    table.await_turn()
    is_gone = True
    for line in lines:
        line.close()
    page.get_by_role("link", name="Go on without the server").click()
    expect(page).to_have_url(re.compile(r"/offline\?against=person&moves=44$"))
    table.drop(5)
    expect(table.headline).to_have_text("Yellow to move")
