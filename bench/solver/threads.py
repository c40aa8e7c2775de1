"""What more threads bring the solver: nodes and time of hard positions on 1, 2, 4, 8 and 16 of them.

    python3 bench/solver/threads.py [--rounds 3] [--threads 1 2 4 8 16] [--only 7x6] [--program build/threads]

It wants nothing but Python 3.11 and a g++ that knows C++20 (12 or newer): bench/solver/threads.cpp is built
into build/ for this very processor. Where there is no compiler, --program names one that was built elsewhere:

    g++ -std=gnu++20 -O3 -march=x86-64-v3 -static -pthread -Inative bench/solver/threads.cpp -o build/threads

    python3 bench/solver/threads.py --turns [--threads 1 2 16]

needs one core only: the threads take turns of four nodes (bench/solver/turns.hpp), so that what they search
together can be counted; `at most` is the speedup on cores that do not disturb each other.

By the clock a round takes two minutes with 16 cores, and every thread wants a core of its own.

Each round solves every position once with each number of threads, from an empty table of 1 GB, so a machine
that is busy for a while is busy for all of them. Told are medians: `speedup` is the time of one thread by
that of so many, `nodes` what they searched by what one searched (the price of searching together), `rate`
nodes per second by those of one thread (what cores and memory give). At the end it tells what the machine
allows at most: as many programs of one thread at once, each with a table of its own, against one alone.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
FLAGS = ("-std=gnu++20", "-O3", "-march=native", "-Wno-psabi", "-pthread")
TURNS = (
    ("system.hpp", "#include <thread>\n", '#include <thread>\n\n#include "turns.hpp"\n'),
    ("system.hpp", "std::vector<std::thread> threads_;", "std::vector<turns::Thread> threads_;"),
    ("limit.hpp", "  void count() {\n", "  void count() {\n    turns::pass();\n"),
)
MEGABYTES = 1024


@dataclass(frozen=True)
class Hard:
    """A position that takes one thread seconds; columns count from 1."""

    board: str
    moves: str
    score: int


POSITIONS = (
    Hard("7x6", "", 1),
    Hard("7x6", "4444", 1),
    Hard("8x6", "444444", 1),
    Hard("9x6", "55555546", 0),
    Hard("7x7", "444444", 0),
    Hard("8x7", "4444444555", 0),
)


@dataclass(frozen=True)
class Run:
    """One solve."""

    board: str
    moves: str
    threads: int
    nodes: int
    seconds: float
    processor: float


def in_turns() -> Path:
    """The sources of the solver with threads that take turns."""
    sources = ROOT / "build" / "turns"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(ROOT / "native", sources)
    shutil.copy(ROOT / "bench/solver/turns.hpp", sources)
    for name, before, after in TURNS:
        path = sources / "board" / name
        text = path.read_text()
        if text.count(before) != 1:
            sys.exit(f"{path.name} has changed: where does it say {before!r}?")
        path.write_text(text.replace(before, after))
    return sources


def built(sources: Path) -> Path:
    """The program, compiled here."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        sys.exit("no g++ here: name a program that was built elsewhere with --program (see --help)")
    program = ROOT / "build" / f"threads-{sources.name}"
    program.parent.mkdir(exist_ok=True)
    command = [compiler, *FLAGS, f"-I{sources}", "bench/solver/threads.cpp", "-o", str(program)]
    subprocess.run(command, cwd=ROOT, check=True)
    return program


def words(program: Path, hard: Hard, threads: int) -> list[str]:
    columns, rows = hard.board.split("x")
    return [str(program.resolve()), columns, rows, hard.moves or "-", str(threads), str(MEGABYTES)]


def speed(told: str) -> float:
    """Nodes per second."""
    _, _, nodes, seconds, _ = told.split()
    return int(nodes) / float(seconds)


def ceiling(program: Path, hard: Hard, most: int) -> str:
    """What the machine allows: one thread alone against as many programs of one thread at once."""
    command = words(program, hard, 1)
    alone = speed(subprocess.check_output(command, text=True))
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(most)]
    together = [speed(program.communicate()[0]) for program in running]
    return (
        f"{most} programs at once on {hard.board} {hard.moves}: each {min(together) / alone:.2f} to "
        f"{max(together) / alone:.2f} of the rate of one alone, together {sum(together) / alone:.1f} times"
    )


def solved(program: Path, hard: Hard, threads: int) -> Run:
    told = subprocess.check_output(words(program, hard, threads), text=True)
    low, high, nodes, seconds, processor = told.split()
    if not int(low) == int(high) == hard.score:
        sys.exit(f"{hard}: {threads} threads say {low} to {high}")
    return Run(hard.board, hard.moves, threads, int(nodes), float(seconds), float(processor))


def table_of_turns(runs: list[Run]) -> str:
    lines = ["| position | threads | nodes | of one thread | at most |", "|---|--:|--:|--:|--:|"]
    alone = {(run.board, run.moves): run.nodes for run in runs if run.threads == 1}
    for run in runs:
        more = run.nodes / alone[run.board, run.moves]
        name = f"{run.board} {run.moves or 'empty'}"
        lines.append(f"| {name} | {run.threads} | {run.nodes:,} | {more:.2f} | {run.threads / more:.1f} |")
    return "\n".join(lines)


def table(runs: list[Run]) -> str:
    lines = ["| position | threads | seconds | speedup | nodes | rate |", "|---|--:|--:|--:|--:|--:|"]
    for hard in POSITIONS:
        alone: tuple[float, float] | None = None
        of_hard = [run for run in runs if (run.board, run.moves) == (hard.board, hard.moves)]
        for threads in sorted({run.threads for run in of_hard}):
            group = [run for run in of_hard if run.threads == threads]
            nodes, seconds = median(run.nodes for run in group), median(run.seconds for run in group)
            alone = alone or (nodes, seconds)
            rate = nodes / seconds / (alone[0] / alone[1])
            lines.append(
                f"| {hard.board} {hard.moves or 'empty'} | {threads} | {seconds:.2f} | "
                f"{alone[1] / seconds:.2f} | {nodes / alone[0]:.2f} | {rate:.2f} |"
            )
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    arguments.add_argument("--only", metavar="BOARD", help="positions of this board only")
    arguments.add_argument("--program", type=Path, help="built elsewhere; else it is compiled")
    arguments.add_argument("--turns", action="store_true", help="count nodes on one core, see above")
    arguments.add_argument("--out", type=Path, help="every run as a line of JSON")
    given = arguments.parse_args()
    if given.turns:
        given.rounds, given.threads = 1, sorted({1, *given.threads})
    program = given.program or built(in_turns() if given.turns else ROOT / "native")
    runs: list[Run] = []
    for number in range(1, given.rounds + 1):
        for hard in POSITIONS:
            for threads in given.threads:
                if given.only in (None, hard.board):
                    runs.append(solved(program, hard, threads))
                    print(f"round {number}:", json.dumps(asdict(runs[-1])), flush=True)
    if given.out is not None:
        given.out.write_text("".join(json.dumps(asdict(run)) + "\n" for run in runs))
    if given.turns:
        print(table_of_turns(runs))
        return
    print(f"{os.cpu_count()} cores, medians of {given.rounds} rounds, {MEGABYTES} MB\n{table(runs)}")
    print(ceiling(program, POSITIONS[2], max(given.threads)))


if __name__ == "__main__":
    main()
