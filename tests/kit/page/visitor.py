"""Somebody who stays for several journeys."""

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser

from kit.page.contexts import UNSEEN
from kit.page.table import Table


@dataclass
class Visitor:
    """Stays for all journeys: what is loaded once is there."""

    table: Table
    home: str  # what stands before the addresses of the page

    def visit(self, path: str) -> None:
        self.table.page.goto(self.home + path)


def sit_down(browser: Browser, home: str, allowed: str) -> Iterator[Visitor]:
    """Errors of the page and requests to elsewhere fail."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(60_000)
    context.add_init_script(
        """const kept = 'claimeven.settings';
        if (!localStorage.getItem(kept)) localStorage.setItem(kept, JSON.stringify({ pace: 'instant' }));"""
    )
    context.add_init_script(UNSEEN)
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("request", lambda asked: faults.append(asked.url))
    page.goto(home)
    yield Visitor(Table(page, faults), home)
    context.close()
    wrong = [fault for fault in faults if not fault.startswith((allowed, "blob:"))]
    assert not wrong, wrong
