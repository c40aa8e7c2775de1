"""A server over many stored games: python bench/server/storage.py [--games 1000000] [--file games.db]

How long it takes to start, what the cleaning costs those who play, whether a copy ends while they do. The
file is made if it is not there (a million games: 1.5 GB). Times of a busy machine say little alone: those
with an empty file, in the same run, stand beside them.
"""

import argparse
import contextlib
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import sqlalchemy as sa

from claimeven.position import Position
from claimeven.server.game.session import Seat, Session
from claimeven.server.storage.backup import backup
from claimeven.server.storage.cleaning import Cleaner
from claimeven.server.storage.store import Store
from faults.process import ServerProcess

MOVES = 20  # of a game
EMPTY = 50  # one in so many games was never begun


def fill(file: Path, games: int) -> None:
    """As the server would have stored them two days ago, in the order of the tables: that is quick."""
    Store(f"sqlite:///{file}").close()
    born = int(time.time() * 1000) - 2 * 86_400_000 - games
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.executemany(
            "INSERT INTO games (id, created, board, start, think, owner, seq, take, redo, offers)"
            " VALUES (?, ?, '7x6x4', '', 1000, ?, ?, 0, '', '')",
            ((f"{n:012}", born + n, "0" * 64, MOVES) for n in range(games)),
        )
        connection.executemany(
            "INSERT INTO seats (game, side, kind, name, owner) VALUES (?, ?, 'human', 'Ada', ?)",
            ((f"{n:012}", side, "0" * 64) for n in range(games) for side in (1, 2)),
        )
        connection.executemany(
            'INSERT INTO moves (game, take, ply, "column", side, seq, ms, at)'
            " VALUES (?, 0, ?, ?, ?, ?, 900, ?)",
            (
                (f"{n:012}", ply, ply % 7 + 1, ply % 2 + 1, ply + 1, born + n + ply)
                for n in range(games)
                if n % EMPTY
                for ply in range(MOVES)
            ),
        )


def start(folder: Path, file: Path) -> float:
    server = ServerProcess(folder, database=f"sqlite:///{file}")
    began = time.monotonic()
    server.start()
    seconds = time.monotonic() - began
    server.stop()
    return seconds


def steps_of_a_start(file: Path) -> int:
    """What SQLite does, in steps of its machine, until a server has its database and knows what to clean."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    sa.event.listen(sa.Engine, "connect", lambda line, _: line.set_progress_handler(step, 1))
    store = Store(f"sqlite:///{file}")
    store.claim()
    Cleaner(store, {""}.__contains__, 0)
    store.close()
    return count


class Moves:
    """Somebody stores a game every few milliseconds; how long each takes."""

    def __init__(self, store: Store) -> None:
        self.seconds: list[float] = []
        self._store = store
        self._is_enough = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> "Moves":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_enough.set()
        self._thread.join()

    def _play(self) -> None:
        seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
        while not self._is_enough.wait(0.005):
            now = time.time_ns()
            begun = Session(f"new {now}", Position(), seats, now // 10**6, 1000, owner="one").begun()
            began = time.monotonic()
            self._store.write([begun])
            self.seconds.append(time.monotonic() - began)

    def told(self) -> str:
        worst, median = max(self.seconds), statistics.median(self.seconds)
        count = len(self.seconds)
        return f"{count} writes meanwhile, median {median * 1000:.1f} ms, longest {worst * 1000:.0f} ms"


@contextlib.contextmanager
def timed(what: str, moves: Moves) -> Iterator[None]:
    began = time.monotonic()
    with moves:
        yield
    print(f"{what}: {time.monotonic() - began:.1f} s; {moves.told()}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--start-only", action="store_true", help="neither copy nor clean")
    parser.add_argument("--file", type=Path, help="a database of an earlier run, or where to keep this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = options.file or folder / "games.db"
        if not file.exists():
            fill(file, options.games)
        print(f"{file.stat().st_size / 2**20:,.0f} MiB")
        Store(f"sqlite:///{folder}/empty.db").close()
        files = {"empty": folder / "empty.db", "full": file}
        seconds: dict[str, list[float]] = {what: [] for what in files}
        for _ in range(options.starts):  # in turn: a busy machine is not the same a minute later
            for what, one in files.items():
                seconds[what].append(start(folder, one))
        for what, one in files.items():
            told = ", ".join(f"{found:.2f}" for found in seconds[what])
            print(f"start, {what}: {told} s; {steps_of_a_start(one):,} steps of SQLite", flush=True)
        if options.start_only:
            return
        store = Store(f"sqlite:///{file}")
        with timed("nothing else", Moves(store)):
            time.sleep(5)
        with timed("a copy", Moves(store)):
            backup(f"sqlite:///{file}", folder / "copy.db")
        cleaner = Cleaner(store, {""}.__contains__, int(time.time() * 1000))
        with timed("forgetting games that nobody began", Moves(store)):
            count = cleaner.forget_unstarted(int(time.time() * 1000) - 86_400_000)
        print(f"{count:,} forgotten")
        store.close()


if __name__ == "__main__":
    main()
