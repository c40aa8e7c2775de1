"""Games that the operator wants gone."""

from fastapi import APIRouter, Request, Response

from claimeven.server.doors.operators.key import check_operator

router = APIRouter()


@router.delete("/api/operator/games/{game}", include_in_schema=False)
async def remove_game(request: Request, game: str) -> Response:
    check_operator(request)
    await request.app.state.hub.remove(game)
    return Response(status_code=204)
