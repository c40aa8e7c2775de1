"""The school as a whole: its shape, its order, its words, and what is remembered of it."""

import json
from collections import Counter
from string import Formatter

import pytest

from claimeven.errors import InputError
from claimeven.reasons.words import CATEGORIES, LANGUAGES, Message
from claimeven.school import UNITS, Progress, Unit, Voice, judge, task, unit, units
from claimeven.school.game import play_game
from claimeven.school.voice import texts
from claimeven.solver import Solver


@pytest.mark.parametrize("one", units(), ids=lambda one: one.name)
def test_a_unit_has_its_parts(one: Unit) -> None:
    assert len(one.shows) == (1 if one.name == "rules" else 2)  # who is new here drops a disc soon
    assert 6 <= len(one.tasks) <= 10
    assert len(one.check) == 5
    assert not one.game.position.is_over
    assert 1 <= one.game.level <= 10


def test_no_check_needs_a_later_unit() -> None:
    """What a check asks was practised in a task of its unit, or of one before."""
    practised: set[tuple[str, str]] = set()
    for one in units():
        practised |= {(task.kind, task.about) for task in one.tasks}
        assert {(task.kind, task.about) for task in one.check} <= practised, one.name


def test_nothing_is_asked_twice() -> None:
    asked = Counter(
        (task.kind, task.about, task.moves, task.cell) for one in units() for task in (*one.tasks, *one.check)
    )
    assert [question for question, times in asked.items() if times > 1] == []


def fields(message: Message) -> set[str]:
    parts = [message] if isinstance(message, str) else [*message.values()]
    return {name for part in parts for _, name, _, _ in Formatter().parse(part) if name}


@pytest.mark.parametrize("name", ["school", *UNITS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same(name: str, language: str) -> None:
    english, other = texts("en", name), texts(language, name)
    assert other.keys() == english.keys()
    for code, message in other.items():
        assert isinstance(message, str) == isinstance(english[code], str), code
        if isinstance(message, dict):
            assert set(CATEGORIES[language]) <= set(message), code
        # A count may be left out where the language says it in words.
        assert fields(message) <= fields(english[code]) | {"n"}, code
        assert language == "en" or message != english[code] or code.startswith("right.c"), code


@pytest.mark.parametrize("one", units(), ids=lambda one: one.name)
def test_every_text_of_a_unit_is_used(one: Unit) -> None:
    tasks = (*one.tasks, *one.check)
    used = {"title", "about", "game", *(f"show.{n + 1}" for n in range(len(one.shows)))}
    used |= {f"{what}.{task.text}" for task in tasks for what in ("ask", "right")}
    extra = {code for code in texts("en", one.name) if not code.startswith("wrong.")} - used
    assert used <= texts("en", one.name).keys()
    assert not extra


@pytest.mark.parametrize("one", units(), ids=lambda one: one.name)
def test_the_game_of_a_unit_can_be_won(one: Unit) -> None:
    """With best play of the learner it reaches its aim; the same columns get the same answers."""
    solver, played = Solver(megabytes=64), ""
    position = one.game.position
    for _ in range(21):
        best = solver.analyse(position).best[0]
        verdict = play_game(one, best, played=played, solver=solver)
        assert verdict == play_game(one, best, played=played, solver=solver)
        played, position = verdict.played, verdict.position
        if verdict.mark != "go_on":
            break
    assert verdict.mark == "right", verdict.text
    assert verdict.text


def test_a_lost_game_names_the_mistake() -> None:
    """Red has three on the bottom row, and the learner looks away."""
    one = unit("seeing")
    played = ""
    for column in (6, 6, 0, 0, 1, 1, 5, 5, 6, 6, 0, 0):
        try:
            verdict = play_game(one, column, played=played)
        except InputError:
            continue
        played = verdict.played
        if verdict.mark != "go_on":
            break
    assert verdict.mark == "wrong", "level 1 does win against somebody who looks away"
    assert verdict.text.startswith("Lost this time. ")


def test_bad_answers_are_told_in_a_sentence() -> None:
    for id, answer in [
        ("rules.1", "8"),
        ("rules.1", ""),
        ("rules.2", "h9"),
        ("rules.6", "many"),
        ("rules.2", "a7"),
    ]:
        with pytest.raises(InputError):
            judge(task(id), answer)
    for id in ("nothing.1", "rules.99", "rules"):
        with pytest.raises(InputError):
            task(id)


def test_progress_is_small_and_comes_back() -> None:
    done = Progress().with_task("forks.1").with_task("forks.1").with_check("forks", 3).with_game("forks")
    text = json.dumps(done.to_json())
    assert text == '{"units": {"forks": {"tasks": ["forks.1"], "check": 3, "game": true}}}'
    assert Progress.from_text(text) == done
    assert done.next_unit == "rules"
    other = Progress().with_task("forks.2").with_check("forks", 4)
    both = done.merged(other)
    assert both.of("forks").tasks == ("forks.1", "forks.2")
    assert (both.of("forks").check, both.of("forks").game) == (4, True)
    for bad in ("", "[]", '{"units": {"forks": {"check": 9}}}', '{"units": []}'):
        with pytest.raises(InputError):
            Progress.from_text(bad)


def test_the_teacher_speaks_four_languages() -> None:
    told = {language: judge(task("forks.2"), "5", language).text for language in LANGUAGES}
    assert told["fr"] == "Oui\u00a0! b1 et f1\u00a0: Jaune ne peut en fermer qu’une."
    assert len(set(told.values())) == 4
    assert Voice("forks", "pl").written("title") == "Widełki"
