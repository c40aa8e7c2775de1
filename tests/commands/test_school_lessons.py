"""The school in the terminal: a scripted learner, what is remembered, and one answer judged."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from claimeven import cli
from claimeven.school import Progress, unit
from claimeven.terminal.classroom import Classroom
from claimeven.terminal.schoolbag import Schoolbag

Golden = Callable[[str, str], None]


def learn(path: Path, name: str, answers: list[str], language: str = "en") -> str:
    """What is shown to somebody who answers so; at the end of the answers the input ends."""
    out, left = io.StringIO(), iter(answers)

    def ask(prompt: str) -> str:
        try:
            word = next(left)
        except StopIteration:
            raise EOFError from None
        out.write(f"{prompt}{word}\n")
        return word

    console = Console(file=out, width=100, highlight=False)
    Classroom(console, language, ask, Schoolbag(path)).sit(unit(name))
    return out.getvalue()


def test_a_unit_in_the_terminal(tmp_path: Path, golden: Golden) -> None:
    """A wrong answer, a right one, a number; then the check with one error, and it is passed."""
    path = tmp_path / "school.json"
    tasks = ["", "4", "a1", "a2 b1 c2 d3 e2 f1 g1", "1", "3", "4", "3", "3", "7", "4"]
    check = ["4", "2", "1", "a4 b2 c2 d3 e1 f1 g1", "6"]
    told = learn(path, "rules", [*tasks, *check, "s"])
    golden("learn-rules.txt", told)
    done = Progress.from_text(path.read_text()).of("rules")
    assert (len(done.tasks), done.check, done.is_passed) == (8, 4, True)
    again = learn(path, "rules", ["q"])
    assert "Task" not in again, "what is done is not asked again"


def test_right_cells_need_not_be_typed_again(tmp_path: Path) -> None:
    told = learn(tmp_path / "school.json", "rules", ["", "4", "b1, a1", "a2 c2 d3 e2 f1", "g1", "q"])
    assert "Not a1: no disc can land there now. b1: yes. 6 cells are still to be found." in told
    assert "a2, b1, c2, d3, e2 and f1: yes. 1 cell is still to be found." in told
    assert "All seven!" in told


def test_a_hint_first_then_the_cells_and_enter_is_no_answer(tmp_path: Path) -> None:
    """What the words are about is drawn; an empty line uses up no try; whose turn it is, is said."""
    bag = Schoolbag(tmp_path / "school.json")
    bag.keep(bag.progress.with_task("forks.1"))
    told = learn(tmp_path / "school.json", "forks", ["", "1", "", "1", "5", "q"])
    assert told.count("Red (x) to move.") == 2
    hint, _, rest = told.partition("Column 1 makes no fork. Look for the one disc that makes two threats.")
    assert hint
    before, _, after = rest.partition("After column 1 you threaten one cell at most.")
    assert "*" not in before
    assert "\n1 o * x x . * .\n" in after
    marked = learn(tmp_path / "other.json", "two", ["", "", "a1", "e2", "q"])
    assert "a1 is taken: only empty cells are asked for here." in marked
    assert "Not e2: " in marked
    assert "still to be found" not in marked


def test_a_check_that_failed_comes_again(tmp_path: Path) -> None:
    path = tmp_path / "school.json"
    skipped = [""] + ["s"] * 8
    told = learn(path, "rules", [*skipped, "1", "1", "1", "a1", "1", "n", "s"])
    assert "0 of 5 right." in told
    assert not Progress.from_text(path.read_text()).of("rules").is_passed


def test_what_cannot_be_read_is_asked_again(tmp_path: Path) -> None:
    told = learn(tmp_path / "school.json", "rules", ["", "8", "x", "2"], "pl")
    assert told.count("Twoja kolumna") == 3
    assert "Twój krążek spadł na dno kolumny 2" in told


def test_the_game_in_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "school.json"
    bag = Schoolbag(path)
    for task in unit("forks").tasks:
        bag.keep(bag.progress.with_task(task.id))
    bag.keep(bag.progress.with_check("forks", 5))
    told = learn(path, "forks", ["5", "2", "6"])
    assert "You win!" in told
    assert Progress.from_text(path.read_text()).of("forks").game


def test_the_cell_that_is_asked_about_is_named(tmp_path: Path) -> None:
    bag = Schoolbag(tmp_path / "school.json")
    for task in unit("pairs").tasks:
        bag.keep(bag.progress.with_task(task.id))
    told = learn(tmp_path / "school.json", "pairs", ["e6", "q"])
    assert "They take the framed cell." in told
    assert "Look: b6" in told
    assert "Yes: e6." in told


def test_two_terminals_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "school.json"
    one, two = Schoolbag(path), Schoolbag(path)
    one.keep(one.progress.with_task("rules.1"))
    two.keep(two.progress.with_task("rules.2"))
    assert Schoolbag(path).progress.of("rules").tasks == ("rules.1", "rules.2")
    path.write_text("broken")
    assert Schoolbag(path).progress == Progress()


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert cli.run(["learn", "--task", "forks.2", "--answer", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["mark"], found["cells"]) == ("right", ["b1", "f1"])
    bring = tmp_path / "other.json"
    bring.write_text('{"units": {"rules": {"tasks": ["rules.1"], "check": 4, "game": false}}}')
    assert cli.run(["learn", "--import", str(bring)]) == 0
    assert "1 ✓ rules" in capsys.readouterr().out
    assert cli.run(["learn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["units"]["rules"]["check"] == 4
    for wrong in (["nothing"], ["99"], ["--task", "forks.99"], ["--language", "xx"]):
        assert cli.run(["learn", *wrong]) == 2
        assert capsys.readouterr().err.startswith("claimeven: ")
