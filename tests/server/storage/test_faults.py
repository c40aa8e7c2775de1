"""The fault harness in small, and that it sees what it looks for. In large: python tests/faults/run.py."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from faults.baits import COUNT
from faults.judge import Judge
from faults.proxy import split
from faults.run import Outcome, Plan, run


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    plan = Plan(games=40, seed=7, at_once=20, pause=2.0)
    return asyncio.run(run(tmp_path_factory.mktemp("faults"), plan))


def test_no_promise_is_broken(outcome: Outcome) -> None:
    assert outcome.broken == []
    assert outcome.counts["games"] == 40
    assert outcome.counts["moves acknowledged"] > 150
    assert outcome.counts["old games forgotten"] == 2 * COUNT
    for fault in ("power cuts", "syncs", "dropped", "doubled", "delayed", "swapped", "cut", "reconnects"):
        assert outcome.counts[fault] > 0, fault


# Whether a broken promise would be noticed: the database is changed behind the server's back.
TAMPERINGS = {
    "a move is lost": ("DELETE FROM moves WHERE ply = 1 AND take = 0", "acknowledged and not stored"),
    "the last move is lost": (
        # Of every game: some end with a move taken back, and those of the text door are told in other words.
        "DELETE FROM moves WHERE (game, take, ply) IN (SELECT game, moves.take, max(ply) FROM moves"
        " JOIN games ON games.id = game AND games.take = moves.take GROUP BY game)",
        "ended with",
    ),
    "a move is another": (
        'UPDATE moves SET "column" = "column" % 4 + 1 WHERE ply = 2',
        "told and not stored",
    ),
    "a seat is another": ("UPDATE moves SET side = 3 - side WHERE ply = 0", "acknowledged and not stored"),
    "events are renumbered": ("UPDATE moves SET seq = seq + 1 WHERE ply = 1", "stored as"),
    "a result is wrong": (
        "UPDATE games SET score = '1/2-1/2', reason = 'full' WHERE reason = 'connect'",
        "stored is",
    ),
    "a game is lost": ("DELETE FROM games WHERE rowid % 7 = 0", "lost as a whole"),
    "a request is forgotten": ("DELETE FROM requests WHERE number = 0", "acknowledged and forgotten"),
    "a request acts twice": ("UPDATE games SET seq = seq + 1", "has no cause"),
    "a request is made up": ("UPDATE requests SET id = id || '+'", "nobody asked for"),
    "a rematch begins twice": (
        "UPDATE games SET invite = NULL WHERE invite IS NOT NULL AND rematch IS NULL",
        "a rematch of no game",
    ),
    "too much is forgotten": ("DELETE FROM games WHERE id LIKE 'bait played on %'", "are gone"),
    "too little is forgotten": (
        "UPDATE games SET id = replace(id, 'played on', 'old') WHERE id LIKE 'bait%'",
        "not forgotten",
    ),
    "something of a game stays": (
        "DELETE FROM games WHERE id LIKE 'bait played on %'",
        "rows of games that are gone",
    ),
    "a clock grows": ("UPDATE moves SET left_ms = left_ms + 100000 WHERE ply > 3", "the clock of side"),
}


@pytest.fixture
def copy(outcome: Outcome, tmp_path: Path) -> Path:
    file = tmp_path / "copy.db"
    with closing(sqlite3.connect(outcome.file)) as used, closing(sqlite3.connect(file)) as new:
        used.backup(new)
    return file


@pytest.mark.parametrize("name", TAMPERINGS)
def test_broken_promises_are_seen(name: str, outcome: Outcome, copy: Path) -> None:
    statement, words = TAMPERINGS[name]
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute(statement).rowcount > 0
        connection.commit()
    with closing(Judge(f"sqlite:///{copy}")) as judge:
        broken = judge.verdict(outcome.histories)
    assert any(words in fault for fault in broken)


def test_frames_are_told_apart() -> None:
    short, middle = b"\x81\x03abc", b"\x81\x7e\x01\x00" + b"x" * 256
    masked = b"\x81\x83" + b"mask" + b"abc"
    long = b"\x81\x7f" + (70_000).to_bytes(8, "big") + b"y" * 70_000
    everything = short + middle + masked + long
    assert split(everything) == ([short, middle, masked, long], b"")
    for end in (1, 4, 6, 8, 264, 300, len(everything) - 1):
        frames, rest = split(everything[:end])
        assert b"".join(frames) + rest == everything[:end]
        assert split(rest + everything[end:])[0] == [short, middle, masked, long][len(frames) :]
