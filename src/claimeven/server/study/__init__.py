"""What the page needs to teach: exact values, reasons, reviews, puzzles, lessons, every format."""

from fastapi import APIRouter

from claimeven.server.study import analysis, games, lessons, puzzles

router = APIRouter(prefix="/api")
for part in (analysis, games, puzzles, lessons):
    router.include_router(part.router)

__all__ = ["router"]
