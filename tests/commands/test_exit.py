"""A program may end while a daemon thread is inside the core: windows and bots do."""

import subprocess
import sys

import pytest

CALLS = {
    "analyse": "Solver(book=False).analyse(Position())",
    "score": "Solver(book=False).score(Position())",
    "scores": "Solver(book=False, threads=2).scores([Position()] * 200)",
    "progress": "Solver(book=False).analyse(Position(), progress=lambda nodes: None)",
    "mcts": 'make_agent("mcts:simulations=100000000").choose(Position())',
    "minimax": 'make_agent("minimax:depth=40").choose(Position())',
    "perft": "perft(Position(), 20)",
    "short": "[Solver(book=False, megabytes=1).score(won) for _ in range(10**9)]",
}


@pytest.mark.parametrize("call", CALLS)
def test_the_process_ends_quietly(call: str) -> None:
    program = f"""
import threading, time
from claimeven import Position, Solver, make_agent
from claimeven.count import perft
won = Position.parse("1212121")
begun = threading.Event()
def search():
    begun.set()
    {CALLS[call]}
threading.Thread(target=search, daemon=True).start()
begun.wait()
time.sleep(0.3)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_core_answers_in_handlers_that_run_after_its_own() -> None:
    program = """
import atexit
atexit.register(lambda: print(Solver(megabytes=1).score(Position.parse("4453"))))
from claimeven import Position, Solver
Solver(megabytes=1).score(Position())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "loses in 18 moves\n", "")


def test_a_value_that_is_held_to_the_end_is_no_leak() -> None:
    program = """
import threading, time
from claimeven import Solver
solver = Solver(book=False, megabytes=1)
threading.Thread(target=lambda held: time.sleep(100), args=(solver,), daemon=True).start()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
