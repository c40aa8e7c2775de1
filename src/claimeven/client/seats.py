"""The seats one has taken: whoever comes back with the same link sits down again."""

import contextlib
import json
import os
from pathlib import Path

from claimeven.client.link import Link

MAX_SEATS = 500  # the oldest are forgotten


class Seats:
    """A file of tokens that only its owner may read."""

    def __init__(self, path: Path | None = None) -> None:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        self.path = path or Path(state) / "claimeven" / "seats.json"

    def token(self, link: Link) -> str | None:
        return self._read().get(_key(link))

    def keep(self, link: Link, token: str) -> None:
        known = self._read()
        known.pop(_key(link), None)
        self._write(known | {_key(link): token})

    def forget(self, link: Link) -> None:
        known = self._read()
        if known.pop(_key(link), None) is not None:
            self._write(known)

    def _write(self, known: dict[str, str]) -> None:
        """If it cannot be written, the game goes on without."""
        newest = dict(list(known.items())[-MAX_SEATS:])
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                    json.dump(newest, file, indent=0)
                os.replace(part, self.path)
            finally:
                part.unlink(missing_ok=True)

    def _read(self) -> dict[str, str]:
        try:
            known = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return {}
        if not isinstance(known, dict):
            return {}
        return {key: token for key, token in known.items() if isinstance(token, str)}


def _key(link: Link) -> str:
    return str(link._replace(invite=None))
