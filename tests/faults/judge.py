"""Whether the server kept what it promised: the database held against what every client saw."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import psycopg
import psycopg.rows

from faults import baits
from faults.history import History
from faults.text import TextHistory
from faults.text import broken as broken_text
from kit.referee import Referee

Row = Any  # of either database: columns by name
TEXT_NAMES = {"Player 1", "Player 2"}  # at the text door nobody has another
ENDS_OF_THE_SERVER = ("time", "abort")
MORE_TIME = 15_000  # milliseconds, as docs/protocol.md promises


class Stored(NamedTuple):
    """What the database has of one game."""

    game: Row
    moves: list[Row]
    cuts: dict[int, int]  # take: the ply it was cut to
    requests: list[Row]
    seats: list[Row]


class Judge:
    """Reads the database itself, with nothing of the server's code."""

    def __init__(self, database: str) -> None:
        self.counts: Counter[str] = Counter()
        self._connection: Any
        self._is_sqlite = database.startswith("sqlite:///")
        if self._is_sqlite:
            self._connection = sqlite3.connect(database.removeprefix("sqlite:///"))
            self._connection.row_factory = sqlite3.Row
        else:
            self._connection = psycopg.connect(database, row_factory=psycopg.rows.dict_row)

    def verdict(
        self, histories: list[History], told: Sequence[TextHistory] = (), left: Collection[str] = ()
    ) -> list[str]:
        """All broken promises, in words. `left`: games that somebody began and went away from."""
        try:
            return self._verdict(histories, told, left)
        except sqlite3.DatabaseError as error:
            return [*(fault for history in histories for fault in history.faults), f"damaged: {error}"]

    def _verdict(
        self, histories: list[History], told: Sequence[TextHistory], left: Collection[str]
    ) -> list[str]:
        broken = []
        if self._is_sqlite:
            found = self._connection.execute("PRAGMA integrity_check").fetchone()[0]
            broken += [] if found == "ok" else [f"the database is damaged: {found}"]
            orphans = len(self._connection.execute("PRAGMA foreign_key_check").fetchall())
            broken += [f"{orphans} rows of games that are gone"] if orphans else []
        games = {row["id"]: row for row in self._rows("SELECT * FROM games")}
        moves = self._by_game("SELECT * FROM moves ORDER BY game, take, ply")
        takes = self._by_game("SELECT * FROM takes")
        requests = self._by_game("SELECT * FROM requests ORDER BY game, seq")
        seats = self._by_game("SELECT * FROM seats")
        for history in histories:
            game = history.game
            if not game:  # it was never created
                broken += history.faults
                continue
            if game not in games:
                broken += [f"{game}: {fault}" for fault in (*history.faults, "lost as a whole")]
                continue
            cuts = {row["take"]: row["ply"] for row in takes[game]}
            stored = Stored(games[game], moves[game], cuts, requests[game], seats[game])
            broken += [f"{game}: {fault}" for fault in (*history.faults, *_check(history, stored))]
            self._count(history, stored)
        text = {id for id in games if {chair["name"] for chair in seats[id]} == TEXT_NAMES}
        lines = [(_lines(moves[id], {}, 0)[0], games[id]["score"]) for id in text]
        broken += broken_text(list(told), lines)
        self.counts["text games"] = len(text)
        broken += self.baits()
        self.counts["old games forgotten"] = len(baits.FORGOTTEN) * baits.COUNT - sum(
            count for kind, count in baits.left(games).items() if kind in baits.FORGOTTEN
        )
        apart = text | {row["game"] for row in self._rows("SELECT game FROM terms WHERE event IS NOT NULL")}
        people = {id: row for id, row in games.items() if id not in apart and not id.startswith("bait ")}
        # However often a game was asked for with its key, it was begun once.
        known = {*left, *(history.game for history in histories)}
        strays = [id for id, row in people.items() if row["invite"] is not None and id not in known]
        broken += [f"{id}: begun, and nobody has it" for id in strays]
        return broken + self._rematches(people, seats)

    def baits(self) -> list[str]:
        """Games of long ago that should have been forgotten, or not."""
        return baits.broken({row["id"]: row for row in self._rows("SELECT id FROM games")})

    def _rows(self, question: str) -> Iterable[Row]:
        rows: Iterable[Row] = self._connection.execute(question)
        return rows

    def _by_game(self, question: str) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows(question):
            found[row["game"]].append(row)
        return found

    def _rematches(self, games: dict[str, Row], seats: dict[str, list[Row]]) -> list[str]:
        """However often somebody agreed, there is one new game, and the old one leads to it."""
        agreed = Counter(row["rematch"] for row in games.values() if row["rematch"] is not None)
        begun = {
            id
            for id, row in games.items()
            if row["invite"] is None and len({seat["owner"] for seat in seats[id] if seat["owner"]}) == 2
        }
        self.counts["rematches"] = len(begun)
        return [
            *(f"{game}: the rematch of {count} games" for game, count in agreed.items() if count > 1),
            *(f"{game}: a rematch that is lost" for game in agreed if game not in begun),
            *(f"{game}: a rematch of no game" for game in begun if game not in agreed),
        ]

    def close(self) -> None:
        self._connection.close()

    def _count(self, history: History, stored: Stored) -> None:
        outcomes = Counter(attempt.outcome for attempt in history.attempts)
        self.counts["games"] += 1
        self.counts["moves stored"] += len(stored.moves)
        self.counts["moves acknowledged"] += outcomes["ok"]
        self.counts["moves refused"] += sum(outcomes.values()) - outcomes["ok"] - outcomes["info"]
        self.counts["moves of unknown fate"] += outcomes["info"]
        self.counts["takes back"] += stored.game["take"]
        self.counts["other requests granted"] += len(stored.requests)
        self.counts["time given"] += sum(_kind(row) == "more_time" for row in stored.requests)
        self.counts["other requests refused"] += sum(a.outcome not in ("ok", "info") for a in history.asked)
        self.counts[f"ended by {stored.game['reason'] or 'nothing'}"] += 1
        self.counts["views compared"] += len(history.finals)
        self.counts["events compared"] += len(history.seen)


def _kind(request: Row) -> str:
    kind: str = json.loads(request["asked"])["t"]
    return kind


def _check(history: History, found: Stored) -> list[str]:
    game, rows = found.game, found.moves
    faults = []
    stored = {(row["take"], row["ply"]): row for row in rows}
    if len(stored) != len(rows):
        faults.append("two moves at one ply")
    if len({row["seq"] for row in rows if row["take"] == 0}) != len([r for r in rows if r["take"] == 0]):
        faults.append("two moves with one number")
    agents_came = any(_kind(row) == "seat" for row in found.requests)
    for a in history.attempts:
        row = stored.get((a.take, a.ply))
        is_there = row is not None and (row["column"], row["side"]) == (a.column, a.side)
        if a.outcome == "ok" and not is_there:
            faults.append(f"acknowledged and not stored: {a}")
        elif a.outcome == "ok" and row is not None and row["seq"] != a.seq:
            faults.append(f"acknowledged as event {a.seq}, stored as {row['seq']}: {a}")
        elif a.outcome not in ("ok", "info") and is_there and not agents_came:  # they may have moved the same
            faults.append(f"refused and stored: {a}")
    for seq, take, ply, column, side in history.moved:
        row = stored.get((take, ply))
        if row is None or (row["seq"], row["column"], row["side"]) != (seq, column, side):
            faults.append(f"told and not stored: event {seq}, column {column} at {take}/{ply}")
    lines = _lines(rows, found.cuts, game["take"])
    if any(row["ply"] >= len(lines.get(row["take"], ())) for row in rows):
        faults.append("a hole in the moves")
    for seq, (take, moves, *_) in history.seen.items():
        if take > game["take"] or not lines[take].startswith(moves):
            faults.append(f"event {seq} showed {moves} in take {take}, stored is {lines.get(take)}")
    for who, take, moves in history.finals:
        if (take, moves) != (game["take"], lines[game["take"]]):
            faults.append(f"{who} ended with {moves}, stored is {lines[game['take']]}")
    faults += _replay(history.board, lines[game["take"]], game)
    faults += [f"take {take}: {fault}" for take in lines for fault in _legal(history.board, lines[take])[1]]
    return faults + _clock(history, found) + _requests(history, found) + _events(history, found, lines)


def _requests(history: History, found: Stored) -> list[str]:
    """What was granted is remembered, as the event it was told to be; what was refused is not there."""
    faults = []
    granted = {(row["who"], row["id"]): row for row in found.requests}
    known = {(sha256(a.token.encode()).hexdigest(), a.id): a for a in history.asked}
    for key, asked in known.items():
        row = granted.get(key)
        if asked.outcome == "ok" and row is None:
            faults.append(f"acknowledged and forgotten: {asked}")
        elif asked.outcome == "ok" and row is not None and row["seq"] != asked.seq:
            faults.append(f"acknowledged as event {asked.seq}, remembered as {row['seq']}: {asked}")
        elif asked.outcome not in ("ok", "info") and row is not None:
            faults.append(f"refused and granted: {asked}")
    faults += [f"nobody asked for {granted[key]['asked']}" for key in granted if key not in known]
    return faults


def _events(history: History, found: Stored, lines: dict[int, str]) -> list[str]:
    """Every event has one cause: a request that acted twice would leave one without."""
    caused = {row["seq"] for row in (*found.moves, *found.requests)}
    for take, line in lines.items():
        if _legal(history.board, line)[0].is_over:  # the end follows the last move, as an event of its own
            caused |= {r["seq"] + 1 for r in found.moves if (r["take"], r["ply"]) == (take, len(line) - 1)}
    last = max([found.game["seq"], *(row["seq"] for row in found.moves)])
    if found.game["invite"] is not None:
        caused.add(1)  # the other took their seat
    caused |= {seq for seq, (_, _, result, *_) in history.seen.items() if _is_of_the_server(result)}
    without = [seq for seq in range(1, last + 1) if seq not in caused]
    if found.game["reason"] in ENDS_OF_THE_SERVER and without:  # which nobody may have seen
        without.pop()
    return [f"event {seq} has no cause" for seq in without]


def _is_of_the_server(result: Any) -> bool:
    """An end that nobody asked for; against an agent one may take back and play on."""
    return result is not None and result.reason in ENDS_OF_THE_SERVER


def _lines(rows: list[Row], cuts: dict[int, int], last: int) -> dict[int, str]:
    """The moves of every take: what the cut left of the one before, and what was played then."""
    lines, line = {}, ""
    for take in range(last + 1):
        line = line[: cuts[take]] if take else ""
        for row in rows:
            if row["take"] == take:
                line += "123456789abcdefghijklmnopqrstuvwxyz"[row["column"] - 1]
        lines[take] = line
    return lines


def _legal(board: tuple[int, int, int], moves: str) -> tuple[Referee, list[str]]:
    referee = Referee(*board)
    for ply, digit in enumerate(moves):
        column = int(digit, 36) - 1
        if column not in referee.legal:
            return referee, [f"{moves}: move {ply + 1} is illegal"]
        referee.play(column)
    return referee, []


def _replay(board: tuple[int, int, int], moves: str, game: Row) -> list[str]:
    """The stored result against that of the naive referee."""
    referee, faults = _legal(board, moves)
    if faults:
        return faults
    if referee.is_over:
        winner = referee.winner
        expected = ("1/2-1/2", "full") if winner is None else (("1-0", "0-1")[winner], "connect")
        if (game["score"], game["reason"]) != expected:
            return [f"{moves} is {expected}, stored is {game['score']} by {game['reason']}"]
    elif game["reason"] in ("connect", "full"):
        return [f"{moves} is not over, stored is {game['reason']}"]
    elif game["reason"] in ("time", "abandon") and game["score"] != ("0-1", "1-0")[len(moves) % 2]:
        return [f"{game['reason']} after {moves} is not {game['score']}"]
    return []


def _clock(history: History, found: Stored) -> list[str]:
    """Time never grows, except by the increment and by what the other gave; and what was told is stored."""
    faults = []
    owners = {seat["side"]: seat["owner"] for seat in found.seats}
    last: dict[int, tuple[int, int]] = {}
    for row in sorted(found.moves, key=lambda row: row["seq"]):
        seq, side, left = row["seq"], row["side"], row["left_ms"]
        if left is None:
            continue
        if side in last:
            since, before = last[side]
            gifts = [r for r in found.requests if since < r["seq"] <= seq and _kind(r) == "more_time"]
            given = sum(gift["who"] != owners[side] for gift in gifts) * MORE_TIME
            if left > before + (found.game["clock_increment"] or 0) + given:
                faults.append(f"event {seq}: the clock of side {side} went from {before} to {left}")
        last[side] = seq, left
    stored = {row["seq"]: row["left_ms"] for row in found.moves}
    faults += [
        f"event {seq} told a clock of {left}" for seq, left in history.clocks if stored.get(seq) != left
    ]
    return faults
