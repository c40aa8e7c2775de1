"""Practice that remembers: cards, ratings, entries, `claimeven me`."""

import json
import random
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count as count_from
from pathlib import Path
from typing import cast

import fsrs
import pytest

from claimeven import cli
from claimeven.errors import InputError
from claimeven.game import Game, Player
from claimeven.position import Position
from claimeven.practice import (
    START,
    Entry,
    Rating,
    expected,
    fresh,
    merged,
    next_rating,
    rated,
    read_file,
    record_of,
    write_file,
)
from claimeven.practice.fsrs import DAY, Memory, review
from claimeven.practice.kinds import KINDS
from claimeven.puzzles import shipped_puzzles
from claimeven.reasons import met
from claimeven.school import UNITS, Progress
from claimeven.solver import Solver
from claimeven.terminal.diary import Diary
from claimeven.terminal.schoolbag import Schoolbag
from claimeven.terminal.shelf import Shelf

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "practice.json").read_text())
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def reference_history(chance: random.Random) -> list[list[float]]:
    """What the package makes of a random history: when, the grade, stability, difficulty, when due."""
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, at, rows = fsrs.Card(), 1_790_000_000_000 + chance.randrange(10**10), list[list[float]]()
    for _ in range(chance.randrange(3, 12)):
        grade = chance.randrange(1, 5)
        card, _log = scheduler.review_card(card, fsrs.Rating(grade), EPOCH + timedelta(milliseconds=at))
        assert card.stability is not None
        assert card.difficulty is not None
        due = round((card.due - EPOCH) / timedelta(milliseconds=1))
        rows.append([at, grade, card.stability, card.difficulty, due])
        at += chance.choice((chance.randrange(DAY), chance.randrange(30 * DAY), chance.randrange(400 * DAY)))
    return rows


def test_cards_are_due_when_the_package_says_so() -> None:
    chance = random.Random(3)
    fresh_ones = [reference_history(chance) for _ in range(len(REFERENCE["fsrs"]))]
    assert fresh_ones == REFERENCE["fsrs"], "what TypeScript is held against is what the package says"
    for history in (*fresh_ones, *(reference_history(random.Random(seed)) for seed in range(200))):
        memory: Memory | None = None
        for at, grade, stability, difficulty, due in history:
            memory = review(memory, int(grade), int(at))
            assert memory.stability == pytest.approx(stability, abs=1e-9, rel=1e-9)
            assert memory.difficulty == pytest.approx(difficulty, abs=1e-9)
            assert memory.due == due


def test_ratings_are_those_of_the_package() -> None:
    for game in REFERENCE["glicko"]:
        found = rated(Rating(*game["player"]), Rating(*game["opponent"]), game["score"])
        assert [found.rating, found.deviation, found.volatility] == pytest.approx(game["after"], abs=1e-9)


def puzzle(number: int, grade: int, **more: object) -> Entry:
    entry = {"kind": "puzzle", "puzzle": f"p{number}", "theme": "fork", "rating": 900, "grade": grade}
    whole = {"id": f"e{number}", "at": number * DAY, **entry, "mode": "train", "day": "2026-11-16", **more}
    return cast(Entry, whole)  # or, on purpose, none


def test_entries_are_merged_in_any_order() -> None:
    one, two = [puzzle(n, 3) for n in (1, 2, 3)], [puzzle(n, 3) for n in (3, 4, 2)]
    together = merged(one, two)
    assert [entry["id"] for entry in together] == ["e1", "e2", "e3", "e4"]
    assert merged(two, one) == together == merged(together, one, two)
    wrong: list[object] = [
        None,
        7,
        {},
        puzzle(1, 9),
        puzzle(1, 3, at="x"),
        puzzle(1, 3, kind=["puzzle"]),
        puzzle(1, True),
    ]
    assert merged(wrong) == []
    assert read_file(write_file(together, {"units": {}})) == (together, {"units": {}})
    for text in ("", "[]", "{}", '{"format": "claimeven-you"}', "[" * 100_000):
        with pytest.raises(InputError, match="no file"):
            read_file(text)


def test_what_follows_from_entries() -> None:
    won, lost = record_of([puzzle(1, 3)]), record_of([puzzle(1, 1)])
    assert won.you.rating > START.rating > lost.you.rating
    assert won.puzzles["p1"].rating < 900 < lost.puzzles["p1"].rating
    assert record_of([puzzle(1, 1), puzzle(2, 3, puzzle="p1")]).you == lost.you, "the first try counts"
    assert record_of([puzzle(1, 3, mode="timed")]).you == START
    assert expected(START, Rating(next_rating(START), 0, 0.06)) == pytest.approx(0.75, abs=1e-3)
    missed = record_of([puzzle(10, 1)])
    assert (missed.due(10 * DAY), len(missed.due(11 * DAY))) == ([], 1)
    assert record_of([puzzle(10, 1), puzzle(11, 3, puzzle="p10", mode="card")]).due(12 * DAY) == []
    assert record_of([puzzle(1, 3, mode="daily", day="2026-11-01")]).days == {"2026-11-01"}
    days = [
        puzzle(1, 4, mode="daily", day="2026-11-01"),
        puzzle(2, 1, mode="daily", day="2026-11-02"),
        fresh(3 * DAY, "found", puzzle="p2", day="2026-11-02"),
        puzzle(4, 2, mode="daily", day="2026-11-03"),
    ]
    told = record_of(days)
    assert (told.first, told.days - told.first, told.met - told.days) == (
        {"2026-11-01"},
        {"2026-11-02"},
        {"2026-11-03"},
    ), "at the first try, in the end, missed"
    assert record_of([fresh(1, "run", mode="streak", count=7)]).best == {"streak": 7, "timed": 0}


# In the terminal ---------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def typed(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{word}\n" for word in words.split())))


def test_a_missed_puzzle_comes_back(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["me"]) == 0
    assert capsys.readouterr().out.startswith("Nothing here yet. To begin: claimeven learn")
    typed(monkeypatch, "s q")
    assert cli.run(["puzzle"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"Your rating, provisional so far: about \d+0 \(-\d+0\)\.", said)
    name = said.split(":")[0]
    assert cli.run(["puzzle", "--cards"]) == 0
    assert capsys.readouterr().out == "No card is due.\n"
    diary = state / "claimeven" / "practice.jsonl"
    entry = json.loads(diary.read_text())
    diary.write_text(f"nonsense\n{json.dumps(entry | {'at': entry['at'] - 2 * DAY})}\n")
    assert cli.run(["me"]) == 0
    said = capsys.readouterr().out
    assert "1 card due of 1" in said
    assert "0 puzzles solved of 1 tried" in said
    assert "provisional so far: give or take 1" in said
    assert "School: 0 of 13 units passed; next: The rules, task 1 of 8 (claimeven learn)" in said
    typed(monkeypatch, "s")
    assert cli.run(["puzzle", "--cards"]) == 0
    assert capsys.readouterr().out.startswith(f"{name}: ")
    assert cli.run(["puzzle", "--cards"]) == 0
    assert capsys.readouterr().out == "No card is due.\n"


def test_a_rating_settles(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After enough tries it is told to the point, and is no longer called provisional."""
    Diary().add([puzzle(at, 3 if at % 4 else 1) for at in range(1, 41)])
    assert not Diary().record.you.is_provisional
    typed(monkeypatch, "s q")
    assert cli.run(["puzzle"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"Your rating: \d+ \(-\d+\)\. The puzzle's, on this device: \d+ \(\+\d+\)\.", said)
    assert cli.run(["me"]) == 0
    assert re.search(r"Puzzle rating \d+, give or take \d+\n", capsys.readouterr().out)


def test_me_knows_the_school(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bag = Schoolbag()
    bag.keep(Progress().with_check("rules", 4).with_task("seeing.1").with_task("seeing.2"))
    assert cli.run(["me"]) == 0
    assert capsys.readouterr().out == (
        "School: 1 of 13 units passed; next: Seeing, task 3 of 9 (claimeven learn)\n"
    )
    for number in range(3, 10):
        bag.keep(bag.progress.with_task(f"seeing.{number}"))
    assert cli.run(["me", "--language", "fr"]) == 0
    assert capsys.readouterr().out.startswith("École\u00a0: 1 unité réussie sur 13\u00a0; suite\u00a0: ")
    for name in UNITS:
        bag.keep(bag.progress.with_check(name, 5))
    assert cli.run(["me"]) == 0
    assert capsys.readouterr().out == "School: all 13 units passed\n"


def lost_game() -> Game:
    """By a person who lets four grow in a row, against level 3."""
    game = Game(players=(Player(), Player("level:3", "agent", "level:3")))
    for digit in "17273757":
        if game.result is None:
            game.play(int(digit) - 1)
    return game


def test_a_lost_game_becomes_a_card(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf = Shelf()
    shelf.new().write_text(lost_game().to_text(), encoding="utf-8")
    diary = Diary()
    diary.gather(shelf, Solver(megabytes=16))
    record = diary.record
    assert record.levels == {"level:3": (0, 0, 1)}
    assert len(record.cards) >= 1
    count = len(diary.entries)
    diary.gather(shelf, Solver(megabytes=16))
    assert len(diary.entries) == count, "once is enough"
    card = next(iter(record.cards.values()))
    tomorrow = card.memory.due
    monkeypatch.setattr("claimeven.commands.practise.sitting.milliseconds", lambda: tomorrow)
    typed(monkeypatch, str(card.better[0] + 1))
    assert cli.run(["puzzle", "--cards", "--count", "1"]) == 0
    assert "This was your game." in capsys.readouterr().out


def test_a_moment_has_hints(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where to look, the idea, the column; with help it is "hard", not "again"."""
    moment = fresh(1, "moment", card="moment:1", moves="1727", better=[4], what="fork_missed")
    Diary().add([moment])
    typed(monkeypatch, "h h h h 4")
    assert cli.run(["puzzle", "--cards"]) == 0
    told = capsys.readouterr().out.splitlines()
    look, idea, column, _ = [told[place + 1] for place, line in enumerate(told) if line.endswith(": h")]
    assert look == "Look at your discs a1 and b1. Where does that line go on?"
    assert "4" not in idea
    assert column.startswith("Play column 4")
    assert "There are no more hints." in told
    grades = [entry["grade"] for entry in Diary().entries if entry["kind"] == "grade"]
    assert grades == [2]


def test_a_moment_answers_a_wrong_column_as_the_page_does(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By what they answer; in numbers only where nobody could say it without."""
    Diary().add([fresh(1, "moment", card="moment:1", moves="1727", better=[4], what="fork_missed")])
    typed(monkeypatch, "1 4")
    assert cli.run(["puzzle", "--cards"]) == 0
    told = met(Position.parse("1727"), 0, Solver(megabytes=16))
    assert told is not None
    assert f"No. {told.text}\n" in capsys.readouterr().out


def test_a_timed_run(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is solved within three minutes counts; the answer that comes too late ends it."""
    one = next(p for p in shipped_puzzles() if p.goal == "win" and p.steps == 2)
    monkeypatch.setattr("claimeven.puzzles.store.shipped_puzzles", lambda: [replace(one, rating=700)])
    ticks = count_from(step=12)
    monkeypatch.setattr("claimeven.terminal.riddles.clock", lambda: next(ticks))
    right = " ".join(one.answer[::2])
    typed(monkeypatch, f"{right} h h h h h h h h h h h h h h h {right}")
    assert cli.run(["puzzle", "--timed"]) == 0
    said = capsys.readouterr().out
    assert "1 puzzle solved.\n" in said
    assert "seconds left." in said
    assert said.endswith("Time is up.\n1 puzzle solved.\n")
    record = Diary().record
    assert record.best == {"streak": 0, "timed": 1}
    assert record.you == START, "a run is not rated"


def test_one_file_for_everything(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Diary().add([puzzle(1, 3), puzzle(2, 1)])
    file = tmp_path / "me.json"
    assert cli.run(["me", "--export", str(file)]) == 0
    assert "2 entries written" in capsys.readouterr().out
    (state / "claimeven" / "practice.jsonl").unlink()
    Diary().add([puzzle(2, 1), puzzle(3, 3)])
    for new in (1, 0):
        assert cli.run(["me", "--import", str(file)]) == 0
        assert capsys.readouterr().out.startswith(f"{new} new entr")
    assert cli.run(["me", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["tried"], told["solved"], told["cards"]["all"]) == (3, 2, 1)
    file.write_text("{}")
    assert cli.run(["me", "--import", str(file)]) == 2
    assert "this is no file that was exported" in capsys.readouterr().err


EXAMPLES: dict[str, Entry] = {
    "puzzle": puzzle(1, 3),
    "found": fresh(1, "found", puzzle="p1", day="2026-11-16"),
    "moment": fresh(1, "moment", card="moment:1", moves="1727", better=[4], what="fork_missed"),
    "grade": fresh(1, "grade", card="moment:1", grade=3),
    "run": fresh(1, "run", mode="streak", count=7),
    "game": fresh(
        1, "game", game="a", moves="4", start="", size="7x6x4", side=1, opponent="level:3", score=0.5
    ),
    "looked": fresh(1, "looked", game="a"),
}
# Beyond its bounds, for every field of which there is something beyond them.
BEYOND: dict[str, list[object]] = {
    "id": ["", "x" * 65, 1],
    "at": [-1, 1.5, True],
    "rating": [-1, 4001],
    "grade": [0, 5, 2.0],
    "mode": ["other", None],
    "day": ["16.11.2026", "2026-11-16\n", "٢٠٢٦-11-16"],
    "moves": ["0", "1" * 129],
    "better": [[], [0], [36], "4"],
    "count": [-1, 100_001],
    "side": [0, 3],
    "start": ["x" * 401, None],
    "opponent": ["", "x" * 201],
    "score": [0.3, True, "1"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_fits_its_kind_or_is_none(kind: str) -> None:
    entry = dict(EXAMPLES[kind])
    assert merged([entry | {"new": 1}]) == [entry | {"new": 1}], "a newer version may say more"
    for name in entry:
        assert merged([{key: value for key, value in entry.items() if key != name}]) == [], name
        for value in BEYOND.get(name, [""]):
            assert merged([entry | {name: value}]) == [], (name, value)


def test_the_page_has_no_bounds_of_its_own() -> None:
    """Kinds, fields and bounds are those of contract.ts, which test_contract compares."""
    source = (Path(__file__).parents[2] / "web" / "src" / "lib" / "practice" / "entries.ts").read_text()
    assert "ENTRIES" in source
    assert not re.search(r"\d{2}", source.partition("*/")[2])
