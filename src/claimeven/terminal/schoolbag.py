"""What somebody has done at school, kept beside the saved games; the same JSON as the page's."""

import json
import os
from pathlib import Path

from claimeven.errors import InputError
from claimeven.runner import write_whole
from claimeven.school import Progress


class Schoolbag:
    def __init__(self, path: Path | None = None) -> None:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        self.path = path or Path(state) / "claimeven" / "school.json"
        self.progress = self._read()

    def _read(self) -> Progress:
        """Whatever cannot be read is forgotten: it is only progress, and the school goes on."""
        try:
            return Progress.from_text(self.path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, InputError):
            return Progress()

    def keep(self, progress: Progress) -> None:
        """Together with what another terminal has kept meanwhile."""
        self.progress = self._read().merged(progress)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, f"{json.dumps(self.progress.to_json())}\n".encode())
