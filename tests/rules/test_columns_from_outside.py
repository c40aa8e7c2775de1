"""Columns come from anybody: whatever counts is a column, and becomes a plain int at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from claimeven import Board, Choice, Game, Position, Solver, explain, make_agent, play_match, review
from claimeven.adapters.gymnasium import ConnectFour
from claimeven.agents import AgentNonsenseError, chosen_column
from claimeven.arrays import positions_of, words_of
from claimeven.count import perft
from claimeven.errors import InputError, MoveError, NotationError
from claimeven.limit import Limit
from claimeven.notation import COLUMN_DIGITS

COUNTS = [
    np.int64(3),
    np.int32(3),
    np.uint8(3),
    np.array(3),
    type("Index", (), {"__index__": lambda self: 3})(),
]


@pytest.mark.parametrize("column", COUNTS, ids=lambda column: type(column).__name__)
@pytest.mark.parametrize("board", ["7x6x4", "12x6x4"])
def test_a_position_takes_whatever_counts(column: Any, board: str) -> None:
    position = Position(Board.parse(board)).play(column)
    assert position == Position(Board.parse(board)).play(3)
    assert (type(position.mine), type(position.mask), position.moves) == (int, int, "4")


@pytest.mark.parametrize("column", [3.0, "3", None, np.float64(3), [3]])
def test_what_does_not_count_is_refused_in_words(column: Any) -> None:
    with pytest.raises(MoveError, match="a column is a whole number, not "):
        Position().play(column)


@pytest.mark.parametrize("column", [np.int64(7), np.int8(-1), 7, -1])
def test_columns_that_are_not_there(column: Any) -> None:
    with pytest.raises(MoveError, match=f"there is no column {int(column) + 1}, the columns are 1 to 7"):
        Position().play(column)


@pytest.mark.parametrize(
    ("board", "column", "told"),
    [
        ("12x6", 20, "there is no column l, the columns are 1 to c"),
        ("12x6", 12, "there is no column d, the columns are 1 to c"),
        ("12x6", 99, "there is no column 100, the columns are 1 to c"),  # no digit is left for it
        ("12x6", -1, "there is no column 0, the columns are 1 to c"),
        ("9x6", 9, "there is no column 10, the columns are 1 to 9"),
    ],
)
def test_a_board_with_letters_for_columns_names_others_by_them_too(
    board: str, column: int, told: str
) -> None:
    position = Position(Board.parse(board))
    with pytest.raises(MoveError, match=f"^{told}$"):
        position.play(column)
    if 0 <= column < len(COLUMN_DIGITS) and position.board.columns > 9:
        with pytest.raises(NotationError, match=f"{told}$"):
            Position.parse(COLUMN_DIGITS[column], position.board)


@pytest.mark.parametrize("spec", ["minimax:depth=3", "mcts:simulations=50", "level:3", "perfect", "rules"])
def test_agents_and_solver_answer_after_a_numpy_move(spec: str) -> None:
    position = Position().play(np.int64(3)).play(np.int32(3))
    assert make_agent(spec, 1).choose(position, Limit(nodes=1000)).column in position.legal
    solver = Solver()
    assert solver.scores([position])[0] == solver.score(position)
    assert explain(position, np.int64(3)).column == 3


@pytest.mark.parametrize("column", COUNTS, ids=lambda column: type(column).__name__)
def test_whatever_counts_is_explained(column: Any) -> None:
    assert type(explain(Position(), column, solver=None).column) is int


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (99, "there is no column 100, the columns are 1 to 7"),
        (-5, "there is no column -4, the columns are 1 to 7"),
        ("3", "a column is a whole number, not '3'"),
        (3.0, "a column is a whole number, not 3.0"),
        (3, "column 4 is full"),
    ],
)
def test_what_cannot_be_played_is_not_explained(column: Any, told: str) -> None:
    with pytest.raises(MoveError, match=told):
        explain(Position.parse("444444"), column, solver=None)


def test_a_game_keeps_plain_columns() -> None:
    game = Game()
    game.play(np.int64(3))
    assert game.to_json() == Game.parse("4").to_json()


class Argmax:
    """An agent as people write them with numpy."""

    name = "argmax"

    def __init__(self, is_bare: bool) -> None:
        self._is_bare = is_bare

    def choose(self, position: Position, limit: Limit = Limit()) -> Any:  # noqa: B008
        values = np.array([float(c in position.legal) for c in range(position.board.columns)])
        column = np.argmax(values)
        return column if self._is_bare else Choice(column, {int(column): 1.0})  # type: ignore[arg-type]


@pytest.mark.parametrize("is_bare", [False, True])
def test_an_agent_that_answers_with_argmax_plays_its_games(is_bare: bool) -> None:
    result = play_match(Argmax(is_bare), "random", games=4, seed=1)
    assert "illegal" not in result.endings
    assert result.faults(0) == {}


@pytest.mark.parametrize("answer", [True, None, 3.0, "4", np.int64(9), -1])
def test_nonsense_is_still_nonsense(answer: Any) -> None:
    with pytest.raises(AgentNonsenseError, match=r"legal columns \(from 0\) are"):
        chosen_column(answer, Position())


def test_arguments_of_the_wrong_kind_are_told_in_one_sentence() -> None:
    with pytest.raises(InputError, match="a position is read from text, like '4453', not from 44"):
        Position.parse(44)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a Position is needed, not '44'"):
        Solver(book=False, megabytes=1).score("44")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a Position is needed, not '44'"):
        Solver(book=False, megabytes=1).scores(["44"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a Position is needed, not '44'"):
        Solver(book=False, megabytes=1).analyse("44")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="book: True, False or the path of a file, not 3"):
        Solver(book=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a Position is needed, not '4131'"):
        explain("4131")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a Game is needed, not '44'"):
        review("44")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="an agent is named by text, like level:3, not by 3"):
        make_agent(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a Board is needed, not '7x6x4'"):
        Position("7x6x4")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"threads must be a whole number, not 1.5"):
        Solver(threads=1.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a board is written as text"):
        Board.parse(7)  # type: ignore[arg-type]
    assert Solver(book=None, megabytes=1).book is None


P = Position.parse("4453")
TEXT: Any = "44"
THREE: Any = 3
NOTHING: Any = None
WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "explain a text": (lambda: explain(P, TEXT), "a column is a whole number, not '44'"),
    "explain nowhere": (lambda: explain(P, 9), "there is no column 10, the columns are 1 to 7"),
    "explain by a text": (lambda: explain(P, 3, TEXT), "a Solver is needed, not '44'"),
    "review by a number": (lambda: review(Game.parse("44"), THREE), "a Solver is needed, not 3"),
    "match": (lambda: play_match("random", THREE), "who plays is a spec like level:3, an agent, .* not 3"),
    "games": (lambda: play_match("random", "first", TEXT), "the games of a pairing are an even number"),
    "random": (lambda: make_agent("random").choose(TEXT), "a Position is needed, not '44'"),
    "level": (lambda: make_agent("level:3").choose(NOTHING), "a Position is needed, not None"),
    "scores": (lambda: Solver(megabytes=1).scores(NOTHING), "several positions are needed, not None"),
    "scores of a text": (lambda: Solver(megabytes=1).scores(TEXT), "several positions are needed, not '44'"),
    "limit": (lambda: Solver(megabytes=1).analyse(P, TEXT), "a Limit is needed, not '44'; Limit.parse reads"),
    "threads": (lambda: Solver(threads=0), "^threads must be 1 to 1024$"),
    "megabytes": (lambda: Solver(megabytes=0), "^megabytes must be 1 to 1048576$"),
    "words": (lambda: words_of([TEXT]), "a Position is needed, not '44'"),
    "words of one": (lambda: words_of(THREE), "several positions are needed, not 3"),
    "words of a text": (lambda: positions_of(TEXT), "words: positions of 7x6x4 are whole numbers of shape"),
    "perft": (lambda: perft(TEXT, 3), "a Position is needed, not '44'"),
    "perft of a text": (lambda: perft(P, TEXT), "what is counted is a whole number of moves, not '44'"),
    "turn": (lambda: ConnectFour(turn=TEXT), "turn is one of first, second, random, not '44'"),
    "board": (lambda: ConnectFour(board=THREE), "a Board is needed, not 3; Board.parse reads one from text"),
    "grid": (lambda: Position.from_array([[0, 0], [1]]), "an array of rows and columns, or a list of rows"),
    "grid of a text": (lambda: Position.from_array(TEXT), "an array of rows and columns, or a list of rows"),
}


@pytest.mark.parametrize("what", WRONG)
def test_whoever_hands_over_something_else_is_told(what: str) -> None:
    call, why = WRONG[what]
    with pytest.raises(InputError, match=why):
        call()


def test_a_solver_takes_whatever_counts_for_its_sizes() -> None:
    assert Solver(threads=np.int64(1), megabytes=np.uint8(1)).score(P) == -2


def test_words_that_are_no_position_are_named() -> None:
    words = np.array([[0, 0], [0, 1], [1, 0], [0, 5]], np.uint64)
    for call in (Solver(megabytes=1).scores, positions_of):
        with pytest.raises(InputError, match=r"^words\[2\]: mine: a stone is missing in mask$"):
            call(words)


def test_lists_of_rows_are_a_grid() -> None:
    rows = Position.parse("4453").to_array().tolist()
    assert Position.from_array(rows) == Position.from_array(tuple(map(tuple, rows))) == Position.parse("4453")


@pytest.mark.parametrize(
    ("mine", "mask", "why"),
    [
        (1, 0, "mine: a stone is missing in mask"),
        (4, 5, "the stone on a3 floats"),
        (1, 1, "0 x and 1 o"),  # x moves first: the stone of an odd board is his
        (0, 1 << 6, "outside"),
        (-1, 3, "mine: a stone is missing in mask|outside"),
        (0b1111, 0b1111 | 0b1111 << 7, "both sides have a complete line"),
        (1.5, 3, "stones are the bits of a whole number"),
        (0b10, 0b11, "no x lies at the bottom, though x moves first"),
        (0b100 | 1 << 35, 0b111 | 1 << 35, "o moved last, yet no o lies on top of a column"),
    ],
)
def test_positions_that_cannot_exist_are_refused(mine: Any, mask: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Position(Board(), mine, mask)


def test_a_position_from_its_two_numbers_knows_its_winner() -> None:
    won = Position.parse("1212121")
    again = Position(won.board, np.uint64(won.mine), np.uint64(won.mask))  # type: ignore[arg-type]
    assert (again, again.winner, again.is_over, again.moves) == (won, 0, True, None)
