"""Solve empty boards of many sizes, each in as many sittings as it takes: the file behind docs/boards.md.

    python bench/solver/boards.py --work FOLDER [6x5 8x6 6x6x5 ...]
    python bench/solver/boards.py --threads 16 --megabytes 32768 8x6
    python bench/solver/boards.py --first-moves
    python bench/solver/boards.py --table [--connect 5]

A board that is solved becomes a line of docs/data/boards.jsonl; one that is not goes on from the table that
SavingSolver keeps in FOLDER. Without sizes: all of up to 49 cells, those that cost least first. With
--table it prints what is known as Markdown. More than one thread solve a board in one sitting, without
saving: a large table takes longer to write than to fill. --first-moves adds the scores of all first moves to
the lines of boards that took less than QUICK seconds.
"""

import argparse
import json
import time
from pathlib import Path

from claimeven import notation
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Bounds, SavingSolver, Score, Solver, score_of

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "data" / "boards.jsonl"
ORACLES = ROOT / "tests" / "data" / "oracles.json"
MEGABYTES = 1024
TELL_SECONDS = 20.0
FIRST_NODES = 1000  # for each move that may be the next of the line, and twice as many when none is proved
MOST_CELLS = 49
QUICK = 20.0  # seconds: boards whose first moves are solved, too
USUAL = 4  # in a row
WINNERS = {1: "first", 0: "draw", -1: "second"}
TWICE = "8x8"  # and all whose columns and rows are together at most:
TWICE_SIDES = 15


def sizes() -> list[str]:
    """Cost grows faster with the columns than with the rows."""
    found = [(w, h) for w in range(4, 13) for h in range(4, 13) if w * h <= MOST_CELLS]
    return [f"{w}x{h}" for w, h in sorted(found, key=lambda size: size[0] ** 1.5 * size[1])]


def name_of(board: Board) -> str:
    """As people write it: the length of a line only where it is not four."""
    return f"{board.columns}x{board.rows}" if board.connect == USUAL else str(board)


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
        line = line_of(solver, start, score)
        return row_of(score, board, line, solver.nodes, float(spent.read_text()))


def line_of(solver: Solver, start: Position, score: Score) -> tuple[int, ...]:
    """Best play of both sides: of the moves that keep the value always the one that is proved first."""
    position, value, line = start, score.value, list[int]()
    while not position.is_over:
        line.append(keeping(solver, position, value))
        position, value = position.play(line[-1]), -value
    return tuple(line)


def keeping(solver: Solver, position: Position, value: int) -> int:
    columns = [column for column in position.board.from_centre if column in position.legal]
    nodes = FIRST_NODES
    while True:
        for column in columns:
            found = Solver.solve(solver, position.play(column), Limit(nodes=nodes))
            if -found.high >= value:
                return column
        nodes *= 2


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
    row = row_of(score, board, line_of(solver, start, score), outcome.nodes + found.nodes, spent)
    return row | {"threads": threads}


def row_of(
    score: Score, board: Board, line: tuple[int, ...], nodes: int, seconds: float
) -> dict[str, object]:
    return {
        "board": name_of(board),
        "value": score.value,
        "last_ply": last_ply(score, board),
        "nodes": nodes,
        "seconds": round(seconds, 2),
        "line": notation.moves_text(line),
    }


def first_moves(size: str) -> list[int]:
    """The score of each first move, for who makes it: of one half, the other is its mirror image."""
    board = Board.parse(size)
    solver, half = Solver(1, MEGABYTES, book=False), range((board.columns + 1) // 2)
    scores = [-solver.solve(Position(board).play(column)).low for column in half]
    return scores + scores[: board.columns // 2][::-1]


def add_first_moves() -> None:
    """To the lines of boards that were quick, one after the other."""
    rows = [json.loads(row) for row in RESULTS.read_text().splitlines()]
    for row in rows:
        if row["seconds"] < QUICK and "first_moves" not in row:
            row["first_moves"] = first_moves(row["board"])
            print(row["board"], row["first_moves"], flush=True)
            RESULTS.write_text("".join(f"{json.dumps(each)}\n" for each in rows))


def elsewhere(board: Board) -> str:
    """How often others solved the board, that we know of."""
    size = name_of(board)
    if size not in json.loads(ORACLES.read_text())["game_value_by_board"]["values"]:
        return "none"
    return "twice" if board.columns + board.rows <= TWICE_SIDES or size == TWICE else "once"


def table(connect: int = USUAL) -> str:
    boards = [(Board.parse(row["board"]), row) for row in map(json.loads, RESULTS.read_text().splitlines())]
    lines = [
        "| board | winner | last stone | value | nodes | seconds | elsewhere |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    for board, row in sorted(boards, key=lambda each: (each[0].cells, each[1]["board"])):
        if board.connect != connect:
            continue
        winner = WINNERS[(row["value"] > 0) - (row["value"] < 0)]
        threads = f" ({row['threads']} threads)" if "threads" in row else ""
        lines.append(
            f"| {row['board']}{threads} | {winner} | {row['last_ply']} | {row['value']} "
            f"| {row['nodes']:,} | {row['seconds']:.2f} | {elsewhere(board)} |"
        )
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--work", type=Path, default=Path("build/boards"))
    arguments.add_argument("--table", action="store_true")
    arguments.add_argument("--connect", type=int, default=USUAL, help="with --table: so many in a row")
    arguments.add_argument("--first-moves", action="store_true")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--megabytes", type=int, default=MEGABYTES, help="with more than one thread")
    arguments.add_argument("--out", type=Path, default=RESULTS)
    arguments.add_argument("sizes", nargs="*")
    given = arguments.parse_args()
    if given.table:
        print(table(given.connect))
        return
    if given.first_moves:
        add_first_moves()
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
