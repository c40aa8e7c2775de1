"""Where things lie. Not in conftest.py: of two files with that name, an import finds the one loaded last."""

import shutil
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
# The one without windows takes a third of the processor's time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
