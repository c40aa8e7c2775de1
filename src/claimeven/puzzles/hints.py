"""Hints in order: the danger, the idea, the area, the cell, the answer; and what is told at the end."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Literal, get_args

from claimeven import notation
from claimeven.board import Board
from claimeven.position import Cell, Position
from claimeven.puzzles.ideas import Idea, ideas
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.quiz import cells_of, ends_below, reason
from claimeven.puzzles.right import told_right
from claimeven.puzzles.thumbs import careless, opens_door
from claimeven.reasons.seen.geometry import region
from claimeven.reasons.seen.move import fours_through
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.words import Words
from claimeven.solver import Solver

Lines = tuple[tuple[Cell, ...], ...]
Stage = Literal["danger", "idea", "area", "cell", "answer"]
PREVENTED = ("door", "deny_fork")  # their cells are those of the other side
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True)
class Hint:
    """One sentence of the catalogue: the code is its stage and a name."""

    stage: Stage
    name: str
    cells: tuple[Cell, ...] = ()
    count: int | None = None
    column: int | None = None
    player: str | None = None

    def text(self, puzzle: Puzzle, language: str = "en") -> str:
        teller = Teller(puzzle.position.board, language)
        return teller.words.say(
            f"{self.stage}.{self.name}",
            n=self.count,
            cells=teller.cells(self.cells),
            cell=teller.cells(self.cells[:1]),
            column=None if self.column is None else teller.column(self.column),
            player=self.player,
        )


def idea_of(puzzle: Puzzle) -> Idea:
    """Of the main theme. Some have no cells: what they are about is the whole board."""
    found = ideas(puzzle.position, puzzle.goal, puzzle.line) if puzzle.has_line else {}
    return found.get(puzzle.theme, Idea(puzzle.theme, 0))


def hints(puzzle: Puzzle, position: Position | None = None, column: int | None = None) -> tuple[Hint, ...]:
    """For the column to find in a position of its line, at first the puzzle's own; the last is the answer."""
    if not puzzle.has_line:
        return _about_a_question(puzzle)
    position = puzzle.position if position is None else position
    column = puzzle.line[0] if column is None else column
    board = position.board
    landing = board.landing(position.mask, column)
    mine, theirs = (
        board.winning_cells(side, position.mask) & board.landings(position.mask)
        for side in (position.mine, position.theirs)
    )
    idea = idea_of(puzzle)
    name = "finish" if mine else "stop" if theirs else puzzle.theme
    cells = tuple(
        cell for cell in idea.cells if board.bit(*cell) & ~position.mask & ~landing and name == puzzle.theme
    )
    return (
        _danger(puzzle, position, bool(mine), bool(theirs)),
        Hint("idea", name),
        *_area(board, (column, *(cell.column for cell in cells))),
        *([Hint("cell", "look", cells)] if cells else []),
        Hint("answer", "column", column=column),
    )


def _danger(puzzle: Puzzle, position: Position, is_winning: bool, is_pressed: bool) -> Hint:
    if is_winning or is_pressed:
        return Hint("danger", "chance" if is_winning else "win")
    if puzzle.theme == "deny_fork" and position == puzzle.position:
        return Hint("danger", "fork")
    doors = sum(opens_door(position, column) for column in position.legal)
    return Hint("danger", "door", count=doors) if doors else Hint("danger", "none")


def _about_a_question(puzzle: Puzzle) -> tuple[Hint, ...]:
    first = (Hint("danger", "none"), Hint("idea", puzzle.theme))
    if puzzle.goal == "who":
        name = "who_draw" if puzzle.winner is None else "who"
        player = None if puzzle.winner is None else notation.STONES[puzzle.winner]
        return (*first, Hint("cell", "look", _winning(puzzle)), Hint("answer", name, player=player))
    cells = _winning(puzzle)
    area = _area(puzzle.position.board, (cell.column for cell in cells))
    return (*first, *area, Hint("cell", "look", cells), Hint("answer", "cell", (puzzle.cell,)))


def _area(board: Board, columns: Iterable[int]) -> tuple[Hint, ...]:
    """The part of the board with the answer and all cells that are shown next; none where it is all of it."""
    found = {region(board, column) for column in columns}
    name = "_".join(part for part in ("left", "middle", "right") if part in found)
    return () if len(found) == 3 else (Hint("area", name),)


def _winning(puzzle: Puzzle) -> tuple[Cell, ...]:
    """The winning cells that are asked about: those of both sides, or of the one that wins."""
    sides = (0, 1) if puzzle.goal == "who" else (puzzle.winner or 0,)
    cells = 0
    for side in sides:
        cells |= cells_of(puzzle.position, side)
    return puzzle.position.board.cells_of(cells)


def wrong_cell(puzzle: Puzzle, cell: Cell, language: str = "en") -> str:
    """What is wrong with a cell that is not the one to find: it decides, or it is none of those."""
    position, side = puzzle.position, puzzle.winner or 0
    bit = position.board.bit(*cell)
    if bit & position.mask:
        code = "taken"
    elif bit & cells_of(position, side):
        code = "needed"
    else:
        code = "theirs" if bit & cells_of(position, 1 - side) else "none"
    teller = Teller(position.board, language)
    return teller.words.say(f"puzzle.cell.{code}", cell=teller.cells((cell,)))


def why(puzzle: Puzzle, language: str = "en", solver: Solver | None = None) -> str:
    """Why the answer is right: what the right column does, then the words of its theme, of its own line and
    cells. The solver is the one that the process shares unless one is given."""
    teller, board = Teller(puzzle.position.board, language), puzzle.position.board
    say = teller.words.say
    if puzzle.goal == "who":
        owned = [(who, cells_of(puzzle.position, side)) for side, who in enumerate(("first", "second"))]
        told = [
            say(f"why.parity.{who}", cells=teller.cells(board.cells_of(cells)))
            for who, cells in owned
            if cells
        ]
        return " ".join([*told, say("why.parity")])
    if puzzle.goal == "cell":
        cell = puzzle.cell
        others = tuple(other for other in _winning(puzzle) if other != cell)
        known = reason(puzzle.position, puzzle.winner or 0, board.bit(*cell))
        ends = board.cells_of(ends_below(puzzle.position, board.bit(*cell)))[:1]
        below, named = teller.cells(ends), teller.cells(others)
        return say(f"why.{known}", cell=teller.cells((cell,)), others=named, below=below)
    idea = idea_of(puzzle)
    does = told_right(puzzle, idea, language, solver)
    line = puzzle.line[: idea.until + 1]
    first = Cell(line[0], puzzle.position.height(line[0]))
    shown = teller.line(line) if len(line) > 1 else teller.cells((first,))
    tempting = teller.column(min(careless(puzzle.position)))
    # Of two threats only one may be the same after every careless column.
    code = f"why.{puzzle.theme}{'.one' if puzzle.theme == 'deny_fork' and len(idea.cells) == 1 else ''}"
    because = say(code, line=shown, cells=teller.cells(idea.cells), column=tempting)
    because = f"{does} {because}" if does else because
    lines = ideal_lines(puzzle, idea)
    code, lines = ("why.lines", lines) if lines else ("why.end", last_lines(puzzle))
    named = teller.words.listed([teller.ends(four) for four in lines])
    return f"{because} {say(code, n=len(lines), lines=named)}" if lines else because


def ideal_lines(puzzle: Puzzle, idea: Idea) -> Lines:
    """The lines that the cells of an idea complete for whoever solves; of each cell one."""
    if puzzle.goal != "win" or idea.theme in PREVENTED:
        return ()
    board, position = puzzle.position.board, _after(puzzle, puzzle.line[: idea.until + 1])
    stones = position.mine if position.side == puzzle.side else position.theirs
    bits = [board.bit(*cell) for cell in idea.cells]
    found = [fours_through(board, stones | bit, bit)[:1] for bit in bits if not bit & position.mask]
    return tuple(board.cells_of(line) for lines in found for line in lines)


def _after(puzzle: Puzzle, columns: Iterable[int]) -> Position:
    return reduce(Position.play, columns, puzzle.position)


def last_lines(puzzle: Puzzle) -> Lines:
    """Those that the last disc of a solution completes."""
    if puzzle.goal != "win":
        return ()
    board, before = puzzle.position.board, _after(puzzle, puzzle.line[:-1])
    bit = board.landing(before.mask, puzzle.line[-1])
    return tuple(map(board.cells_of, fours_through(board, before.mine | bit, bit)[:1]))


def to_json(puzzle: Puzzle, language: str = "en") -> dict[str, object]:
    """Everything about a puzzle as plain values: `claimeven puzzle --json`."""
    board, words = puzzle.position.board, Words(language)
    return {
        "id": puzzle.id,
        "board": str(board),
        "moves": puzzle.moves,
        "position": str(puzzle.position),
        "side": notation.STONES[puzzle.side],
        "goal": puzzle.goal,
        "themes": list(puzzle.themes),
        "theme_words": [words.say(f"theme.{theme}") for theme in puzzle.themes],
        "rating": puzzle.rating,
        "language": language,
        "question": puzzle.question(language),
        "answer": puzzle.answer,
        "steps": puzzle.steps,
        "hints": [{"stage": hint.stage, "text": hint.text(puzzle, language)} for hint in hints(puzzle)],
        "why": why(puzzle, language),
    }
