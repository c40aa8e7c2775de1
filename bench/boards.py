"""Solve empty boards of many sizes, each in as many sittings as it takes: the file behind docs/boards.md.

    python bench/boards.py --work FOLDER [6x5 8x6 ...]
    python bench/boards.py --table

A board that is solved becomes a line of docs/data/boards.jsonl; one that is not goes on from the table that
SavingSolver keeps in FOLDER. Without sizes: all of up to 49 cells, those that cost least first. With
--table it prints what is known as Markdown.
"""

import argparse
import json
import time
from pathlib import Path

from claimeven import notation
from claimeven.position import Board, Position
from claimeven.solver import Bounds, SavingSolver, Score, score_of

RESULTS = Path(__file__).parent.parent / "docs" / "data" / "boards.jsonl"
MEGABYTES = 1024
MOST_CELLS = 49
WINNERS = {1: "first", 0: "draw", -1: "second"}


def sizes() -> list[str]:
    """Cost grows faster with the columns than with the rows."""
    found = [(w, h) for w in range(4, 13) for h in range(4, 13) if w * h <= MOST_CELLS]
    return [f"{w}x{h}" for w, h in sorted(found, key=lambda size: size[0] ** 1.5 * size[1])]


def last_ply(score: Score, board: Board) -> int:
    """The stones on the board at the end, with best play."""
    if score.moves is None:
        return board.cells
    return 2 * score.moves - 1 if score.value > 0 else 2 * score.moves


def solve(size: str, work: Path) -> dict[str, object]:
    board = Board.parse(size)
    start = Position(board)
    spent = work / f"{size}.seconds"  # of the processor: the clock says little on a machine with others
    before = float(spent.read_text()) if spent.exists() else 0.0
    begun = time.process_time()

    def tell(column: int | None, bounds: Bounds) -> None:
        spent.write_text(f"{before + time.process_time() - begun:.3f}")
        print(size, bounds.low, bounds.high, f"{solver.nodes:,}", flush=True)

    with SavingSolver(work / f"{size}.saved", board, megabytes=MEGABYTES, book=False) as solver:
        solver.told = tell
        score = score_of(solver.solve(start).low, board.cells, 0)
        line = solver.line(start, score)
        return {
            "board": size,
            "value": score.value,
            "last_ply": last_ply(score, board),
            "nodes": solver.nodes,
            "seconds": round(float(spent.read_text()), 2),
            "line": notation.moves_text(line),
        }


def table() -> str:
    rows = [json.loads(row) for row in RESULTS.read_text().splitlines()]
    rows.sort(key=lambda row: (Board.parse(row["board"]).cells, row["board"]))
    lines = ["| board | winner | last stone | value | nodes | seconds |", "|---|---|--:|--:|--:|--:|"]
    for row in rows:
        winner = WINNERS[(row["value"] > 0) - (row["value"] < 0)]
        effort = f"{row['nodes']:,} | {row['seconds']:.2f}"
        lines.append(f"| {row['board']} | {winner} | {row['last_ply']} | {row['value']} | {effort} |")
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--work", type=Path, default=Path("build/boards"))
    arguments.add_argument("--table", action="store_true")
    arguments.add_argument("sizes", nargs="*")
    given = arguments.parse_args()
    if given.table:
        print(table())
        return
    given.work.mkdir(parents=True, exist_ok=True)
    known = {json.loads(row)["board"] for row in RESULTS.read_text().splitlines()}
    for size in given.sizes or sizes():
        if size not in known:
            row = json.dumps(solve(size, given.work))
            with RESULTS.open("a") as results:
                print(row, file=results)
            (given.work / f"{size}.saved").unlink()


if __name__ == "__main__":
    main()
