"""Languages: the same codes, parameters and plural forms everywhere; no English leaks."""

import re
from string import Formatter

import pytest

from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.reasons import explain
from claimeven.reasons.words import CATEGORIES, LANGUAGES, PLURALS, Message, Words, catalogue
from claimeven.solver import Solver

OTHERS = [language for language in LANGUAGES if language != "en"]


def parameters(message: Message) -> set[str]:
    """What a message needs, apart from its count: a form may leave that out."""
    texts = message.values() if isinstance(message, dict) else [message]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name} - {"n"}


@pytest.mark.parametrize("language", OTHERS)
def test_same_codes_and_parameters(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(english) == list(other)
    for code, message in english.items():
        assert parameters(message) == parameters(other[code]), code
        assert isinstance(message, dict) == isinstance(other[code], dict), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_plural_forms_and_only_those(language: str) -> None:
    for code, message in catalogue(language).items():
        if isinstance(message, dict):
            assert set(message) == set(CATEGORIES[language]), code
            assert len({frozenset(parameters(text)) for text in message.values()}) == 1, code


def test_plurals_are_those_of_cldr() -> None:
    def categories(language: str, *numbers: int) -> str:
        return " ".join(PLURALS[language](n) for n in numbers)

    assert categories("en", 0, 1, 2) == "other one other"
    assert categories("fr", 0, 1, 2, 1_000_000) == "one one other many"
    assert categories("pl", 0, 1, 2, 4, 5, 12, 21, 22, 25) == "many one few few many many many few many"
    assert categories("vi", 0, 1, 2) == "other other other"


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_leaks(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    for code, message in english.items():
        if isinstance(message, str) and re.search("[a-z]{3}", re.sub(r"\{\w+\}", "", message)):
            assert message != other[code], code
    solver = Solver(megabytes=16)
    for moves, column in (("4131", 4), ("41315", 1), ("4444426", 4)):
        text = explain(Position.parse(moves), column, solver, language).text
        assert not re.search(r"\b(they|you|column|wins|loses|the|and)\b", text, re.IGNORECASE), text


def test_french_keeps_its_punctuation_together() -> None:
    for message in catalogue("fr").values():
        for text in message.values() if isinstance(message, dict) else [message]:
            assert not re.search(r"(?<!\u00a0)[:;?!%]", text.replace("\u00a0%", "")), text


def test_lists() -> None:
    assert Words("en").listed(["a", "b", "c"]) == "a, b and c"
    assert Words("pl").listed(["a", "b"], "or") == "a lub b"
    assert Words("vi").listed(["a"]) == "a"


def test_an_unknown_language_is_told() -> None:
    with pytest.raises(InputError, match="no language 'xx'"):
        Words("xx")
