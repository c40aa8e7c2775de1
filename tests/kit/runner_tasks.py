"""Tasks for test_runner.py, in a module of their own: workers import it."""

import os
import signal
import time
from pathlib import Path
from typing import Any


class UnportableError(Exception):
    """Cannot be unpickled: its constructor wants two arguments."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second}")


def echo(item: Any, seed: int) -> list[Any]:
    return [item, seed]


def late_first(item: int, seed: int) -> list[int]:
    """The earlier items take longer, so that with several workers they finish out of order."""
    time.sleep(max(0, 8 - item) * 0.02)
    return [item, seed]


def process_number(item: int, seed: int) -> int:
    time.sleep(0.1)
    return os.getpid()


def refuse_three(item: int, seed: int) -> int:
    if item == 3:
        raise ValueError("three is refused")
    return item


def refuse_unportably(item: object, seed: int) -> int:
    raise UnportableError("one", "two")


def answer_with_a_function(item: int, seed: int) -> Any:
    return lambda: item


def logged(item: tuple[str, int, float], seed: int) -> int:
    """Notes that it was called, then takes its time."""
    log, number, seconds = item
    note(log, f"{number} {os.getpid()}")
    time.sleep(seconds)
    return number * number


def die_once(item: tuple[str, int], seed: int) -> int:
    log, number = item
    is_first = not Path(log).exists() or str(number) not in Path(log).read_text().split()
    note(log, str(number))
    if number % 3 == 0 and is_first:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(item: int, seed: int) -> int:
    if item == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    return item


def leave(item: int, seed: int) -> int:
    if item == 2:
        os._exit(7)
    return item


def note(log: str, line: str) -> None:
    with open(log, "a") as file:
        file.write(line + "\n")
