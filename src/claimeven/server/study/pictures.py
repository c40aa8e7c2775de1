"""Pictures to share: a position as SVG or PNG, a game as a GIF. Threads of studies draw the pixels."""

from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from claimeven.picture import position_svg
from claimeven.position import Position
from claimeven.server.doors.documented import file_of
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.study.analysis import Asked, Line
from claimeven.server.study.desk import desk_of, visitor_of

router = APIRouter()
A_DAY = "public, max-age=86400"  # the address says everything that is on the picture


class Drawn(Struct, frozen=True):
    data: bytes


@router.get("/picture.svg", response_class=Response, responses=file_of("image/svg+xml"))
async def picture(position: Asked) -> Response:
    """The position as an SVG that stands alone."""
    return Response(position_svg(position), 200, {"Cache-Control": "no-cache"}, "image/svg+xml")


@router.get("/picture.png", response_class=Response, responses=file_of("image/png"))
async def preview(request: Request, position: Asked) -> Response:
    """The position as a PNG, as wide as previews of links are."""
    from claimeven.raster import position_png

    return await _drawn(request, ("png", position), lambda: position_png(position), "image/png")


@router.get("/picture.gif", response_class=Response, responses=file_of("image/gif"))
async def animation(request: Request, line: Line) -> Response:
    """The moves to the position, disc by disc."""
    from claimeven.raster import game_gif

    return await _drawn(request, ("gif", line), lambda: game_gif(line), "image/gif")


async def _drawn(
    request: Request, key: tuple[str, Position | tuple[Position, ...]], draw: Callable[[], bytes], kind: str
) -> Response:
    desk = desk_of(request)
    data = desk.known(key)
    if data is None:
        found = await while_connected(request, desk.do(lambda _: Drawn(draw()), visitor_of(request)))
        data = found.data
        desk.keep(key, data)
    return Response(data, 200, {"Cache-Control": A_DAY}, kind)
