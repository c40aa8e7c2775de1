"""The native door: it refuses what is no position, lets other threads run and hears Ctrl-C."""

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from claimeven import _core
from claimeven.position import Board, Position

TOO_WIDE = 1 << 128


@pytest.mark.parametrize(
    "sizes",
    [
        *((0, 6, 4), (7, 0, 4), (7, 6, 0), (-1, 6, 4), (7, -6, 4), (7, 6, -4), (-(2**31), 6, 4)),
        *(
            (36, 1, 4),
            (35, 3, 4),
            (12, 10, 5),
            (1, 128, 4),
            (2, 64, 4),
            (129, 0, 1),
            (2**31 - 1, 2**31 - 1, 4),
        ),
    ],
)
def test_impossible_boards_are_refused(sizes: tuple[int, int, int]) -> None:
    for call in (lambda: _core.perft(*sizes, 0, 0, 1), lambda: _core.count_positions(*sizes, 1)):
        with pytest.raises(ValueError, match=r"^board: ") as caught:
            call()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("mine", "mask", "words"),
    [
        (0, 1 << 6, "outside the board"),  # a sentinel
        (0, 1 << 49, "outside the board"),  # beside the last column
        (0, 1 << 127, "outside the board"),
        (0, 1 << 64, "outside the board"),  # would be lost in a 64-bit word
        (0, 0b10, "floats"),
        (0, 0b101, "floats"),
        (0, 1 << 48 - 1, "floats"),
        (1, 0, "missing in mask"),
        (0b10, 0b01, "missing in mask"),
        (-1, 0, "0 to 128 bits"),
        (0, -1, "0 to 128 bits"),
        (0, TOO_WIDE, "0 to 128 bits"),
        (TOO_WIDE, TOO_WIDE, "0 to 128 bits"),
    ],
)
def test_impossible_stones_are_refused(mine: int, mask: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        _core.perft(7, 6, 4, mine, mask, 1)


@pytest.mark.parametrize("garbage", [1.0, "1", None, b"1", [], 1j, object()])
def test_what_is_no_integer_is_refused(garbage: Any) -> None:
    calls: list[tuple[Any, list[int]]] = [
        (_core.perft, [7, 6, 4, 0, 0, 1]),
        (_core.count_positions, [7, 6, 4, 1]),
    ]
    for call, numbers in calls:
        for place in range(len(numbers)):
            with pytest.raises((TypeError, ValueError)):
                call(*numbers[:place], garbage, *numbers[place + 1 :])


@pytest.mark.parametrize("depth", [-1, 129, -(2**31), 2**31 - 1])
def test_depths_out_of_range_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="0 to 128"):
        _core.perft(7, 6, 4, 0, 0, depth)
    with pytest.raises(ValueError, match="0 to 128"):
        _core.count_positions(7, 6, 4, depth)


def test_numbers_beyond_the_machine_are_refused() -> None:
    with pytest.raises(TypeError):
        _core.perft(2**40, 6, 4, 0, 0, 1)
    with pytest.raises(TypeError):
        _core.perft(7, 6, 4, 0, 0, 2**40)


def test_every_position_of_python_is_accepted() -> None:
    for text in ("", "4453", "1212121", "777777111111222222"):
        p = Position.parse(text)
        assert _core.perft(7, 6, 4, p.mine, p.mask, 0) == (1, int(p.winner is not None))
    board = Board(1, 127)
    p = Position.parse("1" * 127, board)
    assert _core.perft(1, 127, 4, p.mine, p.mask, 0) == (1, 0)


def test_other_threads_run_during_a_long_count() -> None:
    ticks, is_done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.perf_counter()
    _core.perft(7, 6, 4, 0, 0, 10)
    seconds = time.perf_counter() - started
    is_done.set()
    thread.join()
    # With the GIL held there would be none or one; a loaded machine may swallow most.
    assert ticks > 20 * seconds


@pytest.mark.parametrize("call", ["_core.perft(7, 6, 4, 0, 0, 16)", "_core.count_positions(12, 6, 4, 7)"])
def test_ctrl_c_ends_a_long_count(call: str) -> None:
    code = f"from claimeven import _core; print('go', flush=True); {call}"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"go\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=20)
    assert b"KeyboardInterrupt" in stderr
