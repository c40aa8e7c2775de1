"""Where things lie. Not in conftest.py: of two files with that name, an import finds the one loaded last."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
