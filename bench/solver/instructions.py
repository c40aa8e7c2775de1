"""What a node costs on boards of other sizes: instructions by node, and by move that is made and looked at.

    python bench/solver/instructions.py [--march x86-64-v3] [--nodes 30000] [7x6 9x6 12x6 ...]

It wants valgrind and a g++. Three random quiet positions of each board, a quarter filled, are searched for so
many nodes each by bench/solver/threads.cpp under callgrind, less what an empty run costs; a second build, of
a copy of the sources with a counter in it, tells how many moves were made. Both give the same numbers every
time.
"""

import argparse
import random
import re
import shutil
import subprocess
from pathlib import Path

from claimeven.bench.boards import SIZES
from claimeven.notation import moves_text
from claimeven.position import Board, Position

ROOT = Path(__file__).parents[2]
FLAGS = ("-std=gnu++20", "-O3", "-Wno-psabi", "-pthread")
POSITIONS, SEED = 3, 7
COUNTER = """inline struct Made {
  unsigned long long moves = 0;
  ~Made() { std::printf("%llu\\\\n", moves); }
} made;

template <class Shape>
class Search {"""
COUNTS = (
    (r"template <class Shape>\nclass Search \{", COUNTER),
    (r"(bool expand\(.*\{\n)", r"\1    made.moves += std::popcount(children.active);\n"),
    (r"#include <array>\n", "#include <array>\n#include <cstdio>\n"),
)


def built(name: str, march: str, counting: bool) -> str:
    sources = ROOT / "build" / name
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(ROOT / "native", sources)
    path = sources / "solver" / "search.hpp"
    text = path.read_text()
    for before, after in COUNTS if counting else ():
        text, found = re.subn(before, after, text)
        if found != 1:
            raise SystemExit(f"search.hpp has changed: where does it say {before!r}?")
    path.write_text(text)
    program = str(ROOT / "build" / f"{name}.run")
    command = ["g++", *FLAGS, f"-march={march}", f"-I{sources}", "bench/solver/threads.cpp", "-o", program]
    subprocess.run(command, cwd=ROOT, check=True)
    return program


def opening(board: Board, generator: random.Random) -> str:
    """Moves to a position in which nobody can win at once."""
    while True:
        moves: list[int] = []
        position = Position(board)
        while not position.is_over and len(moves) < board.cells // 4:
            moves.append(generator.choice(position.legal))
            position = position.play(moves[-1])
        if not position.is_over and all(position.play(move).winner is None for move in position.legal):
            return moves_text(moves)


def words(program: str, size: str, moves: str, nodes: int) -> list[str]:
    columns, rows = size.split("x")
    return [program, columns, rows, moves, "1", "64", str(nodes)]


def instructions(command: list[str]) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    told = subprocess.run([*valgrind, *command], capture_output=True, text=True, check=True).stderr
    found = re.search(r"Collected : (\d+)", told)
    assert found is not None, told
    return int(found[1])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--march", default="x86-64-v3")
    arguments.add_argument("--nodes", type=int, default=30_000)
    arguments.add_argument("sizes", nargs="*", default=SIZES)
    given = arguments.parse_args()
    plain, counting = built("plain", given.march, False), built("counting", given.march, True)
    print("| board | nodes | instructions a node | moves a node | instructions a move |")
    print("|---|--:|--:|--:|--:|")
    for size in given.sizes:
        generator = random.Random(SEED)
        nodes = moves = spent = 0
        for _ in range(POSITIONS):
            start = opening(Board.parse(size), generator)
            told = subprocess.check_output(words(counting, size, start, given.nodes), text=True).split()
            nodes, moves = nodes + int(told[2]), moves + int(told[-1])
            spent += instructions(words(plain, size, start, given.nodes))
            spent -= instructions(words(plain, size, start, 1))
        print(
            f"| {size} | {nodes:,} | {spent / nodes:,.0f} | {moves / nodes:.2f} | {spent / moves:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
