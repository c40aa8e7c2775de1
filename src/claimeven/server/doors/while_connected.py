"""Work for a client that may go away before it is done."""

import asyncio
from typing import Any

from fastapi import Request

from claimeven.server.errors import RefusedError


async def while_connected(request: Request, coming: Any) -> Any:
    """Wait for the work, or cancel it when the client goes away."""
    work = asyncio.ensure_future(coming)
    gone = asyncio.ensure_future(_disconnect(request))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise RefusedError("gone.away")
    finally:
        gone.cancel()
        work.cancel()


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
