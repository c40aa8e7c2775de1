"""Every command, given everything that it cannot use: one sentence, exit code 2, never a traceback.

And what else may befall it: an output that nobody reads, and Ctrl-C.
"""

import io
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from claimeven import cli

Capture = pytest.CaptureFixture[str]

ARENA = "arena first random --judge 0 --workers 1 --games 2"
TRAIN = "train q-learning --games 1 --against first"
BUILD = "book build --plies 0 --out built.bin --workers 1"
VERIFY = "book verify --sample 0 --workers 1"

# What does not fit, by what is expected; `{}` in a command line stands for it.
HUGE = "1" + "0" * 30
ANYTHING = ("", "nonsense", "é\udcff", "9" * 5000)
NUMBERS = (*ANYTHING, "1.5", "-1", "0x10")
FILES = ("folder", "empty", "binary", "nowhere/file.txt")
SLOTS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("nonsense", "0", "4444444", "44\n8", "é\udcff", "9" * 5000, "7/7 x", HUGE): (
        "show {}",
        "solve {}",
        "explain {}",
        "people {}",
        "hint {}",
        "review {}",
        "convert {} --to moves",
        "play --terminal --load {}",
    ),
    FILES: (
        "review {}",
        "convert {} --to moves",
        "play --terminal --load {}",
        "measure random --set {}",
        "solve --file {}",
        f"{ARENA} --openings {{}}",
        "arena first qlearning:file={} --judge 0 --workers 1 --games 2",
        "book info {}",
        f"{BUILD} --from {{}}",
        "report {}",
    ),
    ("folder", "nowhere/file"): ("book verify {}", "map verify --file {}"),
    ("folder", "nowhere/file", ""): (
        "show 4 --svg {}",
        "explain 445566 --svg {}",
        "review 4455667 --html {}",
        "export kaggle level:3 -o {}",
    ),
    ("folder", "binary/file", ""): (
        "play --terminal --save {}",
        f"{TRAIN} --out {{}}",
        "book build --plies 0 --workers 1 --out {}",
    ),
    ("binary", "binary/out", "full"): (f"{ARENA} --out {{}}", f"{ARENA} --out {{}} --resume"),
    ("folder", "empty", "binary", "nowhere/file"): (
        f"{TRAIN} --out {{}} --resume",
        "map show --file {}",
        "measure map:file={}",
    ),
    (*ANYTHING, "7", "0x6", "7x0", "7x6x0", "-7x6", "99x99", f"{HUGE}x1", "7x6x4x2", "1.5x2"): (
        "show --board {}",
        "solve --board {}",
        "explain --board {}",
        "people --board {}",
        "review 4 --board {}",
        "convert 4 --to moves --board {}",
        "perft 1 --board {}",
        "play --terminal --board {}",
        "measure random --board {}",
        f"{ARENA} --board {{}}",
        f"{TRAIN} --out table.q --board {{}}",
    ),
    (*ANYTHING, "nobody:x", "mcts:x", "minimax:depth=-1", f"minimax:depth={HUGE}", "level:99", "qlearning"): (
        "explain 4 --agent {}",
        "measure {}",
        "measure random {}",
        "arena first {} --judge 0 --workers 1 --games 2",
        "play --terminal --agent {}",
        f"{TRAIN} --out table.q --opponent {{}}",
        f"{TRAIN} --out table.q --match {{}}",
        "train q-learning --games 1 --out table.q --against {}",
        "export kaggle {} -o agent.py",
    ),
    ("soon", "-1s", "0n", "1.5n", "0s", "1e400s", "5", "1s,2s", "é\udcff", "9" * 5000): (
        "explain 4 --agent first --limit {}",
        "measure random --limit {}",
        f"{ARENA} --limit {{}}",
        "play --terminal --agent first --limit {}",
    ),
    (*NUMBERS, HUGE): (
        f"{ARENA} --games {{}}",
        f"{ARENA} --workers {{}}",
        f"{TRAIN} --out table.q --games {{}}",
        f"{TRAIN} --out table.q --seed {{}}",
        f"{TRAIN} --out table.q --openings {{}}",
        f"{TRAIN} --out table.q --megabytes {{}}",
        "measure random --workers {}",
        "solve 445566 --threads {}",
        "bench --threads {}",
        "book build --out built.bin --workers 1 --plies {}",
        f"{BUILD} --megabytes {{}}",
        f"{BUILD} --workers {{}}",
        f"{VERIFY} --megabytes {{}}",
        f"{VERIFY} --workers {{}}",
    ),
    NUMBERS: (
        "perft {}",
        "perft --unique {} --board 4x4",
        "measure random --count {}",
        "puzzle --json --count {}",
        "label --out labels.bin --count {}",
        "games --count {}",
        f"{ARENA} --judge {{}}",
        f"{TRAIN} --out table.q --checkpoint {{}}",
        "bench --calls --games {}",
        "book verify --workers 1 --sample {}",
    ),
    (*ANYTHING, "1.5", "0x10"): (
        "puzzle --json --seed {}",
        "measure random --seed {}",
        f"{ARENA} --seed {{}}",
        f"{VERIFY} --seed {{}}",
        "play --terminal --agent random --seed {}",
    ),
    (*ANYTHING, "-1", "0", "nan", "1e400"): (
        "solve 445566 --seconds {}",
        "explain 445566 --seconds {}",
        "review 4455667 --seconds {}",
    ),
    ("", "nonsense", "-1", "0", "nan"): (f"{TRAIN} --out table.q --half-life {{}}",),
    (*ANYTHING, "-1", "2", "nan"): (
        f"{TRAIN} --out table.q --alpha {{}}",
        f"{TRAIN} --out table.q --gamma {{}}",
        f"{TRAIN} --out table.q --epsilon {{}}",
        f"{TRAIN} --out table.q --epsilon-end {{}}",
    ),
    (*ANYTHING, "0"): (
        "explain 4 --column {}",
        "explain 4 --language {}",
        "review 4 --language {}",
        "puzzle --json --language {}",
        "me --language {}",
        "certify {}",
        "learn --list --language {}",
        "puzzle --json --theme {}",
        "puzzle --json --rating {}",
        "puzzle --json --id {}",
        "convert 4 --to {}",
        "convert 4 --to moves --from {}",
        "agents {}",
        "measure random --set {}",
        "play --terminal --first {}",
        f"{ARENA} --format {{}}",
        f"{ARENA} --openings {{}}",
        f"{ARENA} --clock {{}}",
        "arena first random --judge 0 --workers 1 --sprt {}",
        f"{TRAIN} --out table.q --preset {{}}",
        "bench --against {}",
        "bench --sets {}",
    ),
}
CASES = [(line, values) for values, lines in SLOTS.items() for line in lines]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with things that are no games."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("not yours")
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


@pytest.mark.parametrize(("line", "values"), CASES, ids=[line for line, _ in CASES])
def test_what_does_not_fit_gets_one_sentence(
    line: str, values: tuple[str, ...], here: Path, capsys: Capture
) -> None:
    before = sorted(here.rglob("*"))
    for wrong in values:
        code = cli.run([word.replace("{}", wrong) for word in line.split()])
        out, err = capsys.readouterr()
        told = f"with {wrong[:60]!r}: {err[:600]}"
        assert (code, out) == (2, ""), told
        assert err.startswith("claimeven: "), told
        assert err.count("\n") == 1, told
        assert len(err) < 600, told
        assert sorted(here.rglob("*")) == before, told  # and nothing is left behind


def test_every_command_is_tried() -> None:
    tried = {line.split()[0] for line, _ in CASES}
    elsewhere = {"serve", "join", "work"}  # which have tests of their own
    assert tried | elsewhere | {"formats"} == {name for names in cli.COMMANDS.values() for name in names}


# Outputs that cannot be written, and Ctrl-C ------------------------------------------------------

SPEAKING = (
    "show 4453",
    "convert 4453 --to json",
    "formats",
    "solve 445566",
    "solve 445566 --json",
    "explain 445566",
    "people 445566",
    "review 445566",
    "puzzle --json --seed 1",
    "agents",
    "measure first --count 1",
    ARENA,
    f"{TRAIN} --out table.q --board 2x2",
    "perft 3",
    "book info",
    "export kaggle level:3 -o agent.py",
    "play --terminal --board 4x4",
)


def ended(line: str) -> int | str | None:
    """The exit code of a command, however it ends."""
    try:
        return cli.run(line.split())
    except SystemExit as end:  # rich ends like this when nobody reads
        return end.code


@pytest.mark.parametrize("line", SPEAKING)
def test_nobody_reads(line: str, here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """As before `| head -1`: the end of the pipe is closed."""
    reader, writer = os.pipe()
    os.close(reader)
    with suppress(BrokenPipeError), open(writer, "w") as pipe:  # closing it writes what is left
        monkeypatch.setattr("sys.stdout", pipe)
        assert ended(line) == 1
    err = capsys.readouterr().err
    assert "claimeven: " not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("line", SPEAKING)
def test_a_full_disk_is_one_sentence(
    line: str, here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert ended(line) == 2
    assert capsys.readouterr().err.endswith("claimeven: no space left on device\n")


@pytest.mark.parametrize(
    "line",
    [
        "perft 16",
        "solve --board 8x8",
        "explain --board 8x8",
        "review 1 --board 8x8",
        "measure mcts:simulations=1000000000",
        "arena mcts:simulations=1000000000 first --workers 2",
        "train q-learning --out table.q --games 1000000000",
        "book build --plies 8 --out built.bin --workers 1",
        "play --terminal --agent mcts:simulations=1000000000 --agent first",
        "bench --sets empty --threads 2",
    ],
)
def test_ctrl_c_ends_it_without_a_traceback(line: str, tmp_path: Path) -> None:
    """It may come at any moment, also while modules are loaded. Python may lose it there (what is raised
    in a callback of the import system is only told): then it comes again, as a person would press."""
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))\n"
        "from claimeven import cli\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.5, 30)\n"
        "cli.main(sys.argv[1:])"
    )
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", code, *line.split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    assert result.returncode == 130
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") <= 1 or line.startswith("train")  # which tells how far it has come
