"""The `.c4n` text record: PGN's grammar, so that eyes and tools that know chess records can read it.

    [Board "7x6x4"]
    [First "Lan"]
    [Result "*"]

    1. d1 d2 {[%emt 0:00:01.2] mirrors} 2. e1 $4 (2. c1 d3) 2... c1 *

Differences to chess: First and Second instead of White and Black; a move is the cell the disc lands on
(on boards wider than the alphabet: the column digit); in a comment, a backslash makes the next
character ordinary, so that any text can be written. docs/formats.md has the whole grammar. This module
writes and splits files; reader.py reads one game.
"""

import re
from collections.abc import Iterable, Iterator

from claimeven import notation
from claimeven.errors import NotationError
from claimeven.game.record import Clock, Record, Variation
from claimeven.position import Board, Position

WIDTH = 80


def text(record: Record) -> str:
    """Write a checked record: tags, an empty line, the moves."""
    start = Position.parse(record.start, Board.parse(record.board))
    times = {ply: ms for ply, ms in enumerate(record.times_ms, start=start.ply + 1) if ms is not None}
    words = [*_words(record, start, times), record.result.score if record.result else "*"]
    tags = [(name, _escaped(value, '"')) for name, value in _tags(record)]
    return "\n".join([*(f'[{name} "{value}"]' for name, value in tags), "", *_wrapped(words), ""])


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    yield from record.tags.items()
    yield "Board", record.board
    if record.start:
        yield "Start", record.start
    if record.pie != "no":
        yield "Pie", record.pie
    for side, player in zip(("First", "Second"), record.players, strict=True):
        if player.name:
            yield side, player.name
        if player.kind != "human":
            yield f"{side}Kind", player.kind
        if player.spec:
            yield f"{side}Spec", player.spec
        if player.seed is not None:
            yield f"{side}Seed", str(player.seed)
        if player.rating is not None:
            yield f"{side}Rating", str(player.rating)
    if record.clock is not None:
        yield "TimeControl", clock_text(record.clock)
    if record.id:
        yield "Id", record.id
    if record.created:
        yield "Created", record.created
    if record.result is not None:
        yield "Termination", record.result.reason
    yield "Result", record.result.score if record.result else "*"


def _words(line: Record | Variation, position: Position, times: dict[int, int]) -> Iterator[str]:
    notes = {note.ply: note for note in line.notes}
    if position.ply in notes:
        yield _comment(notes[position.ply].text)
    is_interrupted = True  # then a move of the second side needs its number, too
    for column in notation.parse_moves(line.moves, position.board.columns):
        if position.side == 0:
            yield f"{position.ply // 2 + 1}."
        elif is_interrupted:
            yield f"{position.ply // 2 + 1}..."
        yield move_word(position, column)
        before, position = position, position.play(column)
        note = notes.get(position.ply)
        if note and note.nag:
            yield f"${note.nag}"
        is_interrupted = False
        if (note and note.text) or position.ply in times:
            yield _comment(note.text if note else "", times.get(position.ply))
            is_interrupted = True
        for variation in line.variations:
            if variation.ply == position.ply:
                inside = list(_words(variation, before, {}))
                inside[0], inside[-1] = f"({inside[0]}", f"{inside[-1]})"
                yield from inside
                is_interrupted = True


def move_word(position: Position, column: int) -> str:
    if position.board.columns > len(notation.LETTERS):
        return notation.column_digit(column)
    return notation.cell_name(column, position.height(column))


def _comment(text: str, ms: int | None = None) -> str:
    time = "" if ms is None else f"[%emt {time_text(ms)}]"
    words = _escaped(text, "}").replace("[%", "\\[%")  # a text may look like a time
    return "{" + time + (" " if time and text else "") + words + "}"


def _escaped(text: str, character: str) -> str:
    return text.replace("\\", "\\\\").replace(character, "\\" + character)


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


# Times ------------------------------------------------------------------------------------------


def time_text(ms: int) -> str:
    """
    >>> time_text(3_723_040)
    '1:02:03.04'
    """
    minutes, ms = divmod(ms, 60_000)
    return f"{minutes // 60}:{minutes % 60:02}:{ms // 1000:02}{_fraction(ms)}"


def parse_time(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?", text)
    if not found:
        raise NotationError("syntax.time", text=notation.quote(text))
    hours, minutes, seconds, fraction = found.groups()
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + _thousandths(fraction)


def clock_text(clock: Clock) -> str:
    """
    >>> clock_text(Clock(180_000, 2_500))
    '180+2.5'
    """
    return "+".join(f"{ms // 1000}{_fraction(ms)}" for ms in (clock.initial_ms, clock.increment_ms))


def parse_clock(text: str) -> Clock:
    seconds = r"([0-9]{1,10})(?:\.([0-9]{1,3}))?"
    found = re.fullmatch(rf"{seconds}\+{seconds}", text)
    if not found:
        raise NotationError("syntax.clock", text=notation.quote(text))
    initial, fraction, increment, fraction_2 = found.groups()
    return Clock(
        int(initial) * 1000 + _thousandths(fraction), int(increment) * 1000 + _thousandths(fraction_2)
    )


def _fraction(ms: int) -> str:
    return f".{ms % 1000:03}".rstrip("0").rstrip(".")


def _thousandths(digits: str | None) -> int:
    return int((digits or "").ljust(3, "0"))


# Files ------------------------------------------------------------------------------------------


_TAGS = re.compile(r'^(?>\s*\[[^"\]]*"(?>[^"\\]|\\.)*+"\s*\])+')  # at the beginning of a line


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Cut a file into games, each with the number of its first line.

    A game ends where the tags of the next one begin, so in a file of several games each has tags.
    """
    game: list[str] = []
    first, size, has_moves, in_comment = 1, 0, False, False
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        moves = line if in_comment else _TAGS.sub("", line)
        if has_moves and not in_comment and line.lstrip().startswith("["):
            yield first, "\n".join(game)
            game, size, has_moves = [], 0, False
        if not game:
            if not line.strip():
                continue
            first = number
        game.append(line)
        size += len(line) + 1
        if size > notation.MAX_TEXT:
            raise NotationError("long.game", line=number, most=notation.MAX_TEXT)
        has_moves = has_moves or bool(moves.strip())
        in_comment = _is_comment_open(moves, in_comment)
    if game:
        yield first, "\n".join(game)


def _is_comment_open(line: str, is_open: bool) -> bool:
    """Whether a { comment is open at the end of a line."""
    if not is_open and line.startswith("%"):
        return False
    for found in re.finditer(r"\\.|[{};]", line):
        if is_open:
            is_open = found[0] != "}"
        elif found[0] == ";":
            return False
        else:
            is_open = found[0] == "{"
    return is_open
