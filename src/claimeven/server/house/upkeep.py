"""What a server does for its database now and then: forget games, and look through a large one for damage."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial

from sqlalchemy.exc import DBAPIError

from claimeven.errors import InputError
from claimeven.server.errors import RefusedError
from claimeven.server.settings import DAY_MS, Settings
from claimeven.server.storage.cleaning import BREATH, Cleaner
from claimeven.server.storage.store import FencedError, Store


class Upkeep:
    def __init__(
        self,
        store: Store,
        settings: Settings,
        now: Callable[[], int],
        is_here: Callable[[str], bool],
        forget_player: Callable[[str, int], Awaitable[bool]],
    ) -> None:
        """`forget_player` does it, also in the memory of servers, unless they were here since then."""
        self._store = store
        self._settings = settings
        self._now = now
        self._is_here = is_here
        self._forget_player = forget_player
        self._cleaner: Cleaner | None = None  # made when the database first can be read
        self._next_cleaning = now() + settings.cleaning
        self._log = logging.getLogger("claimeven.server")

    async def look(self) -> None:
        """Do what is due."""
        try:
            if self._cleaner is None:
                self._cleaner = await asyncio.to_thread(
                    Cleaner, self._store, self._is_here, self._now(), self._settings.trust_clock_after
                )
            if self._now() >= self._next_cleaning:
                self._next_cleaning = self._now() + self._settings.cleaning
                await self._clean(self._cleaner)
        except (DBAPIError, FencedError) as error:  # next time, then
            self._log.warning("nothing forgotten", extra={"error": repr(error)})

    async def check(self) -> bool:
        """Look through a large file, which was not done before the start; False if it is damaged.

        All of it is read: those who come at once after a start go first.
        """
        try:
            await asyncio.sleep(self._settings.check_after / 1000)
            await asyncio.to_thread(self._store.check)
        except InputError as damage:
            self._log.error("the database is damaged", extra={"error": str(damage)})
            return False
        except DBAPIError as error:
            if not self._store.is_ending:
                self._log.warning("not read", extra={"error": repr(error)})
        return True

    async def _clean(self, cleaner: Cleaner) -> None:
        now = cleaner.time(self._now(), time.time_ns() // 1_000_000)
        dues = {cleaner.forget_unstarted: now - self._settings.forget_unstarted_after}
        if self._settings.keep_days:
            dues[cleaner.forget_old] = now - self._settings.keep_days * DAY_MS
        for forget, before in dues.items():
            if count := await asyncio.to_thread(partial(forget, before)):
                self._log.info("forgotten", extra={"count": count})
        if self._settings.keep_players_days:
            await self._forget_players(cleaner, now - self._settings.keep_players_days * DAY_MS)

    async def _forget_players(self, cleaner: Cleaner, before: int) -> None:
        count = 0
        for player in await asyncio.to_thread(cleaner.unseen, before):
            try:
                count += await self._forget_player(player, before)
            except RefusedError as error:  # next time, then
                self._log.warning("not forgotten", extra={"error": error.message})
            await asyncio.sleep(BREATH)
        if count:
            self._log.info("players forgotten", extra={"count": count})
