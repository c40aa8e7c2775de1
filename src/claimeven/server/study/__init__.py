"""What the page needs to teach: exact values, reasons, reviews, puzzles, the school, formats, matches."""

from fastapi import APIRouter

from claimeven.server.study.analysis import router as analysis_router
from claimeven.server.study.games import router as games_router
from claimeven.server.study.hints import router as hints_router
from claimeven.server.study.map import router as map_router
from claimeven.server.study.match import router as match_router
from claimeven.server.study.pictures import router as pictures_router
from claimeven.server.study.puzzles import router as puzzles_router
from claimeven.server.study.school import router as school_router

router = APIRouter(prefix="/api")
for part in (
    analysis_router,
    games_router,
    hints_router,
    map_router,
    match_router,
    pictures_router,
    puzzles_router,
    school_router,
):
    router.include_router(part)

__all__ = ["router"]
