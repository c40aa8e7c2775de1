"""Opening books: building, describing, verifying, refusing; and what the solver makes of them."""

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven import _core, book, cli
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver, open_book, opening_book_path
from kit.forked import Forked
from kit.places import DATA

Capture = pytest.CaptureFixture[str]
SHIPPED = opening_book_path()
# Magic, version, plies, positions, seed, length of a segment, segments, checksum.
SIZE = (7, 6, 4)
HEADER = struct.Struct("<8sIIQQQQQ")


@pytest.fixture(scope="session")
def ply4() -> list[int]:
    """The scores of all positions of ply 4, in the order of their keys, found by search alone."""
    scores: list[int] = json.loads((DATA / "scores_ply4.json").read_text())
    return scores


@pytest.fixture
def small(ply4: list[int], tmp_path: Path) -> Path:
    """The book of four plies made from these."""
    return made(tmp_path / "small.bin", 4, ply4)


def made(path: Path, plies: int, scores: list[int]) -> Path:
    path.write_bytes(_core.make_book(*SIZE, plies, array("b", scores).tobytes()))
    return path


def keys_of(ply: int) -> list[int]:
    return memoryview(_core.book_layer(*SIZE, ply)).cast("Q").tolist()


def said(path: Path, ply: int) -> list[int]:
    """What a book says about all its positions of a ply."""
    return memoryview(_core.Book(str(path)).scores(_core.book_layer(*SIZE, ply))).cast("b").tolist()


def position_of(key: int) -> Position:
    return book._position(Board(), key.to_bytes(8, "little"))


def checksum(file: bytes) -> int:
    """As docs/book.md has it."""
    mask = 2**64 - 1
    total = len(file)
    for at in range(0, len(file), 8):
        if at == HEADER.size - 8:
            continue
        word = total ^ int.from_bytes(file[at : at + 8], "little")
        word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD & mask
        word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53 & mask
        total = (word ^ word >> 33) + 0x9E3779B97F4A7C15 & mask
    return total


def forged(file: bytes) -> bytes:
    """The file with the checksum that fits it."""
    return file[: HEADER.size - 8] + checksum(file).to_bytes(8, "little") + file[HEADER.size :]


# Scores


def all_positions(last_ply: int) -> dict[int, Position]:
    """Every position to some ply, by its canonical key."""
    found = {0: Position()}
    layer = [Position()]
    for _ in range(last_ply):
        children = {child.canonical_key: child for p in layer for child in map(p.play, p.legal)}
        found |= children
        layer = list(children.values())
    return found


def test_every_position_to_ply_4_has_the_score_that_search_finds(ply4: list[int], small: Path) -> None:
    positions = all_positions(4)
    exact = dict(zip(keys_of(4), ply4, strict=True))

    def score(position: Position) -> int:
        if position.ply == 4:
            return exact[position.canonical_key]
        return max(-score(position.play(column)) for column in position.legal)

    for path in (small, str(small), SHIPPED):
        solver = Solver(book=path)
        for position in positions.values():
            assert solver.score(position).value == solver.score(position.mirror()).value == score(position)


def test_layers_are_all_positions_without_a_win_at_hand() -> None:
    for ply in range(7):
        layer = [p for p in all_positions(ply).values() if p.ply == ply and not p.is_over]
        wanted = {p.canonical_key for p in layer if all(p.play(c).winner is None for c in p.legal)}
        assert keys_of(ply) == sorted(wanted)
    keys = keys_of(6)
    assert [position_of(key).key for key in keys] == keys
    assert {position_of(key).ply for key in keys} == {6}


def test_backing_up_needs_the_whole_next_ply() -> None:
    keys, following = _core.book_layer(*SIZE, 2), _core.book_layer(*SIZE, 3)
    with pytest.raises(ValueError, match="the next ply is not complete"):
        _core.back_up(*SIZE, keys, following[8:], bytes(len(following) // 8 - 1))
    with pytest.raises(ValueError, match="next_scores must be one per key"):
        _core.back_up(*SIZE, keys, following, b"")
    with pytest.raises(ValueError, match="ply 3 has 121 positions, not 3"):
        _core.make_book(*SIZE, 3, b"123")


def test_extreme_scores_are_left_out_and_searched(tmp_path: Path, small: Path) -> None:
    scores = [i % 43 - 21 for i in range(len(keys_of(3)))]
    path = made(tmp_path / "strange.bin", 3, scores)
    assert said(path, 3) == [score if -16 <= score <= 14 else book.LEFT_OUT for score in scores]
    with_book, without = Solver(book=SHIPPED), Solver(book=False)
    for ply, count in ((4, 40), (5, 82), (6, 510)):
        left_out = [k for k, s in zip(keys_of(ply), said(SHIPPED, ply), strict=True) if s == book.LEFT_OUT]
        assert len(left_out) == count
        for position in map(position_of, left_out):
            value = with_book.score(position).value
            assert value == without.score(position).value
            assert not -16 <= value <= 14


def test_random_positions_have_the_scores_that_search_finds() -> None:
    rng = random.Random(5)
    with_book, without = Solver(book=SHIPPED), Solver(book=False)
    for _ in range(40):
        position = Position()
        while position.ply < 12 and not position.is_over:
            position = position.play(rng.choice(position.legal))
        assert with_book.score(position) == without.score(position), position.moves


# Stones that no game leads to


def is_reachable(stones: list[str]) -> bool:
    """Stones by column, from the bottom: whether they can be taken off, o and x in turn."""
    open_, turn = {tuple(stones)}, "xo"[sum(map(len, stones)) % 2 == 0]
    for _ in range(sum(map(len, stones))):
        open_ = {
            (*columns[:i], columns[i][:-1], *columns[i + 1 :])
            for columns in open_
            for i in range(7)
            if columns[i].endswith(turn)
        }
        turn = "ox"[turn == "o"]
    return bool(open_)


def set_up(stones: list[str]) -> Position:
    board = Board()
    sides = [sum(board.bit(c, r) for c in range(7) for r, s in enumerate(stones[c]) if s == n) for n in "xo"]
    return Position.from_stones(board, *sides)


def random_set_up(rng: random.Random, ply: int) -> list[str]:
    discs = list(("xo" * ply)[:ply])
    rng.shuffle(discs)
    stones = [""] * 7
    for disc in discs:
        column = rng.choice([c for c in range(7) if len(stones[c]) < 6])
        stones[column] += disc
    return stones


def random_set_ups(ply: int, reachable: bool, count: int) -> list[Position]:
    rng, found = random.Random(ply), list[Position]()
    while len(found) < count:
        stones = random_set_up(rng, ply)
        if is_reachable(stones) == reachable:
            try:
                position = set_up(stones)
            except InputError:  # both have a line
                continue
            if not position.is_over and all(position.play(c).winner is None for c in position.legal):
                found.append(position)
    return found


def test_the_book_does_not_answer_for_stones_that_no_game_leads_to(tmp_path: Path) -> None:
    """A book that says 9 about everything shows when it is asked."""
    nine = Solver(book=made(tmp_path / "nine.bin", 6, [9] * len(keys_of(6))))

    def is_known(position: Position) -> bool:
        low, high, _ = nine.solve(position, Limit(nodes=1))
        return low == high == 9

    for text in ("7/7/x6/x6/o6/ox5 o", "7/7/6x/6x/6o/5xo o"):
        assert not is_known(Position.parse(text))
    assert not any(map(is_known, random_set_ups(6, False, 50)))
    assert all(map(is_known, random_set_ups(6, True, 50)))


@pytest.mark.parametrize("count", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_scores_of_stones_that_no_game_leads_to(count: int) -> None:
    with_book, without = Solver(book=SHIPPED), Solver(book=False)
    positions = random_set_ups(12, False, count)
    assert with_book.scores(positions) == without.scores(positions)
    for position in positions:
        assert with_book.score(position) == without.score(position)


@pytest.mark.slow
def test_the_smallest_stones_that_no_game_leads_to() -> None:
    position = Position.parse("7/7/x6/x6/o6/ox5 o")
    assert Solver(book=True).score(position) == Solver(book=False).score(position)


# Building


@pytest.mark.parametrize("workers", [1, 2])
def test_build(workers: int, tmp_path: Path, small: Path) -> None:
    out = tmp_path / "built.bin"
    about = book.build(4, out, workers=workers, source=SHIPPED)
    assert out.read_bytes() == small.read_bytes()
    assert (about.plies, about.positions, about.bytes) == (4, 719, out.stat().st_size)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["built.bin", "small.bin"]


def test_search_alone_finds_the_same() -> None:
    """What a worker does without a deeper book, on positions that are quick to search."""
    keys = _core.book_layer(*SIZE, 11)[: 8 * 30]
    scores = book._solve((Board(), keys, 16, None), 0)
    assert scores == book._solve_afresh((Board(), keys, 16), 0)
    stored = memoryview(_core.Book(str(SHIPPED)).scores(keys)).cast("b").tolist()
    assert [score if score <= 14 else book.LEFT_OUT for score in scores] == stored
    book._solver.cache_clear()


@pytest.mark.slow
def test_build_by_search_alone(tmp_path: Path, small: Path) -> None:
    book.build(4, tmp_path / "built.bin", workers=len(os.sched_getaffinity(0)))
    assert (tmp_path / "built.bin").read_bytes() == small.read_bytes()


def test_parts_do_not_depend_on_the_workers() -> None:
    for count in (1, 4, 568, 77715):
        parts = book._parts(bytes(8 * count))
        assert sum(map(len, parts)) == 8 * count
        assert max(map(len, parts)) <= 8 * 1024
        assert len(parts) >= min(count, 64)


def test_a_build_goes_on_where_it_was(tmp_path: Path, capsys: Capture) -> None:
    folder, out = tmp_path / "parts", tmp_path / "book.bin"
    arguments = ["book", "build", "--plies", "7", "--out", str(out), "--work-dir", str(folder)]
    arguments += ["--from", str(SHIPPED), "--workers", "2"]
    program = [sys.executable, "-m", "claimeven", *arguments]
    finished: dict[Path, int] = {}
    for ending in (signal.SIGKILL, signal.SIGINT):
        child = Forked(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while len(list(folder.glob("*.jsonl"))) < len(finished) + 20:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        child.send_signal(ending)
        stdout, stderr = child.communicate(timeout=30)
        if ending == signal.SIGINT:
            words = "claimeven: stopped; the same command goes on where it was\n"
            assert (child.returncode, stdout, stderr) == (130, "", words)
        assert not out.exists()
        now = {path: path.stat().st_mtime_ns for path in folder.glob("*.jsonl")}
        assert finished.items() <= now.items(), "a finished part was computed again"
        finished = now
    assert len(finished) < 100, "too quick to test anything"
    assert cli.run(["book", "build", "--plies", "6", *arguments[4:]]) == 2
    assert f"{folder} holds another run: its plies is 7, not 6" in capsys.readouterr().err
    assert cli.run([*arguments[:8], "--workers", "1"]) == 2
    assert 'holds another run: its source is "book", not "search"' in capsys.readouterr().err
    assert cli.run(arguments) == 0
    assert capsys.readouterr().out == f"{out}: 36219 positions to ply 7 in {out.stat().st_size} bytes\n"
    assert finished.items() <= {path: path.stat().st_mtime_ns for path in folder.glob("*.jsonl")}.items()
    assert said(out, 7) == said(SHIPPED, 7)


def test_damaged_parts_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    book.build(3, tmp_path / "book.bin", source=SHIPPED, folder=folder)
    (folder / "000000.jsonl").write_text("[1, 2]\n")
    with pytest.raises(InputError, match="parts is damaged: remove it and begin again"):
        book.build(3, tmp_path / "book.bin", source=SHIPPED, folder=folder)
    for line in ('["1"]', "[1000]", "1", "[0.5]"):
        (folder / "000000.jsonl").write_text(f"{line}\n")
        with pytest.raises(InputError, match="parts is damaged"):
            book.build(3, tmp_path / "book.bin", source=SHIPPED, folder=folder)


# Describing


def test_info(capsys: Capture, small: Path) -> None:
    assert cli.run(["book", "info", str(small), "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    size = small.stat().st_size
    assert described == {
        "path": str(small),
        "board": "7x6x4",
        "version": 1,
        "plies": 4,
        "positions": 719,
        "bytes": size,
        "bits_per_position": round(8 * size / 719, 3),
    }
    assert cli.run(["book", "info"]) == 0
    text = capsys.readouterr().out
    assert f"path               {SHIPPED}\n" in text
    assert "\nplies              12\n" in text


def test_the_shipped_book_is_small() -> None:
    about = book.describe(SHIPPED)
    assert about.plies >= 8
    assert about.bytes < 8_000_000
    assert about.bits_per_position < 6


# Refusing


def refused(path: Path) -> str:
    """Why a file is no book, in the words of the solver; `verify` must agree that it is none."""
    with pytest.raises(InputError) as raised:
        open_book(path)
    with pytest.raises(book.WrongBookError):
        list(book.verify(path))
    words = str(raised.value)
    assert words.startswith(f"book {path}: ")
    return words.removeprefix(f"book {path}: ")


def test_files_that_are_no_books(tmp_path: Path, small: Path) -> None:
    good, path = small.read_bytes(), tmp_path / "bad.bin"
    for content, words in (
        (b"", "the file is too short"),
        (good[:55], "the file is too short"),
        (good[:56], "the file is damaged"),
        (good[:-1], "the file is damaged"),
        (good + b"\0", "the file is damaged"),
        (b"C" + good[1:], "this is not an opening book"),
        (bytes(200), "this is not an opening book"),
        (forged(good[:8] + b"\3" + good[9:]), "its format has version 3, which is not known here"),
        (forged(good[:12] + b"\x11" + good[13:]), "the file is damaged"),
    ):
        path.write_bytes(content)
        assert refused(path) == words
    assert forged(good) == good


def test_every_byte_counts(tmp_path: Path, small: Path) -> None:
    good, path = small.read_bytes(), tmp_path / "bad.bin"
    rng = random.Random(1)
    for at in [*range(HEADER.size), *rng.sample(range(HEADER.size, len(good)), 50), len(good) - 1]:
        path.write_bytes(good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1 :])
        refused(path)


@settings(deadline=None)
@given(
    st.tuples(*(st.integers(0, 2 ** (8 * size) - 1) | st.integers(0, 40) for size in (4, 8, 8, 8, 8))),
    st.binary(max_size=300),
)
def test_no_header_is_dangerous(tmp_path_factory: Any, numbers: tuple[int, ...], cells: bytes) -> None:
    path = tmp_path_factory.mktemp("book") / "odd.bin"
    plies, positions, seed, length, segments = numbers
    header = HEADER.pack(b"c4book\r\n", 1, plies, positions, seed, length, segments, 0)
    path.write_bytes(forged(header + cells))
    try:
        opened = open_book(path)
    except InputError:
        return
    assert len(opened.scores(_core.book_layer(*SIZE, 2))) == 25


def test_refusals_on_the_command_line(tmp_path: Path, small: Path, capsys: Capture) -> None:
    bad = tmp_path / "bad.bin"
    bad.write_bytes(small.read_bytes()[:-1])
    missing = tmp_path / "missing.bin"
    cases = {
        f"info {bad}": f"book {bad}: the file is damaged",
        f"info {missing}": f"book {missing}: No such file or directory",
        f"verify {missing}": f"{missing}: no such file or directory",
        f"verify {small} --sample -1": "a sample has at least 0 positions, not -1",
        f"verify {small} --megabytes 0": "a table has 1 to 1048576 megabytes, not 0",
        f"build --plies 17 --out {missing}": "a book has 0 to 16 plies, not 17",
        f"build --plies -1 --out {missing}": "a book has 0 to 16 plies, not -1",
        f"build --plies 4 --out {tmp_path}": f"{tmp_path} cannot be written",
        "build --plies 4 --out /nowhere/book": "/nowhere/book cannot be written",
        f"build --plies 5 --out {missing} --from {small}": f"book {small} has only 4 plies",
        f"build --plies 4 --out {missing} --from {bad}": f"book {bad}: the file is damaged",
        f"build --plies 4 --out {missing} --workers 0": "--workers: at least 1 worker",
        f"build --out {missing}": "missing option '--plies' (see claimeven book build --help)",
        "": "missing command (see claimeven book --help)",
    }
    for arguments, words in cases.items():
        assert cli.run(["book", *arguments.split()]) == 2, arguments
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"claimeven: {words}" in err
    assert cli.run(["book", "verify", str(bad)]) == 1
    assert capsys.readouterr() == ("", f"claimeven: book {bad}: the file is damaged\n")


def test_without_a_book_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    monkeypatch.setattr("claimeven.solver.opening_book_path", lambda: tmp_path / "none.bin")
    assert cli.run(["book", "info"]) == 2
    assert "comes without an opening book: name a FILE" in capsys.readouterr().err


# Verifying


def test_verify(small: Path, capsys: Capture) -> None:
    assert cli.run(["book", "verify", str(small), "--sample", "0"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "The file is whole: its checksum is right.",
        "All 719 positions to ply 4 are there, and agree from ply to ply.",
    ]
    assert err == "comparing: 4 of 4\n"


def test_verify_finds_a_wrong_score(tmp_path: Path, capsys: Capture) -> None:
    """A book made from wrong scores agrees with itself; searching finds it out."""
    wrong = made(tmp_path / "wrong.bin", 8, [13] * len(keys_of(8)))
    assert cli.run(["book", "verify", str(wrong), "--sample", "3", "--workers", "1"]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert f"claimeven: book {wrong}: it says 13 of " in err
    assert " a new search says " in err


def test_verify_finds_plies_that_disagree(tmp_path: Path, small: Path) -> None:
    good, path = small.read_bytes(), tmp_path / "forged.bin"
    before = [said(small, ply) for ply in range(5)]
    found = 0
    for at in range(HEADER.size, len(good) - 1, 7):
        path.write_bytes(forged(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]))
        after = [said(path, ply) for ply in range(5)]
        if after[:4] == before[:4]:
            continue  # if it has errors, they are in the deepest ply: those are for the sample to find
        if sum(scores.count(book.LEFT_OUT) for scores in after) > 40:
            continue  # it claims to leave out what would take long to search
        found += 1
        with pytest.raises(book.WrongBookError, match=r"it says -?\d+ of .*, the best move leads to -?\d+$"):
            list(book.verify(path, sample=0))
    assert found >= 10


def test_verify_finds_a_wrong_count(tmp_path: Path, small: Path) -> None:
    good, path = small.read_bytes(), tmp_path / "forged.bin"
    path.write_bytes(forged(good[:16] + (720).to_bytes(8, "little") + good[24:]))
    with pytest.raises(book.WrongBookError, match="4 plies are 719 positions, not 720"):
        list(book.verify(path, sample=0))
