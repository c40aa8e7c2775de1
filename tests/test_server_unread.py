"""Why a text could not be read: every sentence of the readers has a code, and the page has words for it."""

import json
import re
from pathlib import Path

import pytest

from claimeven import formats
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.position import Board, Position
from claimeven.server.study.unread import unread

ROOT = Path(__file__).parent.parent
WORDS = json.loads((ROOT / "web/src/study/i18n/en.json").read_text())


def why(text: str, format: str | None = None, board: Board | None = None) -> tuple[str, dict[str, str]]:
    with pytest.raises(InputError) as error:
        formats.read(text, format, board)
    found = unread(str(error.value))
    return found["code"], found["params"]


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
        ("4453", "nothing", "other", {}),
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
    assert unread(str(error.value))["code"] == "board"


def test_what_fuzzing_has_tried_has_codes_and_words() -> None:
    """No sentence of a reader is only English, and no text from outside is taken for a reason."""
    sentences = set()
    for file in sorted((ROOT / "fuzz/corpus").glob("*/*")):
        text = file.read_bytes().decode(errors="replace")
        for format in (None, *formats.FORMATS):
            try:
                formats.read(text, format)
            except InputError as error:
                sentences.add(str(error))
    assert len(sentences) > 200
    for sentence in sentences:
        found = unread(sentence)
        key, params = f"unread.{found['code']}", found["params"]
        words = WORDS.get(key) or WORDS[f"{key}.{params['player']}"]
        assert set(re.findall(r"{(\w+)}", words)) <= params.keys(), sentence


def test_a_quoted_text_is_no_reason() -> None:
    assert unread("character 1 of '4: column 4 is full': 'x' is not a column digit (1-9, then a-z)") == {
        "code": "no_digit",
        "params": {"at_character": "1", "text": "'x'"},
    }
