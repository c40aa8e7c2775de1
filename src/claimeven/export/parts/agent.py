"""The agent: whatever goes wrong, the answer is a legal column in time."""

from __future__ import annotations

import base64
import gc
import time
import zlib
from typing import Any

from claimeven.export.parts.board import Game
from claimeven.export.parts.book import Book
from claimeven.export.parts.engine import Engine
from claimeven.export.parts.players import Clock, Level, Mcts, Minimax, Perfect
from claimeven.export.parts.search import Search

READING = 0.1  # seconds: this file is read on the clock of the first move

# Written by the export.
PLAYER: Perfect | Minimax | Level | Mcts = Perfect([])
ENGINE = ""  # nothing: plain Python
BOOK = ""


class Memory:
    """What is kept from move to move."""

    def __init__(self) -> None:
        self.is_ready = False
        self.engine: Engine | None = None
        self.book: Book | None = None
        self.search: Search | None = None

    def prepare(self) -> None:
        """Unpack what this file carries; a part that is broken is done without."""
        self.is_ready = True
        data: bytes | None = None
        try:
            data = zlib.decompress(base64.b64decode(BOOK))
            self.book = Book(data)
        except Exception:
            data = None
        try:
            if ENGINE:
                self.engine = Engine(zlib.decompress(base64.b64decode(ENGINE)), data)
        except Exception:
            self.engine = None


MEMORY = Memory()


def field(thing: Any, name: str, default: Any) -> Any:
    """Of an observation or a configuration, be it an object or a dictionary."""
    value = thing.get(name) if isinstance(thing, dict) else getattr(thing, name, None)
    return default if value is None else value


def think(obs: Any, config: Any, start: float) -> int:
    game = Game(field(config, "columns", 7), field(config, "rows", 6), field(config, "inarow", 4))
    mine, mask = game.read(field(obs, "board", []), field(obs, "mark", 1))
    legal = game.legal(mask)
    if len(legal) == 1:
        return legal[0]
    clock = Clock(start, field(config, "actTimeout", 2.0), field(obs, "remainingOverageTime", 0.0))
    if not MEMORY.is_ready:
        MEMORY.prepare()
    if MEMORY.engine is not None:
        try:
            column = PLAYER.choose(MEMORY.engine, game, mine, mask, clock)
            if column in legal:
                return column
        except Exception:
            pass  # a board that is too large, or something worse: plain Python then
    return think_in_python(game, mine, mask, clock)


def think_in_python(game: Game, mine: int, mask: int, clock: Clock) -> int:
    search = MEMORY.search
    size = game.columns, game.rows, game.connect
    if search is None or (search.game.columns, search.game.rows, search.game.connect) != size:
        search = MEMORY.search = Search(game)
    column = None
    if MEMORY.book is not None and not game.wins(mine, mask) & game.landings(mask):
        column = MEMORY.book.best(search, mine, mask)
    return search.choose(mine, mask, clock.soft) if column is None else column


def agent(obs: Any, config: Any) -> int:
    """Kaggle's door: a column from 0."""
    start = time.monotonic() - (0.0 if MEMORY.is_ready else READING)
    collects = gc.isenabled()
    gc.disable()  # a pause in the middle of a move has cost others games
    try:
        return int(think(obs, config, start))
    except Exception:
        columns = field(config, "columns", 7)
        cells = list(field(obs, "board", [])) or [0] * columns
        return next((c for c in range(columns) if cells[c] == 0), 0)
    finally:
        if collects:
            gc.enable()
