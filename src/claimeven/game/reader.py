"""Read one game of a `.c4n` text record; text.py describes and writes the format."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast, get_args

from claimeven import notation
from claimeven.errors import InputError, NotationError
from claimeven.game import record as shape
from claimeven.game.record import Note, Pie, Player, Record, Result, Score, Variation
from claimeven.game.text import parse_clock, parse_time
from claimeven.position import Board, Position

_TOKEN = re.compile(
    r"""
      (?P<space>   \s+ | ^%[^\n]* )
    | (?P<tag>     \[ [ \t]* ([A-Za-z][A-Za-z0-9_]*) [ \t]+ "( (?> [^"\\\n] | \\["\\] )*+ )" [ \t]* \] )
    | (?P<comment> \{ ( (?> [^\\}]+ | \\[\s\S] )*+ ) \} | ; ([^\n]*) )
    | (?P<result>  (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?! [^\s;{}()\[\]] ) )
    | (?P<number>  ([0-9]+) (\.+) )
    | (?P<nag>     \$ [0-9]{1,3} (?! [0-9] ) | [!?]{1,2} )
    | (?P<open>    \( )
    | (?P<close>   \) )
    | (?P<move>    [A-Za-z0-9]+ )
    """,
    re.VERBOSE | re.MULTILINE | re.ASCII,
)
_MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_IN_COMMENT = re.compile(r"\\([\s\S])|\[%emt[ ]([^\]]*)\][ ]?|([^\\\[]+|\[)")


@dataclass
class _Line:
    moves: list[int] = field(default_factory=list)
    times: dict[int, int] = field(default_factory=dict)
    texts: dict[int, list[str]] = field(default_factory=dict)  # joined at the end: there may be very many
    nags: dict[int, int] = field(default_factory=dict)
    variations: list[Variation] = field(default_factory=list)

    def notes(self) -> tuple[Note, ...]:
        plies = sorted(self.texts.keys() | self.nags.keys())
        return tuple(Note(ply, " ".join(self.texts.get(ply, ())), self.nags.get(ply, 0)) for ply in plies)


def parse(text: str, board: Board | None = None, first_line: int = 1) -> Record:
    """Read one game; `board` is for a text without the tag. Errors count lines from `first_line`."""
    notation.check_size(text, "game record")
    return _Reader(text.replace("\r\n", "\n"), first_line).record(board)


class _Reader:
    def __init__(self, text: str, first_line: int) -> None:
        self.text, self.first_line = text, first_line
        self.tokens = self._tokens()
        self.token: re.Match[str] | None = None  # the next one; None at the end of the text
        self.variations = 0
        self.advance()

    def _tokens(self) -> Iterator[re.Match[str]]:
        place = 0
        while place < len(self.text):
            token = _TOKEN.match(self.text, place)
            if token is None:
                raise self.located(place, _unknown(self.text[place]))
            if token.lastgroup != "space":
                yield token
            place = token.end()

    def advance(self) -> None:
        self.token = next(self.tokens, None)

    def located(self, place: int, error: InputError) -> InputError:
        line = self.text.count("\n", 0, place) + self.first_line
        character = place - self.text.rfind("\n", 0, place)
        return error.wrapped("at_line", at_line=line, at_character=character)

    @contextmanager
    def at(self, place: int, tag: str = "") -> Iterator[None]:
        """Name the place of an error that came from deeper down, perhaps from the value of a tag."""
        try:
            yield
        except InputError as error:
            raise self.located(place, error.wrapped("in_tag", tag=tag) if tag else error) from None

    # The whole game ------------------------------------------------------------------------------

    def record(self, board: Board | None) -> Record:
        tags, places = self.tags()

        def tag(name: str) -> str | None:
            return tags.pop(name, None)

        written = tag("Board")
        with self.at(places.get("Board", 0), "Board"):
            if written is not None:
                if board is not None and board != Board.parse(written):
                    raise NotationError("other_board.game", written=written, board=board)
                board = Board.parse(written)
        board = board or Board()
        with self.at(places.get("Start", 0), "Start"):
            start = Position.parse(tag("Start") or "", board)
        pie = self.pie(tag("Pie"), places.get("Pie", 0))
        players = (self.player("First", tags, places), self.player("Second", tags, places))
        with self.at(places.get("TimeControl", 0), "TimeControl"):
            control = tag("TimeControl")
            clock = None if control is None else parse_clock(control)
        identity, created = tag("Id") or "", tag("Created") or ""
        score, reason = tag("Result"), tag("Termination")
        line, position = self.line(start, depth=0)
        result = self.result(position, score, reason)
        with self.at(0):
            times = tuple(line.times.get(ply) for ply in range(start.ply + 1, position.ply + 1))
            return shape.make(
                board=str(board),
                start=start.text,
                pie=pie,
                players=players,
                clock=clock,
                id=identity,
                created=created,
                moves=notation.moves_text(line.moves),
                times_ms=times if line.times else (),
                notes=line.notes(),
                variations=tuple(line.variations),
                result=result,
                tags=tags,
            )

    def tags(self) -> tuple[dict[str, str], dict[str, int]]:
        tags: dict[str, str] = {}
        places: dict[str, int] = {}
        while self.token is not None and self.token.lastgroup == "tag":
            name, value = self.token[3], self.token[4]
            if name in tags:
                raise self.located(self.token.start(), NotationError("syntax.tag_twice", name=name))
            tags[name] = re.sub(r"\\(.)", r"\1", value)
            places[name] = self.token.start()
            self.advance()
        return tags, places

    def pie(self, written: str | None, place: int) -> Pie:
        for known in get_args(Pie):
            if written == known:
                return cast(Pie, known)
        if written is not None:
            raise self.located(place, NotationError("syntax.pie", text=notation.quote(written)))
        return "no"

    def player(self, side: str, tags: dict[str, str], places: dict[str, int]) -> Player:
        def number(part: str) -> int | None:
            text = tags.pop(side + part, None)
            if text is None:
                return None
            if not re.fullmatch(r"-?[0-9]{1,19}", text):
                error = NotationError("syntax.tag_number", tag=side + part, text=notation.quote(text))
                raise self.located(places[side + part], error)
            return int(text)

        kind = tags.pop(f"{side}Kind", "human")
        if kind != "human" and kind != "agent":
            error = NotationError("syntax.player_kind", side=side, kind=notation.quote(kind))
            raise self.located(places[f"{side}Kind"], error)
        name, spec = tags.pop(side, ""), tags.pop(f"{side}Spec", "")
        seed, rating = number("Seed"), number("Rating")
        with self.at(places.get(side, 0), side):
            return Player(name, kind, spec, seed, rating)  # type: ignore[arg-type]

    def result(self, position: Position, tagged: str | None, reason: str | None) -> Result | None:
        """Read the result token and nothing after it; both it and the tags may be absent."""
        written, place = None, len(self.text)
        if self.token is not None:
            written, place = self.token[0], self.token.start()
            self.advance()
        if self.token is not None:
            raise self.located(self.token.start(), NotationError("syntax.after_end"))
        if written and tagged and written != tagged:
            raise self.located(place, NotationError("syntax.two_results", written=written, tagged=tagged))
        score = written or tagged
        shown = Result.shown(position)
        if reason is None and (score is None or score == "*" or shown):
            if shown and score not in (None, shown.score):
                raise self.located(place, NotationError("ended.text", said=score, score=shown.score))
            return shown
        if reason is None:
            raise self.located(place, NotationError("syntax.termination", score=score))
        with self.at(place):
            if score not in get_args(Score):
                raise NotationError("record.score", score=notation.quote(str(score)))
            if reason not in get_args(shape.Reason):
                raise NotationError("record.reason", reason=notation.quote(reason))
            return Result(score, reason)  # type: ignore[arg-type]

    # The moves -----------------------------------------------------------------------------------

    def line(self, position: Position, depth: int) -> tuple[_Line, Position]:
        """Read moves up to a result, the end of the variation, or the end of the text."""
        line, before, previous = _Line(), position, None
        while self.token is not None and self.token.lastgroup not in ("result", "close"):
            token, place, ply = self.token, self.token.start(), position.ply
            self.advance()
            kind = token.lastgroup
            if kind == "comment":
                self.comment(token, line, ply, is_timed=depth == 0 and bool(line.moves))
            elif kind == "number":
                due = f"{ply // 2 + 1}{'...' if position.side else '.'}"
                if previous == "number":
                    raise self.located(
                        place, NotationError("syntax.two_numbers", text=notation.quote(token[0]))
                    )
                if token[0] != due:
                    raise self.located(place, NotationError("number", due=due, text=notation.quote(token[0])))
            elif kind == "move":
                with self.at(place):
                    column = _column(token[0], position)
                    before, position = position, position.play(column)
                line.moves.append(column)
            elif kind == "tag":
                raise self.located(place, NotationError("syntax.tag_late"))
            elif not line.moves:
                raise self.located(place, NotationError("syntax.after_move", text=token[0]))
            elif kind == "nag":
                if ply in line.nags:
                    raise self.located(place, NotationError("syntax.two_nags", text=token[0]))
                line.nags[ply] = _MARKS.get(token[0]) or self.nag(token)
            else:
                line.variations.append(self.variation(before, place, depth + 1))
            previous = kind
        if depth == 0 and self.token is not None and self.token.lastgroup == "close":
            raise self.located(self.token.start(), NotationError("syntax.close"))
        return line, position

    def nag(self, token: re.Match[str]) -> int:
        code = int(token[0][1:]) if token[0].startswith("$") else 0
        if not 1 <= code <= 255:
            raise self.located(token.start(), NotationError("syntax.no_nag", text=token[0]))
        return code

    def variation(self, before: Position, place: int, depth: int) -> Variation:
        if depth > shape.MAX_DEPTH:
            raise self.located(place, NotationError("record.depth", most=shape.MAX_DEPTH))
        self.variations += 1
        if self.variations > shape.MAX_VARIATIONS:
            raise self.located(place, NotationError("syntax.variations", most=shape.MAX_VARIATIONS))
        line, _ = self.line(before, depth)
        if self.token is None or self.token.lastgroup != "close":
            raise self.located(place, NotationError("syntax.open"))
        if not line.moves:
            raise self.located(place, NotationError("syntax.no_moves"))
        self.advance()
        with self.at(place):
            moves = notation.moves_text(line.moves)
            return Variation(before.ply + 1, moves, line.notes(), tuple(line.variations))

    def comment(self, token: re.Match[str], line: _Line, ply: int, is_timed: bool) -> None:
        if token[0].startswith(";"):
            text = token[7].strip()
        else:
            parts = _IN_COMMENT.findall(token[6])
            text = "".join(plain or words for plain, _, words in parts)
            for time in [time for plain, time, words in parts if not (plain or words)]:
                if not is_timed:
                    raise self.located(token.start(), NotationError("syntax.time_early"))
                with self.at(token.start()):
                    line.times[ply] = parse_time(time)
        if text:
            line.texts.setdefault(ply, []).append(text)


def _unknown(character: str) -> NotationError:
    """What begins with this character is nothing that the format knows."""
    match character:
        case "{":
            return NotationError("syntax.comment")
        case "[":
            return NotationError("syntax.tag")
        case "$":
            return NotationError("syntax.nag")
    return NotationError("syntax.unknown", text=notation.quote(character))


def _column(word: str, position: Position) -> int:
    """The column of a move word: a cell, or on a board wider than the alphabet a column digit."""
    board = position.board
    if board.columns > len(notation.LETTERS):
        return notation.parse_column(word, board.columns)
    column, row = notation.parse_cell(word.lower())
    if column >= board.columns:
        raise NotationError(
            "no_column.letter", word=word, last=notation.LETTERS[board.columns - 1], first="a", column=word[0]
        )
    landing = position.height(column)
    if row != landing < board.rows and not position.is_over:
        cell = notation.cell_name(column, landing)
        raise NotationError("lands", word=word, column=word[0], cell=cell)
    return column
