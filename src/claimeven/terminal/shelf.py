"""Saved games, one numbered file each: none is written over another."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from claimeven.errors import InputError
from claimeven.game import Game


@dataclass(frozen=True)
class Saved:
    number: int
    path: Path
    when: datetime
    game: Game


class Shelf:
    def __init__(self, folder: Path | None = None) -> None:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        self.folder = folder or Path(state) / "claimeven" / "saved"

    def new(self) -> Path:
        """An empty file for the next game, which nobody else has got."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = max(self._numbers(), default=0) + 1
        while True:
            try:
                self._path(number).touch(exist_ok=False)
                return self._path(number)
            except FileExistsError:  # of another terminal, just now
                number += 1

    def find(self, number: int | None) -> Path:
        """A game by its number, or the last one that is not over."""
        if number is not None:
            if number not in self._numbers():
                raise InputError("saved.unknown", number=number)
            return self._path(number)
        for saved in self.newest():
            if saved.game.result is None:
                return saved.path
        raise InputError("saved.none")

    def newest(self) -> Iterator[Saved]:
        """Those that can be read, the one played last first."""
        for number in sorted(self._numbers(), key=self._played, reverse=True):
            path = self._path(number)
            try:
                game = Game.from_text(path.read_text(encoding="utf-8"))
                yield Saved(number, path, datetime.fromtimestamp(path.stat().st_mtime), game)
            except (OSError, ValueError):
                continue

    def _played(self, number: int) -> tuple[float, int]:
        try:
            return self._path(number).stat().st_mtime, number
        except OSError:  # gone since
            return 0.0, number

    def _numbers(self) -> set[int]:
        if not self.folder.is_dir():
            return set()
        return {int(path.stem) for path in self.folder.glob("*.c4n") if path.stem.isdigit()}

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.c4n"
