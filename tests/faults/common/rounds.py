"""Rounds of games: how a harness is asked for them, how each is played, what is told at the end."""

import argparse
import asyncio
import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from faults.common.storm import Storm
from faults.history import History
from faults.judge import Judge

CLEANING_SECONDS = 60.0  # in which old games must be gone, on a machine that others use too


class Outcome(Protocol):
    broken: list[str]
    counts: dict[str, int]
    histories: list[History]


def arguments(about: str, *, games: int, at_once: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--rounds", type=int, default=1, help="so often, each with a fresh database and seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=at_once, help="games at the same time")
    parser.add_argument("--pause", type=float, default=3.0, help="mean seconds between two blows")
    parser.add_argument("--defect", action="append", default=[], help="of the server, see planted.py")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no round begins later")
    parser.add_argument("--keep", type=Path, help="a folder for what is left of rounds with broken promises")
    parser.add_argument("--results", type=Path, help="a file of JSON lines: rounds in it are not run again")
    return parser


async def play(
    games: int, at_once: int, game: Callable[[], Awaitable[None]], storm: Storm, *beside: Awaitable[object]
) -> None:
    """So many games, several at a time, while the storm goes on; it ends with them and what is beside."""
    todo = iter(range(games))

    async def table() -> None:
        for _ in todo:
            await game()

    tables = asyncio.gather(*(table() for _ in range(at_once)), *beside)
    troubles = asyncio.create_task(storm.go_on())
    await asyncio.wait((tables, troubles), return_when=asyncio.FIRST_COMPLETED)
    storm.is_enough.set()
    await troubles
    if storm.is_lost and not tables.done():
        tables.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tables


async def cleaned(database: str) -> None:
    """Give a server that lives through it the time to forget what it must; the judge says whether it did."""
    end = time.monotonic() + CLEANING_SECONDS
    while time.monotonic() < end:
        judge = Judge(database)
        is_done = not judge.baits()
        judge.close()
        if is_done:
            return
        await asyncio.sleep(0.5)


def run_all(options: argparse.Namespace, outcome: Callable[[int], Outcome]) -> int:
    """The rounds that are not in the results yet, each by its seed; the exit code."""
    total: Counter[str] = Counter()
    broken: list[str] = []
    known = {} if options.results is None else _read(options.results)
    end = time.monotonic() + options.seconds
    for seed in range(options.seed, options.seed + options.rounds):
        if seed not in known:
            if time.monotonic() > end:
                break
            known[seed] = _round(seed, outcome)
            if options.results is not None:
                with options.results.open("a") as file:
                    file.write(json.dumps({"seed": seed, **known[seed]}) + "\n")
        total.update(known[seed]["counts"])
        broken += known[seed]["broken"]
    for name, count in total.items():
        print(f"{count:>9,}  {name}")
    for fault in broken[:50]:
        print(fault)
    print(f"{len(broken)} broken promises")
    return 1 if broken else 0


def _round(seed: int, outcome: Callable[[int], Outcome]) -> dict[str, Any]:
    began = time.monotonic()
    found = outcome(seed)
    counts = found.counts | {"seconds": round(time.monotonic() - began)}
    print(f"seed {seed}: {len(found.broken)} broken, {counts['seconds']} s", file=sys.stderr, flush=True)
    return {"counts": counts, "broken": found.broken}


def _read(file: Path) -> dict[int, dict[str, Any]]:
    if not file.exists():
        return {}
    rounds = [json.loads(line) for line in file.read_text().splitlines()]
    return {one["seed"]: one for one in rounds}
