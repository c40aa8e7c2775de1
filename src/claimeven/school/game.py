"""The game at the end of a unit: from a set position against a level, one answer at a time."""

from claimeven import notation
from claimeven.agents import make_agent
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.reasons.reviewed.mistake import mistake
from claimeven.school.drop import Fault, find_fault
from claimeven.school.goals import Asked
from claimeven.school.unit import SetGame, Unit
from claimeven.school.verdict import Verdict
from claimeven.school.voice import Voice, voice_of
from claimeven.solver import shared_solver


def play_game(
    unit: Unit, column: int, language: str = "en", *, played: str = "", solver: Asked | None = None
) -> Verdict:
    """The learner's disc and the answer of the level. Nothing is kept: `played` has the columns so far.

    The same columns get the same answer. A game that reached its aim is right, another end is wrong.
    """
    voice, before = voice_of(unit.name, language), game_position(unit.game, played)
    after, played = before.play(column), played + notation.column_digit(column)
    if after.is_over:
        return _ended(unit.game, after, played, None, voice, solver)
    seed = sum(int(digit) * 7**place for place, digit in enumerate(played))
    reply = make_agent(f"level:{unit.game.level}", seed=seed).choose(after).column
    last, played = after.play(reply), played + notation.column_digit(reply)
    if last.is_over:
        return _ended(unit.game, last, played, reply, voice, solver)
    text = voice.shared("game.reply", they=voice.player(after.side), reply=voice.column(reply))
    return Verdict("go_on", text, last, played=played, reply=reply)


def game_position(game: SetGame, played: str) -> Position:
    """Where a set game stands; the learner is to move."""
    position = game.position
    for column in notation.parse_moves(played, position.board.columns):
        position = position.play(column)
    if position.is_over or position.side != game.side:
        raise InputError("school.turn")
    return position


def _ended(
    game: SetGame, last: Position, played: str, reply: int | None, voice: Voice, solver: Asked | None
) -> Verdict:
    if last.winner == game.side:
        return Verdict("right", voice.shared("game.won"), last, last.four, played=played, reply=reply)
    if last.winner is None:
        mark, code = ("right", "game.held") if game.aim == "draw" else ("wrong", "game.drawn")
        return Verdict("right" if mark == "right" else "wrong", voice.shared(code), last, played=played)
    fault = _last_fault(game, played, voice, solver or shared_solver())
    text = voice.shared("game.lost") + (f" {fault.text}" if fault is not None else "")
    return Verdict("wrong", text, last, last.four, played=played, reply=reply)


def _last_fault(game: SetGame, played: str, voice: Voice, asked: Asked) -> Fault | None:
    """What decided it, as a person would say: the learner's last mistake that could be seen."""
    positions = [game.position]
    for column in notation.parse_moves(played, game.position.board.columns):
        positions.append(positions[-1].play(column))
    for number in range(len(played) - 1, -1, -1):
        position = positions[number]
        if position.side != game.side:
            continue
        column = int(played[number]) - 1
        if mistake(position, column) is not None:  # by the rules alone: what could be seen
            return find_fault(position, column, asked, voice)
    return None
