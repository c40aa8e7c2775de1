"""What every client saw and was promised, and whether the server kept it."""

import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimeven.client import Client
from claimeven.client.link import Link
from claimeven.server import messages as m
from referee import Referee


@dataclass
class Attempt:
    """A move that somebody asked for."""

    side: int
    take: int
    ply: int
    column: int  # counted from 1
    outcome: str = "info"  # unknown; "ok" when acknowledged; else the code of the refusal
    seq: int = 0


@dataclass
class History:
    """One game, as seen from outside."""

    game: str = ""  # before it was created
    board: tuple[int, int, int] = (7, 6, 4)
    attempts: list[Attempt] = field(default_factory=list)
    moved: set[tuple[int, int, int, int, int]] = field(default_factory=set)  # seq, take, ply, column, side
    seen: dict[int, Any] = field(default_factory=dict)  # by seq: what every observer must agree on
    clocks: set[tuple[int, int]] = field(default_factory=set)  # seq, left
    finals: list[tuple[str, int, str]] = field(default_factory=list)  # who, take, moves
    faults: list[str] = field(default_factory=list)  # broken promises


class Observer(Client):
    """A client that writes down everything it hears, before and after sorting it."""

    def __init__(self, link: Link, token: str | None, timing: Any, history: History) -> None:
        super().__init__(link, token, timing)
        self.history = history
        self._last_seq = -1

    def _hear_state(self, state: m.State) -> None:
        history = self.history
        if not self.is_connected and state.seq < self._last_seq:
            history.faults.append(f"after a reconnect event {state.seq}, though {self._last_seq} was seen")
        self._agree(state)
        super()._hear_state(state)
        self._advance(jumps=True)

    def _hear_move(self, move: m.Moved) -> None:
        history = self.history
        history.moved.add((move.seq, move.take, move.ply, move.column, move.side))
        if move.clock is not None:
            history.clocks.add((move.seq, move.clock.left[move.side - 1]))
        super()._hear_move(move)
        self._advance(jumps=False)
        if self.state is not None and self.state.seq == move.seq:
            self._agree(self.state)

    def _agree(self, state: m.State) -> None:
        """Whoever is told of an event is told the same."""
        told = (
            state.take,
            state.moves,
            state.result,
            state.offers,
            state.turn if state.result is None else None,
        )
        known = self.history.seen.setdefault(state.seq, told)
        if known != told:
            self.history.faults.append(f"event {state.seq} was told as {known} and as {told}")

    def _advance(self, jumps: bool) -> None:
        assert self.state is not None or not jumps
        seq = -1 if self.state is None else self.state.seq
        if seq < self._last_seq or (not jumps and seq > self._last_seq + 1):
            self.history.faults.append(f"from event {self._last_seq} to {seq}")
        self._last_seq = max(seq, self._last_seq)


class Judge:
    """Reads the database itself, with nothing of the server's code."""

    def __init__(self, file: Path) -> None:
        self.connection = sqlite3.connect(file)
        self.connection.row_factory = sqlite3.Row
        self.counts: Counter[str] = Counter()

    def verdict(self, histories: list[History]) -> list[str]:
        """All broken promises, in words."""
        broken = []
        if (found := self.connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            broken.append(f"the database is damaged: {found}")
        rows: dict[str, list[sqlite3.Row]] = defaultdict(list)
        for row in self.connection.execute("SELECT * FROM moves ORDER BY game, take, ply"):
            rows[row["game"]].append(row)
        cuts: dict[str, dict[int, int]] = defaultdict(dict)
        for row in self.connection.execute("SELECT * FROM takes"):
            cuts[row["game"]][row["take"]] = row["ply"]
        games = {row["id"]: row for row in self.connection.execute("SELECT * FROM games")}
        for history in histories:
            if history.game not in games:
                broken += [f"{history.game}: {fault}" for fault in (*history.faults, "lost as a whole")]
                continue
            faults = _check(history, games[history.game], rows[history.game], cuts[history.game])
            broken += [f"{history.game}: {fault}" for fault in (*history.faults, *faults)]
            self._count(history, games[history.game], rows[history.game])
        return broken

    def close(self) -> None:
        self.connection.close()

    def _count(self, history: History, game: sqlite3.Row, rows: list[sqlite3.Row]) -> None:
        outcomes = Counter(attempt.outcome for attempt in history.attempts)
        self.counts["games"] += 1
        self.counts["moves stored"] += len(rows)
        self.counts["moves acknowledged"] += outcomes["ok"]
        self.counts["moves refused"] += sum(outcomes.values()) - outcomes["ok"] - outcomes["info"]
        self.counts["moves of unknown fate"] += outcomes["info"]
        self.counts["takes back"] += game["take"]
        self.counts[f"ended by {game['reason'] or 'nothing'}"] += 1
        self.counts["views compared"] += len(history.finals)
        self.counts["events compared"] += len(history.seen)


def _check(history: History, game: sqlite3.Row, rows: list[sqlite3.Row], cuts: dict[int, int]) -> list[str]:
    faults = []
    stored = {(row["take"], row["ply"]): row for row in rows}
    if len(stored) != len(rows):
        faults.append("two moves at one ply")
    if len({row["seq"] for row in rows if row["take"] == 0}) != len([r for r in rows if r["take"] == 0]):
        faults.append("two moves with one number")
    for a in history.attempts:
        row = stored.get((a.take, a.ply))
        is_there = row is not None and (row["column"], row["side"]) == (a.column, a.side)
        if a.outcome == "ok" and not is_there:
            faults.append(f"acknowledged and not stored: {a}")
        elif a.outcome == "ok" and row is not None and row["seq"] != a.seq:
            faults.append(f"acknowledged as event {a.seq}, stored as {row['seq']}: {a}")
        elif (
            a.outcome not in ("ok", "info", "gap") and is_there
        ):  # a gap may close before a late copy arrives
            faults.append(f"refused and stored: {a}")
    for seq, take, ply, column, side in history.moved:
        row = stored.get((take, ply))
        if row is None or (row["seq"], row["column"], row["side"]) != (seq, column, side):
            faults.append(f"told and not stored: event {seq}, column {column} at {take}/{ply}")
    lines = _lines(rows, cuts, game["take"])
    if any(row["ply"] >= len(lines[row["take"]]) for row in rows):
        faults.append("a hole in the moves")
    for seq, (take, moves, *_) in history.seen.items():
        if take > game["take"] or not lines[take].startswith(moves):
            faults.append(f"event {seq} showed {moves} in take {take}, stored is {lines.get(take)}")
    for who, take, moves in history.finals:
        if (take, moves) != (game["take"], lines[game["take"]]):
            faults.append(f"{who} ended with {moves}, stored is {lines[game['take']]}")
    faults += _replay(history.board, lines[game["take"]], game)
    faults += [f"take {take}: {fault}" for take in lines for fault in _legal(history.board, lines[take])[1]]
    faults += _clock(history, rows, game["clock_increment"])
    return faults


def _lines(rows: list[sqlite3.Row], cuts: dict[int, int], last: int) -> dict[int, str]:
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


def _replay(board: tuple[int, int, int], moves: str, game: sqlite3.Row) -> list[str]:
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
    return []


def _clock(history: History, rows: list[sqlite3.Row], increment: int | None) -> list[str]:
    """Time never grows, except by the increment; and what was told is what is stored."""
    faults = []
    last: dict[int, int] = {}
    for row in sorted(rows, key=lambda row: row["seq"]):
        side, left = row["side"], row["left_ms"]
        if side in last and left > last[side] + (increment or 0):
            faults.append(f"event {row['seq']}: the clock of side {side} went from {last[side]} to {left}")
        if left is not None:
            last[side] = left
    stored = {row["seq"]: row["left_ms"] for row in rows}
    faults += [
        f"event {seq} told a clock of {left}" for seq, left in history.clocks if stored.get(seq) != left
    ]
    return faults
