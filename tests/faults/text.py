"""People at the text door: no game of theirs has a name for them, and who loses the line has lost."""

import ast
import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

COLUMNS, ROWS = 7, 6
SECONDS = 60.0  # for a whole game


@dataclass
class TextHistory:
    """What one of them was told."""

    side: int = 0
    moves: str = ""  # columns counted from 1
    result: str = ""  # "" while nobody said
    faults: list[str] = field(default_factory=list)


class TextDoor:
    def __init__(self, rng: random.Random) -> None:
        self.histories: list[TextHistory] = []
        self.counts: Counter[str] = Counter()
        self._rng = rng

    async def play(self, port: int) -> None:
        """Two come; they may meet each other or somebody else."""
        await asyncio.gather(self._visit(port), self._visit(port))

    async def _visit(self, port: int) -> None:
        history = TextHistory()
        self.histories.append(history)
        try:
            async with asyncio.timeout(SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    await self._listen(reader, writer, history)
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError):
            self.counts["text lines lost"] += 1

    async def _listen(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, history: TextHistory
    ) -> None:
        heights = [0] * COLUMNS
        while line := (await reader.readline()).decode().strip():
            word, _, rest = line.partition(":")
            if word in ("1", "2"):
                history.side = int(word)
            elif word == "board":
                heights = _heights(history, heights, ast.literal_eval(rest.rpartition(":")[0]))
            elif word == "your_turn":
                if self._rng.random() < 0.01:
                    return  # away, without a word
                open_columns = [c for c in range(COLUMNS) if heights[c] < ROWS]
                writer.write(f"{self._rng.choice(open_columns)}\n".encode())
            elif word in ("win", "draw"):
                history.result = line
                return
            elif word in ("opponent_disconnected", "server_shutdown", "busy"):
                return


def _heights(history: TextHistory, before: list[int], rows: list[list[int]]) -> list[int]:
    """How high the columns are; which disc is new is written down."""
    now = [sum(row[column] != 0 for row in rows) for column in range(COLUMNS)]
    new = [column for column in range(COLUMNS) for _ in range(now[column] - before[column])]
    if len(new) != 1:
        history.faults.append(f"after {history.moves} a board with {len(new)} more discs")
    history.moves += "".join(str(column + 1) for column in new)
    return now


def broken(told: list[TextHistory], stored: list[tuple[str, str]]) -> list[str]:
    """What was told and is in no game. Those have moves and a score; nobody knows which is whose, so there
    must be as many that begin with what was told as there are of those who were told it."""
    faults = [f"text: {fault}" for history in told for fault in history.faults]
    for side in (1, 2):
        mine = [history for history in told if history.side == side and history.moves]
        for history in mine:
            heard = sum(other.moves.startswith(history.moves) for other in mine)
            kept = sum(moves.startswith(history.moves) for moves, _ in stored)
            if heard > kept:
                faults.append(f"text: {heard} were told {history.moves}, {kept} games have it")
            if history.result and (history.moves, _score(history.result)) not in stored:
                faults.append(f"text: {history.result} after {history.moves} is not stored")
    return faults


def _score(result: str) -> str:
    return {"win:1": "1-0", "win:2": "0-1", "draw": "1/2-1/2"}[result]
