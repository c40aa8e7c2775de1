"""What tests of a whole cluster share; `three` is the servers of each file."""

from collections.abc import Iterator

import pytest

from faults.cluster import audit
from kit.cluster import House


@pytest.fixture
def whole(three: House) -> Iterator[House]:
    """All of them, healed; and afterwards nobody has written of what was another's."""
    three.heal()
    yield three
    assert audit.found(three.postgres.url) == []
