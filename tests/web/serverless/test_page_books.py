"""Books of small boards at the static site: fetched by the engine when it wants one, at hand for Python."""

import pytest
from playwright.sync_api import expect

from kit.page.visitor import Visitor

pytestmark = pytest.mark.slow
LONG = 120_000  # milliseconds: Python is loaded


def test_a_small_board_is_looked_up_in_its_book(alone: Visitor) -> None:
    page, asked = alone.table.page, list[str]()
    page.context.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    alone.visit("/analysis?moves=3&board=6x5x4")
    expect(page.locator("[data-value]")).to_have_text(["▼13", "▼13", "=", "=", "▼13", "▼13"])
    assert "book-6x5x4.bin" in asked
    assert "book-6x7x4.bin" not in asked
    alone.visit("/analysis?moves=3&board=4x4x4")
    expect(alone.table.discs).to_have_count(1)
    assert not any("4x4x4" in name for name in asked)  # there is none, and nobody asks


def test_the_explorer_knows_the_book_of_a_small_board(alone: Visitor) -> None:
    page = alone.table.page
    alone.visit("/analysis?moves=3&board=6x5x4")
    page.get_by_role("tab", name="Opening book").click()
    expect(page.locator("table tbody tr")).to_have_count(6, timeout=LONG)
