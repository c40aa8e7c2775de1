"""Several discs: a whole line entered at once, and a position played out against the best defence."""

from dataclasses import replace

from claimeven import notation
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.reasons.reviewed.motif import decided
from claimeven.school.drop import find_fault, hinted, refused, told, written_fault
from claimeven.school.goals import GOALS, Asked, accepted
from claimeven.school.unit import Task
from claimeven.school.verdict import Verdict
from claimeven.school.voice import Voice


def judge_line(
    task: Task, columns: tuple[int, ...], asked: Asked, voice: Voice, is_first: bool = False
) -> Verdict:
    """Both sides' discs in turn: each of the best there are, until the win cannot be stopped any more."""
    position = task.position
    for number, column in enumerate(columns, 1):
        is_own = position.side == task.side
        if column not in asked.analyse(position).best:
            return _wrong_disc(task, position, columns[:number], asked, voice, is_first)
        end = decided(position, column)
        position = position.play(column)
        if is_own and (end is not None or position.is_over):
            cells = position.four if end is None else end.cells
            text = told(task, voice, "right", cells, line=voice.line(columns[:number]))
            return Verdict("right", text, position, cells)
    line = voice.line(columns)
    return Verdict("go_on", voice.shared("line.short", line=line), task.position)


def _wrong_disc(
    task: Task, position: Position, columns: tuple[int, ...], asked: Asked, voice: Voice, is_first: bool
) -> Verdict:
    number, column = len(columns), columns[-1]
    if position.side == task.side:
        fault = find_fault(position, column, asked, voice)
        if is_first and fault.tells_answer:
            hint = hinted(position, column, fault, voice)
            return Verdict("wrong", f"{voice.shared('line.own', number=number)} {hint}", task.position)
        # The line of the task is about its position: it fits the first disc.
        own = written_fault(task, column, fault, voice) if number == 1 else ""
        text = own or f"{voice.shared('line.own', number=number)} {fault.text}"
        return Verdict("wrong", text, task.position, fault.cells)
    # The other side plays its best: what it should have played is told, what it missed is not the lesson.
    named = {"they": voice.player(position.side), "column": voice.column(column)}
    better = voice.columns(asked.analyse(position).best)
    return Verdict("wrong", voice.shared("line.reply", number=number, columns=better, **named), task.position)


def judge_play(
    task: Task, played: str, column: int, asked: Asked, voice: Voice, is_first: bool = False
) -> Verdict:
    """The learner's next disc; if it keeps what he had, the best answer to it falls at once."""
    position = replayed(task, played)
    idea, also = accepted(GOALS[task.about], position, asked)
    if column not in idea and column not in also:
        fault = find_fault(position, column, asked, voice)
        return replace(refused(task, position, column, fault, voice, is_first), played=played)
    after, played = position.play(column), played + notation.column_digit(column)
    if after.is_over:
        return Verdict("right", told(task, voice, "right", after.four), after, after.four, played=played)
    reply = after.board.central(asked.analyse(after).best)
    last, played = after.play(reply), played + notation.column_digit(reply)
    if last.is_over:  # the board is full: a draw was held
        return Verdict("right", told(task, voice, "right"), last, played=played, reply=reply)
    code = "play.go_on" if column in idea else "play.also"
    values = {**voice.players(position), "column": voice.column(column), "reply": voice.column(reply)}
    text = voice.shared(code, columns=voice.columns(idea), **values)
    return Verdict("go_on", text, last, played=played, reply=reply)


def replayed(task: Task, played: str) -> Position:
    """The position of a game that is being played out; the learner is to move."""
    position = task.position
    for column in notation.parse_moves(played, position.board.columns):
        position = position.play(column)
    if position.side != task.side or position.is_over:
        raise InputError("school.turn")
    return position
