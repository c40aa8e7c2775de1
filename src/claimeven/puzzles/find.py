"""Whether a position is a puzzle: one right column at every turn, judged by the exact solver."""

from collections.abc import Iterator

from claimeven.position import Position
from claimeven.puzzles.puzzle import Goal, Puzzle
from claimeven.reasons import certify
from claimeven.reasons.told.line import decision
from claimeven.solver import Analysis, Solver

MIN_COLUMNS = 3  # with fewer to choose from there is nothing to find
MAX_STEPS = 8
MAX_WIN = 8  # moves; "win in 15" is no task for a person
MIN_QUIZ_EMPTY, MAX_QUIZ_EMPTY = 8, 22  # cells: enough to wonder, few enough to count
MIN_QUIZ_WIN = 4  # moves; what is sooner is tactics


def find(position: Position, analysis: Analysis, is_after_error: bool, solver: Solver) -> Iterator[Puzzle]:
    """The puzzles that a position of a game is good for, not yet rated; `analysis` is of this position."""
    assert analysis.score is not None
    value = analysis.score.value
    if value >= 0 and len(position.legal) >= MIN_COLUMNS:
        only = keeper(analysis)
        if only is not None:
            puzzle = _to_play(position, only, analysis, is_after_error, solver)
            if puzzle is not None:
                yield puzzle
    quiz = _quiz(position, analysis)
    if quiz is not None:
        yield quiz


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
    value, moves = analysis.score.value, analysis.score.moves or 0
    goal: Goal = "win" if value > 0 else "draw"
    line, end = _line(position, column, goal, solver)
    if goal == "draw":
        themes = ["only_move"]
    else:
        is_short = moves <= MAX_WIN and end != "open"
        themes = ["win"] * is_short + ["refute"] * (is_after_error and moves > 1)
        themes += [end] * (end in ("fork", "stacked", "zugzwang")) + ["zugzwang"] * (end == "plan")
    if not themes:
        return None
    assert position.moves is not None
    return Puzzle(position.moves, goal, tuple(dict.fromkeys(themes)), 0, value, line, end)


def _line(position: Position, column: int, goal: str, solver: Solver) -> tuple[tuple[int, ...], str]:
    """From the first column to find up to where there is nothing more to find."""
    columns: list[int] = []
    while True:
        columns.append(column)
        seen = decision(position, column)
        if seen is not None and goal == "win":
            return tuple(columns), "win" if seen.kind == "wins_now" else seen.kind
        position = position.play(column)
        if position.is_over:
            return tuple(columns), "draw"
        plan = certify(position)
        if plan is not None and (plan.bound < 0 or goal == "draw"):
            return tuple(columns), "plan" if plan.keys or goal == "draw" else "open"
        following = _defence(position, solver)
        if following is None or len(columns) >= 2 * MAX_STEPS - 1:
            return tuple(columns), "open"
        columns.append(following[0])
        position, column = position.play(following[0]), following[1]


def _defence(position: Position, solver: Solver) -> tuple[int, int] | None:
    """A best reply to which there is again one right answer, and that answer."""
    for reply in solver.analyse(position).best:
        after = position.play(reply)
        if not after.is_over:
            only = keeper(solver.analyse(after))
            if only is not None:
                return reply, only
    return None


# Who wins? -----------------------------------------------------------------------------------------


def _quiz(position: Position, analysis: Analysis) -> Puzzle | None:
    """A position without threats that must be answered at once, and in which a plan settles the rest."""
    assert analysis.score is not None
    assert position.moves is not None
    board, mask = position.board, position.mask
    empty = board.cells - position.ply
    mine, theirs = (board.winning_cells(side, mask) for side in (position.mine, position.theirs))
    is_quiet = not (mine | theirs) & board.landings(mask)
    is_slow = (analysis.score.moves or MIN_QUIZ_WIN) >= MIN_QUIZ_WIN
    if not MIN_QUIZ_EMPTY <= empty <= MAX_QUIZ_EMPTY or not is_quiet or not is_slow or not mine | theirs:
        return None
    value = analysis.score.value
    line: tuple[int, ...] = ()
    plan = certify(position)
    if plan is None or (plan.bound == 0 and value < 0) or value > 0:  # perhaps the side to move has a plan
        for column in analysis.best:
            plan = certify(position.play(column)) if decision(position, column) is None else None
            if plan is not None and plan.bound <= -value:
                line = (column,)
                break
        else:
            return None
    if plan is None or (plan.bound == 0) != (value == 0):
        return None
    return Puzzle(position.moves, "who", ("parity",), 0, value, line, "plan")
