"""Games that the operator wants gone."""

from fastapi import APIRouter, Request, Response

from claimeven.server.doors.documented import NO_OPERATOR, NOTHING
from claimeven.server.doors.operators.key import check_operator

router = APIRouter()


@router.delete("/api/operator/games/{game}", status_code=204, responses=NOTHING | NO_OPERATOR)
async def remove_game(request: Request, game: str) -> Response:
    """For the operator: a game is gone, with the names in it; who is at it is sent away."""
    check_operator(request)
    await request.app.state.hub.remove(game)
    return Response(status_code=204)
