"""What somebody practised, an entry a line beside the saved games; it only grows: terminals do not clash."""

import json
import os
import time
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from claimeven.practice import Entry, GameEntry, Record, fresh, merged, record_of
from claimeven.terminal.shelf import Saved, Shelf

if TYPE_CHECKING:
    from claimeven.puzzles import Puzzle
    from claimeven.solver import Solver

MOST_CARDS = 3  # of a game
SCORES = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}


class Diary:
    def __init__(self, path: Path | None = None) -> None:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        self.path = path or Path(state) / "claimeven" / "practice.jsonl"

    @property
    def entries(self) -> list[Entry]:
        """Lines that cannot be read are left out."""
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        return merged(map(_parsed, lines))

    @property
    def record(self) -> Record:
        return record_of(self.entries)

    def add(self, entries: Iterable[Entry]) -> None:
        text = "".join(f"{json.dumps(entry)}\n" for entry in entries)
        if text:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(text)

    def bring(self, entries: Iterable[Entry]) -> int:
        """Add those that are not here yet; how many."""
        known = {entry["id"] for entry in self.entries}
        new = [entry for entry in entries if entry["id"] not in known]
        self.add(new)
        return len(new)

    def note(self, puzzle: "Puzzle", grade: int, mode: str) -> Record:
        """A puzzle was tried; what follows from it."""
        self.add(
            [
                fresh(
                    milliseconds(),
                    "puzzle",
                    puzzle=puzzle.id,
                    theme=puzzle.theme,
                    rating=puzzle.rating,
                    grade=grade,
                    mode=mode,
                    day=date.today().isoformat(),
                )
            ]
        )
        return self.record

    # Games ---------------------------------------------------------------------------------------

    def gather(self, shelf: Shelf, solver: "Solver | None" = None) -> None:
        """The saved games that are over; with a solver, the moments of lost ones become cards, too."""
        self.bring(entry for saved in shelf.newest() if (entry := _game(saved)) is not None)
        for game in self.record.unseen if solver is not None else ():
            assert solver is not None
            self.add([*_moments(game, solver), fresh(milliseconds(), "looked", game=game["game"])])


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _game(saved: Saved) -> GameEntry | None:
    """A game of one person against an agent."""
    game = saved.game
    people = [side for side, player in enumerate(game.players) if player.kind == "human"]
    if game.result is None or game.result.score not in SCORES or len(people) != 1:
        return None
    side = people[0]
    at = int(saved.when.timestamp() * 1000)
    taken = game.pie == "swapped" and not game.start.ply  # then the first disc is nobody's mistake
    name = f"terminal-{saved.number}-{datetime.fromtimestamp(at / 1000):%Y%m%d%H%M%S}"
    return {
        "id": f"game:{name}",
        "at": at,
        "kind": "game",
        "game": name,
        "moves": game.moves[taken:],
        "start": game.positions[taken].text,
        "size": str(game.board),
        "side": side + 1,
        "opponent": game.players[1 - side].spec[:200] or "person",
        "score": SCORES[game.result.score][side],
    }


def _moments(entry: GameEntry, solver: "Solver") -> list[Entry]:
    from claimeven.game import Game
    from claimeven.reasons import review

    side = entry["side"] - 1
    found = review(Game.parse(entry["moves"]), solver, explains=False)
    mine = [m.mistake for m in found.moments if m.mistake.position.side == side and m.mistake.better]
    return [
        fresh(
            milliseconds(),
            "moment",
            card=f"moment:{mistake.position.moves}",
            moves=mistake.position.moves or "",
            better=[column + 1 for column in mistake.better],
            what=mistake.kind,
        )
        for mistake in mine[:MOST_CARDS]
    ]
