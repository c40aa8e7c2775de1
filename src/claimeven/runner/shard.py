"""What a run consists of, and the seam between the run and whatever does the work."""

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

DEADLY = 2  # after so many workers have died of a shard, it is worked on carefully, if there is a way


class Shard(NamedTuple):
    """Consecutive items, worked on one after the other in one process."""

    number: int
    first: int  # the number of its first item
    items: list[Any]
    deaths: int = 0  # of workers, so far


Work = Callable[[Shard], list[Any]]  # one result per item
Answers = Generator[tuple[int, list[Any]], None, None]  # (number of a shard, its results), in any order

# Does the work of every shard, somewhere. Work, items and results can be pickled. Closing the generator ends
# what is still going on. Other machines come in here.
Execute = Callable[[Work, list[Shard]], Answers]
