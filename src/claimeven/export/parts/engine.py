"""The native engine: a shared library with a C interface (native/engine/engine.hpp), carried by this file."""

from __future__ import annotations

import _ctypes
import ctypes
import os
import tempfile
from typing import Any, NamedTuple

from claimeven.export.parts.board import Game

MEGABYTES = 64
UNPROVEN = 2
Int, Number = ctypes.c_int, ctypes.c_double

TYPES = {"i": Int, "w": ctypes.c_uint64, "n": Number, "p": ctypes.c_void_p}
ARGUMENTS = {
    "claimeven_solver_new": "ipw",
    "claimeven_solver_delete": "p",
    "claimeven_solver_analyse": "piiipnpp",
    "claimeven_minimax": "iiippwwinnpp",
    "claimeven_mcts": "iiipniiiinwwwnppp",
}


class Words(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("mine_low", "mine_high", "mask_low", "mask_high")]


class Tree(NamedTuple):
    """How mcts grows its tree, in the order in which the engine takes it."""

    exploration: float
    lgr: int
    forget: int
    solver: int
    decisive: int
    megabytes: float
    table: int


class Engine:
    def __init__(self, library: bytes, book: bytes | None) -> None:
        self.library = load(library)
        for name, letters in ARGUMENTS.items():
            getattr(self.library, name).argtypes = [TYPES[letter] for letter in letters]
        self.library.claimeven_solver_new.restype = ctypes.c_void_p
        self.library.claimeven_solver_delete.restype = None
        self.book = book  # the library reads it where it is
        self.solver: Any = None

    def __del__(self) -> None:
        """A process may play many games, each with this file anew."""
        try:
            if self.solver:
                self.library.claimeven_solver_delete(self.solver)
            _ctypes.dlclose(self.library._handle)
        except Exception:
            pass  # it was never loaded, or Python is about to end

    def analyse(self, game: Game, mine: int, mask: int, seconds: float) -> dict[int, tuple[int, int]]:
        """What is proved of every open column: its score lies between the two numbers."""
        if not self.solver:
            book = self.book or b""
            self.solver = self.library.claimeven_solver_new(MEGABYTES, book, len(book))
            if not self.solver:
                raise RuntimeError("the solver does not start")
        low, high = (Int * game.columns)(), (Int * game.columns)()
        self.check(
            self.library.claimeven_solver_analyse(
                self.solver, *self.position(game, mine, mask), seconds, low, high
            )
        )
        return {c: (low[c], high[c]) for c in game.legal(mask)}

    def minimax(
        self, game: Game, mine: int, mask: int, weights: list[float], seed: int, depth: int, seconds: float
    ) -> list[int]:
        """The columns in the order of their values, the best first."""
        numbers = (Number * len(weights))(*weights)
        order, is_best = (Int * game.columns)(), (Int * game.columns)()
        self.check(
            self.library.claimeven_minimax(
                *self.position(game, mine, mask),
                *(numbers, len(weights), seed, depth, float(MEGABYTES), seconds, order, is_best),
            )
        )
        return order[: len(game.legal(mask))]

    def mcts(
        self, game: Game, mine: int, mask: int, tree: Tree, seed: int, simulations: int, seconds: float
    ) -> dict[int, tuple[int, float, int | None]]:
        """Visits, mean and what is proved (1 win, 0 draw, -1 loss, None) of every open column."""
        visits, means, proven = (
            (ctypes.c_uint32 * game.columns)(),
            (Number * game.columns)(),
            (Int * game.columns)(),
        )
        self.check(
            self.library.claimeven_mcts(
                *self.position(game, mine, mask),
                *(*tree, seed, simulations, seconds, visits, means, proven),
            )
        )
        return {
            c: (visits[c], means[c], None if proven[c] == UNPROVEN else proven[c]) for c in game.legal(mask)
        }

    def position(self, game: Game, mine: int, mask: int) -> tuple[Any, ...]:
        low = (1 << 64) - 1
        words = Words(mine & low, mine >> 64, mask & low, mask >> 64)
        return game.columns, game.rows, game.connect, ctypes.byref(words)

    def check(self, result: int) -> None:
        if result != 0:
            raise ValueError("the engine does not take this position")


def load(library: bytes) -> Any:
    """Load a library that is not a file: from a temporary one, or from memory where there is no disk."""
    try:
        file, path = tempfile.mkstemp(suffix=".so")
        try:
            with os.fdopen(file, "wb") as stream:
                stream.write(library)
            return ctypes.CDLL(path)
        finally:
            os.unlink(path)
    except OSError:
        # The name of the file must be new to the process, so it stays open.
        file = os.memfd_create("claimeven")
        os.write(file, library)
        return ctypes.CDLL(f"/proc/self/fd/{file}")
