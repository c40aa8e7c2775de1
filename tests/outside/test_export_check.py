"""`export kaggle --check`: a sound file passes, and every way in which a file can be unfit is found."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from claimeven.agents.apart import kaggle
from claimeven.cli import run
from claimeven.export import submission
from claimeven.export.check import UnfitError, check

SPEC = "minimax:depth=2"


@cache
def sound() -> str:
    return submission(SPEC)


@pytest.fixture
def findings(tmp_path: Path) -> Callable[..., list[str]]:
    def found(text: str, spec: str = SPEC, *, pure: bool = False) -> list[str]:
        path = tmp_path / "submission.py"
        path.write_text(text)
        return list(check(path, spec, pure=pure))

    return found


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "submission.py"
    assert run(["export", "kaggle", SPEC, "-o", str(path), "--check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "36 sampled positions are answered as by minimax:depth=2"
    assert lines[2] == "against itself on 7x6x4, a game with each side"
    assert lines[3].startswith("against random on 7x6x4, a game with each side: 2 won")
    assert re.fullmatch(r"no invalid move; the slowest took \d\.\d\d of 2 seconds", lines[7])
    assert lines[-1] == f"{path} is fit to be sent"


def test_the_command_says_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An export that went wrong: what it writes does not run."""
    monkeypatch.setattr(
        "claimeven.export.submission", lambda *_, **__: "def agent(obs, config):\n    return 7\n"
    )
    path = tmp_path / "submission.py"
    assert run(["export", "kaggle", SPEC, "-o", str(path), "--check"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"claimeven: {path} is not fit to be sent: it fails in ")
    assert "the submission answered 7" in said.err
    assert "Traceback" not in said.err
    assert "fit to be sent" not in said.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def agent(obs, config):\n    return 7\n", r"the submission answered 7, legal columns"),
        ("def agent(obs, config):\n    return '3'\n", r"the submission answered '3'"),
        ("def agent(obs, config):\n    raise KeyError('board')\n", r"the submission failed: KeyError"),
        ("def agent(obs, config) return 3\n", r"the submission failed: SyntaxError"),
        ("import numpy\ndef agent(obs, config):\n    return 3\n", r"No module named 'numpy'"),
        ("import claimeven\ndef agent(obs, config):\n    return 3\n", r"No module named 'claimeven'"),
        ("import os\ndef agent(obs, config):\n    os._exit(5)\n", r"ended with exit code 5"),
        ("x = 3\n", r"the file defines no agent"),
    ],
    ids=["no column", "text", "error", "syntax", "numpy", "claimeven", "exit", "no agent"],
)
def test_a_file_that_fails(findings: Callable[..., list[str]], text: str, words: str) -> None:
    with pytest.raises(UnfitError, match=words):
        findings(text)


def in_games(fault: str) -> str:
    """A sound file, but with a fault in games: only there the overage is more than nothing."""
    door = f"def last(obs, conf):\n    if obs.remainingOverageTime: {fault}\n    return agent(obs, conf)\n"
    return f"{sound()}\n\n{door}"


def test_a_file_that_fails_in_games_only(findings: Callable[..., list[str]]) -> None:
    with pytest.raises(UnfitError, match=r"it fails against itself on 7x6x4: .* answered -1, legal columns"):
        findings(in_games("return -1"))


def test_a_slow_file(findings: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kaggle, "ACT_TIMEOUT", 0.5)
    monkeypatch.setattr(kaggle, "OVERAGE", 0.1)
    with pytest.raises(UnfitError, match=r"it fails against itself on 7x6x4: .*no answer within 0\.6 s"):
        findings(in_games("__import__('time').sleep(60)"))


def test_a_file_that_plays_otherwise(findings: Callable[..., list[str]]) -> None:
    """Legal to the end, but its engine does not load: plain Python plays, and plays something else."""
    broken = sound().replace('ENGINE = """', 'ENGINE = """AAAA')
    with pytest.raises(UnfitError, match=r"with column \d, not as by minimax:depth=2 with \d"):
        findings(broken)
    with pytest.raises(UnfitError, match="not as by minimax:depth=5 with"):
        findings(sound(), "minimax:depth=5")


LEFTMOST = "def agent(obs, config):\n    return next(c for c in range(config.columns) if obs.board[c] == 0)\n"


@pytest.mark.parametrize(
    ("spec", "words"),
    [("perfect", "not by exact play with"), ("mcts", "not by wins and blocks at hand with")],
)
def test_an_agent_limited_by_time_or_exact(findings: Callable[..., list[str]], spec: str, words: str) -> None:
    with pytest.raises(UnfitError, match=words):
        findings(LEFTMOST, spec)


@pytest.mark.parametrize("spec", ["level:5", "mcts:simulations=50,tt,lgr=2"])
def test_agents_that_draw_lots_are_compared_too(findings: Callable[..., list[str]], spec: str) -> None:
    assert findings(submission(spec), spec)[0] == f"36 sampled positions are answered as by {spec}"


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "pure"), [("perfect", False), ("perfect", True), ("mcts", False)])
def test_others_pass(findings: Callable[..., list[str]], spec: str, pure: bool) -> None:
    assert "are answered" in findings(submission(spec, pure=pure), spec, pure=pure)[0]
