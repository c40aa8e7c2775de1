"""Many independent tasks on many cores: seeded, in order, resumable.

A task is a function of a module, `task(item, seed)`. Its seed follows from the seed of the run and the number
of the item, so results depend neither on the number of workers nor on which of them is quicker.

>>> list(run(divmod, [7, 8, 9], seed=5)) == [divmod(n, seed_of(5, i)) for i, n in enumerate([7, 8, 9])]
True

Items are worked on in *shards* of consecutive items. With a folder, the results of every finished shard are
kept there; a run that was interrupted, by Ctrl-C or by a power cut, goes on where it was.
"""

import functools
import hashlib
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from claimeven.errors import InputError
from claimeven.runner.cluster import on_ray
from claimeven.runner.folder import Folder, unpacked, write_whole
from claimeven.runner.pool import WorkerError, on_processes
from claimeven.runner.progress import Bar, Progress
from claimeven.runner.shard import DEADLY, Answers, Execute, Shard, Work

Item = TypeVar("Item")
Result = TypeVar("Result")

__all__ = [
    "Bar",
    "Execute",
    "Folder",
    "Progress",
    "Shard",
    "WorkerError",
    "on_processes",
    "on_ray",
    "run",
    "seed_of",
    "unpacked",
    "write_whole",
]


def run(
    task: Callable[[Item, int], Result],
    items: Iterable[Item],
    *,
    workers: int = 1,
    seed: int = 0,
    per_shard: int = 1,
    folder: Path | None = None,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    execute: Execute | None = None,
    careful: Callable[[Item, int], Result] | None = None,
) -> Generator[Result, None, None]:
    """Yield the result of every item, in order, as soon as it and all before it are there.

    One worker is this very process; more are processes of their own. An exception of a task is raised here,
    with a note that names the item. Closing the iterator early ends the workers.

    With `folder`, finished shards are kept; results must then be JSON values. `name` and `parameters`, JSON
    values too, say what is computed: a folder that holds anything else is refused.

    `execute` does the work somewhere else: `on_ray("auto")`. `careful` is tried instead of the task once two
    workers have died of an item: it should do the same without dying.
    """
    items = list(items)
    if workers < 1 or per_shard < 1:
        raise InputError("run.workers")
    shards = [
        Shard(number, first, items[first : first + per_shard])
        for number, first in enumerate(range(0, len(items), per_shard))
    ]
    about = {
        "name": name or task.__name__,
        "parameters": dict(parameters or {}),
        "seed": seed,
        "items": len(items),
        "per_shard": per_shard,
    }
    execute = execute or (in_this_process if workers == 1 else on_processes(workers))
    work = functools.partial(_work, task, careful or task, seed)

    with Folder(folder, about) if folder is not None else nullcontext() as kept:
        # Results that are there before their turn: at first, those of an earlier run.
        early = {} if kept is None else {s.number: r for s in shards if (r := kept.read(s)) is not None}
        missing = [shard for shard in shards if shard.number not in early]
        done, turn = sum(map(len, early.values())), 0
        if progress:
            progress(done, len(items))
        with closing(execute(work, missing)) as answers:
            while turn < len(shards):
                if turn in early:
                    yield from early.pop(turn)
                    turn += 1
                    continue
                number, results = next(answers)
                if kept is not None:
                    kept.write(shards[number], results)
                early[number] = results
                done += len(results)
                if progress:
                    progress(done, len(items))


def seed_of(seed: int, number: int) -> int:
    """The seed of one item: 64 bits that depend on the seed of the run and the number of the item."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=8).digest(), "little")


def in_this_process(work: Work, shards: list[Shard]) -> Answers:
    for shard in shards:
        yield shard.number, work(shard)


def _work(
    task: Callable[[Any, int], Any], careful: Callable[[Any, int], Any], seed: int, shard: Shard
) -> list[Any]:
    results = []
    if shard.deaths >= DEADLY:
        task = careful
    for number, item in enumerate(shard.items, shard.first):
        try:
            results.append(task(item, seed_of(seed, number)))
        except Exception as error:
            error.add_note(f"in item {number}: {_short(item)}")
            raise
    return results


def _short(item: object) -> str:
    text = repr(item)
    return text if len(text) <= 200 else f"{text[:200]}…"
