"""The laboratory as static files without any network, after one visit."""

import pytest

from kit.page.journeys import JOURNEYS
from kit.page.visitor import Visitor

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cut_off(alone: Visitor) -> Visitor:
    """Everything was asked for once; then the network is gone, and the page is opened anew."""
    for journey in JOURNEYS:
        journey(alone.table, alone.visit)
    alone.table.page.context.set_offline(True)
    return alone


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_without_a_network(cut_off: Visitor, journey: object) -> None:
    """What was loaded before is there again, after a reload, too."""
    assert callable(journey)
    cut_off.table.page.reload()
    journey(cut_off.table, cut_off.visit)
