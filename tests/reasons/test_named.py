"""Names as the page reads them: columns by letters, all names marked, the same said, in every language."""

import json
import random
import re
from importlib.resources import files
from pathlib import Path

import pytest

from claimeven.agents import make_agent
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.notation import BEGIN, END, unmarked
from claimeven.position import Position
from claimeven.puzzles import hints, shipped_puzzles, why
from claimeven.reasons import advise, explain, review
from claimeven.reasons.reviewed.thought import told_move
from claimeven.reasons.told.agent_view import view_of
from claimeven.reasons.told.contrast import refutation
from claimeven.reasons.told.trickiest import trickiest
from claimeven.reasons.words import LANGUAGES, PAGE, Words
from claimeven.school import judge, units
from claimeven.school.voice import Voice
from claimeven.solver import Solver
from kit.coach.explained import check_explanation
from kit.coach.words import numbered
from kit.places import ROOT

TRICKY = "65665552333332"
COLUMN = r"(?:[Cc]olumns?|[Cc]olonnes?|[Kk]olumn\w+|[Cc]ột)"
BETWEEN = "(?:, | and | or | et | ou | i | lub | và | hoặc )"


def naming(one: str, later: str, between: str) -> re.Pattern[str]:
    """Columns behind the word for them, from left to right, so that `a` comes first; and moves in a row."""
    return re.compile(
        rf"{COLUMN} {one}(?!\w)(?:{BETWEEN}{later}(?![\w’]))*|(?<![\w-]){one}(?:{between}{one}(?!\w))+"
    )


BY_LETTERS = naming("[a-g]", "[b-g]", "-")
CELL = re.compile(r"\b[a-g][1-6]\b")
NAME = re.compile(f"{BEGIN}(?:[a-g]|[a-g][1-6](?:–[a-g][1-6])?|[a-g](?:-[a-g])+){END}")
BLANK = "…"
BY_NUMBERS = naming("[1-7]", "[2-7]", " ")
IN_UNITS = naming(r"\{[a-g]\}", r"\{[b-g]\}", "-")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def said_twice(marked: str, numbers: str) -> None:
    """Letters for numbers and nothing else, where nobody takes one for a word, and every name marked."""
    letters = as_read(marked)
    assert numbered(letters, numbers) == numbers
    assert BY_LETTERS.sub("", letters) == BY_NUMBERS.sub("", numbers)


def as_read(marked: str) -> str:
    """Without its marks, which stand around all that is a name and around nothing else."""
    between = NAME.sub(BLANK, marked)
    assert BEGIN not in between
    assert END not in between
    assert not CELL.search(between), marked
    assert not BY_LETTERS.search(between), marked
    return unmarked(marked)


def some_positions(seed: int, count: int) -> list[Position]:
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position()
        agents = [make_agent(chance.choice(("level:1", "level:3", "level:5")), chance.getrandbits(32))] * 2
        for ply in range(chance.randrange(8, 38)):
            after = position.play(agents[ply % 2].choose(position).column)
            if after.is_over:
                break
            position = after
        if position.ply >= 8:
            found.append(position)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_explanations_and_hints(language: str, solver: Solver) -> None:
    chance = random.Random(7)
    for position in some_positions(11, 25):
        column = chance.choice(position.legal)
        told = [explain(position, column, solver, spoken) for spoken in (language, language + PAGE)]
        said_twice(told[1].text, told[0].text)
        said_twice(told[1].sentence, told[0].sentence)
        staged = [advise(position, solver, spoken).stages for spoken in (language, language + PAGE)]
        for one, other in zip(*staged, strict=True):
            said_twice(other.text, one.text)
        if len(position.legal) > 1:
            better = solver.analyse(position).best[0]
            wrong = next(other for other in position.legal if other != better)
            texts = [refutation(position, wrong, better, solver, s).text for s in (language, language + PAGE)]
            said_twice(texts[1], texts[0])


def test_what_is_said_with_letters_is_true(solver: Solver) -> None:
    """The kit reads the numbers, and with letters nothing else is said."""
    for position in some_positions(12, 10):
        plain = explain(position, None, solver)
        assert check_explanation(plain, solver)
        assert numbered(as_read(explain(position, None, solver, "en-x-page").text), plain.text) == plain.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_reviews_and_thoughts(language: str, solver: Solver) -> None:
    for moves in ("14241424", "4131445", "25343443445566223"):
        game = Game.parse(moves)
        told = [review(game, solver, spoken, reader=0) for spoken in (language, language + PAGE)]
        said_twice(told[1].text, told[0].text)
        assert re.search(rf"{COLUMN} {BEGIN}[a-g]", told[1].text)
    position = Position.parse("1242")
    for spec in ("level:3", "perfect", "minimax:depth=4", "mcts:simulations=50", "rules"):
        choice = make_agent(spec, 1).choose(position)
        spoken = (language, language + PAGE)
        said_twice(*reversed([view_of(spec, choice, position, None, one).text for one in spoken]))
        said_twice(*reversed([told_move(choice, position, "Mia", one).says for one in spoken]))
    trick = trickiest(Position.parse(TRICKY), 3, solver)
    assert trick is not None
    said_twice(trick.text(language + PAGE), trick.text(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles(language: str) -> None:
    for puzzle in shipped_puzzles()[::29]:
        said_twice(why(puzzle, language + PAGE), why(puzzle, language))
        for hint in hints(puzzle):
            text = hint.text(puzzle, language + PAGE)
            assert numbered(as_read(text), hint.text(puzzle, language)) == hint.text(puzzle, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_school(language: str) -> None:
    """What was written for a position, and what is said to every column of a task."""
    for unit in units():
        voices = [Voice(unit.name, spoken) for spoken in (language, language + PAGE)]
        for task in unit.tasks:
            codes = [voice.written(f"ask.{task.text}", **voice.players(task.position)) for voice in voices]
            said_twice(codes[1], codes[0])
            if task.kind != "drop":
                continue
            for column in task.position.legal:
                answers = [judge(task, str(column + 1), voice.language).text for voice in voices]
                said_twice(answers[1], answers[0])


def test_no_text_has_a_word_where_a_column_could_stand() -> None:
    """So that nobody takes a word for a column: "colonne a" is one, never "the column has"."""
    folders = [files("claimeven") / part for part in ("reasons/catalogue", "school/words", "map/words")]
    found = [path for folder in folders for path in Path(str(folder)).rglob("*.json")]
    found += [*(ROOT / "web/src/i18n").glob("*.json"), *(ROOT / "web/src/study/i18n").glob("*.json")]
    assert len(found) > 70
    for path in found:
        text = json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)
        assert not re.search(r"\{[a-g]\}", IN_UNITS.sub("", text)), path
        said = re.findall(rf"{COLUMN} (?:[a-hj-npq-tvx]|\d)(?![\w-])", text)
        help_says = 1 if path.parent == ROOT / "web/src/i18n" else 0  # d2 is column d, row 2
        assert len(said) == help_says, (path, said)


def test_lines_of_the_school_name_cells_by_their_marks() -> None:
    """A cell that is only written down would not be lit: its name stands in braces."""
    for path in Path(str(files("claimeven.school") / "words")).rglob("*.json"):
        for code, text in json.loads(path.read_text(encoding="utf-8")).items():
            if not code.startswith("ui."):  # those are the terminal's
                plain = text if isinstance(text, str) else " ".join(text.values())
                assert not CELL.search(re.sub(r"\{[^}]*\}", "", plain)), (path, code)


def test_a_language_that_there_is_not() -> None:
    for language in ("en-x-words", "xx-x-page", "en-x-page-x-page"):
        with pytest.raises(InputError):
            Words(language)
