"""Programs and Kaggle submissions: whatever they do is an answer or an ending."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claimeven.agents import Agent, AgentError, AgentNonsenseError, AgentTimeoutError, close, make_agent
from claimeven.limit import Limit
from claimeven.position import Board, Position

Run = Callable[[str], Agent]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Run]:
    """An agent from the text of a Python program."""
    agents: list[Agent] = []

    def make(text: str) -> Agent:
        path = tmp_path / f"program{len(agents)}.py"
        path.write_text(text)
        agents.append(make_agent(f"process:timeout=0.5,command={sys.executable} {path}", seed=9))
        return agents[-1]

    yield make
    for agent in agents:
        close(agent)


@pytest.fixture
def submission(tmp_path: Path) -> Iterator[Run]:
    agents: list[Agent] = []

    def make(text: str) -> Agent:
        path = tmp_path / f"submission{len(agents)}.py"
        path.write_text(text)
        agents.append(make_agent(f"kaggle:file={path}"))
        return agents[-1]

    yield make
    for agent in agents:
        close(agent)


ECHO = "import sys\nfor line in sys.stdin: print({answer}, flush=True)"


def test_a_program_gets_moves_board_and_seed(program: Run) -> None:
    text = "import os\nassert os.environ['CLAIMEVEN_SEED'] == '9' and 'x' in os.environ['CLAIMEVEN_BOARD']\n"
    agent = program(text + ECHO.format(answer="len(line.strip()) % 9 + 1"))
    assert agent.choose(Position(Board(9, 7, 4))).column == 0
    assert agent.choose(Position.parse("123", Board(9, 7, 4))).column == 3
    assert agent.choose(Position.parse("1234")).column == 4  # another board: started anew
    assert agent.choose(Position.parse("7/7/7/7/3o3/2oxx2 x")).column == 4  # any order that leads there


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("'hello'", "is no move: a column is one digit"),
        ("'8'", "there is no column 8"),
        ("'4'", "column 4 is full"),
        ("''", "is no move"),
        ("'3.0'", "is no move"),
        ("'\\x1b[31m'", "is no move"),
        ("'x' * 20000", "the answer has no end"),
    ],
)
def test_nonsense(program: Run, answer: str, words: str) -> None:
    with pytest.raises(AgentNonsenseError, match="answer") as caught:
        program(ECHO.format(answer=answer)).choose(Position.parse("444444"))
    assert words in str(caught.value)
    assert caught.value.ending == "illegal"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('oops')", "exit code 1: 'ValueError: oops'"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "exit code -9"),
        ("import sys; sys.stdin.readline(); sys.stdout.close()", "the program"),
    ],
)
def test_crashes(program: Run, text: str, words: str) -> None:
    agent = program(text)
    for _ in range(2):  # it is started again
        with pytest.raises(AgentError, match="the program") as caught:
            agent.choose(Position())
        assert words in str(caught.value)
        assert caught.value.ending == "crash"


def test_silence_and_a_child_of_a_child(program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.agents.apart.process.STARTUP", 1.0)
    agent = program("import subprocess\nsubprocess.run(['sleep', '60'])")
    start = time.perf_counter()
    with pytest.raises(AgentTimeoutError, match="no answer within") as caught:
        agent.choose(Position(), Limit(seconds=0.2))
    assert caught.value.ending == "time"
    assert time.perf_counter() - start < 10


def test_a_crash_is_not_forever(program: Run, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    agent = program(
        f"import os, sys\nif not os.path.exists({str(flag)!r}):\n    open({str(flag)!r}, 'w'); sys.exit(1)\n"
        + ECHO.format(answer="2")
    )
    with pytest.raises(AgentError):
        agent.choose(Position())
    assert agent.choose(Position()).column == 1


def test_greetings_before_the_question_are_ignored(program: Run) -> None:
    agent = program("import sys, time\nprint('welcome', flush=True)\n" + ECHO.format(answer="4"))
    for _ in range(3):
        try:
            assert agent.choose(Position()).column == 3
            return
        except AgentNonsenseError:  # the greeting came after the question
            continue
    pytest.fail("the greeting was taken for an answer every time")


# Kaggle ------------------------------------------------------------------------------------------


def test_the_last_callable_is_the_agent(submission: Run) -> None:
    agent = submission("def agent(obs, config): return 1\ndef helper(obs, config): return 5\nx = 3")
    assert agent.choose(Position()).column == 5


def test_what_a_submission_sees(submission: Run) -> None:
    agent = submission(
        "def agent(obs, config):\n"
        "    assert obs.board == obs['board'] and len(obs.board) == config.rows * config.columns\n"
        "    assert obs.board[-1] == 2 and obs.board[-4] == 1, obs.board\n"  # the last row is the bottom
        "    assert (obs.mark, obs.step, config.inarow) == (1, 2, 5)\n"
        "    assert '__file__' not in globals() and config['__raw_path__'].endswith('.py')\n"
        "    assert config.actTimeout == 2 and obs.remainingOverageTime == 60\n"
        "    return 0\n"
    )
    assert agent.choose(Position.parse("58", Board(8, 7, 5))).column == 0


def test_fewer_arguments_and_numbers_of_other_kinds(submission: Run) -> None:
    assert submission("def agent(obs): return obs.mark").choose(Position()).column == 1
    text = "class N:\n    def __index__(self): return 6\ndef agent(obs, config): return N()"
    assert submission(text).choose(Position()).column == 6


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("def agent(obs, config): return 1/0", AgentError, "ZeroDivisionError"),
        ("raise ValueError('at import')", AgentError, "ValueError: at import"),
        ("def agent(:", AgentError, "SyntaxError"),
        ("x = 1", AgentError, "the file defines no agent"),
        ("import os\ndef agent(obs, config): os._exit(5)", AgentError, "exit code 5"),
        ("def agent(obs, config): return 7", AgentNonsenseError, "answered 7"),
        ("def agent(obs, config): return None", AgentNonsenseError, "answered None"),
        ("def agent(obs, config): return 2.0", AgentNonsenseError, "answered 2.0"),
        ("import time\ndef agent(obs, config): time.sleep(60)", AgentTimeoutError, "no answer within"),
    ],
)
def test_submissions_that_fail(submission: Run, text: str, kind: type[AgentError], words: str) -> None:
    with pytest.raises(kind) as caught:
        submission(text).choose(Position(), Limit(seconds=1))
    assert words in str(caught.value)


def test_a_submission_remembers_one_game_only(submission: Run) -> None:
    agent = submission("calls = []\ndef agent(obs, config):\n    calls.append(1)\n    return len(calls)")
    assert [agent.choose(Position.parse(moves)).column for moves in ("", "77", "7766")] == [1, 2, 3]
    assert agent.choose(Position()).column == 1


# Ctrl-C and other threads ------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["minimax:depth=42", "mcts:simulations=2000000000", "perfect"])
def test_ctrl_c_ends_a_search(spec: str) -> None:
    code = (
        "from claimeven.agents import make_agent; from claimeven.position import *\n"
        f"agent = make_agent({spec!r}); print('ready', flush=True)\n"
        "agent.choose(Position(Board(10, 10, 5)))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    )
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert child.returncode == -signal.SIGINT
    assert b"KeyboardInterrupt" in err


@pytest.mark.parametrize("spec", ["minimax", "mcts"])
def test_other_threads_run_during_a_search(spec: str) -> None:
    import threading

    ticks, done = 0, threading.Event()

    def search() -> None:
        make_agent(spec).choose(Position(), Limit(seconds=0.3))
        done.set()

    threading.Thread(target=search).start()
    while not done.wait(0.001):
        ticks += 1
    assert ticks > 20
