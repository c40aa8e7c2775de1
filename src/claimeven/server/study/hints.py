"""A hint for whoever plays without a table of ours: where to look, then the idea, then the column."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from claimeven.server.doors.documented import answers
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.errors import RefusedError
from claimeven.server.study.analysis import Asked, Language
from claimeven.server.study.answers import Hinted
from claimeven.server.study.desk import desk_of, json_answer, visitor_of

router = APIRouter()


@router.get("/hint", responses=answers(Hinted))
async def hint(
    request: Request, position: Asked, stage: Annotated[int, Query(ge=1, le=3)] = 3, language: Language = "en"
) -> Response:
    """One sentence; that of the last stage with the best columns, the one that it names first."""
    if position.is_over:
        raise RefusedError("game_over.hint")
    coming = desk_of(request).thinkers.hint(position, language, stage, visitor_of(request))
    columns, text = await while_connected(request, coming)
    return json_answer(Hinted(tuple(column + 1 for column in columns), text))
