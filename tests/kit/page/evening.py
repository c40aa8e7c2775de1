"""A Swiss tournament at the page: somebody makes it, others come, and it goes on by itself."""

import re
from collections.abc import Callable, Sequence

from playwright.sync_api import Error, Page, expect

from kit.page.people import HEADLINE, be, drop, is_to_move, make_code, use_code

LOOKS = 400  # until it is over


class Evening:
    def __init__(
        self, come: Callable[[str], Page], names: Sequence[str], levels: Sequence[int], rounds: int
    ) -> None:
        """`come` opens a path in a browser of its own. The first of the names is the organiser's."""
        organiser = come("/event")
        be(organiser, names[0])
        organiser.get_by_label("Name of the tournament").fill("Friday")
        organiser.get_by_label("Rounds").select_option(str(rounds))
        organiser.get_by_role("button", name="Create the tournament").click()
        expect(organiser).to_have_url(re.compile(r"/event/[\w-]+$"))
        self.place = f"/event/{organiser.url.rpartition('/')[2]}"
        organiser.get_by_role("button", name="Take part").click()
        for level in levels:
            organiser.get_by_label("Level", exact=True).select_option(str(level))
            organiser.get_by_role("button", name="Add", exact=True).click()
        self.people = [organiser]
        for name in names[1:]:
            guest = come(self.place)
            be(guest, name)
            expect(guest.get_by_text("You take part.")).to_be_visible()
            self.people.append(guest)
        self.wall = come(f"{self.place}?wall")
        self.games: list[set[str]] = [set() for _ in names]  # of each, those they were taken to
        self.played: str | None = None  # the table at which nobody gives up: discs fall to the end
        self.discs = 0  # that lay there
        expect(self.wall.get_by_text(f"{len(names) + len(levels)} are here")).to_be_visible()

    def play(self, meanwhile: Callable[[int], None] = lambda look: None) -> None:
        """To the end; `meanwhile` is called now and then."""
        self.people[0].get_by_role("button", name="Begin").click()
        for look in range(LOOKS):
            for page, games in zip(self.people, self.games, strict=True):
                if "/game/" in page.url and page.url not in games and self._is_over(page):
                    games.add(page.url)
            if self.wall.get_by_text("The tournament is over.").count():
                break
            meanwhile(look)
            self.wall.wait_for_timeout(300)
        expect(self.wall.get_by_text("The tournament is over.")).to_be_visible()
        # Whoever stands first alone is named, and nobody else.
        places = self.wall.locator("table").first.locator("tbody td:first-child").all_inner_texts()
        named = self.wall.get_by_role("heading", name="wins the tournament")
        expect(named).to_have_count(1 if places.count("1") == 1 else 0)
        assert all(self.games), "everybody was taken to their games"
        assert self.discs >= 7, "at one table somebody has four in a row"

    def change_device(self, number: int, new: Page) -> None:
        """Somebody goes on in another browser, which is in the lobby, by a code."""
        old = self.people[number]
        old.goto("/lobby")
        use_code(new, make_code(old))
        expect(new.get_by_role("heading", name=re.compile("^Hello, "))).to_be_visible()
        new.goto(self.place)
        self.people[number] = new

    def _is_over(self, page: Page) -> bool:
        """The first table that somebody is taken to is played out, at the others they give up."""
        self.played = self.played or page.url
        if page.url != self.played:
            return gives_up(page)
        expect(page.locator(HEADLINE)).to_be_visible()
        if is_to_move(page):
            # Each into a column of their own as long as it takes discs: so somebody has four soon.
            own = self.people.index(page)
            columns = [column % 7 + 1 for column in range(own, own + 7)]
            drop(page, next(column for column in columns if _is_open(page, column)))
        self.discs = max(self.discs, page.locator(".disc").count())
        return self.discs >= 7 and page.get_by_role("button", name="Resign").count() == 0


def gives_up(page: Page) -> bool:
    """Whoever comes first resigns; who is there when it is over need not. Whether it is over."""
    expect(page.locator(HEADLINE)).to_be_visible()
    try:
        page.get_by_role("button", name="Resign").click(timeout=3_000)
        page.get_by_role("button", name="Resign?").click(timeout=3_000)
    except Error:
        return page.get_by_role("button", name="Resign").count() == 0
    return True


def _is_open(page: Page, column: int) -> bool:
    """Whether a disc fits into a column, counted from 1."""
    return page.locator(f"[data-column='{column}'][aria-disabled='false']").count() > 0
