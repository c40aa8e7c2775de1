"""What the solver found out, in words and as JSON."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, NotRequired, TypedDict

from claimeven import notation
from claimeven.position import Position
from claimeven.solver import Analysis, Bounds, Outcome, Score, outcome_of, score_of

PLAYERS = ("first player", "second player")
Style = Literal["", "bold", "green"]
NOTHING_KNOWN = 2  # moves: bounds that are only "nobody wins with the very next stone" say nothing


class SolvedJson(TypedDict):
    """The contract of `claimeven solve --json`; bounds only where a limit came first."""

    moves: str | None
    board: str
    score: int | None
    outcome: Outcome | None
    winner_moves: int | None
    best: list[str]
    scores: dict[str, int]
    line: list[str]
    nodes: int
    seconds: float
    bounds: NotRequired[dict[str, list[int]] | list[int]]  # of the columns, or of the position itself


class Row(NamedTuple):
    """A line of an answer, and how a terminal that has colours shows it."""

    text: str
    style: Style = ""


class Solved:
    """A whole analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.position = analysis.position

    def data(self) -> SolvedJson:
        analysis = self.analysis
        score = analysis.score
        low, high = self.bounds
        data: SolvedJson = {
            "moves": self.position.moves,
            "board": str(self.position.board),
            "score": None if score is None else int(score),
            "outcome": outcome_of(low) if outcome_of(low) == outcome_of(high) else None,
            "winner_moves": None if score is None else score.moves,
            "best": [notation.column_digit(c) for c in analysis.best],
            "scores": {notation.column_digit(c): int(s) for c, s in analysis.scores.items()},
            "line": [notation.column_digit(c) for c in analysis.line],
            "nodes": analysis.nodes,
            "seconds": round(analysis.seconds, 6),
        }
        if score is None:
            data["bounds"] = {notation.column_digit(c): list(b) for c, b in analysis.bounds.items()}
        return data

    @property
    def bounds(self) -> tuple[int, int]:
        """Of the position itself."""
        analysis = self.analysis
        if analysis.score is not None:
            return int(analysis.score), int(analysis.score)
        return max(low for low, _ in analysis.bounds.values()), max(h for _, h in analysis.bounds.values())

    def verdict(self) -> str:
        """One sentence: "first player wins in 9 moves with column 4"."""
        position, analysis = self.position, self.analysis
        if position.is_over:
            return ending(position)
        mover, other = PLAYERS[position.side], PLAYERS[1 - position.side]
        score = analysis.score
        if score is None:
            return f"not solved within the limit: {known(position, *self.bounds)}"
        every = len(analysis.best) == len(position.legal)
        if int(score) > 0:
            return f"{mover} {score} with {'any column' if every else columns_words(analysis.best, 'or')}"
        if int(score) == 0:
            return f"a draw with {'any column' if every else columns_words(analysis.best, 'or')}"
        if every:
            return f"{other} {-score} whatever is played"
        hold = "holds" if len(analysis.best) == 1 else "hold"
        return f"{other} {-score}; {columns_words(analysis.best, 'and')} {hold} out longest"

    def rows(self) -> list[Row]:
        """The verdict, a table of the columns, the line of best play, and what it cost."""
        analysis = self.analysis
        rows = [Row(self.verdict(), "bold")]
        if not self.position.is_over:
            best = set(analysis.best)
            rows += [
                column_row(self.position, column, bounds, column in best)
                for column, bounds in analysis.bounds.items()
            ]
        return [*rows, *line_rows(analysis), Row(effort(analysis.nodes, analysis.seconds))]


def column_row(position: Position, column: int, bounds: tuple[int, int], is_best: bool) -> Row:
    """A row of the table: "  * column 4  wins in 21 moves"."""
    return Row(f"  {column_mark(position, column, bounds, is_best)}", "green" if is_best else "")


def column_mark(position: Position, column: int, bounds: tuple[int, int], is_best: bool) -> str:
    """ "* column 4  wins in 21 moves"."""
    mark = "*" if is_best else " "
    return f"{mark} column {notation.column_digit(column)}  {column_words(position, *bounds)}"


def line_rows(analysis: Analysis) -> list[Row]:
    return [Row(f"best play: {notation.moves_text(analysis.line)}")] if analysis.line else []


def score_words(position: Position, score: Score) -> str:
    """The score alone, as soon as it is known: "first player wins in 21 moves"."""
    if score.moves is None:
        return "a draw"
    is_won = score.value > 0
    return f"{PLAYERS[position.side if is_won else 1 - position.side]} {score if is_won else -score}"


class Judged:
    """Only the outcome."""

    def __init__(self, position: Position, bounds: Bounds, seconds: float) -> None:
        self.position = position
        self.bounds = bounds
        self.seconds = seconds

    @property
    def outcome(self) -> Outcome | None:
        low, high = outcome_of(self.bounds.low), outcome_of(self.bounds.high)
        return low if low == high else None

    def data(self) -> SolvedJson:
        return {
            "moves": self.position.moves,
            "board": str(self.position.board),
            "score": None,
            "outcome": self.outcome,
            "winner_moves": None,
            "best": [],
            "scores": {},
            "line": [],
            "nodes": self.bounds.nodes,
            "seconds": round(self.seconds, 6),
        }

    def verdict(self) -> str:
        position = self.position
        if position.is_over:
            return ending(position)
        if self.outcome is None:
            return f"not solved within the limit: {known(position, self.bounds.low, self.bounds.high)}"
        if self.outcome == "draw":
            return "a draw"
        return f"{PLAYERS[position.side if self.outcome == 'win' else 1 - position.side]} wins"

    def rows(self) -> list[Row]:
        return [Row(self.verdict(), "bold"), Row(effort(self.bounds.nodes, self.seconds))]


class Valued(Judged):
    """The exact score, and nothing of the columns."""

    @property
    def score(self) -> Score:
        return score_of(self.bounds.low, self.position.board.cells, self.position.ply)

    def data(self) -> SolvedJson:
        return {**super().data(), "score": int(self.score), "winner_moves": self.score.moves}

    def verdict(self) -> str:
        return super().verdict() if self.position.is_over else score_words(self.position, self.score)


def ending(position: Position) -> str:

    if position.winner is None:
        return "a draw: the board is full"
    cells = " ".join(position.board.cell_name(cell) for cell in position.four)
    return f"{PLAYERS[position.winner]} has won with {cells}"


def known(position: Position, low: int, high: int) -> str:
    """What bounds on the score mean for the game."""
    mover, other = PLAYERS[position.side], PLAYERS[1 - position.side]
    if low > 0:
        return f"{mover} wins in {moves_between(position, low, high)}"
    if high < 0:
        return f"{other} wins in {moves_between(position, low, high)}"
    moves = {value: score_of(value, position.board.cells, position.ply).moves or 0 for value in (low, high)}
    if low == 0:
        return f"{mover} wins in {moves_words(moves[high])} or more, or it is a draw"
    if high == 0:
        return f"{other} wins in {moves_words(moves[low])} or more, or it is a draw"
    if max(moves.values()) <= NOTHING_KNOWN:
        return "nothing is known yet"
    return f"{mover} would need {moves_words(moves[high])} or more to win, {other} {moves[low]} or more"


def column_words(position: Position, low: int, high: int) -> str:
    """What bounds on a column's score mean for the side to move."""
    if low == high:
        return str(score_of(low, position.board.cells, position.ply))
    if low > 0:
        return f"wins in {moves_between(position, low, high)}"
    if high < 0:
        return f"loses in {moves_between(position, low, high)}"
    moves = {value: score_of(value, position.board.cells, position.ply).moves or 0 for value in (low, high)}
    if low and high and max(moves.values()) <= NOTHING_KNOWN:
        return "nothing is known yet"
    worst = f"losing in {moves_words(moves[low])}" if low else "a draw"
    best = f"winning in {moves[high]}" if high else "a draw"
    return f"between {worst} and {best}"


def moves_between(position: Position, low: int, high: int) -> str:
    """Bounds of one sign as a number of moves: "3 to 9 moves"."""
    counts = [score_of(value, position.board.cells, position.ply).moves or 0 for value in (low, high)]
    if counts[0] == counts[1]:
        return moves_words(counts[0])
    return f"{min(counts)} to {max(counts)} moves"


def moves_words(count: int) -> str:
    return f"{count} {notation.plural('move', count)}"


def columns_words(columns: Sequence[int], last: str) -> str:
    """ "column 4", "column 3 or 5", "columns 3, 4 and 5"."""
    digits = [notation.column_digit(column) for column in columns]
    if len(digits) == 1:
        return f"column {digits[0]}"
    noun = "column" if last == "or" else "columns"
    return f"{noun} {', '.join(digits[:-1])} {last} {digits[-1]}"


def effort(nodes: int, seconds: float) -> str:
    return f"{nodes:,} {notation.plural('node', nodes)} in {seconds:.{3 if seconds < 10 else 0}f} seconds"
