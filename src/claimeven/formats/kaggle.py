"""Kaggle ConnectX: the board an agent sees, and replays of whole episodes.

A board is a flat list of 0, 1 and 2, row by row from the TOP left; columns count from 0. In a replay every
step lists both agents, and the one who was not to move repeats a stale action: only the action of the
agent that was ACTIVE in the step before counts.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar

from claimeven import notation, shapes
from claimeven.errors import InputError, MoveError, NotationError, RecordError
from claimeven.formats.grid import from_cells, to_rows
from claimeven.formats.history import moves_to
from claimeven.game import Game, Player
from claimeven.position import Board, Position
from claimeven.shapes import UNSET, Bound, ShapeError, Unset

# How Kaggle says that an agent lost by its own fault, and what a game record says.
FAULTS = {"INVALID": "illegal", "ERROR": "crash", "TIMEOUT": "time"}

T = TypeVar("T")


class KaggleSizes(TypedDict):
    columns: int
    rows: int
    inarow: int


class KaggleSight(TypedDict):
    board: list[int]
    mark: int


class KaggleBoard(TypedDict):
    """What an agent is given, as `board_text` writes it."""

    observation: KaggleSight
    configuration: KaggleSizes


class KaggleSettings(KaggleSizes):
    actTimeout: int
    episodeSteps: int
    runTimeout: int


class KaggleObservation(TypedDict):
    """Of an agent in a replay; only the first is shown the board."""

    mark: int
    remainingOverageTime: float
    board: NotRequired[list[int]]
    step: NotRequired[int]


class KaggleInfo(TypedDict):
    """Kaggle's own; ours is empty."""


class KaggleStep(TypedDict):
    action: int
    info: KaggleInfo
    observation: KaggleObservation
    reward: int | None
    status: str


class KaggleTeams(TypedDict):
    TeamNames: list[str]


class KaggleReplay(TypedDict):
    """An episode, as `replay_text` writes it."""

    configuration: KaggleSettings
    description: str
    id: str
    info: KaggleTeams
    name: str
    rewards: tuple[int | None, int | None]
    schema_version: int
    statuses: tuple[str, str]
    steps: list[list[KaggleStep]]
    title: str
    version: str


def from_board(cells: Sequence[Any], board: Board | None = None) -> Position:
    """Build a position from `observation.board`.

    >>> str(from_board([0, 0, 0, 1, 0, 2], Board(3, 2, 3)))
    '3/x1o x 3x2x3'
    """
    board = board or Board()
    if len(cells) != board.cells:
        raise NotationError("cells.kaggle", n=len(cells), board=board, of=board.cells)
    return from_cells(cells, "top", board)


def to_board(position: Position) -> list[int]:
    return [cell for row in to_rows(position, "top") for cell in row]


# The board as text: {"observation": {"board": …, "mark": …}, "configuration": {"columns": …, …}} ----


Size = Annotated[int, Bound(least=0, most=1000)]  # whether such a board can exist is for Board to say


@dataclass(frozen=True)
class _Configuration:
    columns: Size = 7
    rows: Size = 6
    inarow: Size = 4


@dataclass(frozen=True)
class _Observation:
    board: list[int] | Unset = UNSET
    mark: Annotated[int, Bound(least=1, most=2)] | Unset = UNSET


@dataclass(frozen=True)
class _Seen:
    """What an agent is given."""

    observation: _Observation
    configuration: _Configuration | Unset = UNSET


def parse_board(text: str, board: Board | None = None) -> Position:
    """Read a bare list of cells, an observation, or an observation with its configuration."""
    value = notation.parse_json(text, "Kaggle board")
    if isinstance(value, list):
        value = {"board": value}
    if isinstance(value, dict) and "board" in value:
        value = {"observation": value}
    seen = _converted(value, _Seen, "Kaggle board")
    if seen.observation.board is UNSET:
        raise NotationError("record.kaggle_no_board")
    if seen.configuration is not UNSET:
        board = _board(seen.configuration, board)
    position = from_board(seen.observation.board, board)
    mark = seen.observation.mark
    if mark is not UNSET and mark != position.side + 1:
        noun = notation.plural("stone", position.ply)
        raise NotationError("turn.kaggle", n=position.ply, noun=noun, player=position.side + 1, mark=mark)
    return position


def board_text(position: Position) -> str:
    seen: KaggleBoard = {
        "observation": {"board": to_board(position), "mark": position.side + 1},
        "configuration": _configuration(position.board),
    }
    return _compact(seen)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _configuration(board: Board) -> KaggleSizes:
    return {"columns": board.columns, "rows": board.rows, "inarow": board.connect}


def _board(configuration: _Configuration, expected: Board | None) -> Board:
    board = Board(configuration.columns, configuration.rows, configuration.inarow)
    if expected is not None and board != expected:
        raise NotationError("other_board.kaggle", written=board, board=expected)
    return board


def _converted(value: Any, shape: type[T], what: str) -> T:
    try:
        return shapes.read(value, shape)
    except ShapeError as error:
        raise NotationError("record.kaggle", what=what, reason=str(error)) from None
    except RecursionError:
        raise NotationError("record.deep", what=what) from None


# Replays ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Agent:
    """One agent in one step: what it did, and its status afterwards."""

    status: str
    action: Any = None
    observation: _Observation = _Observation()


@dataclass(frozen=True)
class _Info:
    TeamNames: tuple[str, str] | None = None


@dataclass(frozen=True)
class _Replay:
    configuration: _Configuration
    steps: Annotated[list[tuple[_Agent, _Agent]], Bound(shortest=1, longest=notation.MAX_CELLS + 2)]
    id: str = ""
    info: _Info = _Info()
    rewards: tuple[float | None, float | None] | None = None


def parse_replay(text: str, board: Board | None = None) -> Game:
    """Read an episode: moves, team names, id, and how it ended."""
    replay = _converted(notation.parse_json(text, "Kaggle replay"), _Replay, "Kaggle replay")
    names = replay.info.TeamNames or ("", "")
    try:
        notation.check_line(replay.id, "id")
        players = (Player(names[0], "agent"), Player(names[1], "agent"))
    except ValueError as error:
        raise NotationError("part", what="Kaggle replay", cause=error) from None
    game = Game(_board(replay.configuration, board), players=players, id=replay.id)
    _check_step(game, replay.steps[0], 0)
    for number, (before, step) in enumerate(pairwise(replay.steps), start=1):
        _play_step(game, before, step, number)
    _finish(game, replay)
    game.record()  # refuses what the JSON record could not hold
    return game


def _play_step(game: Game, before: tuple[_Agent, _Agent], step: tuple[_Agent, _Agent], number: int) -> None:
    active = [side for side, agent in enumerate(before) if agent.status == "ACTIVE"]
    if active != [game.position.side] or game.result is not None:
        raise RecordError("record.kaggle_turn", step=number, side=game.position.side)
    agent = step[active[0]]
    if agent.status in FAULTS:
        game.end(1 - active[0], FAULTS[agent.status])
    elif not isinstance(agent.action, int) or isinstance(agent.action, bool):
        raise MoveError("record.kaggle_action", step=number, type=type(agent.action).__name__)
    elif not 0 <= agent.action < game.board.columns:
        action = notation.quote(str(agent.action))
        raise MoveError("no_column.kaggle", step=number, column=action, last=game.board.columns - 1, first=0)
    else:
        try:
            game.play(agent.action)
        except MoveError as error:
            raise error.wrapped("kaggle_step", step=number) from None
    _check_step(game, step, number)


def _check_step(game: Game, step: tuple[_Agent, _Agent], number: int) -> None:
    for agent in step:
        if agent.observation.board not in (UNSET, [], to_board(game.position)):
            raise RecordError("record.kaggle_board", step=number)


def _finish(game: Game, replay: _Replay) -> None:
    last = replay.steps[-1]
    is_running = any(agent.status == "ACTIVE" for agent in last)
    if game.result is None and not is_running:
        game.end(None, "abort")
    elif game.result is not None and is_running:
        raise RecordError("record.kaggle_active")
    result = game.result
    if result is None or result.reason not in ("connect", "full") or replay.rewards is None:
        return
    if replay.rewards != _rewards(game):
        raise RecordError("record.kaggle_rewards", rewards=list(replay.rewards), score=result.score)


def _rewards(game: Game) -> tuple[int | None, int | None]:
    result = game.result
    if result is None or result.winner is None:
        return 0, 0
    if result.reason in FAULTS.values():
        return (0, None) if result.winner == 0 else (None, 0)
    return (1, -1) if result.winner == 0 else (-1, 1)


def replay_text(game: Game) -> str:
    """Write an episode as Kaggle does, without the specification that its files repeat."""
    game.record()  # refuses what JSON could not hold
    position = Position(game.board)
    steps = [_step(position, None, ("ACTIVE", "INACTIVE"), (0, 0))]
    for column in moves_to(game.position):
        mover, position = position.side, position.play(column)
        statuses = ("INACTIVE", "ACTIVE") if mover == 0 else ("ACTIVE", "INACTIVE")
        steps.append(_step(position, (mover, column), statuses, (0, 0)))
    statuses, rewards = _last_statuses(game), _rewards(game)
    if game.result is not None and game.result.reason in FAULTS.values():
        steps.append(_step(position, None, statuses, rewards))
    for side, agent in enumerate(steps[-1]):
        agent["status"], agent["reward"] = statuses[side], rewards[side]
    replay: KaggleReplay = {
        "configuration": {
            "actTimeout": 2,
            "episodeSteps": 1000,
            "runTimeout": 1200,
            **_configuration(game.board),
        },
        "description": "Classic Connect in a row but configurable.",
        "id": game.id,
        "info": {"TeamNames": [player.name for player in game.players]},
        "name": "connectx",
        "rewards": rewards,
        "schema_version": 1,
        "statuses": statuses,
        "steps": steps,
        "title": "ConnectX",
        "version": "1.0.1",
    }
    return _compact(replay)


def _last_statuses(game: Game) -> tuple[str, str]:
    result = game.result
    if result is None:
        return ("INACTIVE", "ACTIVE") if game.position.side else ("ACTIVE", "INACTIVE")
    if result.reason in ("connect", "full", "abort"):
        return "DONE", "DONE"
    status = {reason: status for status, reason in FAULTS.items()}.get(result.reason)
    if status is None or result.winner == game.position.side:
        raise InputError("kaggle_result", score=result.score, reason=result.reason)
    return (status, "DONE") if result.winner == 1 else ("DONE", status)


def _step(
    position: Position,
    move: tuple[int, int] | None,
    statuses: tuple[str, str],
    rewards: tuple[int | None, int | None],
) -> list[KaggleStep]:
    agents: list[KaggleStep] = []
    for side in (0, 1):
        observation: KaggleObservation = {"mark": side + 1, "remainingOverageTime": 60}
        if side == 0:
            observation["board"] = to_board(position)
            observation["step"] = position.ply
        action = move[1] if move is not None and move[0] == side else 0
        agents.append(
            {
                "action": action,
                "info": {},
                "observation": observation,
                "reward": rewards[side],
                "status": statuses[side],
            }
        )
    return agents
