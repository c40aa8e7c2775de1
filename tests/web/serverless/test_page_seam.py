"""One seam: the same journeys with a server, and on a plain host of static files."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from kit.page.journeys import JOURNEYS
from kit.page.visitor import Visitor, sit_down


@pytest.fixture(scope="module", params=["server", "static"])
def visitor(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Visitor]:
    if request.param == "static":
        yield request.getfixturevalue("alone")
    else:
        address = request.getfixturevalue("address")
        yield from sit_down(browser, address, address)


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_a_journey(visitor: Visitor, journey: object) -> None:
    assert callable(journey)
    journey(visitor.table, visitor.visit)
