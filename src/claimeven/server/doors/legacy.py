"""The HTTP move service of an earlier system, word for word: one board in, one column out, columns from 0.

Stateless, so that games of several callers cannot disturb each other. These two routes, and no others, may be
called by pages of other sites.
"""

import threading
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from claimeven.agents import AgentError, Choice
from claimeven.board import MAX_BITS, MAX_COLUMNS, Board
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.errors import RefusedError
from claimeven.server.hub import Hub
from claimeven.server.shares import Asker, Rank

SECONDS = 5.0
DEFAULT_AGENT = "perfect"
OPEN = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
PREFLIGHT = OPEN | {
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "600",
}

Stone = Annotated[int, Field(ge=0, le=2)]
Row = Annotated[list[Stone], Field(min_length=1, max_length=MAX_COLUMNS)]
Column = Annotated[int, Field(ge=0, lt=MAX_COLUMNS)]

router = APIRouter(prefix="/api")


class MoveRequest(BaseModel):
    model_config = ConfigDict(strict=True)

    board: Annotated[
        list[Row],
        Field(
            min_length=1,
            max_length=MAX_BITS,
            description="of any size, four in a line; the first row is the top",
        ),
    ]
    current_player: Literal[1, 2]
    valid_moves: Annotated[list[Column], Field(max_length=MAX_COLUMNS)]
    is_new_game: bool = False


class MoveAnswer(BaseModel):
    move: int


class LegacyFault(BaseModel):
    detail: str


class Running(BaseModel):
    status: Literal["ok"]
    message: str


@router.get("/test", response_model=Running)
async def test() -> Response:
    return JSONResponse({"status": "ok", "message": "Server is running"}, headers=OPEN)


@router.post(
    "/connect4-move",
    response_model=MoveAnswer,
    responses={400: {"model": LegacyFault}, 422: {"model": LegacyFault}, 503: {"model": LegacyFault}},
)
async def connect4_move(request: Request, asked: MoveRequest) -> Response:
    """Choose a column, counted from 0, among `valid_moves`."""
    hub: Hub = request.app.state.hub
    agent: str = request.app.state.legacy_agent
    if not asked.valid_moves or 0 not in asked.board[0]:
        return _answer(400, {"detail": "No valid moves"})
    try:
        position = read_position(asked)
    except InputError as error:
        return _answer(422, {"detail": str(error)})
    if position.is_over:
        return _answer(400, {"detail": "No valid moves"})
    wrong = sorted(set(asked.valid_moves) - set(position.legal))
    if wrong:
        return _answer(422, {"detail": f"valid_moves: column {wrong[0]} cannot be played"})
    stop = threading.Event()
    try:
        asker = Asker(Rank.ASIDE, request.app.state.limits.visitor(request.scope))
        choice = await while_connected(request, hub.thinkers.choose(agent, position, SECONDS, stop, asker))
    except AgentError as error:
        return _answer(503, {"detail": str(error)})
    except RefusedError as error:
        return _answer(error.status, {"detail": error.message})
    finally:
        stop.set()
    return _answer(200, {"move": _among(choice, asked.valid_moves, position.board)})


@router.options("/connect4-move", include_in_schema=False)
@router.options("/test", include_in_schema=False)
async def preflight() -> Response:
    return Response(status_code=204, headers=PREFLIGHT)


def read_position(asked: MoveRequest) -> Position:
    """The position; whoever has as many stones as the other and is to move began the game."""
    board = Board(len(asked.board[0]), len(asked.board))
    if any(len(row) != board.columns for row in asked.board):
        raise InputError("board.ragged")
    stones = [0, 0, 0]
    for row, cells in enumerate(reversed(asked.board)):
        for column, stone in enumerate(cells):
            stones[stone] |= board.bit(column, row)
    mine, theirs = stones[asked.current_player], stones[3 - asked.current_player]
    began = mine.bit_count() == theirs.bit_count()
    if not began and mine.bit_count() + 1 != theirs.bit_count():
        raise InputError("turn_of_other")
    return Position.from_stones(board, mine, theirs) if began else Position.from_stones(board, theirs, mine)


def _among(choice: Choice, allowed: list[int], board: Board) -> int:
    """The chosen column; where the caller does not want it, the next likely one, or one near the centre."""
    if choice.column in allowed:
        return choice.column
    return max(allowed, key=lambda column: (choice.weights.get(column, 0.0), -board.off_centre(column)))


def _answer(status: int, body: dict[str, object]) -> Response:
    return JSONResponse(body, status, OPEN)
