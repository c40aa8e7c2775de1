"""Errors of bad input: a code with parameters, a sentence for each, and what the page tells of it."""

import json
import pickle
from collections import defaultdict
from string import Formatter

import pytest

from claimeven import formats
from claimeven.errors import InputError, MoveError, NotationError
from claimeven.game import Game
from claimeven.position import Board, Position
from claimeven.reasons.words import LANGUAGES
from kit.places import ROOT
from kit.sources.error_sites import SOURCE, sites

SENTENCES: dict[str, str] = json.loads((SOURCE / "catalogue" / "sentences.json").read_text())
TOLD: dict[str, dict[str, str]] = {
    language: json.loads((SOURCE / "catalogue" / "told" / f"{language}.json").read_text())
    for language in LANGUAGES
}


def parameters(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def kind(code: str) -> str:
    return code.partition(".")[0]


def is_wrapper(code: str) -> bool:
    return "cause" in parameters(SENTENCES[code])


def told(kind: str) -> list[str]:
    """The texts for a kind: one, or one for each player."""
    return [text for name, text in TOLD["en"].items() if name in (kind, f"{kind}.x", f"{kind}.o")]


# The catalogues and the places that raise ----------------------------------------------------------


def test_every_error_has_a_sentence_and_all_that_it_names() -> None:
    for site in sites():
        assert site.code in SENTENCES, site
        missing = parameters(SENTENCES[site.code]) - site.params
        assert not missing, (site, missing)


def test_every_sentence_is_said_somewhere() -> None:
    assert SENTENCES.keys() == {site.code for site in sites()}


def test_what_is_told_of_a_kind_fits_every_error_of_that_kind() -> None:
    by_kind = defaultdict(list)
    for site in sites():
        if site.code is not None and not is_wrapper(site.code):
            by_kind[kind(site.code)].append(site)
    names = {name.removesuffix(".x").removesuffix(".o") for name in TOLD["en"] if not name.startswith("at.")}
    assert names <= by_kind.keys()
    for name in names:
        needed = set().union(*map(parameters, told(name)))
        needed |= {"player"} if f"{name}.x" in TOLD["en"] else set()
        for site in by_kind[name]:
            assert needed <= site.params, site


def test_only_these_kinds_have_no_words_on_the_page() -> None:
    """Of the rooms that read a game or a position for it; the sentence is told in English."""
    rooms = ("notation.py", "position.py", "board.py", "game/", "formats/")
    kinds = {kind(site.code) for site in sites() if site.place.startswith(rooms) and site.code}
    wrappers = {kind(code) for code in SENTENCES if is_wrapper(code)}
    assert {name for name in kinds - wrappers if not told(name)} == {
        "grid", "not_kind", "not_number", "not_text", "stones",  # what only Python can ask for
        "no_undo", "no_redo", "no_swap", "no_letter",  # not while a text is read
        "kaggle_result", "no_order", "uci_class",  # when a game is written
        "no_format",  # the page names only formats that there are
    }  # fmt: skip


# One error -------------------------------------------------------------------------------------------


def test_an_error_survives_a_pickle() -> None:
    error = MoveError("full", column="4").wrapped("move_of", at_move=7, whole="'4444444'")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.kind) == (MoveError, str(error), "full")
    assert str(error) == "move 7 of '4444444': column 4 is full"


def test_another_package_may_say_its_own_sentence() -> None:
    error = InputError("the moon is {not} a board")
    assert str(error) == error.tell("fr") == "the moon is {not} a board"


def test_the_same_error_in_every_language() -> None:
    with pytest.raises(InputError) as error:
        Position.parse("4444444")
    assert [error.value.tell(language) for language in LANGUAGES] == [
        "Column 4 is full. (move 7)",
        "La colonne 4 est pleine. (coup 7)",
        "Kolumna 4 jest pełna. (ruch 7)",
        "Cột 4 đã đầy. (nước 7)",
    ]


def test_a_text_from_outside_is_no_template() -> None:
    with pytest.raises(NotationError) as error:
        Position.parse("4{text}")
    assert str(error.value) == "character 2 of '4{text}': '{' is not a column digit (1-9, then a-z)"
    assert error.value.tell("en") == "'{' is no column. (character 2)"


# What readers refuse ---------------------------------------------------------------------------------


def why(text: str, format: str | None = None, board: Board | None = None) -> tuple[str, dict[str, str]]:
    with pytest.raises(InputError) as error:
        formats.read(text, format, board)
    return error.value.kind, error.value.details


@pytest.mark.parametrize(
    ("text", "format", "code", "params"),
    [
        ("448", None, "no_column", {"at_character": "3", "column": "8", "first": "1", "last": "7"}),
        ("447", "0based", "no_column", {"at_character": "3", "column": "7", "first": "0", "last": "6"}),
        ("3, 9", None, "no_column", {"at_field": "2", "column": "9", "first": "0", "last": "6"}),
        ("44!", None, "no_digit", {"at_character": "3", "text": "'!'"}),
        ("4444444", None, "full", {"at_move": "7", "column": "4"}),
        ("44556637", None, "over", {"at_move": "8"}),
        ("4" * 200, "moves", "too_many", {}),
        ("7/7/7/7/3o3/7 x", None, "floats", {"cell": "d2"}),
        ("7/7/7/7/7/xxx4 o", None, "counts", {"x": "3", "o": "0"}),
        ("7/7/7/7/oooo3/xxxx3 x", None, "both_won", {}),
        ("7/7/7/7/4o2/xxxxooo x", None, "went_on", {"player": "x"}),
        ("7/7/7/7/3o3/2oxx2 o", None, "turn", {"player": "x"}),
        ("7/7/7/7/3o3/2oxx2 z", None, "side", {"at_character": "19", "text": "'z'"}),
        ("7/7/7", None, "parts", {}),
        ("7/7 x", None, "rows", {"n": "2", "of": "6"}),
        ("7/7/7/7/7/6 x", None, "cells", {"n": "6", "of": "7"}),
        ("7/7/7/7/7/44 x", None, "row_long", {"at_character": "12", "of": "7"}),
        ("7/7/7/7/7/3q3 x", None, "no_cell", {"at_character": "12", "text": "'q'"}),
        ("1. d2", None, "lands", {"at_line": "1", "at_character": "4", "cell": "d1"}),
        ("1. d1 d2\n3. e1", None, "number", {"at_line": "2", "at_character": "1", "due": "2."}),
        ("1. h1", None, "no_column", {"at_line": "1", "at_character": "4", "first": "a", "last": "g"}),
        ("1. d1 {", None, "syntax", {"at_line": "1", "at_character": "7"}),
        ('{"format": ', None, "json", {"at_line": "1", "at_character": "11"}),
        ('{"format": "c4game"}', None, "record", {}),
        ("[0, 1, 2]", None, "cells", {"n": "3", "of": "42"}),
        ("x,o", None, "cells", {"n": "2", "of": "42"}),
        (".......\n.....q.", None, "no_cell", {"at_line": "2", "at_character": "6", "text": "'q'"}),
        ("4453", "nothing", "no_format", {"name": "'nothing'"}),
    ],
)
def test_the_reason_has_a_code(text: str, format: str | None, code: str, params: dict[str, str]) -> None:
    found, given = why(text, format)
    assert found == code
    assert given.items() >= params.items(), given


def test_boards_that_do_not_agree() -> None:
    record = Game.parse("4", Board(8, 8)).to_text()
    found, params = why(record, "c4n", Board())
    assert (found, params["written"], params["board"]) == ("other_board", "8x8x4", "7x6x4")
    with pytest.raises(InputError) as error:
        Position.parse("4", Board.parse("90x90"))
    assert error.value.kind == "board"


def test_what_fuzzing_has_tried_is_told_in_every_language() -> None:
    """No sentence of a reader is only English, and none breaks while it is told."""
    sentences = {}
    for file in sorted((ROOT / "fuzz/corpus").glob("*/*")):
        text = file.read_bytes().decode(errors="replace")
        for format in (None, *formats.FORMATS):
            try:
                formats.read(text, format)
            except InputError as error:
                sentences[str(error)] = [error.tell(language) for language in LANGUAGES]
    assert len(sentences) > 200
    for sentence, texts in sentences.items():
        assert len({sentence, *texts}) == len(LANGUAGES) + 1, sentence
