"""Checks a file of `claimeven certify` and shares no code with what wrote it: the rules are its own.

    python check_certificate.py FILE

From the empty board, or after the moves that the file names, it plays the columns of the file for the one
side and every legal column for the other. Every position in which the agent has to move must be in the file,
the file must have no other, every column must be legal, and the ends must be as many as the file says.
"""

import hashlib
import json
import struct
import sys
from pathlib import Path

FIRST = b"claimeven-certificate 1\n"


def read(path: Path) -> tuple[dict, dict[int, dict[int, int]]]:
    """What the file says of itself, and by ply the column of every position."""
    data = path.read_bytes()
    if not data.startswith(FIRST) or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise SystemExit(f"{path}: this is no certificate, or it is damaged")
    line, _, rest = data[len(FIRST) : -32].partition(b"\n")
    about, levels, at = json.loads(line), {}, 0
    for ply, count in about["levels"]:
        keys = struct.unpack_from(f"<{count}Q", rest, at)
        levels[ply] = dict(zip(keys, rest[at + 8 * count : at + 9 * count], strict=True))
        at += 9 * count
    return about, levels


class Rules:
    """A board is a tuple of columns, each a text of 0 and 1 from the bottom up: who played there."""

    def __init__(self, board: str) -> None:
        self.columns, self.rows, self.connect = map(int, board.split("x"))

    def is_won(self, board: tuple[str, ...], column: int) -> bool:
        """Whether the stone on top of this column completes a line."""
        row = len(board[column]) - 1
        stone = board[column][row]
        for across, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                x, y = column + sign * across, row + sign * up
                while 0 <= x < self.columns and 0 <= y < len(board[x]) and board[x][y] == stone:
                    run, x, y = run + 1, x + sign * across, y + sign * up
            if run >= self.connect:
                return True
        return False

    def key(self, board: tuple[str, ...], mover: str) -> int:
        """In every column, from its lowest bit: the mover's stones plus all stones."""
        key = 0
        for number, stones in enumerate(board):
            own = sum(1 << row for row, stone in enumerate(stones) if stone == mover)
            key += (own + (1 << len(stones)) - 1) << number * (self.rows + 1)
        return key


def check(path: Path) -> str:
    about, levels = read(path)
    rules, side = Rules(about["board"]), about["side"]
    met = won = drawn = lost = 0
    first, start = ("",) * rules.columns, [int(digit, 36) - 1 for digit in about.get("start", "")]
    for ply, column in enumerate(start):
        first = (*first[:column], first[column] + str(ply % 2), *first[column + 1 :])
        if len(first[column]) > rules.rows or rules.is_won(first, column):
            raise SystemExit("the file starts with moves that cannot be played, or that end the game")
    mover = str(len(start) % 2)
    is_turned = about["mirrors"] and rules.key(first[::-1], mover) < rules.key(first, mover)
    waiting = {first[::-1] if is_turned else first}
    for ply in range(len(start), rules.columns * rules.rows):
        mover, after = str(ply % 2), set()
        given = levels.pop(ply, {}) if ply % 2 == side else {}
        for board in waiting:
            columns = [c for c in range(rules.columns) if len(board[c]) < rules.rows]
            if ply % 2 == side:
                taken = given.get(rules.key(board, mover))
                if taken not in columns:
                    raise SystemExit(f"ply {ply}, {board}: no legal column is given")
                columns, met = [taken], met + 1
            for column in columns:
                next_board = (*board[:column], board[column] + mover, *board[column + 1 :])
                if rules.is_won(next_board, column):
                    won, lost = won + (ply % 2 == side), lost + (ply % 2 != side)
                elif ply + 1 == rules.columns * rules.rows:
                    drawn += 1
                else:
                    turned, other = next_board[::-1], str(1 - ply % 2)
                    is_turned = about["mirrors"] and rules.key(turned, other) < rules.key(next_board, other)
                    after.add(turned if is_turned else next_board)
        if ply % 2 == side and len(given) != len(waiting):
            raise SystemExit(f"ply {ply}: the file has positions that are never met")
        waiting = after
    found = {"met": met, "won": won, "drawn": drawn, "lost": lost}
    said = {name: about[name] for name in found}
    if levels or found != said:
        raise SystemExit(f"the file says {said}, but there are {found}")
    return f"{about['agent']}, side {side} on {about['board']}: {found}" + (
        ", never loses" if not lost else ""
    )


if __name__ == "__main__":
    print(check(Path(sys.argv[1])))
