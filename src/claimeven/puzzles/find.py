"""Whether a position is a puzzle: one right column, found by an idea and by no rule of thumb."""

from claimeven import notation
from claimeven.position import Position
from claimeven.puzzles.ideas import Idea, ideas
from claimeven.puzzles.puzzle import Goal, Puzzle
from claimeven.puzzles.thumbs import careful, careless, is_quiet, opens_door
from claimeven.solver import Analysis, Solver

MIN_COLUMNS = 4  # with fewer to choose from there is nothing to find
MIN_SAFE = 3  # columns that do not lose at once
MAX_WIN = 8  # moves: the line is played out, four included
MIN_WIN = 2
MAX_HELD = 5  # columns to find where nothing is won


def find(position: Position, analysis: Analysis, is_after_error: bool, solver: Solver) -> Puzzle | None:
    """The puzzle that a quiet position is good for, not yet rated; `analysis` is of this position."""
    only = keeper(analysis)
    if only is None or len(position.legal) < MIN_COLUMNS or only in careless(position):
        return None
    return _to_play(position, only, analysis, is_after_error, solver)


def keeper(analysis: Analysis) -> int | None:
    """The only column that keeps the win, or the draw when there is no win; None when there are several."""
    assert analysis.score is not None
    outcome = analysis.score.outcome
    kept = [column for column, score in analysis.scores.items() if score.outcome == outcome]
    return kept[0] if len(kept) == 1 and outcome != "loss" and len(analysis.scores) > 1 else None


def _to_play(
    position: Position, column: int, analysis: Analysis, is_after_error: bool, solver: Solver
) -> Puzzle | None:
    assert analysis.score is not None
    moves = analysis.score.moves or 0
    goal: Goal = "draw" if analysis.score.value == 0 else "win" if moves <= MAX_WIN else "keep"
    if goal == "win" and moves < MIN_WIN:
        return None
    line = _won(position, column, solver) if goal == "win" else _held(position, column, solver)
    found = ideas(position, goal, line)
    themes = [theme for theme, idea in found.items() if _is_needed(position, line, idea, solver)]
    if not is_thumb(position, column):
        themes += ["refute"] * (is_after_error and goal == "win") + ["only_move"] * (goal == "draw")
    if not themes:
        return None
    assert position.moves is not None
    return Puzzle(position.moves, goal, tuple(themes), 0, notation.moves_text(line))


def _is_needed(position: Position, line: tuple[int, ...], idea: Idea, solver: Solver) -> bool:
    """Whether the move that has the idea is the only one there, and no rule of thumb finds it."""
    for column in line[: idea.place]:
        position = position.play(column)
    column = line[idea.place]
    if not is_quiet(position) or (idea.place and keeper(solver.analyse(position)) != column):
        return False
    return column not in careless(position) if idea.theme == "door" else not is_thumb(position, column)


def is_thumb(position: Position, column: int) -> bool:
    """Whether somebody without an idea finds a column: by its place, or because few others are safe."""
    safe = sum(not opens_door(position, other) for other in position.legal)
    return safe < MIN_SAFE or column in careful(position) | careless(position)


def _won(position: Position, column: int, solver: Solver) -> tuple[int, ...]:
    """Best play of both sides, from the column to find up to the four."""
    columns: list[int] = []
    while True:
        columns.append(column)
        position = position.play(column)
        if position.is_over:
            return tuple(columns)
        reply = hardest(position, solver)
        columns.append(reply)
        position = position.play(reply)
        column = position.board.central(solver.analyse(position).best)


def hardest(position: Position, solver: Solver) -> int:
    """A longest defence; of several one with a single right answer, then the central one."""
    replies = solver.analyse(position).best
    single = [reply for reply in replies if _is_single(position.play(reply), solver)]
    return position.board.central(single or replies)


def _is_single(position: Position, solver: Solver) -> bool:
    return not position.is_over and keeper(solver.analyse(position)) is not None


def _held(position: Position, column: int, solver: Solver) -> tuple[int, ...]:
    """As long as a best reply leaves a single right answer that is more than a block."""
    columns = [column]
    while len(columns) < 2 * MAX_HELD - 1:
        position = position.play(column)
        if position.is_over:
            break
        reply = hardest(position, solver)
        position = position.play(reply)
        only = None if position.is_over else keeper(solver.analyse(position))
        if only is None or not is_quiet(position):
            break
        columns += [reply, only]
        column = only
    return tuple(columns)
