"""Where things lie. Not in conftest.py: of two files with that name, an import finds the one loaded last."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
