"""Solve empty boards of many sizes, each in as many sittings as it takes: the file behind docs/boards.md.

    python bench/solver/boards.py --work FOLDER [6x5 8x6 ...]
    python bench/solver/boards.py --threads 16 --megabytes 32768 8x6
    python bench/solver/boards.py --table

A board that is solved becomes a line of docs/data/boards.jsonl; one that is not goes on from the table that
SavingSolver keeps in FOLDER. Without sizes: all of up to 49 cells, those that cost least first. With
--table it prints what is known as Markdown. More than one thread solve a board in one sitting, without
saving: a large table takes longer to write than to fill.
"""

import argparse
import json
import time
from pathlib import Path

from claimeven import notation
from claimeven.position import Board, Position
from claimeven.solver import Bounds, SavingSolver, Score, Solver, score_of

RESULTS = Path(__file__).parents[2] / "docs" / "data" / "boards.jsonl"
MEGABYTES = 1024
TELL_SECONDS = 20.0
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
        return row_of(score, board, line, solver.nodes, float(spent.read_text()))


def solve_at_once(size: str, threads: int, megabytes: int) -> dict[str, object]:
    board = Board.parse(size)
    start = Position(board)
    begun, told = time.process_time(), time.monotonic()

    def tell(nodes: int) -> None:
        nonlocal told
        if time.monotonic() - told > TELL_SECONDS:
            told = time.monotonic()
            print(
                size,
                f"{nodes:,} nodes of the first thread",
                f"{time.process_time() - begun:.0f} s",
                flush=True,
            )

    solver = Solver(threads, megabytes, book=False)
    outcome = solver.solve(start, progress=tell, only_outcome=True)
    print(size, outcome, f"{time.process_time() - begun:.0f} s", flush=True)
    found = solver.solve(start, progress=tell)
    spent = time.process_time() - begun
    score = score_of(found.low, board.cells, 0)
    row = row_of(score, board, solver.line(start, score), outcome.nodes + found.nodes, spent)
    return row | {"threads": threads}


def row_of(
    score: Score, board: Board, line: tuple[int, ...], nodes: int, seconds: float
) -> dict[str, object]:
    return {
        "board": f"{board.columns}x{board.rows}",
        "value": score.value,
        "last_ply": last_ply(score, board),
        "nodes": nodes,
        "seconds": round(seconds, 2),
        "line": notation.moves_text(line),
    }


def table() -> str:
    rows = [json.loads(row) for row in RESULTS.read_text().splitlines()]
    rows.sort(key=lambda row: (Board.parse(row["board"]).cells, row["board"]))
    lines = ["| board | winner | last stone | value | nodes | seconds |", "|---|---|--:|--:|--:|--:|"]
    for row in rows:
        winner = WINNERS[(row["value"] > 0) - (row["value"] < 0)]
        effort = f"{row['nodes']:,} | {row['seconds']:.2f}"
        threads = f" ({row['threads']} threads)" if "threads" in row else ""
        lines.append(
            f"| {row['board']}{threads} | {winner} | {row['last_ply']} | {row['value']} | {effort} |"
        )
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--work", type=Path, default=Path("build/boards"))
    arguments.add_argument("--table", action="store_true")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--megabytes", type=int, default=MEGABYTES, help="with more than one thread")
    arguments.add_argument("--out", type=Path, default=RESULTS)
    arguments.add_argument("sizes", nargs="*")
    given = arguments.parse_args()
    if given.table:
        print(table())
        return
    given.work.mkdir(parents=True, exist_ok=True)
    known = {json.loads(row)["board"] for row in RESULTS.read_text().splitlines()}
    for size in given.sizes or sizes():
        if size in known:
            continue
        is_alone = given.threads == 1
        row = solve(size, given.work) if is_alone else solve_at_once(size, given.threads, given.megabytes)
        with given.out.open("a") as results:
            print(json.dumps(row), file=results)
        (given.work / f"{size}.saved").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
