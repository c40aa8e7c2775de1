"""Tests run in any order, alone or together with those of the page."""

import re

from kit.places import TESTS


def test_nothing_is_imported_from_conftest() -> None:
    """Two files are called conftest.py: which one is found depends on the order of the tests."""
    guilty = [
        path.name
        for path in TESTS.rglob("*.py")
        if re.search(r"^(from|import) conftest\b", path.read_text(), re.MULTILINE)
    ]
    assert guilty == []
