"""What a person does at the page, and sees there."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from claimeven.notation import LETTERS, column_letter, moves_text


class Table:
    def __init__(self, page: Page, faults: list[str]) -> None:
        self.page = page
        self.faults = faults  # what went wrong on the page; a test may take out what it caused itself

    def choose(self, mode: str) -> None:
        """What kind of game: Computer, Friend, Same screen or Watch."""
        self.page.get_by_role("group", name="Play against").get_by_role("radio", name=mode).check()

    def choose_level(self, level: int) -> None:
        self.level(level).check()

    def level(self, level: int) -> Locator:
        group = self.page.get_by_role("group", name="Level")
        return group.get_by_role("radio", name=re.compile(f"^Level {level} · "))

    def column(self, column: int) -> Locator:
        return self.page.locator(f"[data-column='{column}']")

    @property
    def discs(self) -> Locator:
        return self.page.locator(".disc")

    def drop(self, column: int) -> None:
        """Click on a column when it is our turn, and see the disc lie there."""
        self.await_turn()
        count = self.discs.count()
        self.column(column).click()
        expect(self.discs.nth(count)).to_be_attached()

    def lose_the_network(self) -> None:
        """After the page was visited once, with its service worker in place."""
        self.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        self.page.reload()
        self.page.context.set_offline(True)

    def await_turn(self) -> None:
        expect(self.page.locator("[data-column][aria-disabled='false']").first).to_be_attached()

    @property
    def headline(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def detail(self) -> Locator:
        """The sentence below the headline."""
        return self.page.locator(".status .detail")

    @property
    def is_over(self) -> bool:
        return self.page.locator(".status.over").count() > 0

    def await_turn_or_end(self) -> bool:
        """True when it is our turn; False when the game is over."""
        either = self.page.locator("[data-column][aria-disabled='false'], .status.over")
        either.first.wait_for(state="attached")
        return not self.is_over

    @property
    def moves(self) -> str:
        """As the list of moves shows them, which names columns by their letters."""
        shown = "".join(self.page.locator("ol .one, ol .two").all_inner_texts())
        return moves_text(LETTERS.index(letter) for letter in shown)

    def await_moves(self, moves: str) -> None:
        shown = self.page.locator("ol .one, ol .two")
        expect(shown).to_have_text(
            [*(column_letter(int(digit, 36) - 1) for digit in moves), *([""] * (len(moves) % 2))]
        )

    def cell(self, name: str) -> str:
        """What a screen reader says about a cell: red, yellow or empty."""
        column, row = ord(name[0]) - 96, int(name[1:])
        label = self.page.locator(f"[data-cell='{column}:{row}']").get_attribute("aria-label") or ""
        found = re.match(rf"Column {name[0]}, row {row}: (\w+)", label)
        assert found, label
        return found[1].lower()

    @property
    def game(self) -> str:
        found = re.fullmatch(r"/game/([\w-]+)", urlsplit(self.page.url).path)
        assert found, self.page.url
        return found[1]


Person = Callable[..., Table]  # somebody sits down at a browser, see conftest.py


def meet(person: Person, prepare: Callable[[Table], None] | None = None) -> tuple[Table, Table]:
    """A host who begins, and perhaps chooses something before, and a guest who came by the link."""
    host = person()
    host.choose("Friend")
    if prepare is not None:
        prepare(host)
    host.page.get_by_role("button", name="Create the invitation").click()
    link = host.page.get_by_label("Invitation link", exact=True).input_value()
    assert "#invite=" in link
    guest = person(link)
    expect(guest.headline).to_have_text("You are invited")
    guest.page.get_by_label("Your name").fill("Ada <b>")
    guest.page.get_by_role("button", name="Play", exact=True).click()
    expect(host.headline).to_have_text("Your turn")
    expect(guest.page.get_by_text("Connected", exact=True)).to_be_visible()  # else it misses what passes by
    return host, guest
