"""Requests of people through a line that misbehaves: asked again until there is an answer."""

import asyncio
import contextlib
import json
import random
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

from claimeven.server.errors import RefusedError

ASK_SECONDS = 10.0
UNDECIDED = (429, 500, 502, 503)
Page = dict[str, Any]


class Asking:
    def __init__(self, address: str, rng: random.Random) -> None:
        self.address = address
        self._rng = rng

    async def until_answered(self, path: str, body: Any = None, key: str | None = None) -> Page:
        """RefusedError if the answer is no."""
        while True:
            with contextlib.suppress(OSError, HTTPException, json.JSONDecodeError):
                answer = await asyncio.to_thread(self.once, path, body, key)
                if answer is not None:
                    return answer
            await asyncio.sleep(self._rng.uniform(0.1, 0.6))

    def once(self, path: str, body: Any, key: str | None) -> Page | None:
        """None: it may be asked again."""
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{path}", data, headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=ASK_SECONDS) as response:
                page: Page = json.load(response)
                return page
        except urllib.error.HTTPError as error:
            if error.code in UNDECIDED:
                return None
            told = json.load(error)["error"]
            raise RefusedError.told(told["code"], told["message"]) from None
