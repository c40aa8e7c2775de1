"""The engine for browsers beside the native one, in one run: `python bench/page/browser.py [rounds]`.

Both solve every column of the same positions of middle-medium, without a book, in turns of a hundred: each
time from an empty table, so that neither learns from a turn before. The native one is the library of
`claimeven export`, which is built for every x86-64 processor (SSE2); the other runs in Node. Processor time
is counted; on a busy machine only the ratio means anything.
"""

import ctypes
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from claimeven import pons
from claimeven.export.library import engine_library
from claimeven.position import Position

ROOT = Path(__file__).parents[2]
TURN = 100
MEGABYTES = 64

SCRIPT = """
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Engine } from './web/engine/engine.js';
const bytes = readFileSync('web/engine/engine.wasm');
const sizes = [bytes.length, gzipSync(bytes).length, brotliCompressSync(bytes).length];
console.log(`engine.wasm: ${sizes[0]} bytes, gzip ${sizes[1]}, brotli ${sizes[2]}`);
const engine = await Engine.load(bytes);
for await (const line of createInterface({ input: process.stdin })) {
  const positions = JSON.parse(line).map((moves) => engine.position(moves));
  const solver = engine.make('solver_new', 64, 0);
  const start = process.cpuUsage();
  for (const { mine, mask } of positions)
    engine.call('solver_analyse', solver, 7, 6, 4, mine, 0n, mask, 0n, 1, 0, 0, -1, 0);
  const { user, system } = process.cpuUsage(start);
  console.log((user + system) / 1e6);
  engine.call('solver_delete', solver);
}
"""


def native_seconds(library: ctypes.CDLL, positions: list[str]) -> float:
    library.claimeven_solver_new.restype = ctypes.c_void_p
    solver = ctypes.c_void_p(library.claimeven_solver_new(MEGABYTES, None, ctypes.c_uint64(0)))
    low, high = (ctypes.c_int * 7)(), (ctypes.c_int * 7)()
    rows = []
    for moves in positions:
        position = Position.parse(moves)
        rows.append((ctypes.c_uint64 * 4)(position.mine, 0, position.mask, 0))
    start = time.process_time()
    for words in rows:
        library.claimeven_solver_analyse(solver, 7, 6, 4, words, ctypes.c_double(60.0), low, high)
    seconds = time.process_time() - start
    library.claimeven_solver_delete(solver)
    return seconds


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    path = ROOT / "build" / "engine.elf"
    path.write_bytes(engine_library())
    library = ctypes.CDLL(str(path))
    sample = [moves for moves, _ in pons.read_set("L2_R2")]
    node = subprocess.Popen(
        ["node", "--input-type=module", "-e", SCRIPT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert node.stdin is not None
    assert node.stdout is not None
    print(node.stdout.readline(), end="")
    ratios = []
    for turn in range(-1, rounds):  # the first one warms both up
        at = turn % (len(sample) // TURN) * TURN
        positions = sample[at : at + TURN]
        native = native_seconds(library, positions)
        print(json.dumps(positions), file=node.stdin, flush=True)
        wasm = float(node.stdout.readline())
        if turn >= 0:
            ratios.append(wasm / native)
            print(f"{TURN} positions: native {native:.3f} s, wasm {wasm:.3f} s, {wasm / native:.2f}")
    node.stdin.close()
    node.wait()
    print(f"wasm takes {statistics.median(ratios):.2f} times as long (median of {rounds} turns)")


if __name__ == "__main__":
    main()
