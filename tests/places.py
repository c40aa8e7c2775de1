"""Where things lie. Not in conftest.py: there are two of that name, and an import finds the one loaded last."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
